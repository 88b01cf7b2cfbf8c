"""`codecortex session` as a user meets it."""

import json

import pytest

from codecortex.git.objects.opening import open_objects
from codecortex.git.repository import open_repository
from codecortex.operations.sessions.versions import add_version, find_session


def add(root, name, path, text):
    repository = open_repository(root)
    blob = open_objects(repository).write_blob(text.encode())
    add_version(repository, find_session(repository, name), {path.encode(): (0o100644, blob)}, f"Wrote {path}", {})


def test_a_session_from_its_beginning_to_its_end(shop, cli):
    (shop / "notes.txt").write_text("not committed\n")
    opened = cli(shop, "session", "open")
    assert (opened.code, opened.out.split()[:2]) == (0, ["opened", "default"])
    assert cli(shop, "session", "list").out.split()[0] == "default"
    assert cli(shop, "session", "diff").out == "Nothing differs.\n"
    add(shop, "default", "notes.txt", "of the session\n")
    assert "1 version" not in cli(shop, "session", "show").out
    assert cli(shop, "session", "show").out.endswith("M  notes.txt\n")
    assert "Wrote notes.txt" in cli(shop, "session", "log", "--limit", "1").out
    assert cli(shop, "session", "log", "--limit", "1").out.endswith("and 1 older\n")
    assert "-not committed\n+of the session\n" in cli(shop, "session", "diff").out
    assert cli(shop, "session", "merge").out == "wrote    notes.txt\n"
    assert (shop / "notes.txt").read_text() == "of the session\n"
    assert cli(shop, "session", "merge").out == "Nothing to do: the work tree has all of it.\n"
    assert cli(shop, "session", "drop", "default").code == 0
    assert cli(shop, "session", "list").out == "There is no session.\n"


def test_a_conflict_names_the_lines_and_shows_both_sides(shop, cli):
    cli(shop, "session", "open")
    add(shop, "default", "notes.txt", "of the session\n")
    (shop / "notes.txt").write_text("mine\n")
    told = cli(shop, "session", "merge")
    assert (told.code, told.out) == (3, "")
    assert "error: Nothing is written: 1 file of session default changed otherwise: notes.txt:1." in told.err
    error = json.loads(cli(shop, "session", "merge", "--json").out)["error"]
    assert error["code"] == "MergeConflict"
    assert error["conflicts"][0]["hunks"] == [{"line": 1, "ours": "mine\n", "theirs": "of the session\n"}]
    assert (shop / "notes.txt").read_text() == "mine\n"


@pytest.mark.parametrize(
    ("words", "message", "hint"),
    [
        (["show", "none"], "There is no session none.", "There are Try."),
        (["open", "try"], "There is a session Try already.", "Choose another name"),
        (["fork", "Try", "a/b"], "'a/b' cannot be the name of a session.", "Expected a name of at most 64"),
        (["drop", "none"], "There is no session none.", "There are Try."),
    ],
)
def test_what_cannot_be_done_says_why(shop, cli, words, message, hint):
    cli(shop, "session", "open", "Try")
    told = cli(shop, "session", *words)
    assert told.code == 2
    assert f"error: {message}" in told.err
    assert f"hint: {hint}" in told.err
