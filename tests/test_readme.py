"""README says what the tool does: commands, options, keys, fields and examples are compared with the real thing."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import pytest

from codecortex.analysis.notes.staleness import CauseKind, DependencyChange
from codecortex.cli.main import cli, main
from codecortex.model.code.aliases import AliasReason
from codecortex.model.code.changes import ChangeClass, Reason
from codecortex.model.config import KEYS
from codecortex.operations.aliases.conflicts import ConflictKind
from codecortex.operations.check.findings import Code
from codecortex.operations.hooks.places import Manager

if TYPE_CHECKING:
    from collections.abc import Iterator
    from enum import StrEnum

README = (Path(__file__).parent.parent / "README.md").read_text("utf-8")
SECTIONS = {part.partition("\n")[0]: part for part in re.split(r"(?m)^##+ (?=\S)", README)}
FENCED = re.compile(r"(?ms)^```(\w*)\n(.*?)^```$")
COMMON = SECTIONS["Commands"] + SECTIONS["Which sources, which build"]
KEYED = {"bases", "degraded", "leftOut", "runs", "sections", "totals", "types"}
"""Fields that may hold an object whose keys are data."""


def list_commands(group: click.Group = cli, *words: str) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if command is None or command.hidden:
            continue
        if isinstance(command, click.Group):
            yield from list_commands(command, *words, name)
        else:
            yield (*words, name), command


COMMANDS = dict(list_commands())


def find_section(words: tuple[str, ...]) -> str:
    """The section whose heading names a command, or a group with all of its commands: `codecortex hooks a|b`."""
    for title, text in SECTIONS.items():
        for name, commands in re.findall(r"`codecortex ([a-z-]+) ?([a-z|]*)", title):
            if name == words[0] and {*words[1:]} <= {*commands.split("|")}:
                return text
    return ""


def list_words(text: str) -> set[str]:
    """What stands in backticks, word by word; examples left out."""
    spans = re.findall(r"`([^`]+)`", re.sub(r"``.+?``", "", FENCED.sub("", text)))
    return {word for span in spans for word in re.findall(r"[A-Za-z][A-Za-z0-9]*", span)}


def list_fields(value: object, name: str = "") -> set[str]:
    """The names of all fields in a JSON value."""
    if isinstance(value, list):
        return {field for each in value for field in list_fields(each)}
    if not isinstance(value, dict):
        return set()
    inner = {field for key, each in value.items() for field in list_fields(each, key)}
    return inner if name in KEYED else inner | set(value)


def run_git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True)


def commit(folder: Path, message: str) -> None:
    run_git(folder, "add", "--all")
    run_git(folder, "commit", "--quiet", "-m", message)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo") / "repository"
    assert main(["demo", "--keep", str(folder)]) == 0
    return folder


@pytest.fixture
def own_demo(tmp_path: Path) -> Path:
    """The demo, to be changed."""
    assert main(["demo", "--keep", str(tmp_path / "demo")]) == 0
    return tmp_path / "demo"


def change_body(demo: Path) -> None:
    """The edit of a public body that README speaks of."""
    adding = demo / "src/Demo.Core/NoteStore.Adding.cs"
    adding.write_text(adding.read_text("utf-8").replace("Insert(0, note)", "Add(note)"), "utf-8")


@pytest.mark.parametrize("words", sorted(COMMANDS))
def test_every_command_has_its_section(words: tuple[str, ...]) -> None:
    assert find_section(words)


@pytest.mark.parametrize("words", sorted(COMMANDS))
def test_every_option_is_explained(words: tuple[str, ...]) -> None:
    told = find_section(words) + COMMON
    options = [each.opts for each in COMMANDS[words].params if isinstance(each, click.Option)]
    assert [opts for opts in options if not any(re.search(rf"{opt}\b", told) for opt in opts)] == []


@pytest.mark.parametrize("words", sorted(COMMANDS))
def test_the_list_of_commands_shows_whole_sentences(words: tuple[str, ...]) -> None:
    assert not COMMANDS[words].get_short_help_str(60).endswith("...")


@pytest.mark.parametrize("key", sorted(KEYS))
def test_every_configuration_key_is_explained(key: str) -> None:
    assert f"`{key}`" in README or f"`{key.partition('.')[0]}.*`" in README


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        (("changes",), ChangeClass), (("changes",), Reason), (("check",), Code), (("hooks", "status"), Manager),
        (("semantic", "states"), CauseKind), (("semantic", "states"), DependencyChange),
        (("alias", "conflicts"), ConflictKind), (("alias", "list"), AliasReason),
    ],
)  # fmt: skip
def test_every_value_is_explained(words: tuple[str, ...], kind: type[StrEnum]) -> None:
    told = find_section(words)
    assert [str(each) for each in kind if not re.search(rf"[` ]{re.escape(each)}[` ]", told)] == []


# -- examples


def test_the_outline_shown_is_the_outline_of_the_demo(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo"]) == 0
    shown = README[README.index("# Demo.Core.NoteStore T_") :].split("\n```")[0]
    assert shown in capsys.readouterr().out


def read_blocks(section: str, language: str = "") -> list[str]:
    """The texts that a section shows in fences of a language; those that commands print have none."""
    return [text for each, text in FENCED.findall(section) if each == language]


def level(text: str) -> str:
    """A text with whatever differs from clone to clone made equal."""
    text = re.sub(r"\b[0-9a-f]{10}\b", "COMMIT", text).replace("A U Thor", "Ann")
    return re.sub(r"\d{4}-\d\d-\d\d", "DATE", text)


def test_what_changes_log_blame_and_check_print_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "demo"

    def ask(*arguments: str, code: int = 0) -> str:
        capsys.readouterr()
        assert main(["-C", str(folder), *arguments]) == code
        return level(capsys.readouterr().out)

    assert main(["demo", "--keep", str(folder)]) == 0
    run_git(folder, "commit", "--quiet", "-m", "notes")
    assert ask("changes") == read_blocks(find_section(("changes",)))[0]
    run_git(folder, "commit", "--quiet", "-am", "Find may ignore case")
    assert ask("log", "NoteStore") == level(read_blocks(find_section(("log",)))[0])
    assert ask("blame", "NoteStore") == level(read_blocks(find_section(("blame",)))[0])
    store = folder / "src/Demo.Core/NoteStore.cs"
    store.write_text(store.read_text("utf-8").replace("bool ignoreCase", "bool exact"), "utf-8")
    assert ask("check", code=1) == read_blocks(find_section(("check",)))[0]


def test_the_note_shown_is_what_put_writes(demo: Path) -> None:
    given, written = read_blocks(find_section(("semantic", "put")))
    (demo / "note.txt").write_text(given, "utf-8")
    assert main(["-C", str(demo), "semantic", "put", "NoteStore", "note.txt"]) == 0
    assert (demo / ".codecortex/semantic/T_WP5D9D9M.md").read_text("utf-8") == written


def test_notes_in_five_minutes_go_as_printed(own_demo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = [line[4:] for line in SECTIONS["Notes in five minutes"].splitlines() if line.startswith("    ")]
    printed: list[str] = []
    for command in (line[2:] for line in told if line.startswith("$ ")):
        capsys.readouterr()
        main(["-C", str(own_demo), *shlex.split(command)[1:]])
        printed += [f"$ {command}", *capsys.readouterr().out.splitlines()]
        if len(printed) == len(told[: told.index("$ codecortex check")]):
            commit(own_demo, "notes")
            change_body(own_demo)
    assert printed == told


def test_what_list_and_plan_print_is_shown(own_demo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (own_demo / "note.txt").write_text(read_blocks(find_section(("semantic", "put")))[0], "utf-8")
    main(["-C", str(own_demo), "semantic", "put", "NoteStore", "note.txt"])
    commit(own_demo, "notes")
    change_body(own_demo)
    told = [line[4:] for line in find_section(("semantic", "list")).splitlines() if line.startswith("    ")]
    for command in ("$ codecortex semantic list", "$ codecortex semantic plan"):
        capsys.readouterr()
        main(["-C", str(own_demo), *shlex.split(command)[2:]])
        printed = capsys.readouterr().out.splitlines()
        at = told.index(command) + 1
        assert told[at : at + len(printed)] == printed


def test_the_size_of_a_prompt_is_told_as_shown(own_demo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["-C", str(own_demo), "semantic", "prompt", "NoteStore"])
    assert f"On stderr stands `{capsys.readouterr().err.strip()}`" in README


def list_examples() -> list[list[str]]:
    """The command lines in sections of commands, without comments and redirections."""
    texts = (text for title, text in SECTIONS.items() if title.startswith("`codecortex "))
    blocks = (block for text in texts for block in read_blocks(text, "sh"))
    lines = (line for block in blocks for line in block.splitlines() if line.startswith("codecortex "))
    return [shlex.split(line.partition(" > ")[0], comments=True)[1:] for line in lines]


def test_every_example_works_as_printed(demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (demo / "note.txt").write_text(read_blocks(find_section(("semantic", "put")))[0], "utf-8")
    commit(demo, "notes")
    run_git(demo, "tag", "v1")
    run_git(demo, "branch", "topic")
    run_git(demo, "update-ref", "refs/remotes/origin/main", "HEAD")
    for number in range(20):
        run_git(demo, "commit", "--quiet", "--allow-empty", "-m", str(number))
    monkeypatch.chdir(demo)
    examples = [words for words in list_examples() if words != ["watch"]]
    assert len(examples) > 40
    assert [words for words in examples if main(words) not in ({0, 1} if "--exit-code" in words else {0})] == []


@pytest.mark.parametrize("symbol", ["Demo.Core.NoteStore", "NoteStore", "T_WP5D9D9M", "T:Demo.Core.NoteStore"])
def test_the_symbols_shown_find_the_type_of_the_demo(
    demo: Path, symbol: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert symbol in README
    assert main(["-C", str(demo), "outline", symbol]) == 0
    assert capsys.readouterr().out.startswith("# Demo.Core.NoteStore T_WP5D9D9M\n")


# -- the fields of JSON

BEFORE = """namespace Demo.Core;
public class Twin { public int A; public int B; public int C; }
public class Inner { public int Own; private int Count() => 1; }
public class Lost { }
"""
AFTER = """namespace Demo.Core;
public class TwinLeft { public int A; public int B; public int C; }
public class TwinRight { public int A; public int B; public int C; }
public class Inner { public int Own; private int Count() => 2; }
"""


@pytest.fixture(scope="module")
def renamed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo with three notes; NoteStore became NoteBox, Note got a member, Twin became one of two, Lost is gone."""
    folder = tmp_path_factory.mktemp("renamed") / "repository"
    assert main(["demo", "--keep", str(folder)]) == 0
    sources = folder / "src/Demo.Core"
    (sources / "More.cs").write_text(BEFORE, "utf-8")
    (folder / "note.txt").write_text("ROLE: Some.\n", "utf-8")
    run_git(folder, "add", "--all")
    assert main(["-C", str(folder), "refresh"]) == 0
    for name in ("NoteStore", "Inner", "Lost"):
        assert main(["-C", str(folder), "semantic", "put", name, "note.txt"]) == 0
    commit(folder, "before")
    for path in sources.glob("NoteStore*.cs"):
        text = path.read_text("utf-8").replace("NoteStore", "NoteBox").replace("INoteBox", "INoteStore")
        path.write_text(text, "utf-8")
    note = sources / "Note.cs"
    note.write_text(note.read_text("utf-8").replace('string Text = "")', 'string Text = "", int Rank = 0)'), "utf-8")
    (sources / "More.cs").write_text(AFTER, "utf-8")
    run_git(folder, "add", "--all")
    return folder


QUERIES = (
    ("graph NoteBox --depth 2", "nodes edges roots"),
    ("usages Note", "usages enclosing totals"),
    ("pack build core --filter namespace:Demo.*", "packs written"),
    ("pack list", "packs"),
    ("pack show core", "text typeIds"),
    ("pack remove core", "changed"),
    ("pin Inner", "fqn"),
    ("context add INoteStore", "until", "window"),
    ("window", "types text"),
    ("context list", "added", "window"),
    ("context clear", "cleared", "window"),
    ("unpin Inner", "fqn"),
    ("dismiss Inner", "fqn"),
)
"""Commands, what of their answers may not be empty, and the sections besides their own where fields stand."""


def test_every_field_is_documented(renamed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def compare(command: str, filled: str = "", *sections: str) -> None:
        """Run a command; `filled` names lists and objects that may not be empty, `sections` where else fields stand."""
        capsys.readouterr()
        assert main(["-C", str(renamed), *command.split(), "--json"]) in {0, 1}
        told = list(map(json.loads, capsys.readouterr().out.splitlines()))
        flat = dict(list_values(told))
        assert [name for name in filled.split() if not flat.get(name)] == [], command
        words = tuple(command.split()[:2])
        text = find_section(words if words in COMMANDS else words[:1]) + SECTIONS["Commands"]
        text += "".join(find_section((section,)) for section in sections)
        assert list_fields(told) - list_words(text) == set(), command

    compare("changes", "changes doubts candidates causes reasons members added changed")
    compare("diff NoteBox", "change outline members", "log", "changes")
    compare("alias conflicts", "conflicts candidates commands")
    compare("check", "findings")
    compare("status", "types behind sizes runs")
    for each in QUERIES:
        compare(*each)
    compare("refresh", "written removed aliases movedNotes doubts candidates", "alias")
    compare("alias list", "aliases")
    compare("resolve Twin*", "hits flags")
    compare("resolve NoteBox.Find", "hits parameters span", "index")
    compare("search notes", "hits", "resolve", "index")
    compare("outline NoteBox.Find --source", "members source", "index")
    compare("outline Demo.Core", "children")
    compare("alias add Twin TwinLeft", "added")
    compare("alias remove Twin", "removed")
    left = next((renamed / ".codecortex/semantic").glob("*.md")).read_text("utf-8")
    old = renamed / ".codecortex/semantic/T_WP5D9D9M.md"
    old.write_text(re.sub(r"(?m)^# .*", "# Semantic: Demo.Core.NoteStore T_WP5D9D9M", left, count=1), "utf-8")
    compare("semantic states", "notes causes drift orphans alias totals")
    compare("semantic show Inner", "note bases sections drift")
    compare("semantic put Inner note.txt", "given sections")
    old.unlink()
    commit(renamed, "after")
    compare("changes --each HEAD~1..HEAD", "changes doubts")
    compare("log NoteStore", "commits redirectedFrom members", "changes")
    compare("blame NoteStore", "members span redirectedFrom")
    compare("outline NoteStore", "outline redirectedFrom", "index")
    (renamed / ".pre-commit-config.yaml").write_text("repos: []\n", "utf-8")
    compare("hooks install", "hooks")
    compare("hooks status", "hooks")
    compare("hooks uninstall", "removed")


def list_values(value: object) -> Iterator[tuple[str, Any]]:
    """Every field of a JSON value with what it holds, the emptiest first."""
    found: list[tuple[str, Any]] = []
    if isinstance(value, list):
        found = [pair for each in value for pair in list_values(each)]
    elif isinstance(value, dict):
        found = [*value.items(), *(pair for each in value.values() for pair in list_values(each))]
    yield from sorted(found, key=lambda pair: bool(pair[1]))


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["outline", "NotStore"], "SymbolNotFound"),
        (["outline", "*Store"], "AmbiguousSymbol"),
        (["log", "NoteStore", "a..b"], "GitStateError"),
        (["refresh", "--no-such-option"], "UsageError"),
        (["semantic", "put", "NoteStore", "no-such-file"], "SystemError"),
    ],
)
def test_every_error_is_json_with_documented_fields(
    demo: Path, capsys: pytest.CaptureFixture[str], words: list[str], code: str
) -> None:
    capsys.readouterr()
    assert main(["-C", str(demo), *words, "--json"]) in {2, 3}
    told = json.loads(capsys.readouterr().out)
    assert told["error"]["code"] == code
    assert list_fields(told) - list_words(SECTIONS["Commands"]) == set()


def test_every_field_of_the_index_is_documented(demo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-C", str(demo), "index", "--json", "--members"]) == 0
    document = json.loads(capsys.readouterr().out)
    told = list_words(find_section(("index",)) + SECTIONS["Commands"]) | {"members"}
    assert list_fields(document) - told == set()
