"""What binding every name costs, against a cold refresh and bare tree-sitter in the same run.

python benchmarks/bindings.py ~/src/Polly
"""

from __future__ import annotations

import sys
from pathlib import Path

from common import best, codecortex, prepare, run
from refresh import BARE, put_away, ratio, refresh_cold, row

ROUNDS = 3


def main(repository: Path) -> None:
    """Measure and print."""
    with prepare(repository) as (work, sources, _, listing):
        bare, version, cold, one, two, edited = [], [], [], [], [], []
        for number in range(ROUNDS):  # in turn, so that a busy spell of the machine meets all of them
            bare.append(run(sys.executable, "-c", BARE, listing))
            version.append(codecortex(work, "--version"))
            cold.append(refresh_cold(work, "1"))
            one.append(codecortex(work, "bindings", "--json", "--jobs", "1"))
            file = sources[number]
            file.write_bytes(file.read_bytes() + b"// edited\n")
            edited.append(codecortex(work, "bindings", file.relative_to(work), "--json"))
            put_away(work)
            two.append(codecortex(work, "bindings", "--json", "--jobs", "2"))
    row("bare tree-sitter parse, one process", best(*bare))
    row("codecortex --version", best(*version))
    row("cold refresh --jobs 1", best(*cold))
    row("bindings of all files --jobs 1", best(*one))
    row("bindings of all files --jobs 2, nothing cached", best(*two))
    row("bindings of one file, edited", best(*edited))
    start = best(*version).cpu
    ratio("CPU over --version, bindings / cold refresh", (best(*one).cpu - start) / (best(*cold).cpu - start), 3)
    ratio("wall, --jobs 2 / --jobs 1", best(*two).wall / best(*one).wall, 0.7)
    ratio("peak MB per process", max(cost.peak for cost in (*one, *two)), 700)


if __name__ == "__main__":
    main(Path(sys.argv[1]).expanduser().resolve())
