"""What is begun before a command is loaded, by the words of the command line."""

import pytest

from codecortex.cli.early import begin_early
from codecortex.git.lock import lock_early, lock_repository
from codecortex.git.repository import open_repository


@pytest.fixture
def repository(repo):
    found = open_repository(repo)
    with lock_repository(found):
        pass
    return found


@pytest.mark.parametrize(
    "arguments",
    [
        ["refresh"],
        ["-q", "refresh", "--json"],
        ["--no-metrics", "-C", "{root}/sub", "refresh"],
        ["-C{root}", "refresh", "--full"],
    ],
)
def test_a_refresh_holds_its_lock_before_it_is_loaded(repository, arguments, monkeypatch):
    (repository.root / "sub").mkdir()
    monkeypatch.chdir(repository.root)
    with begin_early([each.format(root=repository.root) for each in arguments]):
        assert not lock_early(repository)
        with lock_repository(repository, wait=0):
            pass
    with lock_repository(repository, wait=0):
        pass


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["resolve", "refresh"],
        ["-C", "refresh"],
        ["-C", "refresh", "-C"],
        ["refresh", "--dry-run"],
        ["refresh", "--help"],
        ["refresh", "--rev=HEAD"],
        ["-C", "no such folder", "refresh"],
    ],
)
def test_nothing_is_held_for_what_may_not_write(repository, arguments, monkeypatch):
    monkeypatch.chdir(repository.root)
    with begin_early(arguments), lock_repository(repository, wait=0):
        pass
