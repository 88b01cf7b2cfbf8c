"""What a refresh costs, against bare tree-sitter and bare git in the same run.

python benchmarks/refresh.py ~/src/efcore
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from common import Cost, best, codecortex, prepare, run

ROUNDS = 3
BARE = """
import sys, tree_sitter_c_sharp
from pathlib import Path
from tree_sitter import Language, Parser
parser = Parser(Language(tree_sitter_c_sharp.language()))
for name in Path(sys.argv[1]).read_text().split(chr(0)):
    parser.parse(Path(name).read_bytes())
"""


def main(repository: Path) -> None:
    """Measure and print."""
    with prepare(repository) as (work, sources, size, listing):
        measure_cold(work, listing)
        measure_warm(work, sources, size)


def measure_cold(work: Path, listing: Path) -> None:
    """A refresh that has everything to do."""
    bare, one, two = [], [], []
    for _ in range(ROUNDS):  # in turn, so that a busy spell of the machine meets all three
        bare.append(run(sys.executable, "-c", BARE, listing))
        one.append(refresh_cold(work, "1"))
        two.append(refresh_cold(work, "2"))
    row("bare tree-sitter parse, one process", best(*bare))
    row("cold refresh --jobs 1", best(*one))
    row("cold refresh --jobs 2", best(*two))
    ratio("CPU, cold refresh --jobs 1 / bare parse", best(*one).cpu / best(*bare).cpu, 1.0)
    ratio("wall, --jobs 2 / --jobs 1", best(*two).wall / best(*one).wall, 0.7)
    ratio("peak MB per process", max(cost.peak for cost in (*one, *two)), 500)
    print()


def refresh_cold(work: Path, jobs: str) -> Cost:
    """Put away what earlier runs left, then refresh."""
    put_away(work)
    return codecortex(work, "refresh", "--jobs", jobs)


def put_away(work: Path) -> None:
    """Put away what earlier runs left.

    It is moved, not deleted: for minutes after thousands of files were deleted, ext4 looks at each of their inodes
    before it makes a new file, which would cost five seconds that a fresh clone never meets.
    """
    trash = Path(tempfile.mkdtemp(dir=work.parent))
    for name in (".git/codecortex", ".codecortex/types", ".codecortex/index.json"):
        if (work / name).exists():
            (work / name).rename(trash / Path(name).name)


def measure_warm(work: Path, sources: list[Path], size: int) -> None:
    """A refresh that has little or nothing to do."""
    outlines = list((work / ".codecortex" / "types").rglob("*.md"))
    before = {file: file.stat() for file in outlines}
    codecortex(work, "refresh")
    rewritten = sum(file.stat().st_size for file in outlines if file.stat().st_mtime_ns != before[file].st_mtime_ns)
    git = best(*(run("git", "-C", work, "status", "--short") for _ in range(7)))
    version = best(*(codecortex(work, "--version") for _ in range(7)))
    nothing = best(*(codecortex(work, "refresh") for _ in range(7)))
    edits = [edit(work, sources, number) for number in range(5)]
    row("git status", git)
    row("codecortex --version", version)
    row("refresh, nothing changed", nothing)
    row("refresh, one file changed", best(*edits))
    ratio("seconds more than --version, nothing changed", nothing.wall - version.wall, 0.1)
    ratio("seconds more than --version, one file changed", best(*edits).wall - version.wall, 0.5)
    ratio("outline bytes / source bytes", sum(file.stat().st_size for file in outlines) / size, 0.2)
    ratio("bytes written by a second run", rewritten, 0)


def edit(work: Path, sources: list[Path], number: int) -> Cost:
    """Add a public member to the largest plain class file in the middle of the list, then refresh."""
    for file in sources[len(sources) // 2 :]:
        text = file.read_text("utf-8", "replace")
        place = text.rfind("}\n}")
        if place > 0 and "public class" in text and "#if" not in text:
            file.write_text(f"{text[:place]}    public int Benchmark{number} => {number};\n{text[place:]}", "utf-8")
            break
    cost = codecortex(work, "refresh")
    changed = subprocess.run(["git", "-C", work, "diff", "--stat"], check=True, capture_output=True).stdout
    if not changed:
        sys.exit("the benchmark found no file to edit")
    return cost


def row(what: str, cost: Cost) -> None:
    """One measured command."""
    print(f"{what:<46}{cost.wall:8.2f} s wall {cost.cpu:8.2f} s CPU {cost.peak:7.0f} MB")


def ratio(what: str, value: float, goal: float) -> None:
    """One figure beside its goal."""
    print(f"{what:<46}{value:8.3f}   goal {goal:g}{'' if value <= goal else '   MISSED'}")


if __name__ == "__main__":
    main(Path(sys.argv[1]).expanduser().resolve())
