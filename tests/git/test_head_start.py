import pytest

from codecortex.git.head_start import head_start, head_start_under_lock
from codecortex.git.listing import list_worktree
from codecortex.git.lock import lock_repository
from codecortex.git.repository import open_repository
from codecortex.git.worktree.folder_digest import FolderDigest
from codecortex.git.worktree.look import take_look
from codecortex.model.work import DONE, Work

CS = (".cs",)


@pytest.fixture
def repository(repo):
    return open_repository(repo)


def count_processes(act):
    before = DONE[Work.PROCESSES]
    act()
    return DONE[Work.PROCESSES] - before


def test_a_listing_takes_up_what_was_begun_and_starts_nothing(repository):
    plain, found = list_worktree(repository, CS), []
    with head_start(repository):
        assert count_processes(lambda: found.append(list_worktree(repository, CS))) == 0
    assert found == [plain]


def test_what_was_begun_serves_one_listing(repository):
    (repository.root / "a.cs").write_text("class First;\n")
    with head_start(repository):
        first = list_worktree(repository, CS)
        (repository.root / "a.cs").write_text("class Second;\n")
        second = list_worktree(repository, CS)
    assert first.entries[0].blob != second.entries[0].blob


def test_another_listing_is_asked_for_anew(repository):
    (repository.root / "new.cs").write_text("class New;\n")
    with head_start(repository):
        found = list_worktree(repository, CS, untracked=True)
    assert "new.cs" in {entry.path for entry in found.entries}


def test_what_was_begun_and_not_taken_up_ends_with_its_context(repository):
    with head_start(repository):
        pass
    assert count_processes(lambda: list_worktree(repository, CS)) > 0


def test_under_a_lock_git_is_asked_anew_since_its_last_holder_may_have_written(repository):
    with head_start(repository), lock_repository(repository):
        assert count_processes(lambda: list_worktree(repository, CS)) > 0


def test_nothing_is_begun_while_files_change_all_at_once(repository):
    repository.applying_note.parent.mkdir(parents=True, exist_ok=True)
    repository.applying_note.write_text("")

    def begin():
        with head_start(repository):
            pass

    assert count_processes(begin) == 0


def test_opening_once_more_asks_git_once(repo):
    opened = []
    assert count_processes(lambda: opened.append(open_repository(repo, again=True))) == 1
    assert count_processes(lambda: opened.append(open_repository(repo))) == 0
    assert count_processes(lambda: opened.append(open_repository(repo))) == 1
    assert opened[0] == opened[1] == opened[2]


def test_what_is_not_opened_once_more_is_forgotten_with_the_context(repo):
    with head_start(open_repository(repo, again=True)):
        pass
    assert count_processes(lambda: open_repository(repo)) == 1


def test_what_was_begun_under_the_lock_serves_its_holder(repo):
    with lock_repository(open_repository(repo)):
        pass
    with head_start_under_lock(repo, (".codecortex",), ()):
        repository = open_repository(repo)
        with lock_repository(repository):
            looks = []
            assert count_processes(lambda: looks.append(take_look(repository, (".codecortex",), ()))) == 0
            assert count_processes(lambda: list_worktree(repository, CS, known=looks[0])) == 1  # of the index
            digest = FolderDigest(repository, (".codecortex",), (), looks[0])
            assert count_processes(digest.result) == 0  # it asked for untracked files when it was made
            assert count_processes(lambda: looks.append(take_look(repository, (".codecortex",), ()))) > 0


def test_nothing_is_begun_where_another_holds_the_lock(repo):
    repository = open_repository(repo)

    def begin():
        with head_start_under_lock(repo, (".codecortex",), ()):
            pass

    with lock_repository(repository):
        assert count_processes(begin) == 1  # which finds the repository
