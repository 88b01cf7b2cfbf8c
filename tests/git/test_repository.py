import os
import pickle
import subprocess
import sys

import pytest

from codecortex.git.listing import list_index, list_worktree
from codecortex.git.repository import open_repository
from codecortex.model.errors import GitStateError

CS = (".cs",)


def paths(listing):
    return [entry.path for entry in listing.entries]


def test_found_from_a_folder_deep_inside(repo):
    found = open_repository(repo / "src")
    assert (found.root, found.git_dir, found.common_dir) == (repo, repo / ".git", repo / ".git")
    assert found.object_format == "sha1"
    assert pickle.loads(pickle.dumps(found)) == found  # noqa: S301 - our own bytes


def test_a_linked_work_tree_has_its_own_git_dir(repo, git, tmp_path):
    git(repo, "worktree", "add", "--quiet", str(tmp_path / "linked"), "-b", "other")
    (tmp_path / "linked" / "c.cs").write_text("class C;")
    git(tmp_path / "linked", "add", "c.cs")
    found = open_repository(tmp_path / "linked")
    assert found.root == tmp_path / "linked"
    assert found.git_dir == repo / ".git" / "worktrees" / "linked"
    assert found.common_dir == repo / ".git"
    assert paths(list_index(found, CS)) == ["a.cs", "c.cs", "src/b.cs"]
    assert paths(list_index(open_repository(repo), CS)) == ["a.cs", "src/b.cs"]


def test_a_bare_repository_has_no_work_tree(repo, git, tmp_path):
    git(tmp_path, "clone", "--quiet", "--bare", str(repo), "bare.git")
    found = open_repository(tmp_path / "bare.git")
    assert found.root is None
    for listing in (list_worktree, list_index):
        with pytest.raises(GitStateError) as caught:
            listing(found, CS)
        assert "--rev" in caught.value.hint


def test_no_repository(tmp_path):
    with pytest.raises(GitStateError, match="not a git repository") as caught:
        open_repository(tmp_path)
    assert "git init" in caught.value.hint


def test_no_folder(tmp_path):
    with pytest.raises(GitStateError, match="no folder"):
        open_repository(tmp_path / "nowhere")


def test_a_damaged_repository(repo):
    (repo / ".git" / "config").write_text("[core\n")
    with pytest.raises(GitStateError, match="bad config"):
        open_repository(repo)


def test_another_users_repository(repo, monkeypatch):
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    with pytest.raises(GitStateError, match="dubious ownership") as caught:
        open_repository(repo)
    assert "safe.directory" in caught.value.hint


def test_git_is_not_installed(repo, monkeypatch):
    monkeypatch.setenv("PATH", str(repo))
    with pytest.raises(GitStateError, match="cannot be started") as caught:
        open_repository(repo)
    assert "Install git" in caught.value.hint


def test_a_work_tree_named_by_the_environment(repo, monkeypatch):
    elsewhere = repo.parent / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "a.cs").write_bytes(b"class A;\n")
    monkeypatch.setenv("GIT_DIR", "../repo/.git")
    monkeypatch.setenv("GIT_WORK_TREE", "../elsewhere")
    monkeypatch.chdir(elsewhere)
    found = open_repository(elsewhere)
    assert found.root == elsewhere
    listing = list_worktree(found, CS)
    assert [(entry.path, entry.dirty) for entry in listing.entries] == [("a.cs", False)]


@pytest.mark.parametrize("arguments", [("-a",), ("a.cs",)])
def test_a_hook_sees_the_index_that_is_being_committed(repo, git, arguments):
    script = (
        "from pathlib import Path; from codecortex.git.repository import open_repository as o;"
        "from codecortex.git.listing import list_index as l;"
        "Path('seen').write_text(' '.join(e.path + '=' + e.blob for e in l(o(Path('src')), ('.cs',)).entries))"
    )
    hook = repo / ".git" / "hooks" / "pre-commit"
    hook.write_text(f'#!/bin/sh\nexec "{sys.executable}" -c "{script}"\n')
    hook.chmod(0o755)
    (repo / "a.cs").write_text("class Changed;")
    (repo / "new.cs").write_text("class New;")
    git(repo, "add", "new.cs")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run(["git", "commit", "--quiet", "-m", "two", *arguments], cwd=repo, check=True, env=environment)
    committed = [line.split() for line in git(repo, "ls-tree", "-r", "HEAD").splitlines()]
    expected = " ".join(f"{path}={blob}" for _, _, blob, path in committed if path.endswith(".cs"))
    assert (repo / "seen").read_text() == expected


def test_a_program_that_a_repository_names_is_not_run(repo, git, tmp_path):
    ran = tmp_path / "ran"
    program = tmp_path / "monitor"
    program.write_text(f"#!/bin/sh\n: >'{ran}'\n", "utf-8")
    program.chmod(0o755)
    git(repo, "config", "core.fsmonitor", str(program))
    git(repo, "status")
    assert ran.exists()  # git itself does run it
    ran.unlink()
    (repo / "a.cs").write_text("class Changed;\n", "utf-8")
    list_worktree(open_repository(repo), (".cs",))
    assert not ran.exists()


def test_too_many_open_files_are_told_as_such(repo):
    script = (
        "import os, sys, resource\nfrom pathlib import Path\nfrom codecortex.git.repository import open_repository\n"
        "known, most = open_repository(Path(sys.argv[1])), len(os.listdir('/proc/self/fd')) + 2\n"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))\n"
        "try:\n    known.ask('x', 'status')\nexcept Exception as problem:\n    print(problem.hint)\n"
    )
    done = subprocess.run([sys.executable, "-c", script, str(repo)], capture_output=True, text=True, check=False)
    assert "ulimit -n" in done.stdout


def test_a_full_disk_asks_for_room_and_not_for_fsck(repo):
    said = "error: unable to write loose object file: No space left on device"  # as git says it
    alias = f"alias.fill=!echo '{said}' >&2; exit 1"
    with pytest.raises(GitStateError, match=r"No space left on device[.]$") as refused:
        open_repository(repo).ask("store a blob", "-c", alias, "fill")
    assert refused.value.hint == "Make room or grant access, then run this again."
