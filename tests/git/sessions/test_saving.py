"""The work tree as a tree: what `git add --update` and a commit would hold, and the index stays as it is."""

import os
import subprocess

import pytest

from codecortex.git.repository import open_repository
from codecortex.git.sessions.saving import save_worktree
from codecortex.git.worktree.disk import Problem


def expect(root):
    """The tree that git itself makes of the tracked files, with an index of its own."""
    index = root.parent / "index"
    real = root / ".git" / "index"
    if real.exists():
        index.write_bytes(real.read_bytes())
    environment = {**os.environ, "GIT_INDEX_FILE": str(index)}
    for way in (("add", "--update"), ("write-tree",)):
        done = subprocess.run(["git", *way], cwd=root, env=environment, capture_output=True, check=True)
    return done.stdout.decode().strip()


def state(root, git):
    return git(root, "ls-files", "-s"), git(root, "status", "--porcelain")


@pytest.mark.parametrize("lasting", [False, True])
def test_it_holds_what_tracked_files_say(repo, git, lasting):
    for name in ("staged.txt", "gone.txt", "both.txt", "run.sh", "dir/deep.txt", "kind"):
        (repo / name).parent.mkdir(exist_ok=True)
        (repo / name).write_text(name)
    git(repo, "add", ".")
    git(repo, "commit", "--quiet", "-m", "two")
    (repo / "a.cs").write_bytes(b"class A { }\r\n")
    (repo / "staged.txt").write_text("staged")
    git(repo, "add", "staged.txt")
    (repo / "both.txt").write_text("staged")
    (repo / "new.txt").write_text("new")
    git(repo, "add", "both.txt", "new.txt")
    (repo / "both.txt").write_text("later")
    (repo / "gone.txt").unlink()
    git(repo, "rm", "--quiet", "--cached", "dir/deep.txt")
    (repo / "run.sh").chmod(0o755)
    (repo / "kind").unlink()
    (repo / "kind").symlink_to("a.cs")
    (repo / "intended.txt").write_text("intended")
    git(repo, "add", "--intent-to-add", "intended.txt")
    (repo / "untracked.txt").write_text("untracked")
    before = state(repo, git)
    saved = save_worktree(open_repository(repo, lasting=lasting))
    assert saved.tree == expect(repo)
    assert saved.head == git(repo, "rev-parse", "HEAD")
    assert saved.left == {}
    assert state(repo, git) == before


def test_an_unchanged_work_tree_is_the_tree_of_its_commit(repo, git):
    (repo / "a.cs").touch()  # git has to look at it again
    assert save_worktree(open_repository(repo)).tree == git(repo, "rev-parse", "HEAD^{tree}")


def test_a_file_that_was_only_touched_keeps_the_line_ends_that_git_stores(repo, git):
    git(repo, "config", "core.autocrlf", "true")
    (repo / "a.cs").unlink()
    git(repo, "checkout", "--quiet", "--", "a.cs")
    assert (repo / "a.cs").read_bytes() == b"class A;\r\n"
    os.utime(repo / "a.cs", (1, 1))
    assert save_worktree(open_repository(repo)).tree == git(repo, "rev-parse", "HEAD^{tree}")
    (repo / "a.cs").write_bytes(b"class B;\r\n")
    blob = git(repo, "rev-parse", f"{save_worktree(open_repository(repo)).tree}:a.cs")
    assert git(repo, "cat-file", "-s", blob) == "10"  # once edited, as it lies on disk


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
def test_before_the_first_commit(tmp_path, git, object_format):
    git(tmp_path, "init", "--quiet", f"--object-format={object_format}")
    empty = save_worktree(open_repository(tmp_path))
    assert empty.head is None
    assert git(tmp_path, "ls-tree", empty.tree) == ""
    (tmp_path / "a.txt").write_text("a")
    git(tmp_path, "add", ".")
    (tmp_path / "a.txt").write_text("b")
    assert git(tmp_path, "show", f"{save_worktree(open_repository(tmp_path)).tree}:a.txt") == "b"


def test_amid_a_conflict_the_files_are_taken_as_they_lie(repo, git):
    git(repo, "checkout", "--quiet", "-b", "other")
    (repo / "a.cs").write_text("class Other;\n")
    git(repo, "commit", "--quiet", "-am", "other")
    git(repo, "checkout", "--quiet", "main")
    (repo / "a.cs").write_text("class Main;\n")
    git(repo, "commit", "--quiet", "-am", "main")
    git(repo, "merge", "other", check=False)
    text = (repo / "a.cs").read_text()
    assert "<<<<<<<" in text
    assert git(repo, "show", f"{save_worktree(open_repository(repo)).tree}:a.cs") == text.strip()


def test_what_cannot_be_read_stays_as_in_head_and_is_named(repo, git):
    (repo / "a.cs").unlink()
    os.mkfifo(repo / "a.cs")
    saved = save_worktree(open_repository(repo))
    assert saved.left == {"a.cs": Problem.NOT_A_FILE}
    assert saved.tree == git(repo, "rev-parse", "HEAD^{tree}")


def test_only_below_a_folder_that_became_a_link(repo, tmp_path):
    (repo / "src").rename(tmp_path / "elsewhere")
    (repo / "src").symlink_to(tmp_path / "elsewhere")
    assert save_worktree(open_repository(repo)).tree == expect(repo)
