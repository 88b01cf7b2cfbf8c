"""The pages say what the tool does: commands, options, keys, fields and examples are compared with the real thing.

Pages are README and what lies in `docs/`. A `console` fence shows commands with what they print; the comment above it
names the state of the demo that they are run in (`STATES`). Each `codecortex` line of a `sh` fence is run too.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click
import pytest

from codecortex import __version__
from codecortex.analysis.notes.staleness import CauseKind, DependencyChange
from codecortex.cli.main import cli, main
from codecortex.model.code.aliases import AliasReason
from codecortex.model.code.changes import ChangeClass, Reason
from codecortex.model.config_keys import KEYS, USER_RULES
from codecortex.model.notes import Section as NoteSection
from codecortex.operations.aliases.conflicts import ConflictKind
from codecortex.operations.check.findings import Code
from codecortex.operations.hooks.places import Manager
from codecortex.store.config.schema import write_schema

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from enum import StrEnum

ROOT = Path(__file__).parents[1]
GENERATED = re.compile(r"(?ms)^\]\]\] -->$.*?^<!-- \[\[\[end\]\]\] -->$")
DIALOGUE = re.compile(r"(?ms)^~~~text$.*?^~~~$")  # which tests/mcp/test_dialogue.py holds
FILES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
PAGES = {str(file.relative_to(ROOT)): DIALOGUE.sub("", GENERATED.sub("", file.read_text("utf-8"))) for file in FILES}
"""What people wrote on each page: what cog writes from the program says nothing about the program."""


class Section(NamedTuple):
    """A heading with all that stands below it, deeper headings too."""

    page: str
    level: int
    title: str
    text: str


def list_sections(page: str, text: str) -> Iterator[Section]:
    lines, heads, fenced = text.splitlines(keepends=True), [], False
    for number, line in enumerate(lines):
        fenced ^= line.startswith("```")
        if not fenced and (head := re.match(r"(#+) (.*)", line)):
            heads.append((number, len(head[1]), head[2]))
    for at, (number, depth, title) in enumerate(heads):
        end = next((other for other, deeper, _ in heads[at + 1 :] if deeper <= depth), len(lines))
        yield Section(page, depth, title, "".join(lines[number:end]))


SECTIONS = [each for page, text in PAGES.items() for each in list_sections(page, text)]
FENCED = re.compile(r"(?ms)^```(\w*)\n(.*?)^```$")
CONSOLE = re.compile(r"(?ms)^(?:<!-- tested: (\w+) -->\n)?```console\n(.*?)^```$")


def find_titled(title: str) -> str:
    return next(each.text for each in SECTIONS if each.title == title)


COMMON = find_titled("What all commands share") + PAGES["docs/concepts/which-sources.md"]
JSON_COMMON = PAGES["docs/reference/json.md"].partition("## `codecortex refresh`")[0]
KEYED = {"bases", "degraded", "leftOut", "runs", "sections", "totals", "types", "why"}
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
    """The sections whose headings name a command, or a group with all of its commands: `codecortex hooks a|b`."""
    found = []
    for section in SECTIONS:
        for name, commands in re.findall(r"`codecortex ([a-z-]+) ?([a-z| -]*)", section.title):
            if name == words[0] and {*words[1:]} <= {*re.split("[ |]", commands)}:
                found.append(section.text)
    return "\n".join(found)


def list_words(text: str) -> set[str]:
    """What stands in backticks, word by word; examples left out."""
    spans = re.findall(r"`([^`]+)`", re.sub(r"``.+?``", "", FENCED.sub("", text)))
    words = r"(?=\b([A-Za-z][A-Za-z0-9]*))(?=([A-Za-z][A-Za-z0-9_]*))"  # `new_length` is a name too
    return {word for span in spans for pair in re.findall(words, span) for word in pair}


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
    """The edit of a public body that the pages speak of."""
    adding = demo / "src/Demo.Core/NoteStore.Adding.cs"
    adding.write_text(adding.read_text("utf-8").replace("Insert(0, note)", "Add(note)"), "utf-8")


@pytest.mark.parametrize("words", sorted(COMMANDS))
def test_every_command_has_its_section(words: tuple[str, ...]) -> None:
    assert find_section(words)


def test_every_command_is_found_from_the_list_of_commands() -> None:
    page = (ROOT / "docs/reference/cli.md").read_text("utf-8").partition("\n## ")[0]  # the table that cog writes
    told = {word for span in re.findall(r"`([^`]+)`", page) for word in span.split()}
    assert {word for words in COMMANDS for word in words[:1]} - told == set()


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
    assert any(f"`{key}`" in text or f"`{key}:" in text for text in PAGES.values())


@pytest.mark.parametrize("key", sorted({*USER_RULES} - {*KEYS}))
def test_every_key_of_the_users_own_file_is_explained(key: str) -> None:
    assert f"`{key}`" in find_titled("Your own file")


@pytest.mark.parametrize(
    ("page", "kind"),
    [
        ("concepts/change-classes", ChangeClass), ("concepts/change-classes", Reason), ("reference/check-codes", Code),
        ("guides/hooks", Manager), ("concepts/staleness", CauseKind), ("concepts/staleness", DependencyChange),
        ("guides/renames", ConflictKind), ("guides/renames", AliasReason),
    ],
)  # fmt: skip
def test_every_value_is_explained(page: str, kind: type[StrEnum]) -> None:
    told = PAGES[f"docs/{page}.md"] + find_section(("hooks", "status"))
    assert [str(each) for each in kind if not re.search(rf"[` ]{re.escape(each)}[` ]", told)] == []


def test_every_variable_of_the_environment_is_explained() -> None:
    files = [*(ROOT / "codecortex").rglob("*.py"), *(ROOT / "hooks").iterdir(), *(ROOT / "tests").rglob("*.py")]
    named = {name for file in files for name in re.findall(r"CODECORTEX_[A-Z_]+\b", file.read_text("utf-8"))}
    assert {name for name in named if name not in PAGES["docs/reference/environment.md"]} == set()


def test_the_schema_for_editors_is_that_of_the_program() -> None:
    file = ROOT / "docs/reference/config.schema.json"
    assert json.loads(file.read_text("utf-8")) == json.loads(json.dumps(write_schema())), "`codecortex config schema`"


# -- examples


def read_blocks(section: str, language: str = "") -> list[str]:
    """The texts that a section shows in fences of a language."""
    return [text for each, text in FENCED.findall(section) if each == language]


GIVEN, WRITTEN = read_blocks(PAGES["docs/guides/notes.md"])


@pytest.mark.parametrize("page", ["README.md", "docs/getting-started.md"])
def test_the_outline_shown_is_the_outline_of_the_demo(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo"]) == 0
    shown = [text for text in read_blocks(PAGES[page]) if text.startswith("# Demo.Core.NoteStore T_")]
    assert len(shown) == 1
    assert shown[0].strip() in capsys.readouterr().out


def test_what_is_shown_without_a_command_is_held_by_a_test() -> None:
    pages = [text for name, text in PAGES.items() if "/development/" not in name]
    shown = {block for text in pages for block in read_blocks(text)} - {GIVEN, WRITTEN}
    assert {block.partition("\n")[0] for block in shown} == {"# Demo.Core.NoteStore T_WP5D9D9M"}


def test_the_note_shown_is_what_put_writes(demo: Path) -> None:
    put_note(demo)
    assert (demo / ".codecortex/semantic/T_WP5D9D9M.md").read_text("utf-8") == WRITTEN


# -- states of the demo, and what commands print in them


def put_note(demo: Path) -> None:
    (demo / "note.txt").write_text(GIVEN, "utf-8")
    assert main(["-C", str(demo), "semantic", "put", "NoteStore", "note.txt"]) == 0


def remove_map(demo: Path) -> None:
    shutil.rmtree(demo / ".codecortex")


def run_commands(demo: Path) -> None:
    for _ in range(3):
        main(["-C", str(demo), "index"])


def commit_staged(demo: Path) -> None:
    run_git(demo, "commit", "--quiet", "-m", "notes")


def commit_edit(demo: Path) -> None:
    commit_staged(demo)
    run_git(demo, "commit", "--quiet", "-am", "Find may ignore case")


def rename_parameter(demo: Path) -> None:
    commit_edit(demo)
    store = demo / "src/Demo.Core/NoteStore.cs"
    store.write_text(store.read_text("utf-8").replace("bool ignoreCase", "bool exact"), "utf-8")


def generate_and_edit(demo: Path) -> None:
    assert main(["-C", str(demo), "semantic", "generate"]) == 0
    commit(demo, "notes")
    change_body(demo)


def put_and_edit(demo: Path) -> None:
    put_note(demo)
    commit(demo, "notes")
    change_body(demo)


def rename_type(demo: Path) -> None:
    put_note(demo)
    commit(demo, "notes")
    for path in (demo / "src/Demo.Core").glob("NoteStore*.cs"):
        text = path.read_text("utf-8").replace("NoteStore", "NoteBox").replace("INoteBox", "INoteStore")
        path.write_text(text, "utf-8")


def refresh_rename(demo: Path) -> None:
    rename_type(demo)
    assert main(["-C", str(demo), "refresh"]) == 0


def fill_window(demo: Path) -> None:
    assert main(["-C", str(demo), "pin", "NoteStore"]) == 0
    assert main(["-C", str(demo), "context", "add", "INoteStore"]) == 0


def ask_for_prompt(demo: Path) -> None:
    sections = "".join(f"{name}: None.\n" for name in NoteSection)
    (demo / "answer.md").write_text(sections, "utf-8")
    assert main(["-C", str(demo), "semantic", "next", "NoteStore"]) == 0


def name_command(demo: Path) -> None:
    (demo / "tools").mkdir()
    (demo / "tools/ask.sh").write_text("cat\n", "utf-8")
    with (demo / ".codecortex/config.yaml").open("a", encoding="utf-8") as config:
        config.write("llm:\n  provider: command\n  command: [sh, tools/ask.sh, --quiet]\n")
    commit(demo, "ask")


STATES: dict[str, Callable[[Path], None]] = {
    "aliased": refresh_rename,
    "asking": name_command,
    "behind": rename_parameter,
    "committed": commit_edit,
    "demo": lambda _: None,
    "edited": generate_and_edit,
    "given": ask_for_prompt,
    "mapped": lambda _: None,
    "noted": commit_staged,
    "renamed": rename_type,
    "sources": remove_map,
    "stale": put_and_edit,
    "status": run_commands,
    "window": fill_window,
}
ON_STDERR = {"aliased", "window"}
"""States in which a page shows what stands on stderr."""
SHOWN = [(page, state, text) for page, whole in PAGES.items() for state, text in CONSOLE.findall(whole)]


def level(text: str, folder: Path) -> str:
    """A text with whatever differs from clone to clone made equal."""
    text = text.replace(str(folder), "/home/you/shop").replace(os.environ["HOME"], "/home/you")
    text = re.sub(r"\b[0-9a-f]{10}\b", "COMMIT", text).replace("A U Thor", "Ann")
    text = re.sub(r"\b\d+(\.\d+)? (KB|MB|bytes)", "SIZE", text)
    return re.sub(r"\d{4}-\d\d-\d\d", "DATE", text)


@pytest.mark.parametrize(("page", "state", "text"), SHOWN, ids=[f"{page}-{state}" for page, state, _ in SHOWN])
def test_what_commands_print_is_shown(
    own_demo: Path, page: str, state: str, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert state in STATES, f"{page}: a console fence wants `<!-- tested: STATE -->` above it"
    STATES[state](own_demo)
    told = level(text, own_demo).splitlines()
    printed: list[str] = []
    for command in (line[2:] for line in text.splitlines() if line.startswith("$ ")):
        capsys.readouterr()
        main(["-C", str(own_demo), *shlex.split(command)[1:]])
        done = capsys.readouterr()
        printed += [f"$ {command}", *level(done.err if state in ON_STDERR else done.out, own_demo).splitlines()]
    assert printed == told


def test_the_size_of_a_prompt_is_told_as_shown(own_demo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["-C", str(own_demo), "semantic", "prompt", "NoteStore"])
    told = capsys.readouterr().err.strip()
    assert f"On stderr stands `{told}`" in PAGES["docs/guides/models-and-trust.md"]


def list_examples(page: str) -> list[list[str]]:
    """The command lines of a page, without comments, redirections and what a shell does with their exit code."""
    blocks = (block for block in read_blocks(PAGES[page], "sh"))
    lines = (line for block in blocks for line in block.splitlines() if line.startswith("codecortex "))
    return [shlex.split(re.split(r" > | \|\| ", line)[0], comments=True)[1:] for line in lines]


EXAMPLES = {page: examples for page in PAGES if (examples := list_examples(page))}


def test_there_are_examples_of_most_commands() -> None:
    assert sum(map(len, EXAMPLES.values())) > 100
    begun = {word for examples in EXAMPLES.values() for words in examples for word in words[:1]}
    assert {words[0] for words in COMMANDS} - begun == {"merge-driver"}


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo as examples speak of it: committed, with a tag, branches and twenty commits more."""
    folder = tmp_path_factory.mktemp("history") / "demo"
    assert main(["demo", "--keep", str(folder)]) == 0
    (folder / "note.txt").write_text(GIVEN, "utf-8")
    commit(folder, "notes")
    run_git(folder, "tag", "v1")
    run_git(folder, "branch", "topic")
    run_git(folder, "update-ref", "refs/remotes/origin/main", "HEAD")
    for number in range(20):
        run_git(folder, "commit", "--quiet", "--allow-empty", "-m", str(number))
    return folder


ANSWER = "CONCLUSION:\nIn a list.\n\nEVIDENCE:\n- `Demo.Core.NoteStore`: it\n\nOPEN POINTS:\n- none\n"


def name_answerer(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Configure a program that answers every question."""
    (folder / "answer.py").write_text(f"import sys\nsys.stdin.read()\nprint({ANSWER!r})", "utf-8")
    config = folder / "config/codecortex/config.yaml"
    config.parent.mkdir(parents=True)
    command = [sys.executable, str(folder / "answer.py")]
    config.write_text(json.dumps({"llm": {"provider": "command", "command": command}}), "utf-8")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder / "config"))


@pytest.mark.parametrize("page", EXAMPLES)
def test_every_example_works_as_printed(
    page: str, history: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "demo"
    shutil.copytree(history, folder, symlinks=True)
    monkeypatch.chdir(folder)
    examples = [words for words in EXAMPLES[page] if words != ["watch"]]
    if page == "docs/guides/investigations.md":
        name_answerer(tmp_path, monkeypatch)
    if page == "docs/guides/packs-and-window.md":
        assert main(["outline", "Note"]) == 0  # some type was asked for
    assert [words for words in examples if main(words) not in ({0, 1} if "--exit-code" in words else {0})] == []


@pytest.mark.parametrize("symbol", ["Demo.Core.NoteStore", "NoteStore", "T_WP5D9D9M", "T:Demo.Core.NoteStore"])
def test_the_symbols_shown_find_the_type_of_the_demo(
    demo: Path, symbol: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert f"outline {symbol}" in find_section(("outline",))
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
    ("read src/Demo.Core/Note.cs:1-2 Not.cs", "files text suggestions"),
    ("search note --files", "files"),
    ("outline src/Demo.Core/Note.cs --members", "types members"),
    ("pack build core --filter namespace:Demo.*", "packs written"),
    ("pack list", "packs"),
    ("pack show core", "text typeIds"),
    ("pack remove core", "changed"),
    ("pin Inner", "fqn"),
    ("context --explain NoteBox.Find", "text files shown why", "context"),
    ("context --conversation c --mention NoteBox.Find find", "named round quality", "context"),
    ("conversation end c --answer note.txt", "answered"),
    ("context --conversation c find", "seen", "context"),
    ("conversation show c", "rounds shown answer members"),
    ("conversation list", "conversations"),
    ("conversation compact c --keep 1", "kept"),
    ("conversation show c", "compacted rounds"),
    ("conversation drop c --yes", "action"),
    ("context add INoteStore", "until", "window"),
    ("window", "types text"),
    ("context list", "added", "window"),
    ("context clear", "cleared", "window"),
    ("unpin Inner", "fqn"),
    ("dismiss Inner", "fqn"),
    ("investigate next where are notes kept", "prompt"),
    ("investigate list", "open"),
    ("session open s", "ref"),
    ("session list", "sessions"),
    ("session show s", "opened"),
    ("session log s", "versions"),
    ("session diff s", ""),
    ("session merge s", "name"),
    ("session gc", "before after"),
    ("session drop s", "action"),
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
        text = find_section(words if words in COMMANDS else words[:1]) + JSON_COMMON
        text += "".join(find_section((section,)) for section in sections)
        assert list_fields(told) - list_words(text) == set(), command

    compare("edit replace src/Demo.Core/Note.cs --old Note --new Memo", "candidates allowed text")
    compare("edit replace src/Demo.Core/Note.cs --old NOTE --new Memo", "nearest differs")
    compare("edit write new.md --text new", "allowed")
    compare("edit log", "records places nearest")
    compare("edit status", "buffers allowed")
    compare("changes", "changes doubts candidates causes reasons members added changed")
    compare("diff NoteBox", "change outline members", "log", "changes")
    compare("alias conflicts", "conflicts candidates commands")
    compare("check", "findings")
    compare("status", "types behind sizes runs")
    for command, filled, *sections in QUERIES:
        compare(command, filled, *sections, *(["index"] if command.startswith("outline") else []))
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
    assert list_fields(told) - list_words(JSON_COMMON) == set()


def test_every_field_of_the_index_is_documented(demo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-C", str(demo), "index", "--json", "--members"]) == 0
    document = json.loads(capsys.readouterr().out)
    told = list_words(find_section(("index",)) + JSON_COMMON) | {"members"}
    assert list_fields(document) - told == set()


# -- the pages themselves


@pytest.mark.parametrize("name", ["README.md", "ARCHITECTURE.md"])
def test_the_first_pages_are_short(name: str) -> None:
    assert len((ROOT / name).read_bytes()) <= 8192


LINKED = [file for file in (*ROOT.glob("*.md"), ROOT / "hooks/README.md", *FILES) if file.is_file()]


@pytest.mark.parametrize("file", sorted(set(LINKED)), ids=lambda file: str(file.relative_to(ROOT)))
def test_every_link_leads_somewhere(file: Path) -> None:
    text = re.sub(r"`[^`\n]*`", "", FENCED.sub("", file.read_text("utf-8")))
    broken = []
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"https?:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (file.parent / path).resolve() if path else file
        known = target.exists() and (not anchor or anchor in list_anchors(target))
        broken += [] if known else [link]
    assert broken == []


def list_anchors(file: Path) -> set[str]:
    """As GitHub and mkdocs make them of headings."""
    titles = (each.title for each in list_sections("", file.read_text("utf-8")))
    return {re.sub(r"[\s-]+", "-", re.sub(r"[^\w\s-]", "", title.lower())).strip("-") for title in titles}


def list_paths(text: str) -> set[str]:
    """The files and folders of this repository that a text names in backticks."""
    folders = {each.name for place in (ROOT, ROOT / "codecortex") for each in place.iterdir() if each.is_dir()}
    spans = (span for span in re.findall(r"`([^`\n]+)`", FENCED.sub("", text)) if not re.search(r"[*<>{ ]", span))
    return {span for span in spans if span.partition("/")[0] in folders and "/" in span}


DEVELOPMENT = [ROOT / "ARCHITECTURE.md", *sorted((ROOT / "docs/development").rglob("*.md"))]


@pytest.mark.parametrize("file", DEVELOPMENT, ids=lambda file: str(file.relative_to(ROOT)))
def test_every_path_named_exists(file: Path) -> None:
    paths = list_paths(file.read_text("utf-8"))
    places = (ROOT, ROOT / "codecortex")
    assert [path for path in sorted(paths) if not any((place / path).exists() for place in places)] == []


def test_the_picture_is_what_its_script_draws() -> None:
    spec = importlib.util.spec_from_file_location("picture", ROOT / "scripts/picture.py")
    assert spec is not None
    assert spec.loader is not None
    picture = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(picture)
    assert picture.PICTURE.read_text("utf-8") == picture.draw()


def test_the_version_is_told_where_people_copy_it() -> None:
    assert f"## [{__version__}]" in (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert PAGES["docs/guides/ci.md"].count(f"git-codecortex@v{__version__}") == 4
