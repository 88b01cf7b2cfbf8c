"""A refresh killed at any moment is repaired by the next one."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import codecortex
from codecortex.git.lock import hold_lock
from codecortex.operations.refresh.init import init
from codecortex.operations.refresh.refresh import refresh
from codecortex.operations.request import Request

FILES, PATIENCE = 150, 120.0
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(codecortex.__file__).parents[1])}


@pytest.fixture(scope="module")
def clean(tmp_path_factory):
    """A repository of many sources, and the files that an undisturbed refresh makes of it."""
    root = tmp_path_factory.mktemp("crash")
    subprocess.run(["git", "init", "--quiet"], cwd=root, check=True)
    for number in range(FILES):
        members = "\n".join(f"    public C{(number * 7 + each) % FILES} M{each}(int a) => null;" for each in range(8))
        file = root / f"src/F{number}.cs"
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"namespace N{number % 9};\npublic class C{number}\n{{\n{members}\n}}\n", "utf-8")
    subprocess.run(["git", "add", "."], cwd=root, check=True)
    init(root)
    assert start_refresh(root).communicate()[1] == b""
    expected = read_generated(root)
    forget(root)
    return root, expected


def start_refresh(root):
    command = [sys.executable, "-m", "codecortex", "refresh", "--jobs", "2"]
    return subprocess.Popen(
        command, cwd=root, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip


def read_generated(root):
    folder = root / ".codecortex"
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def forget(root):
    shutil.rmtree(root / ".codecortex" / "types", ignore_errors=True)
    (root / ".codecortex" / "index.json").unlink(missing_ok=True)
    shutil.rmtree(root / ".git" / "codecortex", ignore_errors=True)


@pytest.mark.slow
def test_kill_at_any_moment_then_refresh_equals_a_clean_refresh(clean, each_kill):
    origin, expected = clean
    seen = set()
    for root in each_kill(origin, lambda root: refresh(Request(root, jobs=2))):
        seen.add(len(read_generated(root)))
        result = refresh(Request(root, jobs=1))
        assert result.types == FILES
        assert read_generated(root) == expected
        assert refresh(Request(root, jobs=1)).written == ()
    assert min(seen) < len(expected)


def wait_until_at_work(root):
    """Until the lock is held: before that, the interpreter itself answers Ctrl-C."""
    deadline = time.monotonic() + PATIENCE
    while not (root / ".git" / "codecortex" / "cache.sqlite").exists():
        assert time.monotonic() < deadline
        time.sleep(0.002)


@pytest.mark.slow
def test_ctrl_c_ends_with_130_frees_the_lock_and_is_repaired(clean):
    root, expected = clean
    codes = []
    while len(codes) < 3 or 130 not in codes[:20]:  # one that ended before its turn came is tried again
        forget(root)
        running = start_refresh(root)
        wait_until_at_work(root)
        time.sleep(0.1 * (len(codes) % 3))
        os.killpg(running.pid, signal.SIGINT)
        told, complaint = running.communicate(timeout=PATIENCE)
        codes.append(running.returncode)
        if running.returncode and not told:  # whoever has told its result is leaving, by whatever door
            assert running.returncode == 130, complaint
            assert complaint.decode().split() == ["interrupted"]
        assert not list((root / ".codecortex").rglob(".codecortex-tmp*"))
        with hold_lock(root / ".git/codecortex/lock", wait=0):
            pass
        refresh(Request(root, jobs=1))
        assert read_generated(root) == expected


def test_two_at_once_take_turns(clean):
    root, expected = clean
    forget(root)
    running = [start_refresh(root) for _ in range(3)]
    told = [(each.communicate(timeout=PATIENCE), each.returncode) for each in running]
    for (_, complaint), code in told:
        assert code in (0, 3), complaint
        assert code == 0 or complaint.startswith(b"error: Another codecortex (process ")
    assert any(code == 0 for _, code in told)
    assert read_generated(root) == expected
