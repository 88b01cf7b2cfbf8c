"""Seals git from the developer's own configuration and environment, and offers a runner."""

import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pygit2
import pytest
from hypothesis import HealthCheck, settings

Git = Callable[..., str]

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


def is_alive(number: int) -> bool:
    """Whether a process runs, and is not only waiting to be buried by whoever inherited it."""
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{number}/stat")
    return not (state.exists() and state.read_text().rpartition(")")[2].split()[0] == "Z")


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
