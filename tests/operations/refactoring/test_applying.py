"""Files changed all at once: a kill at any moment leaves all or none of them, which the next command sees to."""

import shutil
from contextlib import suppress

import pytest

from codecortex.git.repository import open_repository
from codecortex.git.sessions.applying import (
    ChangedFileError,
    FileChange,
    apply_changes,
    finish_applying,
    read_applied,
    take_back,
)
from codecortex.model.errors import GitStateError
from codecortex.operations.queries.index import list_types
from codecortex.operations.request import Request

BEFORE = {"a.cs": b"class A { }\n", "b.cs": b"class B { }\n", "new.cs": None}
AFTER = {"a.cs": b"class C { }\n", "b.cs": None, "new.cs": b"class B { int X; }\n"}
CHANGES = [FileChange(path, BEFORE[path], AFTER[path]) for path in BEFORE]


def read(root):
    return {path: (root / path).read_bytes() if (root / path).exists() else None for path in BEFORE}


@pytest.fixture
def two(tmp_path, git):
    root = tmp_path / "two"
    root.mkdir()
    git(root, "init", "-q")
    for path in ("a.cs", "b.cs"):
        (root / path).write_bytes(BEFORE[path])
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "two")
    warm = shutil.copytree(root, tmp_path / "warm")  # so that no import takes part in what is counted
    apply(warm)
    check_and_take_back(warm)
    return root


def check_and_take_back(root):
    list_types(Request(root))
    repository = open_repository(root)
    reverse = [FileChange(each.path, each.after, each.before) for each in CHANGES]
    take_back(repository, read_applied(repository), reverse)
    assert read(root) == BEFORE


def apply(root):
    apply_changes(open_repository(root, lasting=True), CHANGES, "rename", {}, tracks=True)


@pytest.mark.slow
def test_a_kill_leaves_nothing_of_what_cannot_be_written(two, each_kill):
    def fail(root):
        with suppress(GitStateError):
            changes = [CHANGES[0], FileChange("b.cs/inner.cs", None, b"")]
            apply_changes(open_repository(root, lasting=True), changes, "rename", {})

    for root in each_kill(two, fail):
        list_types(Request(root))
        assert read(root) in (BEFORE, {**BEFORE, "a.cs": AFTER["a.cs"]})
        assert not open_repository(root).is_applying
    fail(two)
    assert read(two) == BEFORE
    assert not open_repository(two).is_applying


@pytest.mark.slow
def test_a_kill_leaves_all_or_none_and_any_question_finishes_it(two, each_kill, git):
    seen = set()
    for root in each_kill(two, apply):
        told = []
        list_types(Request(root, warn=told.append))
        state = read(root)
        assert state in (BEFORE, AFTER)
        assert (read_applied(open_repository(root)) is not None) == (state == AFTER)
        assert git(root, "ls-files", "new.cs").strip() == ("new.cs" if state == AFTER else "")
        assert not open_repository(root).is_applying
        assert [file.name for file in root.iterdir() if "tmp" in file.name] == []
        seen.add(state["b.cs"])
        if state == BEFORE:
            apply(root)
        check_and_take_back(root)
    assert seen == {BEFORE["b.cs"], None}


def test_a_file_that_was_changed_meanwhile_stops_all(two):
    (two / "a.cs").write_bytes(b"other\n")
    with pytest.raises(ChangedFileError, match=r"a\.cs was changed"):
        apply(two)
    assert (two / "b.cs").read_bytes() == BEFORE["b.cs"]
    assert read_applied(open_repository(two)) is None


def test_after_a_kill_what_somebody_changed_since_is_kept_and_the_rest_taken_back(two, each_kill):
    kept = 0
    for root in each_kill(two, apply):
        if not open_repository(root).is_applying or read_applied(open_repository(root)) is not None:
            continue
        (root / "a.cs").write_bytes(b"mine\n")
        told = []
        finish_applying(open_repository(root), told.append)
        assert read(root) == {**BEFORE, "a.cs": b"mine\n"}
        assert "a.cs was changed meanwhile" in told[0]
        kept += 1
    assert kept
