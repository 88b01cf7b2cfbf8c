"""Edits killed between any two things that they ask of the system: file old or new, session whole, nothing lost."""

import pytest

from codecortex.editing.values import Mode, State, Status
from codecortex.operations.editing import verbs
from codecortex.operations.editing.results import EditRequest
from codecortex.operations.request import Request

OLD, NEW = b"one\ntwo\n", b"one\nthree\n"


def ask(root):
    return EditRequest(Request(root, lasting=True), "notes.txt")


@pytest.fixture
def notes(repo):
    (repo / "notes.txt").write_bytes(OLD)
    return repo


@pytest.mark.slow
def test_an_edit_that_is_killed_is_there_or_not(notes, each_kill, git):
    verbs.open_file(ask(notes))
    seen = set()
    for root in each_kill(notes, lambda root: verbs.replace(ask(root), "two", "three")):
        on_disk = (root / "notes.txt").read_bytes()
        assert on_disk in (OLD, NEW)
        told = verbs.open_file(ask(root))
        assert told.text.encode() == on_disk  # what was stored and not yet written is taken back
        assert told.response.state is State.IDLE
        is_undone = verbs.undo(ask(root)).response.status is Status.SUCCESS
        seen.add((on_disk, (root / "notes.txt").read_bytes()))  # and it is not lost
        if is_undone:
            verbs.redo(ask(root))
        assert (root / "notes.txt").read_bytes() == on_disk
        git(root, "fsck", "--no-dangling", "--no-progress")
        verbs.append(ask(root), "more\n")
        verbs.undo(ask(root))
        assert (root / "notes.txt").read_bytes() == told.text.encode()
        assert [file.name for file in root.iterdir() if "tmp" in file.name] == []
    assert seen == {(OLD, OLD), (OLD, NEW), (NEW, OLD)}


@pytest.mark.slow
def test_a_commit_that_is_killed_is_there_or_not(notes, each_kill):
    verbs.open_file(ask(notes), Mode.MANUAL)
    verbs.replace(ask(notes), "two", "three")
    seen = set()
    for root in each_kill(notes, lambda root: verbs.commit(ask(root))):
        on_disk = (root / "notes.txt").read_bytes()
        told = verbs.open_file(ask(root))
        assert told.text.encode() == NEW
        assert told.mode == Mode.MANUAL
        assert told.response.state is (State.IDLE if on_disk == NEW else State.PERSIST_PENDING)
        seen.add(on_disk)
        verbs.commit(ask(root))
        assert (root / "notes.txt").read_bytes() == NEW
        assert verbs.undo(ask(root)).response.status is Status.SUCCESS
        assert verbs.open_file(ask(root)).text.encode() == OLD
    assert seen == {OLD, NEW}


@pytest.mark.slow
def test_an_undo_that_is_killed_can_be_repeated(notes, each_kill):
    verbs.open_file(ask(notes), Mode.MANUAL)
    verbs.append(ask(notes), "1\n")
    verbs.append(ask(notes), "2\n")
    for root in each_kill(notes, lambda root: verbs.undo(ask(root))):
        text = verbs.open_file(ask(root)).text
        assert text in ("one\ntwo\n1\n2\n", "one\ntwo\n1\n")
        if text.endswith("1\n"):
            assert verbs.redo(ask(root)).response.status is Status.SUCCESS
        assert verbs.open_file(ask(root)).text == "one\ntwo\n1\n2\n"
        verbs.undo(ask(root))
        verbs.undo(ask(root))
        assert verbs.open_file(ask(root)).text == "one\ntwo\n"
