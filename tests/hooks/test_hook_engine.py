"""What `codecortex hook NAME` does when it is called as git calls it, and when it is not."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest

import codecortex

pytestmark = pytest.mark.matrix

SOURCE = str(Path(codecortex.__file__).parents[1])
CONFIG = ".codecortex/config.yaml"
STRICT = "hooks:\n  strict: true\n"


def run(folder, *arguments, **variables):
    """The command as a process of its own; its exit code and what it said."""
    command = [sys.executable, "-m", "codecortex", *arguments]
    environment = {**os.environ, "PYTHONPATH": SOURCE, **variables}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def shop(repo, git):
    """A repository of two classes with `.codecortex` refreshed and committed, and no hooks installed."""
    assert run(repo, "init")[0] == 0
    assert run(repo, "refresh")[0] == 0
    git(repo, "add", ".")
    git(repo, "commit", "--quiet", "-m", "map")
    return repo


def hook(folder, name, *arguments, **variables):
    return run(folder, "hook", name, *arguments, **variables)


def stage(shop, git, text="public class A { public int Size; }\n"):
    (shop / "a.cs").write_text(text)
    git(shop, "add", "a.cs")


def list_index(shop, git):
    return git(shop, "ls-files", "-s")


def wait_for(path):
    deadline = time.monotonic() + 60
    while not path.exists():
        assert time.monotonic() < deadline, f"{path} never came"
        time.sleep(0.02)


def test_pre_commit_says_nothing_and_stages_the_outline(shop, git):
    stage(shop, git)
    assert hook(shop, "pre-commit", GIT_INDEX_FILE=".git/index") == (0, "", "")
    assert len(git(shop, "diff", "--cached", "--name-only").splitlines()) == 2
    assert "public int Size" in git(shop, "diff", "--cached", "--", ".codecortex")
    assert not git(shop, "diff", "--name-only")


def test_pre_commit_through_click_does_the_same(shop, git):
    stage(shop, git)
    assert run(shop.parent, "-C", str(shop), "hook", "pre-commit")[0] == 0
    assert len(git(shop, "diff", "--cached", "--name-only").splitlines()) == 2


@pytest.mark.parametrize("name", ["pre-commit", "warm"])
@pytest.mark.parametrize("how", ["option", "configuration"])
def test_hooks_leave_the_cache_alone_where_there_is_to_be_none(shop, git, name, how):
    shutil.rmtree(shop / ".git/codecortex")
    options = ["--no-cache"] if how == "option" else []
    if how == "configuration":
        (shop / CONFIG).write_text("cache:\n  enabled: false\n")
        git(shop, "add", ".")
        git(shop, "commit", "--quiet", "-m", "no cache")
    stage(shop, git)
    assert run(shop, *options, "hook", name)[0] == 0
    file = shop / ".git/codecortex/cache.sqlite"
    if how == "option":
        assert not file.exists()
    else:
        with closing(sqlite3.connect(file)) as cache:
            assert cache.execute(
                "SELECT (SELECT count(*) FROM facts) + (SELECT count(*) FROM snapshots)"
            ).fetchone() == (0,)


def test_outside_git_it_says_so_and_ends_well(tmp_path):
    code, out, err = hook(tmp_path, "pre-commit")
    assert (code, out) == (0, "")
    assert err.startswith("codecortex: Git could not open a repository")
    assert len(err.splitlines()) == 1


def test_in_a_bare_repository_it_says_so_and_ends_well(tmp_path, git):
    git(tmp_path, "init", "--quiet", "--bare")
    code, _, err = hook(tmp_path, "post-commit")
    assert code == 0
    assert "has no work tree" in err


def test_an_unknown_hook_is_named(shop):
    code, _, err = hook(shop, "pre-comit")
    assert code == 2
    assert err.startswith("codecortex: There is no hook 'pre-comit'. It is one of pre-commit, post-commit,")
    assert "warm" not in err


def test_a_repository_without_codecortex_is_left_alone(repo, git):
    before = list_index(repo, git)
    assert hook(repo, "pre-commit") == (0, "", "")
    assert list_index(repo, git) == before


@pytest.mark.parametrize("strict", [False, True], ids=["lenient", "strict"])
def test_an_unmerged_index_stops_a_commit_only_where_hooks_are_strict(shop, git, strict):
    if strict:
        (shop / CONFIG).write_text(STRICT)
        git(shop, "add", CONFIG)
    blob = git(shop, "rev-parse", ":a.cs")
    lines = "".join(f"100644 {blob} {stage}\ta.cs\n" for stage in (1, 2, 3))
    git(shop, "rm", "--cached", "--quiet", "a.cs")
    git(shop, "update-index", "--index-info", stdin=lines.encode())
    before = list_index(shop, git)
    code, _, err = hook(shop, "pre-commit")
    assert code == (1 if strict else 0)
    assert err.startswith("codecortex: a.cs is unmerged")
    assert list_index(shop, git) == before


def test_an_unmerged_outline_is_named(shop, git):
    path = git(shop, "ls-files", ".codecortex/types").splitlines()[0]
    blob = git(shop, "rev-parse", f":{path}")
    git(shop, "rm", "--cached", "--quiet", path)
    git(shop, "update-index", "--index-info", stdin=f"100644 {blob} 2\t{path}\n".encode())
    code, _, err = hook(shop, "pre-commit")
    assert code == 0
    assert err.startswith(f"codecortex: {path} is unmerged")


@pytest.mark.parametrize("quote", ["", '"'])
def test_what_a_newer_version_wrote_is_left_alone(shop, git, quote):
    (shop / CONFIG).write_text(f"hooks:\n  {quote}strict{quote}: true\n")
    index = shop / ".codecortex/index.json"
    index.write_text(index.read_text().replace('"schemaVersion":"1.0"', '"schemaVersion":"9.0"'))
    git(shop, "add", ".codecortex")
    stage(shop, git)
    before = list_index(shop, git)
    code, _, err = hook(shop, "pre-commit")
    assert code == 1
    assert "newer" in err
    assert list_index(shop, git) == before


def test_a_configuration_that_is_none_is_told_in_one_line(shop, git):
    (shop / CONFIG).write_text("hooks: [\n")
    git(shop, "add", CONFIG)
    stage(shop, git)
    code, _, err = hook(shop, "pre-commit")
    assert code == 0
    assert err.startswith(f"codecortex: {CONFIG}:")


def test_files_of_others_among_ours_stay(shop, git):
    (shop / ".codecortex/types/notes.txt").write_text("mine\n")
    (shop / ".codecortex/other.json").write_text("{}\n")
    git(shop, "add", ".codecortex")
    (shop / ".codecortex/types/notes.txt").write_text("mine, edited\n")
    stage(shop, git)
    assert hook(shop, "pre-commit")[0] == 0
    assert (shop / ".codecortex/types/notes.txt").read_text() == "mine, edited\n"
    assert git(shop, "show", ":.codecortex/types/notes.txt") == "mine"
    assert git(shop, "show", ":.codecortex/other.json") == "{}"


def test_a_hand_edited_outline_of_any_type_is_as_committed_again(shop, git):
    outlines = sorted((shop / ".codecortex/types").iterdir())
    for file in outlines:
        file.write_text("mine\n")
    outlines[0].unlink()
    stage(shop, git)
    assert hook(shop, "pre-commit")[0] == 0
    assert not git(shop, "diff", "--name-only")


def test_another_git_that_holds_the_index_for_a_moment_is_waited_for(shop, git):
    """The other lets go of it as soon as the hook has written outlines, and so is about to change the index."""
    stage(shop, git)
    (shop / ".git/index.lock").touch()
    outlines = shop / ".codecortex/types"
    before = {file: file.read_bytes() for file in outlines.iterdir()}

    def release():
        while {file: file.read_bytes() for file in outlines.iterdir() if file.suffix == ".md"} == before:
            time.sleep(0.02)
        (shop / ".git/index.lock").unlink()

    other = threading.Thread(target=release, daemon=True)
    other.start()
    assert hook(shop, "pre-commit") == (0, "", "")
    other.join()
    assert len(git(shop, "diff", "--cached", "--name-only").splitlines()) == 2


def test_an_index_lock_that_stays_is_told_and_the_index_is_as_before(shop, git):
    stage(shop, git)
    before = list_index(shop, git)
    (shop / ".git/index.lock").touch()
    code, _, err = hook(shop, "pre-commit")
    assert code == 0
    assert "index.lock" in err
    (shop / ".git/index.lock").unlink()
    assert list_index(shop, git) == before
    assert hook(shop, "pre-commit") == (0, "", "")
    assert not git(shop, "diff", "--name-only")


PATIENT = """
from codecortex.__main__ import run
from codecortex.operations.hooks import run as hooks
hooks._LOCK_SECONDS = 600.0  # however slow the machine is
run()
"""


def test_two_hooks_at_once_take_turns(shop, git):
    stage(shop, git)
    command = [sys.executable, "-c", PATIENT, "hook", "pre-commit"]
    environment = {**os.environ, "PYTHONPATH": SOURCE}
    both = [
        subprocess.Popen(command, cwd=shop, env=environment, stderr=subprocess.PIPE, stdout=subprocess.PIPE)
        for _ in range(2)
    ]
    said = [each.communicate() for each in both]
    assert said == [(b"", b"")] * 2
    assert len(git(shop, "diff", "--cached", "--name-only").splitlines()) == 2
    assert not git(shop, "diff", "--name-only")


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_repository_that_may_not_be_written_is_told(shop, git):
    stage(shop, git)
    before = list_index(shop, git)
    shutil.rmtree(shop / ".git/codecortex")
    (shop / ".git").chmod(0o555)
    code, _, err = hook(shop, "pre-commit")
    (shop / ".git").chmod(0o755)
    assert code == 0
    assert err.startswith("codecortex: ")
    assert list_index(shop, git) == before


def commit_path(shop, git, *paths):
    """`git commit <path>` up to and including the commit, without the post-commit hook."""
    hooks = shop / ".git/hooks"
    hooks.mkdir(exist_ok=True)
    file = hooks / "pre-commit"
    file.write_text(f'#!/bin/sh\nPYTHONPATH="{SOURCE}" exec "{sys.executable}" -m codecortex hook pre-commit\n')
    file.chmod(0o755)
    git(shop, "commit", "--quiet", "-m", "path", *paths)


def test_the_journal_brings_the_real_index_after_the_commit_and_goes(shop, git):
    (shop / "a.cs").write_text("public class A { public int Size; }\n")
    commit_path(shop, git, "a.cs")
    assert git(shop, "diff", "--cached", "--name-only")
    assert hook(shop, "post-commit") == (0, "", "")
    assert not git(shop, "status", "--porcelain")
    assert not (shop / ".git/codecortex/journal").exists()


def test_what_somebody_staged_meanwhile_is_not_taken_back(shop, git):
    (shop / "a.cs").write_text("public class A { public int Size; }\n")
    commit_path(shop, git, "a.cs")
    (path,) = git(shop, "diff", "--cached", "--name-only").splitlines()
    blob = git(shop, "hash-object", "-w", "--stdin", stdin=b"staged by hand\n")
    git(shop, "update-index", "--cacheinfo", f"100644,{blob},{path}")
    assert hook(shop, "post-commit")[0] == 0
    assert git(shop, "show", f":{path}") == "staged by hand"


def test_the_journal_of_a_commit_that_never_was_does_nothing(shop, git):
    (shop / "a.cs").write_text("public class A { public int Size; }\n")
    commit_path(shop, git, "a.cs")
    git(shop, "reset", "--quiet", "--soft", "HEAD~1")
    before = list_index(shop, git)
    assert hook(shop, "post-commit")[0] == 0
    assert list_index(shop, git) == before
    assert not (shop / ".git/codecortex/journal").exists()


@pytest.mark.parametrize("text", [b"", b"nonsense\0", b"\xff\0\0", b"1,2\t-\t-\t-\tx\0"])
def test_a_journal_that_is_none_is_dropped(shop, git, text):
    journal = shop / ".git/codecortex/journal"
    journal.write_bytes(text)
    before = list_index(shop, git)
    assert hook(shop, "post-commit") == (0, "", "")
    assert list_index(shop, git) == before
    assert not journal.exists()


def fall_behind(shop, git):
    """A commit whose sources its outlines do not know, as an automatic merge may leave one."""
    stage(shop, git)
    git(shop, "commit", "--quiet", "--no-verify", "-m", "behind")


@pytest.mark.parametrize(
    ("name", "arguments"), [("post-merge", ["0"]), ("post-checkout", ["1", "2", "1"]), ("post-rewrite", ["rebase"])]
)
def test_what_is_behind_is_found_beside_and_told_by_the_next_hook(shop, git, name, arguments):
    fall_behind(shop, git)
    assert hook(shop, name, *arguments) == (0, "", "")
    wait_for(shop / ".git/codecortex/notice")
    code, _, err = hook(shop, name, *arguments)
    assert (code, err) == (0, "codecortex: 1 generated file is behind; run `codecortex refresh`.\n")


@pytest.mark.slow
def test_the_next_commit_mends_what_is_behind_and_says_so(shop, git):
    fall_behind(shop, git)
    assert hook(shop, "warm")[0] == 0
    (shop / "notes.txt").write_text("other\n")
    git(shop, "add", "notes.txt")
    code, _, err = hook(shop, "pre-commit")
    assert (code, err) == (0, "codecortex: 1 generated file of the last commit is behind; this one mends that.\n")
    git(shop, "commit", "--quiet", "--no-verify", "-m", "notes")
    assert hook(shop, "warm")[0] == 0
    assert not (shop / ".git/codecortex/notice").exists()


def test_a_commit_without_pre_commit_is_read_beside_and_the_next_one_mends(shop, git):
    fall_behind(shop, git)
    assert hook(shop, "post-commit") == (0, "", "")
    wait_for(shop / ".git/codecortex/notice")
    assert hook(shop, "pre-commit")[2].endswith("this one mends that.\n")
    assert hook(shop, "post-commit") == (0, "", "")


def test_a_notice_about_another_commit_is_not_told(shop, git):
    fall_behind(shop, git)
    assert hook(shop, "warm")[0] == 0
    git(shop, "checkout", "--quiet", "HEAD~1")
    assert hook(shop, "post-checkout", "1", "2", "1") == (0, "", "")


def test_a_warmed_cache_makes_the_next_commit_incremental(shop, git):
    fall_behind(shop, git)
    shutil.rmtree(shop / ".git/codecortex")
    assert hook(shop, "warm")[0] == 0
    hidden = git(shop, "rev-parse", "HEAD:src/b.cs")
    (shop / ".git/objects" / hidden[:2] / hidden[2:]).unlink()
    stage(shop, git, "public class A { public int Size; public int Other; }\n")
    code, _, err = hook(shop, "pre-commit")
    assert (code, err) == (0, "codecortex: 1 generated file of the last commit is behind; this one mends that.\n")
    assert "Other" in git(shop, "diff", "--cached", "--", ".codecortex")


@pytest.mark.parametrize("state", ["rebase-merge", "rebase-apply", "CHERRY_PICK_HEAD", "REVERT_HEAD", "BISECT_LOG"])
@pytest.mark.parametrize(("name", "arguments"), [("post-merge", ["0"]), ("post-checkout", ["1", "2", "1"])])
def test_in_the_middle_of_something_longer_nothing_is_said_or_started(shop, git, state, name, arguments):
    fall_behind(shop, git)
    assert hook(shop, "warm")[0] == 0
    (shop / ".git" / state).touch()
    assert hook(shop, name, *arguments) == (0, "", "")


def test_a_checkout_of_single_files_and_an_amended_commit_start_nothing(shop, git):
    fall_behind(shop, git)
    assert hook(shop, "warm")[0] == 0
    assert hook(shop, "post-checkout", "1", "2", "0") == (0, "", "")
    assert hook(shop, "post-rewrite", "amend") == (0, "", "")


@pytest.fixture
def writing(shop, git):
    (shop / CONFIG).write_text("hooks:\n  postMerge: write\n")
    git(shop, "add", CONFIG)
    git(shop, "commit", "--quiet", "--no-verify", "-m", "write")
    fall_behind(shop, git)
    return shop


def test_where_hooks_may_write_the_work_tree_is_refreshed(writing, git):
    code, _, err = hook(writing, "post-merge", "0")
    assert (code, err) == (0, "codecortex: 1 generated file brought up to date in the work tree; commit them.\n")
    assert "Size" in git(writing, "diff", "--", ".codecortex")
    assert not git(writing, "diff", "--cached", "--name-only")


def test_where_hooks_may_write_changes_of_people_are_left_alone(writing, git):
    (writing / ".codecortex/README.md").write_text("mine\n")
    code, _, err = hook(writing, "post-merge", "0")
    assert (code, err) == (0, "codecortex: .codecortex has changes that are not committed, so it is left as it is.\n")
    assert git(writing, "diff", "--name-only") == ".codecortex/README.md"


def test_a_rebase_that_will_bring_work_back_is_not_written_into(writing, git):
    (writing / ".git/rebase-merge").mkdir()
    (writing / ".git/rebase-merge/autostash").touch()
    assert hook(writing, "post-rewrite", "rebase") == (0, "", "")
    assert not git(writing, "diff", "--name-only")


REPORT = (
    "import atexit, json, sys\n"
    "atexit.register(lambda: print(json.dumps(sorted({n.split('.')[0] for n in sys.modules})), file=sys.stderr))\n"
)
HEAVY = {"click", "rich", "ruamel", "pygit2", "httpx", "multiprocessing", "importlib.metadata"}


@pytest.mark.parametrize("name", ["pre-commit", "post-commit", "post-merge"])
def test_a_hook_loads_neither_click_nor_anything_heavy(shop, git, tmp_path, name):
    (tmp_path / "site").mkdir()
    (tmp_path / "site/sitecustomize.py").write_text(REPORT)
    stage(shop, git)
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path / 'site'}{os.pathsep}{SOURCE}"}
    command = [sys.executable, "-m", "codecortex", "hook", name]
    done = subprocess.run(command, cwd=shop, env=environment, capture_output=True, check=True)
    loaded = set(json.loads(done.stderr.splitlines()[-1]))
    assert not loaded & HEAVY
    if name != "pre-commit":
        assert not loaded & {"sqlite3", "tree_sitter"}
