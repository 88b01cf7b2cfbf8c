"""The pre-commit hook killed at any moment: the index is as before or as after, and the next run mends the rest."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import codecortex
from codecortex.operations.hooks.run import run_hook
from tests.conftest import KILLS

TYPES = 60
COMMAND = [sys.executable, "-m", "codecortex"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(codecortex.__file__).parents[1])}


def ask(root, *arguments):
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, check=True, env=os.environ)
    return done.stdout.decode().strip()


def run(root, *arguments):
    done = subprocess.run([*COMMAND, *arguments], cwd=root, env=ENVIRONMENT, capture_output=True, check=True)
    assert done.stderr == b""
    return done.stdout


def write_sources(root, extra):
    for number in range(TYPES):
        members = "\n".join(f"    public C{(number * 7 + each) % TYPES} M{each}(int a) => null;" for each in range(4))
        file = root / f"src/F{number}.cs"
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"namespace N{number % 9};\npublic class C{number}\n{{\n{members}\n{extra}}}\n", "utf-8")


@pytest.fixture(scope="module")
def staged(tmp_path_factory):
    """A repository with every class changed and staged; its index before and after the hook."""
    root = tmp_path_factory.mktemp("kill") / "repo"
    root.mkdir()
    ask(root, "init", "--quiet")
    write_sources(root, "")
    ask(root, "add", ".")
    run(root, "init")
    run(root, "refresh")
    ask(root, "add", ".")
    ask(root, "commit", "--quiet", "-m", "one")
    write_sources(root, "    public int Added;\n")
    (root / "src/F7.cs").unlink()
    (root / "src/New.cs").write_text("namespace N1;\npublic class New { }\n", "utf-8")
    ask(root, "add", ".")
    done = root.parent / "done"
    shutil.copytree(root, done)
    assert run(done, "hook", "pre-commit") == b""
    return root, ask(root, "ls-files", "-s"), ask(done, "ls-files", "-s")


def hook(root, index=None):
    """The hook, in this process, as git starts it."""
    os.chdir(root)
    if index is not None:
        os.environ["GIT_INDEX_FILE"] = str(index)
    run_hook(Path(), "pre-commit", [], print)


@pytest.mark.slow
def test_kill_at_any_moment_leaves_the_index_as_before_or_as_after(staged, each_kill):
    origin, before, after = staged
    assert before != after
    seen = set()
    for root in each_kill(origin, hook):
        found = ask(root, "ls-files", "-s")
        assert found in (before, after)
        seen.add(found)
        ask(root, "fsck", "--no-dangling", "--no-progress")
        assert run(root, "hook", "pre-commit") == b""
        assert ask(root, "ls-files", "-s") == after
        assert not ask(root, "diff", "--name-only")
        assert not list(root.rglob(".codecortex-tmp*"))
        assert not (root / ".git/codecortex/blobs").exists()
    assert seen == {before, after}


def test_kill_while_a_path_is_committed_leaves_both_indexes_sound(staged, tmp_path, each_kill):
    """As above behind a temporary index: the real one is touched by post-commit alone, and all of it or nothing."""
    _, before, _ = staged
    origin = tmp_path / "origin"
    shutil.copytree(staged[0], origin)
    shutil.copyfile(origin / ".git/index", origin / ".git/next-index-1.lock")
    for root in each_kill(origin, lambda root: hook(root, root / ".git/next-index-1.lock"), max(3, KILLS // 4)):
        (root / ".git/next-index-1.lock").unlink()
        assert run(root, "hook", "post-commit") == b""
        assert ask(root, "ls-files", "-s") == before
        assert not (root / ".git/codecortex/journal").exists()
