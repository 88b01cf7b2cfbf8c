"""Edits over MCP that make no sense or mean harm: one clear error each, nothing written elsewhere."""

import json
import shutil

import pytest

from .conftest import Server

TEXT = "foo one\nbar\n"


@pytest.fixture(scope="module")
def editing(made, tmp_path_factory):
    """One server that may edit, for every test; what lies beside its repository stays."""
    root = tmp_path_factory.mktemp("hostile") / "shop"
    shutil.copytree(made, root, symlinks=True)
    (root / "notes.txt").write_text(TEXT, "utf-8")
    (root.parent / "beside.txt").write_text("beside\n", "utf-8")
    (root / "out").symlink_to(root.parent)
    (root / "link.txt").symlink_to(root.parent / "beside.txt")
    (root / "bytes.bin").write_bytes(b"a\0b")
    server = Server(root, "--edit")
    server.greet()
    yield server, root
    server.kill()


def is_whole(server, root):
    """Whether nothing was written beside the repository, and the server still edits."""
    told = server.call("edit", verb="open", file="notes.txt")
    beside = sorted(each.name for each in root.parent.iterdir())
    return (
        told["structuredContent"]["status"] == "Success"
        and beside == ["beside.txt", "shop"]
        and (root.parent / "beside.txt").read_text("utf-8") == "beside\n"
        and (root / "notes.txt").read_text("utf-8") == TEXT
    )


@pytest.mark.parametrize(
    ("arguments", "code", "named"),
    [
        ({"verb": "write", "file": "../beside.txt", "new": "x"}, "UsageError", "outside the work tree"),
        ({"verb": "write", "file": "/etc/x", "new": "x"}, "UsageError", "outside the work tree"),
        ({"verb": "write", "file": "src/../../beside.txt", "new": "x"}, "UsageError", "outside the work tree"),
        ({"verb": "write", "file": ".git/config", "new": "x"}, "UsageError", "git's own folder"),
        ({"verb": "write", "file": ".GIT/hooks/x", "new": "x"}, "UsageError", "git's own folder"),
        ({"verb": "write", "file": "link.txt", "new": "x"}, "NoText", "symbolic link"),
        ({"verb": "write", "file": "out/beside.txt", "new": "x"}, "NoText", "symbolic link"),
        ({"verb": "open", "file": "bytes.bin"}, "NoText", "is binary"),
        ({"verb": "open", "file": "src"}, "NoText", "is a folder"),
        ({"verb": "open", "file": ""}, "UsageError", "is no path"),
        ({"verb": "open", "file": "a\0b"}, "UsageError", "is no path"),
        ({"verb": "open", "file": "x" * 5_000}, "UsageError", "is no path"),
        ({"verb": "open", "file": ["a"]}, "UsageError", "'file'"),
        ({"verb": "open"}, "UsageError", "'file'"),
        ({"verb": "delete", "file": "a"}, "UsageError", "'verb'"),
        ({"file": "a"}, "UsageError", "'verb'"),
        ({"verb": "replace", "file": "notes.txt", "old": 3, "new": "x"}, "UsageError", "'old'"),
        ({"verb": "replace", "file": "notes.txt", "old": "foo"}, "UsageError", "'new'"),
        ({"verb": "select", "file": "notes.txt", "id": 0}, "UsageError", "'id'"),
        ({"verb": "select", "file": "notes.txt", "id": "1"}, "UsageError", "'id'"),
        ({"verb": "open", "file": "notes.txt", "mode": "always"}, "UsageError", "'mode'"),
        ({"verb": "open", "file": "notes.txt", "session": "../x"}, "UsageError", "name of a session"),
        ({"verb": "open", "file": "notes.txt", "session": ""}, "UsageError", "name of a session"),
        ({"verb": "save-as", "file": "notes.txt", "path": "../x"}, "UsageError", "outside the work tree"),
        ({"verb": "apply"}, "UsageError", "'patch'"),
        ({"verb": "apply", "patch": ""}, "UsageError", "no unified diff"),
        (
            {"verb": "apply", "patch": "--- a/../x\n+++ b/../x\n@@ -0,0 +1 @@\n+x\n"},
            "UsageError",
            "outside the work tree",
        ),
    ],
)
def test_what_makes_no_sense_is_one_clear_error(editing, arguments, code, named):
    server, root = editing
    result = server.call("edit", **arguments)
    error = result["structuredContent"]["error"]
    assert (result["isError"], error["code"]) == (True, code)
    assert named in error["message"]
    assert len(json.dumps(result)) < 2_000
    assert is_whole(server, root)


@pytest.mark.parametrize("session", ["nowhere", "x" * 200])
def test_a_session_that_there_is_not_is_named(editing, session):
    server, _ = editing
    result = server.call("live", file="notes.txt", session=session)
    assert result["isError"]
    assert "session" in result["structuredContent"]["error"]["message"]


@pytest.mark.parametrize("name", ["new\nline.txt", "\u202egnp.exe.txt", "\x1b[31mred.txt", "-rf", "%00.txt"])
def test_odd_names_are_files_whose_names_are_shown_harmless(editing, name):
    server, root = editing
    done = server.call("edit", verb="write", file=name, new="x\n")
    assert done["structuredContent"].get("status") == "Success", done["structuredContent"]
    assert (root / name).read_text("utf-8") == "x\n"
    assert not {"\u202e", "\x1b"} & {*done["content"][0]["text"], *done["structuredContent"]["file"]}
    assert server.call("edit", verb="undo", file=name)["structuredContent"]["status"] == "Success"
    assert not (root / name).exists()


def test_odd_characters_of_a_text_are_written_as_they_are(editing):
    server, root = editing
    text = "a\u202eb\u200b\x07\x1b[31m\u2028 é \U0001f600\n"
    server.call("edit", verb="write", file="odd.txt", new=text)
    assert (root / "odd.txt").read_bytes() == text.encode()
    assert server.call("edit", verb="open", file="odd.txt")["structuredContent"]["text"] == text


def test_half_a_character_is_refused_or_mended_and_never_written(editing):
    server, root = editing
    call = {"name": "edit", "arguments": {"verb": "write", "file": "half.txt", "new": "a HALF"}}
    message = json.dumps({"jsonrpc": "2.0", "id": 900, "method": "tools/call", "params": call})
    server.send(message.replace("HALF", "\\ud800").encode())
    while (answer := server.read())["id"] != 900:
        pass
    assert "result" in answer
    assert not (root / "half.txt").exists() or (root / "half.txt").read_bytes().decode("utf-8")


def test_a_file_of_5_mb_is_edited_with_a_short_answer_and_an_argument_that_long_refused(editing):
    server, root = editing
    text = "line of a long text\n" * (5 * 1024 * 1024 // 20)
    (root / "long.txt").write_text(f"{text}the end", "utf-8")
    answers = [
        server.call("edit", verb="replace", file="long.txt", old="the end", new="its end"),
        server.call("edit", verb="replace", file="long.txt", old="line of", new="x"),
    ]
    assert [each["structuredContent"]["status"] for each in answers] == ["Success", "MultiMatch"]
    assert (root / "long.txt").read_text("utf-8") == f"{text}its end"
    refused = server.call("edit", verb="write", file="long.txt", new=text)
    assert "'new' holds" in refused["structuredContent"]["error"]["message"]
    assert max(len(json.dumps(each)) for each in (*answers, refused)) < 100_000


def test_calls_at_the_same_moment_are_answered_one_after_the_other(editing):
    server, root = editing
    (root / "many.txt").write_text("0\n", "utf-8")
    numbers = range(500, 520)
    calls = [{"verb": "append", "file": "many.txt", "new": f"{number}\n"} for number in numbers]
    for number, arguments in zip(numbers, calls, strict=True):
        params = {"name": "edit", "arguments": arguments}
        server.send({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params})
    left = {*numbers}
    while left:
        answer = server.read()
        if answer.get("id") in left:
            left.discard(answer["id"])
            assert answer["result"]["structuredContent"]["status"] == "Success"
    assert (root / "many.txt").read_text("utf-8") == "0\n" + "".join(f"{number}\n" for number in numbers)
