"""Nothing that a repository holds reaches a terminal or a committed file as a control character."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import click
import pytest

import codecortex
from codecortex.cli.main import cli as group
from codecortex.cli.main import main
from codecortex.model.text.visible import show_json, show_line, show_text

HARMFUL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
BAD = "\x1b]0;t\x07\x1b[31m\u202e\x85\u2028\u200f\x9b"
LINE = re.sub("[\x85\u2028]", "", BAD)  # what may stand in a line of C#
PROJECT = """<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFramework>net8.0</TargetFramework>
<AssemblyName>Odd\u202e\u2028\x85{0}</AssemblyName></PropertyGroup></Project>
"""
SOURCE = f"""namespace Bad;
/// <summary>Doc {LINE} comment.</summary>
public class Odd
{{
    public const string S = "{LINE}";
    public const string V = @"one {BAD}
::error::two";
    [System.Obsolete("{LINE}")] public int M(string s = "{LINE}") => 1;
}}
"""
NAMES = ("esc\x1b]0;t\x07.cs", "line\n::error::x.cs", "bidi\u202e.cs", "c1\x85\u2028.cs", "del\x7f\r.cs")
# Arguments that make a command say much; any other command is run with the name of a type.
ARGUMENTS = {
    "init": [[]], "demo": [[]], "refresh": [[], ["--dry-run", "--full"], ["--json"]], "check": [
        [], ["--json"], ["--format", "github"], ["--format", "sarif"]
    ],
    "status": [[], ["--json"]], "index": [[], ["--json"], ["--json", "--members"]],
    "search": [["doc"], ["Odd", "--json"], [BAD]], "resolve": [["Odd"], ["Odd", "--json"], [BAD]],
    "outline": [["Odd", "--members", "--lines"], ["Odd", "--json"], [f"src/{NAMES[0]}"], [BAD]],
    "read": [["src/Odd.cs"], ["src/Odd.cs", "--json"], [f"src/{NAMES[1]}"], [BAD]],
    "context": [["doc comment of Odd"], ["doc comment of Odd", "--json", "--explain"], [BAD]],
    "graph": [["Odd"], ["Odd", "--json"], ["Odd", "--format", "mermaid"], ["Odd", "--format", "dot"]],
    "changes": [[], ["HEAD~1", "--json"], ["HEAD~1"], [BAD]], "diff": [["Odd"], ["Odd", "HEAD~1"], ["Odd", BAD]],
    "log": [["Odd"], ["Odd", "--json"]], "blame": [["Odd"], ["Odd", "--json"]],
    "window": [[], ["--json"]], "alias list": [[], ["--json"]], "alias conflicts": [[], ["--json"]],
    "semantic states": [[], ["--json"]], "semantic get": [["Odd"], ["Odd", "--json"]],
    "semantic generate": [["--dry-run"], ["--provider", "extract"]], "semantic put": [["Odd", "nowhere\x1b"]],
    "pack build": [["odd\x1b", "--filter", "all"], ["good", "--filter", "namespace:*"]], "pack list": [[], ["--json"]],
    "hooks status": [[], ["--json"]], "hook": [["pre-commit"], ["post-merge"], [BAD]], "trust": [[]],
    "mcp": [["--print-config", "claude"], ["--help"]], "watch": [["--help"]], "merge-driver": [["a", "b", "c", BAD]],
}  # fmt: skip


def list_commands():
    """The name of every command, from the command line's own list."""
    context = click.Context(group, info_name="codecortex")
    found = []
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        inner = command.list_commands(context) if isinstance(command, click.Group) else [None]
        found += [name if each is None else f"{name} {each}" for each in inner]
    return found


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    root = tmp_path_factory.mktemp("hostile") / "repo"
    (root / "src").mkdir(parents=True)

    def git(*arguments, check=True):
        subprocess.run(["git", *arguments], cwd=root, check=check, capture_output=True)

    git("init", "--quiet", "--initial-branch", "odd\u202ebranch\u2028")
    (root / "src/Odd.csproj").write_text(PROJECT.format("1"), "utf-8")
    (root / "src/Odd.cs").write_text(SOURCE, "utf-8", newline="")
    for number, name in enumerate(NAMES):
        text = SOURCE.replace("class Odd", f"class Odd{number} : Odd")
        (root / "src" / name).write_text(text, "utf-8", newline="")
    assert main(["-C", str(root), "init"]) == 0
    assert main(["-C", str(root), "refresh"]) == 0
    git("add", ".")
    git("commit", "--quiet", "-m", f"one {BAD}")
    (root / "src/Odd.cs").write_text(SOURCE.replace("int M(", "long M("), "utf-8", newline="")
    git("commit", "--quiet", "--author", f"Odd{BAD} <a@b>", "-am", f"two {BAD}\n\n::error::body")
    assert main(["-C", str(root), "pack", "build", "good", "--filter", "namespace:*"]) == 0
    assert main(["-C", str(root), "refresh"]) == 0
    folder = root / ".codecortex"
    odd = next(path for path in (folder / "types").glob("*.md") if path.read_text("utf-8").startswith("# Bad.Odd T_"))
    type_id = odd.name.partition(".")[0]
    note = f"# Semantic: Bad.Odd {type_id}\nStructureHash: 9F2A441C\n\nROLE:\nA note {BAD}\n"
    (folder / "semantic").mkdir(exist_ok=True)
    (folder / "semantic" / f"{type_id}.md").write_text(note, "utf-8", newline="")
    (folder / "semantic" / "x\n::error::y\x1b.md").write_text("x", "utf-8")
    row = {"oldFqn": "A\x1b\u202e\n::error::z", "newTypeId": "T_00000000", "newFqn": "Bad.Gone\x85", "reason": "rename"}
    table = {"schemaVersion": "1.0", "aliases": {"T_0000000A": row | {"score": 1.0}}}
    (folder / "aliases.json").write_text(json.dumps(table), "utf-8")
    git("add", "-A", check=False)
    git("commit", "--quiet", "-m", "three", check=False)
    return root


@pytest.mark.parametrize("command", list_commands())
def test_no_command_prints_what_would_do_harm(hostile, capfd, command):
    """In this process, which takes a tenth of the time; what programs that a command starts print counts as well."""
    for arguments in ARGUMENTS.get(command, [["Odd"], ["Odd", "--json"], [BAD]]):
        clean = [each.replace("\0", "") for each in arguments]
        main(["-C", str(hostile), *command.split(), *clean])
        out, err = capfd.readouterr()
        for said in (out, err):
            found = HARMFUL.search(said)
            assert found is None, f"{command} {clean}: {said[max(0, found.start() - 60) : found.start() + 40]!r}"
            if command not in ("read", "context"):  # which print lines of sources, behind their numbers or indented
                assert not re.search(r"^::error::[xyz]", said, re.MULTILINE), f"{command} {clean}: {said}"
        assert "Traceback" not in err, err


def test_committed_files_hold_nothing_harmful(hostile):
    folder = hostile / ".codecortex"
    for path in sorted(folder.rglob("*")):
        if (
            path.is_file()
            and "local" not in path.parts
            and "semantic" not in path.parts
            and path.name != "aliases.json"
        ):
            found = HARMFUL.search(path.read_bytes().decode("utf-8"))
            assert found is None, f"{path}: {found}"
    outlines = "".join(path.read_text("utf-8") for path in (folder / "types").glob("*.md"))
    assert r"\u001B]0;t\u0007\u001B[31m\u202E\u200F\u009B" in outlines
    assert r"Assembly: Odd\u202E\u2028\u00851" in outlines
    assert "line%0A::error::x.cs" in outlines


def test_a_configuration_full_of_controls_is_one_plain_error(shop, process):
    config = shop / ".codecortex/config.yaml"
    config.write_bytes(b'"odd\\e\\u202e\\n::error::x": 1\n')
    done = process(shop, "refresh")
    assert done.returncode == 2
    assert HARMFUL.search(done.stderr.decode()) is None
    assert not re.search(rb"^::error::", done.stderr, re.MULTILINE)


def test_the_table_is_the_same_for_lines_texts_and_json():
    every = "".join(map(chr, range(0x3000)))
    assert HARMFUL.sub("", every) == re.sub(r"\\u[0-9A-F]{4}", "", show_text(every))
    assert show_line("a\tb\nc\x1b") == "a\tb\\u000Ac\\u001B"
    assert show_json('"\u2028\x9b"') == '"\\u2028\\u009b"'
    assert show_text("plain \u00e9 \u65e5\u672c\n") == "plain \u00e9 \u65e5\u672c\n"


def test_commands_print_through_the_one_door():
    folder = Path(codecortex.__file__).parent / "cli"
    for path in sorted(folder.rglob("*.py")):
        text = path.read_text("utf-8")
        if path.name == "markdown.py":  # what rich lays out was shown harmlessly before: tests/cli/chat/test_box.py
            assert text.count("show_text(") == 1
        elif path.name != "output.py":
            assert not re.search(r"click\.(secho|style)\(|(?<!\w)print\(", text), path
            assert text.count("click.echo(") == (path.name == "text.py"), path
