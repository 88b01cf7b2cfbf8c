"""What `codecortex context` costs on a repository: the first question, later ones, one after an edit, and the index.

    python benchmarks/context.py REPOSITORY [QUESTION]...

The sources are copied to a throw-away repository (their history stays behind unless the copy is a clone: give `--clone`
first). All sources are read before the first question, so that it shows what its own index costs. Prints seconds on the
wall and of CPU, beside those of `codecortex --version`, and bytes of the local cache.
"""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from common import Cost, codecortex, copy_sources

QUESTIONS = (
    "exception thrown when the connection is closed while a query runs",
    "cache key ignores the parameters",
    "add an option to limit the number of retries",
)
TIMES = 5


def find_size(folder: Path) -> tuple[int, int]:
    """Bytes that the local cache holds for questions, and in all."""
    with sqlite3.connect(folder / ".git/codecortex/cache.sqlite") as db:
        (own,) = db.execute("SELECT total(length(data)) FROM snapshots WHERE name GLOB 'context/*'").fetchone()
        (all_,) = db.execute(
            "SELECT (SELECT total(length(data)) FROM snapshots) + (SELECT total(length(data)) FROM facts)"
        ).fetchone()
    return int(own), int(all_)


def show(name: str, costs: list[Cost]) -> None:
    """A line of the table."""
    wall, cpu = median(each.wall for each in costs), median(each.cpu for each in costs)
    print(f"{name:<28}{wall:>8.2f} s{cpu:>8.2f} s CPU{max(each.peak for each in costs):>7.0f} MB")


def main(arguments: list[str]) -> None:
    """Measure one repository."""
    clone = arguments[:1] == ["--clone"]
    source, *questions = arguments[clone:]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "repository"
        if clone:
            subprocess.run(["git", "clone", "--quiet", "--shared", source, folder], check=True)
            sources = sorted(folder.rglob("*.cs"))
        else:
            sources = copy_sources(Path(source), folder)
        asked = questions or list(QUESTIONS)
        show("codecortex --version", [codecortex(folder, "--version") for _ in range(TIMES)])
        show("every source read (index)", [codecortex(folder, "index")])
        show("first question", [codecortex(folder, "context", asked[0])])
        subprocess.run(["git", "-C", folder, "update-index", "-q", "--refresh"], check=False)
        show("later questions", [codecortex(folder, "context", each) for each in asked for _ in range(TIMES)])
        sources[0].write_bytes(sources[0].read_bytes() + b"\n// edited\n")
        show("after an edit", [codecortex(folder, "context", asked[0])])
        show("once more", [codecortex(folder, "context", asked[0]) for _ in range(TIMES)])
        own, every = find_size(folder)
        print(f"{own / 1e6:.2f} MB of {every / 1e6:.2f} MB in the local cache are for questions")


if __name__ == "__main__":
    main(sys.argv[1:])
