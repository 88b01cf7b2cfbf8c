"""The pre-commit hook killed at any moment: the index is as before or as after, and the next run mends the rest."""

import os
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

import codecortex

KILLS = int(os.environ.get("CODECORTEX_KILLS", "12"))
TYPES = 60
COMMAND = [sys.executable, "-m", "codecortex"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(codecortex.__file__).parents[1])}


def ask(root, *arguments):
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, check=True, env=os.environ)
    return done.stdout.decode().strip()


def start_hook(root, **variables):
    return subprocess.Popen(
        [*COMMAND, "hook", "pre-commit"], cwd=root, env=ENVIRONMENT | variables,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def write_sources(root, extra):
    for number in range(TYPES):
        members = "\n".join(f"    public C{(number * 7 + each) % TYPES} M{each}(int a) => null;" for each in range(4))
        file = root / f"src/F{number}.cs"
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"namespace N{number % 9};\npublic class C{number}\n{{\n{members}\n{extra}}}\n", "utf-8")


@pytest.fixture(scope="module")
def staged(tmp_path_factory):
    """A repository with every class changed and staged; its index before and after the hook; how long that takes."""
    root = tmp_path_factory.mktemp("kill") / "repo"
    root.mkdir()
    ask(root, "init", "--quiet")
    write_sources(root, "")
    for arguments in (["init"], ["refresh"]):
        subprocess.run([*COMMAND, *arguments], cwd=root, env=ENVIRONMENT, check=True, capture_output=True)
    ask(root, "add", ".")
    ask(root, "commit", "--quiet", "-m", "one")
    write_sources(root, "    public int Added;\n")
    (root / "src/F7.cs").unlink()
    (root / "src/New.cs").write_text("namespace N1;\npublic class New { }\n", "utf-8")
    ask(root, "add", ".")
    done = root.parent / "done"
    shutil.copytree(root, done)
    began = time.monotonic()
    assert start_hook(done).communicate() == (b"", b"")
    return root, ask(root, "ls-files", "-s"), ask(done, "ls-files", "-s"), time.monotonic() - began


def wait_for_children(root):
    """A git that the hook had started ends by itself, though nobody waits for it any more."""
    deadline = time.monotonic() + 10
    while (root / ".git/index.lock").exists():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_kill_at_any_moment_leaves_the_index_as_before_or_as_after(staged, tmp_path):
    origin, before, after, took = staged
    assert before != after
    moments = random.Random(11)  # noqa: S311 - moments, not secrets
    seen = []
    for number in range(KILLS):
        root = tmp_path / str(number)
        shutil.copytree(origin, root)
        running = start_hook(root)
        time.sleep(moments.uniform(0.2, 1.1) * took)
        running.kill()
        running.communicate()
        wait_for_children(root)
        found = ask(root, "ls-files", "-s")
        assert found in (before, after)
        seen.append(found == after)
        ask(root, "fsck", "--no-dangling", "--no-progress")
        assert start_hook(root).communicate() == (b"", b"")
        assert ask(root, "ls-files", "-s") == after
        assert not ask(root, "diff", "--name-only")
        assert not list(root.rglob(".codecortex-tmp*"))
        assert not (root / ".git/codecortex/blobs").exists()
        shutil.rmtree(root)
    assert False in seen


def test_kill_while_a_path_is_committed_leaves_both_indexes_sound(staged, tmp_path):
    """As above behind a temporary index: the real one is touched by post-commit alone, and all of it or nothing."""
    origin, before, _, took = staged
    moments = random.Random(12)  # noqa: S311 - as above
    for number in range(max(2, KILLS // 4)):
        root = tmp_path / str(number)
        shutil.copytree(origin, root)
        temporary = root / ".git/next-index-1.lock"
        shutil.copyfile(root / ".git/index", temporary)
        running = start_hook(root, GIT_INDEX_FILE=str(temporary))
        time.sleep(moments.uniform(0.3, 1.1) * took)
        running.kill()
        running.communicate()
        temporary.unlink()
        done = subprocess.run(
            [*COMMAND, "hook", "post-commit"], cwd=root, env=ENVIRONMENT, capture_output=True, check=True
        )
        assert done.stderr == b""
        assert ask(root, "ls-files", "-s") == before
        assert not (root / ".git/codecortex/journal").exists()
