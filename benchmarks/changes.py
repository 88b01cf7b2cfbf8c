"""What `changes` costs over a range of commits, against bare git reading the same range in the same run.

python benchmarks/changes.py ~/src/Polly [HEAD~1000..HEAD]
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from common import Cost, best, codecortex, run

ROUNDS = 3
LOG = ("log", "--first-parent", "--diff-merges=first-parent", "--raw", "--no-abbrev")


def main(repository: Path, span: str) -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder) / "work"
        subprocess.run(["git", "clone", "-q", "--shared", "--no-checkout", repository, work], check=True)
        commits = subprocess.run(
            ["git", "-C", work, "rev-list", "--first-parent", "--count", span], check=True, capture_output=True
        ).stdout
        print(f"{repository.name} {span}: {int(commits):,} first-parent commits\n")
        logs = [run("git", "-C", work, *LOG, span) for _ in range(ROUNDS)]
        each_cold = [measure(work, Path(folder), "--each", span) for _ in range(2)]
        each_warm = [codecortex(work, "changes", "--each", span, "--json") for _ in range(ROUNDS)]
        pair_cold = [measure(work, Path(folder), span) for _ in range(2)]
        pair_warm = [codecortex(work, "changes", span, "--json") for _ in range(ROUNDS)]
        row("git log --raw", best(*logs))
        row("changes --each, cold", best(*each_cold))
        row("changes --each, warm", best(*each_warm))
        row("changes, cold", best(*pair_cold))
        row("changes, warm", best(*pair_warm))
        goal("seconds, changes --each, cold", best(*each_cold).wall, 60)
        goal("seconds, changes, cold", best(*pair_cold).wall, 60)


def measure(work: Path, folder: Path, *arguments: str) -> Cost:
    """Put away what earlier runs left, then compare."""
    cache = work / ".git" / "codecortex"
    if cache.exists():
        cache.rename(Path(tempfile.mkdtemp(dir=folder)) / "codecortex")
    return codecortex(work, "changes", *arguments, "--json")


def row(what: str, cost: Cost) -> None:
    """One measured command."""
    print(f"{what:<32}{cost.wall:8.2f} s wall {cost.cpu:8.2f} s CPU {cost.peak:7.0f} MB")


def goal(what: str, value: float, wanted: float) -> None:
    """One figure beside its goal."""
    print(f"{what:<32}{value:8.2f}   goal {wanted:g}{'' if value <= wanted else '   MISSED'}")


if __name__ == "__main__":
    main(Path(sys.argv[1]).expanduser().resolve(), sys.argv[2] if len(sys.argv) > 2 else "HEAD~1000..HEAD")  # noqa: PLR2004
