"""Seals git from the developer's own configuration and environment, and offers a runner."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from zlib import crc32

import pygit2
import pytest
from hypothesis import HealthCheck, settings

Git = Callable[..., str]
KILLS = int(os.environ.get("CODECORTEX_KILLS", "12"))
LAWS = os.environ.get("CODECORTEX_LAWS", "")
# Of the tests with a marker one in so many runs, unless its variable is "all" or their file is named.
_PARTS = (("matrix", os.environ.get("CODECORTEX_MATRIX", ""), 6), ("slow", os.environ.get("CODECORTEX_SLOW", ""), 3))
_SHARE = 5  # of the laws one in so many runs without a store too, unless CODECORTEX_LAWS is "all"

# No test is judged by the clock: a busy machine makes examples slowly.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")

# What a shell starts in the background is deaf to Ctrl-C, and so would be every process that a test starts.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def _sealed_git(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as environment:
        for name in [name for name in os.environ if name.startswith("GIT_")]:
            environment.delenv(name)
        fixed = {
            "HOME": str(tmp_path_factory.mktemp("home")),
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": "init.defaultBranch",
            "GIT_CONFIG_VALUE_0": "main",
            "CODECORTEX_TRACE_ID": "test",  # answers are compared
        }
        for role in ("AUTHOR", "COMMITTER"):
            fixed |= {
                f"GIT_{role}_NAME": "A U Thor",
                f"GIT_{role}_EMAIL": "author@example.com",
                f"GIT_{role}_DATE": "2024-01-02T03:04:05+00:00",
            }
        for name, value in fixed.items():
            environment.setenv(name, value)
        _seal_libgit2(fixed["HOME"])
        yield


def _seal_libgit2(empty: str) -> None:
    """It knows none of these variables: it has folders to look for settings in, and read HOME when it was loaded."""
    levels = pygit2.enums.ConfigLevel
    for level in (levels.PROGRAMDATA, levels.SYSTEM, levels.XDG, levels.GLOBAL):
        pygit2.settings.search_path[level] = empty


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that is marked as a law holds without a local cache as with one."""
    if metafunc.definition.get_closest_marker("law") is None:
        return
    if LAWS == "all" or crc32(f"{LAWS}{metafunc.definition.nodeid}".encode()) % _SHARE == 0:
        metafunc.parametrize("store", ["kept", "none"], indirect=True)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of the tests that take long a part runs, the same each time: all of them take many minutes."""
    if any(Path(each.partition("::")[0]).suffix for each in config.args):
        return
    left = {each for each in items if any(_leaves_out(each, *rest) for rest in _PARTS)}
    config.hook.pytest_deselected(items=list(left))
    items[:] = [each for each in items if each not in left]


def _leaves_out(item: pytest.Item, marker: str, seed: str, part: int) -> bool:
    marked = item.get_closest_marker(marker) is not None
    return marked and seed != "all" and crc32(f"{seed}{item.nodeid}".encode()) % part > 0


@pytest.fixture(autouse=True)
def store(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Whether processes and this one have a local cache: `kept` or `none`."""
    kept: str = getattr(request, "param", "kept")
    if kept == "none":
        monkeypatch.setenv("CODECORTEX_NO_CACHE", "1")
    return kept


def is_alive(number: int) -> bool:
    """Whether a process runs, and is not only waiting to be buried by whoever inherited it."""
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    return not (Path("/proc").exists() and _read_state(number)[0] in "Z ")


def _read_state(number: int | str) -> tuple[str, str]:
    """The state and the group of a process, as Linux tells them; blank if it is gone."""
    try:
        state, _, group = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[:3]
    except OSError:
        return " ", " "
    return state, group


def wait_for_group(group: int) -> None:
    """Wait until every process of a group has ended: what a killed one had started goes on for a while."""
    while _is_group_alive(group):
        time.sleep(0.005)


def _is_group_alive(group: int) -> bool:
    if Path("/proc/self").exists():
        states = (_read_state(each.name) for each in Path("/proc").glob("[0-9]*"))
        return any(of == str(group) and state != "Z" for state, of in states)
    try:
        os.killpg(group, 0)
    except (ProcessLookupError, PermissionError):
        return False
    return True


def _count_calls(action: Callable[[], object], moment: int, note: Path) -> int | None:
    """Run an action in a child, to be killed at the n-th call to the system; how many calls it made until its end."""
    child = os.fork()
    if child == 0:
        made = 0

        def count(event: str, _arguments: object) -> None:
            nonlocal made
            if event.startswith(("open", "os.", "fcntl.", "subprocess.", "tempfile.", "shutil.")):
                made += 1
                if made == moment:
                    os.kill(os.getpid(), signal.SIGKILL)

        def watch(name: str) -> None:
            real = getattr(os, name)

            def counted(*arguments: object) -> object:
                count("os.", arguments)
                return real(*arguments)

            setattr(os, name, counted)  # these tell no audit hook

        try:
            os.setsid()
            for name in ("write", "fsync", "close"):
                watch(name)
            sys.addaudithook(count)
            action()
            note.write_text(str(made))
        finally:
            os._exit(0)
    killed = os.WIFSIGNALED(os.waitpid(child, 0)[1])
    wait_for_group(child)
    return None if killed else int(note.read_text())


@pytest.fixture
def each_kill(tmp_path: Path) -> Callable[..., Iterator[Path]]:
    """`each_kill(origin, action)`: copies of a folder in which `action(copy)` was killed, at moments spread over it.

    It runs in a process of its own, is killed between two things that it asks of the system, and what it had started
    has ended. `CODECORTEX_KILLS` says at how many moments.
    """

    def kill(origin: Path, action: Callable[[Path], object], kills: int = KILLS) -> Iterator[Path]:
        note, whole = tmp_path / "calls", shutil.copytree(origin, tmp_path / "whole", symlinks=True)
        calls = _count_calls(partial(action, whole), 0, note)
        assert calls is not None
        for number in range(kills):
            root = shutil.copytree(origin, tmp_path / f"killed-{number}", symlinks=True)
            if _count_calls(partial(action, root), 1 + number * (calls - 1) // (kills - 1), note) is None:
                yield root
            else:  # with what this process has learned meanwhile, it takes fewer
                assert number > kills // 2
            shutil.rmtree(root, ignore_errors=True)  # a hook may have left something to do in the background

    return kill


@pytest.fixture
def git() -> Git:
    """Run git in a folder: `git(folder, "add", ".")` returns what it printed, stripped."""

    def run(folder: Path, *arguments: str | bytes, stdin: bytes = b"", check: bool = True) -> str:
        done = subprocess.run(["git", *arguments], cwd=folder, input=stdin, capture_output=True, check=False)
        if check:
            assert done.returncode == 0, done.stderr.decode(errors="replace")
        return done.stdout.decode(errors="replace").strip()

    return run


@pytest.fixture
def repo(tmp_path: Path, git: Git) -> Path:
    """Return a new repository with one commit: `a.cs`, `src/b.cs` and `notes.txt`."""
    root = tmp_path / "repo"
    (root / "src").mkdir(parents=True)
    (root / "a.cs").write_bytes(b"class A;\n")
    (root / "src" / "b.cs").write_bytes(b"class B;\n")
    (root / "notes.txt").write_bytes(b"notes\n")
    git(root, "init", "--quiet")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "-m", "one")
    return root
