"""The digest of folders: the same from a look at the disk as from what a run knows that it wrote."""

import os
from pathlib import Path

import pytest

from codecortex.git.repository import open_repository
from codecortex.git.worktree.folder_digest import FolderDigest, FollowedDigest
from codecortex.git.worktree.writing import apply_writes

WATCHED = (("all",), ("index.json",))
MANY = 100  # more than are read where git does not vouch for them


def look(root):
    with FolderDigest(open_repository(root), *WATCHED) as lying:
        return lying.result()


@pytest.fixture(params=["committed", "untracked"])
def root(repo, git, request):
    apply_writes(repo, {"all/a.md": b"a", "all/in/b.md": b"b", "all/c.md": b"c", "index.json": b"{}"})
    apply_writes(repo, {f"all/{number}": b"%02d" % number for number in range(MANY)})
    if request.param == "committed":
        git(repo, "add", "-A")
        git(repo, "commit", "-qm", "all")
    return repo


def follow(root, before, writes, removals=()):
    followed = FollowedDigest(open_repository(root), before)
    followed.begin([*writes, *removals])
    done = apply_writes(root, writes, removals)
    return followed, done


def test_what_a_run_wrote_and_removed_gives_the_digest_that_a_look_gives(root):
    before = look(root)
    writes = {"all/new/d.md": b"d", "all/c.md": b"C", "index.json": b"{ }"}
    followed, done = follow(root, before, writes, ["all/in/b.md"])
    assert followed.finish(writes, done.states) == look(root) != before


def test_what_is_not_known_of_written_files_is_looked_at(root):
    before = look(root)
    followed, _ = follow(root, before, {"all/new/d.md": b"d", "all/c.md": b"C"}, ["all/in/b.md"])
    assert followed.finish({}, {}) == look(root) != before


def test_a_file_that_somebody_touches_meanwhile_shows(root):
    writes = {"all/c.md": b"C"}
    followed, done = follow(root, look(root), writes)
    (root / "all/c.md").write_text("by hand")
    assert followed.finish(writes, done.states) != look(root)


def test_two_files_that_change_places_show(root):
    for path in (root / "all").iterdir():
        os.utime(path, (1, 1))  # so that nothing but inode and content tells them apart
    before = look(root)
    for number in range(0, 20, 2):
        first, second = root / f"all/{number}", root / f"all/{number + 1}"
        first.rename(root / "all/x")
        second.rename(first)
        (root / "all/x").rename(second)
        assert look(root) != before


def test_a_link_is_not_the_file_that_it_leads_to(root):
    (root / "all/a.md").rename(root / "elsewhere")
    before = look(root)
    (root / "all/a.md").symlink_to(root / "elsewhere")
    assert look(root) != before


def test_a_folder_that_becomes_a_link_shows(root):
    before = look(root)
    (root / "all").rename(root / "elsewhere")
    (root / "all").symlink_to(root / "elsewhere")
    assert look(root) != before


@pytest.mark.parametrize(
    "change",
    [
        lambda root: (root / "all/7").write_text("other"),
        lambda root: (root / "all/7").unlink(),
        lambda root: (root / "all/extra").write_text("more"),
        lambda root: (root / "all/in/deep").mkdir(parents=True) or (root / "all/in/deep/e").write_text("more"),
        lambda root: (root / "index.json").unlink(),
    ],
)
def test_every_change_shows(root, change):
    before = look(root)
    change(root)
    assert look(root) != before


def test_what_lies_outside_does_not_count(root):
    before = look(root)
    (root / "alles").write_text("not in the folder")
    (root / "a.cs").write_text("class A;")
    assert look(root) == before


@pytest.mark.parametrize("root", ["committed"], indirect=True)
def test_a_commit_and_a_checkout_to_and_fro_leave_the_digest_as_it_is(root, git):
    (root / "all/a.md").write_text("A")
    (root / ".gitignore").write_text("*.tmp\n")
    (root / "all/ignored.tmp").write_text("counts as well")
    git(root, "add", "index.json", "all/c.md")
    git(root, "commit", "-qm", "some", "--allow-empty")
    before = look(root)
    git(root, "add", "-A")
    assert look(root) == before
    git(root, "commit", "-qm", "A")
    assert look(root) == before
    git(root, "checkout", "-q", "HEAD~2")
    assert look(root) != before
    git(root, "checkout", "-q", "-")
    assert look(root) == before


@pytest.mark.parametrize("bit", ["--assume-unchanged", "--skip-worktree"])
def test_git_is_not_believed_where_it_was_told_not_to_look(root, git, bit):
    if git(root, "ls-files", "all/c.md"):
        git(root, "update-index", bit, "all/c.md")
    before = look(root)
    (root / "all/c.md").write_text("C")
    assert look(root) != before


def test_a_conflict_and_an_intent_to_add_are_read(root, git):
    git(root, "add", "-N", "all")
    before = look(root)
    (root / "all/c.md").write_text("C")
    assert look(root) != before


@pytest.mark.parametrize("root", ["committed"], indirect=True)
def test_new_folders_are_read_as_long_as_little_is_in_them(root, git):
    writes = {f"all/new/{number % 3}/deep/{number}": b"%d" % number for number in range(30)}
    followed, done = follow(root, look(root), writes)
    told = followed.finish(writes, done.states)
    assert told == look(root)
    git(root, "add", "-A")
    assert look(root) == told
    (root / "all/new/1/deep/1").write_text("other")
    before = look(root)
    apply_writes(root, {f"all/more/{number}": b"%d" % number for number in range(MANY)})
    assert (before[0], look(root)[0]) == ("c", "s")


def test_nothing_lies_in_an_empty_repository(repo):
    assert look(repo) == f"c{0:016x}"


def test_many_files_written_at_once_are_looked_at_by_the_next_run(repo):
    writes = {f"all/{number}": b"%d" % number for number in range(MANY)}
    followed, done = follow(repo, look(repo), writes)
    assert followed.finish(writes, done.states) == ""


def test_a_look_that_failed_stays_unknown(root):
    followed, done = follow(root, "", {"all/a.md": b"other"})
    assert followed.finish({}, done.states) == ""


def test_a_repository_that_git_cannot_read_is_looked_at_by_stamps(root):
    (Path(root) / ".git/index").write_bytes(b"damaged")
    before = look(root)
    assert before[0] == "s"
    (root / "all/c.md").write_text("C")
    assert look(root) != before
