"""What each question about objects costs by a process of git's and by libgit2, in turn; and what importing it costs.

python benchmarks/objects.py ~/src/efcore
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from codecortex.git.objects.in_process import open_in_process
from codecortex.git.objects.plumbing import Plumbing
from codecortex.git.objects.values import Scope
from codecortex.git.repository import open_repository

if TYPE_CHECKING:
    from collections.abc import Callable

    from codecortex.git.objects.interface import Objects

ROUNDS = 15
AGO = 50
MANY = 500
IMPORT = "import time; started = time.perf_counter(); import pygit2; print(time.perf_counter() - started)"


def main(folder: Path) -> None:
    """Measure and print."""
    repository = open_repository(folder)
    git = Plumbing(repository)
    fast = open_in_process(repository, git)
    if fast is None:
        sys.exit(f"libgit2 cannot open {folder}")
    after = git.find("HEAD") or sys.exit("there is no commit")
    before = git.find(f"HEAD~{AGO}") or after
    blobs = [entry.id for entry in git.list_tree(after, (b".cs",)).entries]
    one = [blobs[len(blobs) // 2]]
    questions: dict[str, Callable[[Objects], object]] = {
        "resolve HEAD": lambda objects: objects.find("HEAD^{commit}"),
        f"resolve HEAD~{AGO}": lambda objects: objects.find(f"HEAD~{AGO}"),
        "list a tree": lambda objects: objects.list_tree(after),
        "list its C# files": lambda objects: objects.list_tree(after, (b".cs",)),
        f"compare trees {AGO} commits apart": lambda objects: objects.diff_trees(before, after),
        "the same, C# files": lambda objects: objects.diff_trees(before, after, Scope(suffix=b".cs")),
        "compare with the parent": lambda objects: objects.diff_trees(f"{after}~1", after),
        "find a blob": lambda objects: objects.find_blobs([(after, "README.md")]),
        "read a blob": lambda objects: list(objects.read_blobs(one)),
        f"read {len(blobs[:MANY])} blobs": lambda objects: list(objects.read_blobs(blobs[:MANY])),
    }
    print(f"{repository.folder.name}: {len(blobs):,} C# files; ms, median of {ROUNDS} runs in turn\n")
    print(f"{'':32} {'git':>8} {'first':>8} {'libgit2':>8}")
    for name, question in questions.items():
        question(git)  # so that nobody waits for the disk
        first = spend(question, open_in_process(repository, git) or git)
        costs = [(spend(question, git), spend(question, fast)) for _ in range(ROUNDS)]
        slow, quick = (median(each) for each in zip(*costs, strict=True))
        print(f"{name:32} {slow:8.2f} {first:8.2f} {quick:8.2f}")
    print(f"\n{'import pygit2':32} {median(map(float, (ask_import() for _ in range(ROUNDS)))) * 1000:8.1f}")


def spend(question: Callable[[Objects], object], objects: Objects) -> float:
    """The milliseconds that an answer takes."""
    started = time.perf_counter()
    question(objects)
    return 1000 * (time.perf_counter() - started)


def ask_import() -> str:
    """The seconds that the import takes in a process that has loaded nothing else."""
    return subprocess.run([sys.executable, "-c", IMPORT], check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    main(Path(sys.argv[1]).expanduser().resolve())
