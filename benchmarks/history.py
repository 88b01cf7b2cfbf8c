"""What `log`, `diff` and `blame` cost on a long history, against plain git on the type's file in the same run.

    python benchmarks/history.py ~/src/efcore Microsoft.EntityFrameworkCore.Metadata.Internal.Property

The repository is only read: all happens in a clone that borrows its objects and checks nothing out.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from common import Cost, best, codecortex, run

ROUNDS = 3


def main(repository: Path, symbols: list[str]) -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder) / "work"
        run("git", "clone", "-q", "--shared", "--no-checkout", repository, work)
        commits = ask(work, "rev-list", "--count", "HEAD").strip()
        print(f"{repository.name}: {commits} commits")
        for symbol in symbols:
            measure(work, symbol)


def measure(work: Path, symbol: str) -> None:
    """One type: nothing known, HEAD known as after a refresh, all of its history known; then with a commit graph."""
    cache = Path(ask(work, "rev-parse", "--path-format=absolute", "--git-common-dir").strip()) / "codecortex"
    command = [sys.executable, "-m", "codecortex", "-C", str(work), "log", symbol, "--json"]
    told = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    path = told["commits"][0]["files"][0]
    print(f"\n{told['fqn']}: {len(told['commits'])} commits changed it, in {path} today")
    cold, filled = [], []
    for _ in range(ROUNDS):
        shutil.rmtree(cache)
        cold.append(codecortex(work, "log", symbol))
        shutil.rmtree(cache)
        codecortex(work, "index", "--rev", "HEAD")
        filled.append(codecortex(work, "log", symbol))
    row("log, nothing known", *cold)
    row("log, after a refresh", *filled)
    measure_warm(work, symbol, path, "")
    run("git", "-C", work, "commit-graph", "write", "--reachable", "--changed-paths", "--no-progress")
    measure_warm(work, symbol, path, ", commit graph")
    shutil.rmtree(work / ".git" / "objects" / "info" / "commit-graphs", ignore_errors=True)
    (work / ".git" / "objects" / "info" / "commit-graph").unlink(missing_ok=True)


def measure_warm(work: Path, symbol: str, path: str, how: str) -> None:
    """What is left when every blob has been read before."""
    git = ("git", "-C", work)
    pairs = {
        "log, again": lambda: codecortex(work, "log", symbol),
        "log -n 10, again": lambda: codecortex(work, "log", symbol, "-n", "10"),
        "git log --follow": lambda: run(*git, "log", "--follow", "--format=%H", "HEAD", "--", path),
        "git log --follow -p": lambda: run(*git, "log", "--follow", "-p", "HEAD", "--", path),
        "diff HEAD~100..HEAD": lambda: codecortex(work, "diff", symbol, "HEAD~100..HEAD"),
        "blame --rev HEAD": lambda: codecortex(work, "blame", symbol, "--rev", "HEAD"),
        "git blame -w": lambda: run(*git, "blame", "-w", "HEAD", "--", path),
    }
    costs: dict[str, list[Cost]] = {name: [] for name in pairs}
    for _ in range(ROUNDS):  # in turn, so that a busy spell of the machine meets all
        for name, call in pairs.items():
            costs[name].append(call())
    for name, each in costs.items():
        row(name + how, *each)


def row(name: str, *costs: Cost) -> None:
    """One line of the table."""
    cost = best(*costs)
    print(f"  {name:<36} {cost.wall:7.2f} s wall {cost.cpu:7.2f} s CPU {cost.peak:6.0f} MB")


def ask(work: Path, *arguments: str) -> str:
    """What git says."""
    return subprocess.run(["git", "-C", work, *arguments], check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    main(Path(sys.argv[1]).expanduser().resolve(), sys.argv[2:])
