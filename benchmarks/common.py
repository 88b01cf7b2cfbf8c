"""What the benchmarks share: a throw-away repository of a real one's sources, and one measured command."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

WANTED = (".cs", ".csproj", ".props", ".targets", ".projitems", ".sln", ".slnx")


class Cost(NamedTuple):
    """Of one command: seconds on the wall, seconds of CPU of it and its children, peak MB of its largest process."""

    wall: float
    cpu: float
    peak: float


def copy_sources(repository: Path, target: Path) -> list[Path]:
    """Make a git repository of another's C# sources and project files; the paths of the `.cs` files."""
    listed = subprocess.run(["git", "-C", repository, "ls-files", "-z"], check=True, capture_output=True).stdout
    sources = []
    for name in os.fsdecode(listed).split("\0"):
        file = repository / name
        if name.lower().endswith(WANTED) and file.is_file() and not file.is_symlink():
            copy = target / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, copy)
            if name.lower().endswith(".cs"):
                sources.append(copy)
    commit_all(target)
    return sources


class Prepared(NamedTuple):
    """A throw-away repository, its `.cs` files, and a file that lists them for a bare parser."""

    work: Path
    sources: list[Path]
    size: int
    listing: Path


@contextmanager
def prepare(repository: Path) -> Iterator[Prepared]:
    """Copy a repository's sources into one of their own, begin with codecortex there, and say how large they are."""
    with tempfile.TemporaryDirectory() as folder:
        work, listing = Path(folder) / "work", Path(folder) / "list"
        work.mkdir()
        sources = copy_sources(repository, work)
        size = sum(file.stat().st_size for file in sources)
        print(f"{repository.name}: {len(sources):,} C# files, {size / 1e6:.1f} MB\n")
        listing.write_text("\0".join(map(str, sources)))
        codecortex(work, "init")
        yield Prepared(work, sources, size, listing)


def commit_all(target: Path) -> None:
    """Put everything that stands in a folder into a repository there."""
    git = [
        "git",
        "-C",
        target,
        "-c",
        "user.name=bench",
        "-c",
        "user.email=bench@localhost",
        "-c",
        "core.autocrlf=false",
    ]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "config", "gc.auto", "0"], check=True)  # nor packs git what is copied next
    subprocess.run([*git, "add", "-A"], check=True)
    subprocess.run([*git, "commit", "-q", "-m", "sources"], check=True)
    subprocess.run([*git, "status", "--short"], check=True, capture_output=True)


def run(*command: str | Path) -> Cost:
    """Run a command to its end and say what it cost."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    started = time.perf_counter()
    process = subprocess.Popen([*command], stdout=subprocess.DEVNULL, env=environment)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{' '.join(map(str, command))}: exit {process.returncode}")
    return Cost(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def codecortex(folder: Path, *arguments: str) -> Cost:
    """Run codecortex in a folder."""
    return run(sys.executable, "-m", "codecortex", "-C", folder, *arguments)


def best(*costs: Cost) -> Cost:
    """The least of each figure over several runs: what other work on the machine disturbed least."""
    return Cost(min(c.wall for c in costs), min(c.cpu for c in costs), min(c.peak for c in costs))
