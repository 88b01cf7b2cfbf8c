"""A listing that follows some files says what a listing of all would."""

import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from codecortex.git.listing import list_again, list_worktree
from codecortex.git.repository import open_repository

CS = (".cs",)
PATHS = ("a.cs", "src/b.cs", "src/\u00e9.cs", "src/[c].cs", "d%.cs")
TEXTS = (b"class A;\n", b"class B;\n", b"class A;\r\n", b"")


def write(file, data):
    if file.is_symlink() or file.exists():
        file.unlink()
    file.write_bytes(data)


def link(file, _):
    file.unlink(missing_ok=True)
    file.symlink_to("elsewhere")


def remove(file, _):
    file.unlink(missing_ok=True)


def make_executable(file, _):
    if file.is_file() and not file.is_symlink():
        file.chmod(0o755)


edits = st.lists(
    st.tuples(st.sampled_from((write, write, write, link, remove, make_executable)), st.sampled_from(PATHS),
              st.sampled_from(TEXTS)),
    max_size=4,
)  # fmt: skip


@pytest.fixture(scope="module")
def place():
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])  # `git` is a function
@given(first=edits, then=edits, folds=st.booleans())
def test_some_files_listed_again_equal_all(place, git, first, then, folds):
    root = Path(tempfile.mkdtemp(dir=place))
    git(root, "init", "--quiet")
    git(root, "config", "core.autocrlf", "true" if folds else "false")
    for path in PATHS:
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_bytes(TEXTS[0])
    git(root, "add", "-A")
    git(root, "commit", "--quiet", "-m", "one")
    repository = open_repository(root)
    for act, path, data in first:
        act(root / path, data)
    last = list_worktree(repository, CS)
    for act, path, data in then:
        act(root / path, data)
    found = list_again(repository, CS, last, {os.fsencode(path) for _, path, _ in then})
    assert found == list_worktree(repository, CS)


def test_a_commit_meanwhile_has_all_listed(repo, git):
    repository = open_repository(repo)
    last = list_worktree(repository, CS)
    git(repo, "commit", "--quiet", "--allow-empty", "-m", "two")
    assert list_again(repository, CS, last, {b"a.cs"}) is None


def test_many_files_are_listed_with_all(repo):
    repository = open_repository(repo)
    last = list_worktree(repository, CS)
    assert list_again(repository, CS, last, {b"%d.cs" % number for number in range(101)}) is None
