"""What a check costs, against `codecortex --version` and `git status` in the same run.

python benchmarks/check.py ~/src/efcore
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from common import Cost, best, codecortex, commit_all, copy_sources, run
from refresh import edit, ratio, row

ROUNDS = 7


def main(repository: Path) -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder) / "work"
        work.mkdir()
        sources = copy_sources(repository, work)
        print(f"{repository.name}: {len(sources):,} C# files\n")
        codecortex(work, "init")
        refreshed = codecortex(work, "refresh")
        commit_all(work)
        cold = check_cold(work)
        codecortex(work, "refresh")
        measure_warm(work)
        one = measure_edit(work, sources)
        row("cold refresh", refreshed)
        row("cold check", cold)
        row("check, one file changed", one)
        ratio("wall, cold check / cold refresh", cold.wall / refreshed.wall, 1.0)


def check_cold(work: Path) -> Cost:
    """A check where nothing is known yet, as in a fresh clone."""
    (work / ".git" / "codecortex").rename(work.parent / "known")
    return codecortex(work, "check")


def measure_warm(work: Path) -> None:
    """A check of what was checked before."""
    for which in ((), ("--staged",), ("--rev", "HEAD"), ("--against", "HEAD")):
        codecortex(work, "check", *which)
    costs: dict[str, list[Cost]] = {}
    for _ in range(ROUNDS):  # in turn, so that a busy spell of the machine meets all of them
        costs.setdefault("git status", []).append(run("git", "-C", work, "status", "--short"))
        costs.setdefault("codecortex --version", []).append(codecortex(work, "--version"))
        for which in ((), ("--staged",), ("--rev", "HEAD"), ("--against", "HEAD")):
            costs.setdefault(" ".join(("check", *which)), []).append(codecortex(work, "check", *which))
    for what, each in costs.items():
        row(what, best(*each))
    version = best(*costs["codecortex --version"]).wall
    for what, each in costs.items():
        if what.startswith("check"):
            ratio(f"seconds more than --version, {what}", best(*each).wall - version, 0.2)
    print()


def measure_edit(work: Path, sources: list[Path]) -> Cost:
    """A check after one edit that a refresh has followed."""
    costs = []
    for number in range(3):
        edit(work, sources, number)
        costs.append(codecortex(work, "check"))
    return best(*costs)


if __name__ == "__main__":
    main(Path(sys.argv[1]).expanduser().resolve())
