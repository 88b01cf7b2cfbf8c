"""`codecortex live` as a user and an agent meet it."""

import json

import pytest

from codecortex.cli.main import cli as every_command

ORDER = "src/Core/Order.cs"


def read_live(cli, root, *words):
    told = cli(root, "live", *words, "--json")
    assert told.code == 0, told.err
    return json.loads(told.out)


def propose(live, old, new):
    """The patch that a model makes of what it sees, and of nothing else: on one line, one text becomes another."""
    lines = live["currentDocument"]["text"].splitlines()
    number, line = next((at, line) for at, line in enumerate(lines, 1) if old in line)
    file = live["currentDocument"]["file"]
    return f"--- a/{file}\n+++ b/{file}\n@@ -{number} +{number} @@\n-{line}\n+{line.replace(old, new)}\n"


def test_the_closed_loop_propose_apply_look_and_propose_again(shop, cli, git):
    live = read_live(cli, shop, "--file", ORDER)
    assert live["recentDiffs"] == []
    for old, new in (("string Key", "int Key"), ("int Key", "long Key"), ("IStore", "IShelf")):
        git(shop, "apply", "--unidiff-zero", "-", stdin=propose(live, old, new).encode())
        live = read_live(cli, shop)
        assert live["currentDocument"]["file"] == ORDER
        assert live["currentDocument"]["text"] == (shop / ORDER).read_text()
        (diff,) = live["recentDiffs"]
        assert f"-{git(shop, 'show', f'HEAD:{ORDER}').splitlines()[1]}\n" in diff["patch"]
    assert (shop / ORDER).read_text().count("IShelf") == 1
    assert "record Order(long Key)" in (shop / ORDER).read_text()


@pytest.mark.skipif("edit" not in every_command.list_commands(None), reason="this codecortex has no `edit`")
def test_the_closed_loop_through_edit(shop, cli):
    cli(shop, "edit", "open", ORDER)
    assert cli(shop, "edit", "replace", ORDER, "--old", "string Key", "--new", "int Key").code == 0
    live = read_live(cli, shop)
    assert (live["session"], live["currentDocument"]["file"]) == ("default", ORDER)
    assert "record Order(int Key)" in live["currentDocument"]["text"]
    assert [(each["op"], each["status"], each["isError"]) for each in live["recentDiffs"]] == [
        ("replace", "Success", False)
    ]
    assert (
        cli(shop, "edit", "replace", ORDER, "--old", "record Order(int Key)", "--new", "record Order(long Key)").code
        == 0
    )
    live = read_live(cli, shop)
    assert [each["affectedLineStart"] for each in live["recentDiffs"]] == [2, 2]
    assert "record Order(long Key)" in live["currentDocument"]["text"]
    assert live["disk"] is None
    cli(shop, "edit", "undo", ORDER)
    assert "record Order(int Key)" in read_live(cli, shop)["currentDocument"]["text"]


def test_what_failed_and_what_was_planned_is_told(shop, cli):
    assert cli(shop, "edit", "replace", ORDER, "--old", "Kay", "--new", "Id", "--plan", "call it Id").code == 1
    live = read_live(cli, shop)
    assert [(each["op"], each["status"], each["isError"]) for each in live["recentDiffs"]] == [
        ("replace", "NoMatch", True)
    ]
    line = live["currentDocument"]["text"].splitlines()[1]
    assert (
        cli(shop, "edit", "replace", ORDER, "--old", line, "--new", line.replace("Key", "Id"), "--plan", "Id").code == 0
    )
    live = read_live(cli, shop)
    assert [each["isError"] for each in live["recentDiffs"]] == [False, True]
    assert "call it Id" in json.dumps(live["planHints"])
    assert "- " in cli(shop, "live").out.partition("## Plan hints")[2]
    assert cli(shop, "edit", "undo", ORDER).code == 0  # an attempt is no step to go back
    assert cli(shop, "edit", "undo", ORDER, "--json").out.count('"NoOp"') == 1


def test_markdown_says_it_all_on_one_page(shop, cli):
    (shop / ORDER).write_text((shop / ORDER).read_text().replace("string Key", "int Key"))
    assert cli(shop, "live", "state", "--active", ORDER, "--cursor", "2:8", "--open", ORDER).code == 0
    told = cli(shop, "live")
    assert told.code == 0
    heads = [line for line in told.out.splitlines() if line.startswith("#")]
    assert heads == [
        "# Live context",
        "## Current document",
        "## Recent diffs (newest first)",
        "### worktree: On disk",
        "## Anchor diff",
        "## Editor state",
    ]
    assert f"Active: {ORDER}\nCursor: 2:8\nOpen: {ORDER}\n" in told.out


def test_it_needs_neither_a_map_nor_a_configuration(repo, cli):
    (repo / "a.cs").write_bytes(b"class Changed;\n")
    assert "+class Changed;" in cli(repo, "live").out
    assert not (repo / ".codecortex").exists()


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["--session", "none"], 2, "There is no session none."),
        (["--file", "src/Core/Ordr.cs"], 2, "There is no file 'src/Core/Ordr.cs' here."),
        (["--file", "../out.cs"], 2, "There is no file '../out.cs' here."),
        (["--at", "f00"], 2, "'f00' is no version of the work tree."),
        ([], 2, "No file is active, and none was changed."),
        (["--budget", "1"], 2, "Invalid value for '--budget'"),
        (["state", "--cursor", "1:1"], 2, "A cursor and selections stand in a file, and none is active."),
        (["state", "--active", ORDER, "--cursor", "0:1"], 2, "'0:1' is no place."),
        (["state", "--active", ORDER, "--selection", "3:1-2:1"], 2, "The selection 3:1-2:1 is reversed."),
        (["state", "--active", ORDER, "--selection", "3:1"], 2, "'3:1' is no selection."),
        (["state", "--active", "../out.cs"], 2, "../out.cs lies outside the work tree"),
    ],
)
def test_what_makes_no_sense_says_why(shop, cli, words, code, message):
    told = cli(shop, "live", *words)
    assert (told.code, told.out) == (code, "")
    assert message in told.err


def test_a_near_file_is_suggested(shop, cli):
    assert "Did you mean src/App/Order.cs, src/Core/Order.cs" in cli(shop, "live", "--file", "Ordr.cs").err


def test_paths_count_from_where_the_user_stands(shop, cli):
    (shop / ORDER).write_bytes(b"class Order;\n")
    assert read_live(cli, shop / "src/Core", "--file", "Order.cs")["currentDocument"]["file"] == ORDER
    assert read_live(cli, shop / "src/Core", "--file", ORDER)["currentDocument"]["file"] == ORDER
    cli(shop / "src/Core", "live", "state", "--active", "Order.cs")
    assert json.loads(cli(shop, "live", "state", "--json").out)["editorState"]["active"] == ORDER


def test_a_text_that_would_do_harm_on_a_terminal_is_escaped_within_the_budget(shop, cli):
    (shop / ORDER).write_bytes(b"// " + b"\x1b[2J" * 400 + b"\n")
    told = cli(shop, "live", "--budget", "3000")
    assert "\x1b" not in told.out
    live = read_live(cli, shop, "--budget", "100000")
    assert live["currentDocument"]["text"].count("\x1b") == 400
