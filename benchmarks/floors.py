"""What a cold refresh costs beside two floors on the same tree, and beside other tools that read a repository whole.

    python benchmarks/floors.py ~/src/Polly [~/src/jellyfin ...] [--rounds N] [--against CHECKOUT]

The first floor is tree-sitter parsing every C# file and nothing else; the second also writes the outlines that the
refresh writes, byte for byte, each into a file of its own. `ctags` and `repomix` take part where they are on PATH, and
another checkout of codecortex where `--against` names one. All run in turn, and the least of each figure counts.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from common import prepare
from refresh import BARE, put_away

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_ROOT = Path(__file__).parents[1]
_WRITE = (
    BARE
    + """
source, target = Path(sys.argv[2]), Path(sys.argv[3])
for file in source.rglob("*.md"):
    copy = target / file.relative_to(source)
    copy.parent.mkdir(parents=True, exist_ok=True)
    copy.write_bytes(file.read_bytes())
"""
)


class Figures(NamedTuple):
    """Seconds of user and system time of a command and its children, on the wall, and MB of its largest process."""

    user: float
    system: float
    wall: float
    peak: float


class Contestant(NamedTuple):
    """What is measured: its name, what is done before each run, and its command."""

    name: str
    make_ready: Callable[[], object]
    command: Sequence[str | Path]
    checkout: Path = _ROOT


def main(repositories: Sequence[Path], rounds: int, against: Path | None) -> None:
    """Measure and print, one table a repository."""
    for repository in repositories:
        with prepare(repository.expanduser().resolve()) as (work, _, _, listing):
            refreshed = _refresh("codecortex refresh --jobs 1", work, "1", _ROOT)
            measure(refreshed)  # what the second floor writes, and the modules compiled
            outlines = work.parent / "outlines"
            shutil.copytree(work / ".codecortex" / "types", outlines)
            every = list(list_contestants(work, listing, outlines, against))
            costs: dict[str, list[Figures]] = {}
            for _ in range(rounds):
                for each in every:
                    costs.setdefault(each.name, []).append(measure(each))
        report({name: Figures(*map(min, zip(*each, strict=True))) for name, each in costs.items()})


def list_contestants(work: Path, listing: Path, outlines: Path, against: Path | None) -> list[Contestant]:
    """Everything that is measured, in the order of the table; the floors come first."""
    target = work.parent / "written"
    found = [
        Contestant("bare parse", _do_nothing, (sys.executable, "-c", BARE, listing)),
        Contestant(
            "bare parse, same files written",
            lambda: target.rename(tempfile.mkdtemp(dir=work.parent)) if target.exists() else None,
            (sys.executable, "-c", _WRITE, listing, outlines, target),
        ),
        _refresh("codecortex refresh --jobs 1", work, "1", _ROOT),
        _refresh("codecortex refresh", work, "", _ROOT),
    ]
    if against is not None:
        found.append(_refresh("the other checkout, --jobs 1", work, "1", against.expanduser().resolve()))
    names = work.parent / "names"
    names.write_text(listing.read_text().replace("\0", "\n"))
    if shutil.which("ctags"):
        command = ("ctags", "--languages=C#", "-f", work.parent / "tags", "-L", names)
        found.append(Contestant("ctags", _do_nothing, command))
    if shutil.which("repomix"):
        command = ("repomix", "--compress", "--include", "**/*.cs", "-o", str(work.parent / "packed.xml"), str(work))
        found.append(Contestant("repomix --compress", _do_nothing, command))
    return found


def _refresh(name: str, work: Path, jobs: str, checkout: Path) -> Contestant:
    options = ("--jobs", jobs) if jobs else ()
    command = (sys.executable, "-m", "codecortex", "-C", work, "refresh", *options)
    return Contestant(name, lambda: put_away(work), command, checkout)


def _do_nothing() -> None:
    """Some need nothing made ready."""


def measure(contestant: Contestant) -> Figures:
    """One run."""
    contestant.make_ready()
    environment = {**os.environ, "PYTHONPATH": str(contestant.checkout)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    started = time.perf_counter()
    process = subprocess.Popen(
        [*contestant.command],
        stdout=subprocess.DEVNULL,
        env=environment,
        cwd=contestant.checkout,  # which `-m` takes modules from before all else
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{contestant.name}: exit {process.returncode}")
    return Figures(usage.ru_utime, usage.ru_stime, time.perf_counter() - started, usage.ru_maxrss / 1024)


def report(found: dict[str, Figures]) -> None:
    """The table: seconds, and both ratios of the goals."""
    parse, write = list(found.values())[:2]
    print(f"{'':<34}{'user':>8}{'system':>8}{'wall':>8}{'MB':>6}{'user / parse':>14}{'sum / written':>15}")
    for name, (user, system, wall, peak) in found.items():
        whole = (user + system) / (write.user + write.system)
        print(f"{name:<34}{user:>8.2f}{system:>8.2f}{wall:>8.2f}{peak:>6.0f}{user / parse.user:>14.2f}{whole:>15.2f}")
    print()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", nargs="+", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--against", type=Path, help="another checkout of codecortex, measured in turn")
    options = parser.parse_args()
    main(options.repositories, options.rounds, options.against)
