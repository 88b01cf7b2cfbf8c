"""What `codecortex check` says of stale notes is what makes them hold again, in whatever folder it is asked."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.conftest import Cli

STORE = "src/Core/Store.cs"
METHOD = "public Order? Find(string key, bool deep = false) => null;"


def edit(shop: Path, path: str, old: str, new: str) -> None:
    file = shop / path
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


def find(cli: Cli, folder: Path, *options: str) -> list[dict[str, Any]]:
    told = cli(folder, "check", "--json", *options)
    return list(json.loads(told.out)["findings"])


@pytest.fixture
def shop(telling_shop: Path) -> Path:
    """The shop of all commands, of whose public types an extract has something to say."""
    return telling_shop


@pytest.fixture
def noted(shop: Path, cli: Cli, git: Callable[..., str]) -> Path:
    """Return the shop with an outline and an extracted note of every public type, committed."""
    assert cli(shop, "refresh").code == 0
    assert cli(shop, "semantic", "generate").code == 0
    git(shop, "add", ".")
    git(shop, "commit", "--quiet", "-m", "two")
    return shop


def test_a_stale_note_names_its_type_the_cause_and_the_command_that_mends_it(noted: Path, cli: Cli) -> None:
    assert cli(noted, "check", "--semantic", "strict").out == "ok\n"
    edit(noted, STORE, METHOD, METHOD.replace("null", "new Order(key)"))
    assert cli(noted, "refresh").code == 0
    assert cli(noted, "check", "--semantic", "strict").code == 1
    (found,) = find(cli, noted, "--semantic", "strict")
    assert found["message"] == "the note on Shop.Core.Store`1 is stale: PublicBehavior of Shop.Core.Store`1 changed"
    owner = found["artefact"].rpartition("/")[2].removesuffix(".md")
    assert found["command"] == f"codecortex semantic generate {owner}"
    assert cli(noted, *shlex.split(found["command"])[1:]).code == 0
    assert cli(noted, "check", "--semantic", "strict").out == "ok\n"


def test_comments_and_private_work_leave_notes_as_they_are(noted: Path, cli: Cli) -> None:
    edit(noted, STORE, METHOD, f"// as it is\n    {METHOD}\n    private int Half() => Count / 2;")
    assert cli(noted, "refresh").code == 0
    assert cli(noted, "check", "--semantic", "strict").out == "ok\n"


def test_where_an_agent_writes_it_is_to_be_asked(noted: Path, cli: Cli) -> None:
    with (noted / ".codecortex/config.yaml").open("a") as config:
        config.write("llm:\n  provider: agent\n")
    edit(noted, STORE, METHOD, METHOD.replace("null", "new Order(key)"))
    assert cli(noted, "refresh").code == 0
    (found,) = find(cli, noted)
    assert found["command"].startswith("codecortex semantic next T_")
    assert cli(noted, *shlex.split(found["command"])[1:]).code == 0


def test_what_a_person_wrote_is_to_be_looked_at(noted: Path, cli: Cli) -> None:
    (noted.parent / "body.md").write_text("ROLE:\nBy hand.\n")
    assert cli(noted, "semantic", "put", "Shop.Core.Store", str(noted.parent / "body.md")).code == 0
    edit(noted, STORE, METHOD, METHOD.replace("null", "new Order(key)"))
    assert cli(noted, "refresh").code == 0
    for folder in (noted, noted / "src/Core", noted / ".codecortex"):
        (found,) = find(cli, folder)
        words = shlex.split(found["command"])
        assert words[:3] == ["codecortex", "semantic", "put"]
        assert (folder / words[4]).resolve() == noted / found["artefact"]
    assert cli(noted / "src/Core", *find(cli, noted / "src/Core")[0]["command"].split()[1:]).code == 0
    assert find(cli, noted) == []


@pytest.mark.parametrize(
    ("added", "level", "told"),
    [
        ("SECURITY: Never log it.\n", "warning", "unknown section SECURITY: the sections are ROLE, LIFECYCLE, "),
        ("x\0y\n", "error", "control character U+0000: take it out"),
        ("\u202ex\n", "error", "control character U+202E: take it out"),
        ("x" * 70_000, "error", "bytes are more than the 65,536 that a note may take: say it shorter"),
    ],
)
def test_text_that_nobody_could_hand_in_is_found_where_it_stands(
    noted: Path, cli: Cli, added: str, level: str, told: str
) -> None:
    note = next((noted / ".codecortex/semantic").iterdir())
    line = note.read_text().count("\n") + 1
    with note.open("a") as file:
        file.write(added)
    assert cli(noted, "check").code == (level == "error")
    (found,) = find(cli, noted)
    assert (found["code"], found["level"], found["path"]) == ("note-text", level, f".codecortex/semantic/{note.name}")
    assert found["line"] == (1 if "bytes" in told else line)
    assert told in found["message"]
    assert cli(noted, "semantic", "states", "--exit-code").code == 0


@pytest.mark.parametrize(
    "added",
    ["NOTE: Mind it.\n", "TODO:\n", " SECURITY: Text.\n", "Security: Text.\n", "- API: x\n", "AB: x\n", "`SQL`:\n"],
)
def test_ordinary_lines_are_no_sections(noted: Path, cli: Cli, added: str) -> None:
    note = next((noted / ".codecortex/semantic").iterdir())
    with note.open("a") as file:
        file.write(added)
    assert cli(noted, "check", "--semantic", "strict").out == "ok\n"


def test_what_documentation_says_is_nobodys_section(noted: Path, cli: Cli) -> None:
    remarks = "\n/// <remarks>SECURITY: They are kept.</remarks>"
    edit(noted, STORE, "Keeps orders.</summary>", f"Keeps orders.</summary>{remarks}")
    assert cli(noted, "refresh").code == 0
    (noted / ".codecortex/semantic").rename(noted / "aside")
    assert cli(noted, "semantic", "generate").code == 0
    assert any("\nSECURITY: " in file.read_text() for file in (noted / ".codecortex/semantic").iterdir())
    assert cli(noted, "check", "--semantic", "strict").out == "ok\n"


def test_every_command_works_in_a_subfolder(noted: Path, cli: Cli, git: Callable[..., str]) -> None:
    inner = noted / "src/Core"
    (noted / ".codecortex/semantic/of mine.txt").write_text("?\n")
    edit(noted, "src/Core/Order.cs", "interface IStore", "interface IKeeper")
    edit(noted, STORE, "IStore", "IKeeper")
    git(noted, "add", "src")
    (staged,) = {each["command"] for each in find(cli, inner, "--staged") if "refresh" in each["command"]}
    assert staged == "codecortex refresh && git add ../../.codecortex"
    assert {each["command"] for each in find(cli, noted, "--staged")} >= {"codecortex refresh && git add .codecortex"}
    assert cli(inner, "refresh").code == 0
    for found in find(cli, inner):
        if found["code"] == "foreign-file":
            subprocess.run(shlex.split(found["command"]), cwd=inner, check=True)
    assert not [each for each in find(cli, inner) if each["code"] == "foreign-file"]
    assert not (noted / ".codecortex/semantic/of mine.txt").exists()


def test_notes_that_one_command_mends_are_told_so_once(noted: Path, cli: Cli) -> None:
    edit(noted, STORE, METHOD, METHOD.replace("null", "new Order(key)"))
    assert cli(noted, "refresh").code == 0
    out = cli(noted, "check", "--semantic", "strict").out
    assert "-> codecortex semantic generate T_" in out
    assert "Next:" not in out
    edit(noted, "src/Core/Order.cs", "int Count", "long Count")
    assert cli(noted, "refresh").code == 0
    out = cli(noted, "check", "--semantic", "strict").out
    stale = len(find(cli, noted, "--semantic", "strict"))
    assert stale > 1
    assert "-> codecortex semantic generate" not in out
    assert out.endswith(f"Next: `codecortex semantic generate --stale` mends {stale} of them.\n")
    assert cli(noted, "semantic", "generate").code == 0
    assert cli(noted, "check", "--semantic", "strict").out == "ok\n"


def test_stale_notes_that_are_not_shown_are_listed_elsewhere(shop: Path, cli: Cli, git: Callable[..., str]) -> None:
    many = [f"[Obsolete] public class Many{number} {{ public int M() => {{0}}; }}\n" for number in range(22)]
    (shop / "src/Core/Many.cs").write_text("".join(many).replace("{0}", "1"))
    git(shop, "add", ".")
    assert cli(shop, "semantic", "generate").code == 0
    (shop / "src/Core/Many.cs").write_text("".join(many).replace("{0}", "2"))
    out = cli(shop, "check", "--semantic", "strict").out
    assert "and 2 more  [note-stale]  -> codecortex semantic states --stale\n" in out


def test_nobody_is_told_to_stamp_a_note_without_reading_it(noted: Path, cli: Cli) -> None:
    for each in (noted / ".codecortex/semantic").glob("*.md"):
        each.write_text(re.sub("^([A-Z]+):\n", "\\1:\nMine.\n", each.read_text(), count=1, flags=re.MULTILINE))
    edit(noted, STORE, METHOD, METHOD.replace("null", "new Order(key)"))
    (found,) = find(cli, noted, "--semantic", "strict")
    assert found["command"].startswith("codecortex semantic put T_")
    assert f"-> if it is still true: {found['command']}\n" in cli(noted, "check", "--semantic", "strict").out
    told = cli(noted, "check", "--semantic", "strict", "--format", "github").out
    assert f"; if it is still true: {found['command']}" in told


@pytest.mark.parametrize(("provider", "verb"), [("extract", "generate"), ("agent", "next")])
def test_a_note_in_conflict_is_told_with_the_next_step(noted: Path, cli: Cli, provider: str, verb: str) -> None:
    (noted / ".codecortex/config.yaml").write_text(f"llm: {{provider: {provider}}}\n")
    note = min((noted / ".codecortex/semantic").glob("*.md"))
    note.write_text(f"<<<<<<< a\n{note.read_text()}=======\n>>>>>>> b\n")
    (found,) = (each for each in find(cli, noted) if each["code"] == "merge-marker")
    then = f"resolve it, `git add` it, then `codecortex semantic {verb} {note.stem}`"
    assert found["message"].endswith(then)
