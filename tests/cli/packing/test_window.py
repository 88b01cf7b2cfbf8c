"""The prompt window from the command line: what is pinned, added, asked for and dismissed, from run to run."""

import json
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

FILE = ".codecortex/local/prompt_window.md"
STATE = ".codecortex/local/window.json"
LETTERS = "ABCDEFGHIJ"


@pytest.fixture
def letters(tmp_path: Path, git: Callable[..., str], cli: Any) -> Path:
    """Return a repository of ten types that know nothing of each other, one more that knows some, and an interface."""
    root = tmp_path / "letters"
    root.mkdir()
    git(root, "init", "--quiet")
    sources = [f"/// <summary>{name * 200}</summary>\npublic class {name} {{ }}\n" for name in LETTERS]
    sources.append("public interface IZ { }\npublic class Z : IZ { public A? First; public B? Second; }\n")
    (root / "letters.cs").write_text("namespace N;\n" + "".join(sources))
    assert cli(root, "init").code == 0
    git(root, "add", ".")
    git(root, "commit", "--quiet", "-m", "one")
    return root


@pytest.fixture
def ask(cli: Any) -> Callable[..., dict[str, Any]]:
    """Run a command with --json that must succeed: `ask(folder, "pin", "A")`."""

    def run(folder: Path, *arguments: str) -> dict[str, Any]:
        result = cli(folder, *arguments, "--json")
        assert result.code == 0, result.err
        return json.loads(result.out)

    return run


def list_names(window: dict[str, Any], section: str) -> list[str]:
    return [each["fqn"].removeprefix("N.") for each in window["types"] if each["section"] == section]


def set_config(root: Path, text: str) -> None:
    (root / ".codecortex/config.yaml").write_text(text)


def test_an_empty_window_says_how_it_is_filled(letters: Path, cli: Any):
    result = cli(letters, "window")
    assert (result.code, result.out) == (0, "")
    assert "codecortex pin SYMBOL" in result.err
    assert (letters / FILE).read_bytes() == b""


def test_the_file_holds_what_is_printed_and_git_ignores_it(letters: Path, cli: Any, git: Any):
    assert cli(letters, "pin", "N.A").out.startswith("pinned  N.A T_")
    assert cli(letters, "outline", "N.Z").code == 0
    result = cli(letters, "window")
    text = (letters / FILE).read_text()
    assert result.out == text
    assert text.startswith("# Pinned\n\n## N.A T_")
    assert "\n\n# Focus\n\n## N.Z T_" in text
    assert "1 pinned" in result.err
    assert git(letters, "status", "--short") == ""


def test_an_outline_in_the_window_is_the_committed_one(letters: Path, cli: Any, ask: Any):
    assert cli(letters, "refresh").code == 0
    (kept,) = (ask(letters, "pin", "N.Z"), ask(letters, "window"))[1]["types"][:1]
    committed = (letters / f".codecortex/types/{kept['id']}.outline.md").read_text()
    assert f"#{committed}" in (letters / FILE).read_text()


def test_pw_03_the_last_asked_for_comes_first_each_once(letters: Path, cli: Any, ask: Any):
    for name in "ABCBD":
        cli(letters, "outline", f"N.{name}")
    assert list_names(ask(letters, "window"), "focus") == ["D", "B", "C", "A"]


def test_pw_04_what_is_pinned_twice_says_so_and_what_is_unpinned_stays_so(letters: Path, ask: Any):
    assert ask(letters, "pin", "N.A")["changed"]
    assert ask(letters, "pin", "N.B")["changed"]
    assert not ask(letters, "pin", "N.A")["changed"]
    assert ask(letters, "unpin", "N.A")["changed"]
    assert not ask(letters, "unpin", "N.A")["changed"]
    assert list_names(ask(letters, "window"), "pinned") == ["B"]


@pytest.mark.slow
def test_pw_05_and_pw_08_the_newest_eight_are_in_focus_and_the_others_recent(letters: Path, process: Any, ask: Any):
    for name in LETTERS:
        assert process(letters, "outline", f"N.{name}").returncode == 0
    window = ask(letters, "window")
    assert list_names(window, "focus") == list("JIHGFEDC")
    assert list_names(window, "recent") == ["B", "A"]
    assert {each["because"] for each in window["types"] if each["section"] == "focus"} == {"asked for"}


def test_pw_06_no_more_is_pinned_than_three_fifths_of_the_budget(letters: Path, cli: Any, ask: Any):
    set_config(letters, "promptWindow:\n  maxChars: 1000\n")
    assert ask(letters, "pin", "N.A")["changed"]
    assert ask(letters, "pin", "N.B")["changed"]
    refused = cli(letters, "pin", "N.C")
    assert refused.code == 2
    assert "60 % of promptWindow.maxChars" in refused.err
    assert "Unpin something" in refused.err
    assert not ask(letters, "pin", "N.B")["changed"]
    assert list_names(ask(letters, "window"), "pinned") == ["A", "B"]


def test_pw_07_how_much_may_be_pinned_is_a_setting(letters: Path, cli: Any, ask: Any):
    set_config(letters, "promptWindow:\n  maxChars: 1000\n  pinnedShare: 0.3\n")
    assert ask(letters, "pin", "N.A")["changed"]
    assert "30 % of promptWindow.maxChars" in cli(letters, "pin", "N.B").err
    set_config(letters, "promptWindow:\n  maxChars: 1000\n  pinnedShare: 1\n")
    for name in "BC":
        assert ask(letters, "pin", f"N.{name}")["changed"]
    assert list_names(ask(letters, "window"), "pinned") == ["A", "B", "C"]
    set_config(letters, "promptWindow:\n  pinnedShare: 1.5\n")
    assert "expected a number from 0 to 1" in cli(letters, "window").err


@pytest.mark.parametrize("budget", [0, 1, 250, 300, 600, 1200, 2000, 10**9])
def test_pw_09_the_budget_is_hard(letters: Path, cli: Any, ask: Any, budget: int):
    cli(letters, "pin", "N.A")
    for name in "BCZ":
        cli(letters, "outline", f"N.{name}")
    window = ask(letters, "window", "--budget", str(budget))
    text = (letters / FILE).read_text()
    assert window["chars"] == len(text) <= budget
    assert text == window["text"]
    assert len(window["types"]) + len(window["leftOut"]) == 5  # IZ comes with Z
    assert all(each["reason"] == "noRoom" for each in window["leftOut"])
    assert "Nothing was pinned" not in cli(letters, "window", "--budget", str(budget)).err


def test_bases_interfaces_and_dependencies_come_with_what_was_asked_for(letters: Path, cli: Any, ask: Any):
    cli(letters, "outline", "N.Z")
    window = ask(letters, "window")
    told = [(each["fqn"], each["because"]) for each in window["types"]]
    assert told[:2] == [("N.Z", "asked for"), ("N.IZ", "base of N.Z")]
    assert sorted(told[2:]) == [("N.A", "dependency of N.Z"), ("N.B", "dependency of N.Z")]


def test_the_types_of_an_activated_pack_weigh_more(letters: Path, cli: Any, ask: Any):
    set_config(letters, "packs:\n  first:\n    filter: 'type:A'\n")
    for name in ("Z", *LETTERS):
        cli(letters, "outline", f"N.{name}")
    assert list_names(ask(letters, "window"), "recent") == ["B", "A", "Z"]
    assert list_names(ask(letters, "window", "--pack", "first"), "recent") == ["A", "B", "Z"]
    missing = cli(letters, "window", "--pack", "last")
    assert missing.code == 2
    assert "pack list" in missing.err


def test_the_types_of_an_activated_pack_are_there_though_nobody_asked_for_them(letters: Path, ask: Any):
    set_config(letters, "packs:\n  last:\n    filter: 'type:Z'\n")
    assert "Z" in list_names(ask(letters, "window", "--pack", "last"), "recent")
    assert ask(letters, "window")["types"] == []


def test_what_is_dismissed_is_away_until_it_is_asked_for_again(letters: Path, cli: Any, ask: Any):
    cli(letters, "outline", "N.Z")
    assert ask(letters, "dismiss", "N.Z")["changed"]
    assert not ask(letters, "dismiss", "N.Z")["changed"]
    assert ask(letters, "window")["types"] == []
    cli(letters, "outline", "N.Z")
    assert list_names(ask(letters, "window"), "focus")[:2] == ["Z", "IZ"]
    assert ask(letters, "dismiss", "N.IZ")["changed"]  # never asked for itself
    assert "IZ" not in list_names(ask(letters, "window"), "focus")


def test_types_are_put_into_focus_for_a_time(letters: Path, cli: Any, ask: Any):
    cli(letters, "outline", "N.A")
    assert ask(letters, "context", "add", "N.B", "--ttl", "2h")["until"]
    assert ask(letters, "context", "add", "N.C")["changed"]
    assert [each["fqn"] for each in ask(letters, "context", "list")["added"]] == ["N.B", "N.C"]
    assert list_names(ask(letters, "window"), "focus") == ["C", "B", "A"]
    state = json.loads((letters / STATE).read_text())
    state["added"][0]["number"] = 1_000_000_000  # long past
    (letters / STATE).write_text(json.dumps(state))
    assert list_names(ask(letters, "window"), "focus") == ["C", "A"]
    assert [each["fqn"] for each in ask(letters, "context", "clear")["cleared"]] == ["N.C"]
    assert list_names(ask(letters, "window"), "focus") == ["A"]
    assert cli(letters, "context", "list").out == "Nothing was added to the Focus.\n"


@pytest.mark.parametrize("ttl", ["", "0m", "-1m", "30", "m", "1y", "999999d", "٣m", "1.5h", "9" * 10_000])
def test_a_time_that_is_none_is_refused(letters: Path, cli: Any, ttl: str):
    result = cli(letters, "context", "add", "N.A", "--ttl", ttl)
    assert result.code == 2
    assert "30m" in result.err
    assert len(result.err) < 200
    assert not (letters / STATE).exists()


def test_a_pinned_type_that_is_renamed_stays_pinned(letters: Path, cli: Any, git: Any, ask: Any):
    assert cli(letters, "refresh").code == 0
    git(letters, "add", ".")
    git(letters, "commit", "--quiet", "-m", "two")
    cli(letters, "pin", "N.Z")
    cli(letters, "outline", "N.Z")
    source = letters / "letters.cs"
    source.write_text(source.read_text().replace("class Z", "class Zed"))
    assert ask(letters, "refresh")["aliases"]
    assert list_names(ask(letters, "window"), "pinned") == ["Zed"]
    assert not ask(letters, "pin", "N.Zed")["changed"]
    assert ask(letters, "unpin", "N.Z")["changed"]
    assert list_names(ask(letters, "window"), "focus")[0] == "Zed"


def test_a_type_of_another_kind_is_found_by_its_name(letters: Path, cli: Any, ask: Any):
    cli(letters, "pin", "N.A")
    source = letters / "letters.cs"
    source.write_text(source.read_text().replace("class A ", "record A "))
    assert list_names(ask(letters, "window"), "pinned") == ["A"]


def test_a_pinned_type_that_is_gone_is_named_kept_and_can_be_let_go(letters: Path, cli: Any, ask: Any):
    cli(letters, "pin", "N.A")
    cli(letters, "context", "add", "N.A")
    source = letters / "letters.cs"
    before = source.read_text()
    source.write_text("namespace N;\npublic class B { }\n")
    window = ask(letters, "window")
    assert [each["fqn"] for each in window["gone"]] == ["N.A"]  # once, though it was pinned and added
    assert window["types"] == []
    told = cli(letters, "window").err
    assert "not in this tree: N.A\n" in told
    assert "Nothing was pinned" not in told
    source.write_text(before)
    assert list_names(ask(letters, "window"), "pinned") == ["A"]
    source.write_text("namespace N;\npublic class B { }\n")
    assert ask(letters, "unpin", "N.A")["changed"]
    assert cli(letters, "context", "clear").code == 0
    assert ask(letters, "window")["gone"] == []


def test_a_stale_note_is_told_with_its_cause(letters: Path, cli: Any, tmp_path: Path):
    body = tmp_path / "note.md"
    body.write_text("ROLE:\nStands for the last letter.\n\nLIMITATIONS:\nThere is none after it.\n")
    assert cli(letters, "semantic", "put", "N.Z", str(body)).code == 0
    cli(letters, "pin", "N.Z")
    text = cli(letters, "window").out
    assert "ROLE:\nStands for the last letter.\n\nLIMITATIONS:\nThere is none after it.\n" in text
    assert "stale" not in text
    source = letters / "letters.cs"
    source.write_text(source.read_text().replace("public B? Second;", "public C? Second;"))
    text = cli(letters, "window").out
    assert "\n\nThis note is stale: " in text
    assert text.index("This note is stale") < text.index("ROLE:")
    (told,) = [each for each in json.loads(cli(letters, "window", "--json").out)["types"] if each["fqn"] == "N.Z"]
    assert told["stale"]
    assert told["remark"].startswith("This note is stale: ")
    assert told["sections"] == ["ROLE", "LIMITATIONS"]


@pytest.mark.parametrize("arguments", [("window",), ("pin", "N.A"), ("context", "list"), ("dismiss", "N.A")])
def test_without_its_folder_nothing_is_written(letters: Path, cli: Any, arguments: tuple[str, ...]):
    (letters / ".codecortex").rename(letters.parent / "elsewhere")
    result = cli(letters, *arguments)
    assert result.code == 2
    assert "codecortex init" in result.err
    assert not (letters / ".codecortex").exists()


@pytest.mark.parametrize("data", [b"{", b"", b"\xff\xfe", b"[1]", b'{"schemaVersion":"1.0","pinned":3}'])
def test_a_damaged_file_is_told_and_kept_aside(letters: Path, cli: Any, data: bytes):
    (letters / ".codecortex/local").mkdir(parents=True)
    (letters / STATE).write_bytes(data)
    result = cli(letters, "window")
    assert result.code == 0
    assert STATE in result.err
    assert cli(letters, "pin", "N.A").code == 0
    assert (letters / f"{STATE}.damaged").read_bytes() == data
    assert "N.A" in cli(letters, "window").out


def test_a_newer_file_is_never_overwritten(letters: Path, cli: Any):
    (letters / ".codecortex/local").mkdir(parents=True)
    newer = b'{"schemaVersion":"2.0","stars":[]}'
    (letters / STATE).write_bytes(newer)
    assert cli(letters, "window").code == 0
    assert cli(letters, "pin", "N.A").code == 3
    assert (letters / STATE).read_bytes() == newer


@pytest.mark.slow
def test_no_pin_is_lost_among_many_at_once(letters: Path, process: Any, ask: Any):
    with ThreadPoolExecutor(4) as pool:
        done = list(pool.map(lambda name: process(letters, "pin", f"N.{name}").returncode, "ABCDEF"))
    assert done == [0] * 6
    assert sorted(list_names(ask(letters, "window"), "pinned")) == list("ABCDEF")


@pytest.mark.parametrize("symbol", ["Nothing", "", "N.", "*", "\x00", "T_00000000"])
def test_a_symbol_that_means_no_type_changes_nothing(letters: Path, cli: Any, symbol: str):
    for command in ("pin", "unpin", "dismiss"):
        assert cli(letters, command, symbol).code in (2, 3)
    assert not (letters / STATE).exists()


def test_tokens_are_counted_exactly_or_not_at_all(
    letters: Path, cli: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    set_config(letters, "tokens:\n  encoding: o200k_base\n")
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    missing = cli(letters, "window")
    assert missing.code == 2
    assert "tokens.encoding" in missing.err
    assert "null" in missing.err
    monkeypatch.setitem(sys.modules, "tiktoken", None)  # as if it were not installed
    bare = cli(letters, "window")
    assert bare.code == 2
    assert "git-codecortex[tokens]" in bare.err
    set_config(letters, "tokens:\n  encoding: morse\n")
    assert "expected cl100k_base or o200k_base, or null" in cli(letters, "window").err
