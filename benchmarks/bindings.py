"""What binding every name costs, against a cold refresh and bare tree-sitter in the same run.

python benchmarks/bindings.py ~/src/Polly
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from common import best, codecortex, copy_sources, run
from refresh import BARE, ratio, refresh_cold, row

ROUNDS = 3


def main(repository: Path) -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder) / "work"
        work.mkdir()
        sources = copy_sources(repository, work)
        size = sum(file.stat().st_size for file in sources)
        print(f"{repository.name}: {len(sources):,} C# files, {size / 1e6:.1f} MB\n")
        listing = Path(folder) / "list"
        listing.write_text("\0".join(map(str, sources)))
        codecortex(work, "init")
        bare, version, cold, one, two = [], [], [], [], []
        for _ in range(ROUNDS):  # in turn, so that a busy spell of the machine meets all of them
            bare.append(run(sys.executable, "-c", BARE, listing))
            version.append(codecortex(work, "--version"))
            cold.append(refresh_cold(work, "1"))
            one.append(codecortex(work, "bindings", "--json", "--jobs", "1"))
            two.append(codecortex(work, "bindings", "--json", "--jobs", "2"))
    row("bare tree-sitter parse, one process", best(*bare))
    row("codecortex --version", best(*version))
    row("cold refresh --jobs 1", best(*cold))
    row("bindings of all files --jobs 1", best(*one))
    row("bindings of all files --jobs 2", best(*two))
    start = best(*version).cpu
    ratio("CPU over --version, bindings / cold refresh", (best(*one).cpu - start) / (best(*cold).cpu - start), 3)
    ratio("wall, --jobs 2 / --jobs 1", best(*two).wall / best(*one).wall, 0.7)
    ratio("peak MB per process", max(cost.peak for cost in (*one, *two)), 700)


if __name__ == "__main__":
    main(Path(sys.argv[1]).expanduser().resolve())
