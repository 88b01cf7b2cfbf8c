"""How long damaged C# takes to read, at most: odd text repeated, and real files with random damage.

    python benchmarks/damaged.py FOLDER... [--files 2000] [--seed 1] [--largest BYTES] [--keep FOLDER]

Prints the worst in seconds of CPU time per megabyte beyond 50 ms, and how many files are beyond one second. Other work
on the machine costs CPU time too, so of a file beyond it the least of five runs counts. What is beyond goes to the
folder of `--keep`.
"""

from __future__ import annotations

import argparse
import random
import time
from pathlib import Path

from codecortex.parsing.csharp.read import read_csharp

SIZE = 60_000
REPEATED = (
    "int?[]", "int?[] ", "public int X { get; set; } ", "int a,", "?", "a<", "[a] ", "where T : ", "(int, int) ",
    "operator + ", "=> ", "public ", "class ", "{", "}", '"', "#if A\n", "/// <a>\n", "x.", "@", '$"{', "new(", "~",
)  # fmt: skip
AROUND = ("{}", "class C {{ {} }}", "class C {{ void M({}) {{ }} }}", "namespace N;\npublic enum E {{ {} }}")
_FREE = 0.05


def judge(data: bytes) -> tuple[float, float, str]:
    """What `measure` says, the least of five times where it is beyond a second per megabyte."""
    first = measure(data)
    return first if first[1] <= 1 else min(first, *(measure(data) for _ in range(4)))


def measure(data: bytes) -> tuple[float, float, str]:
    """Seconds of CPU time, seconds per megabyte beyond the free ones, and why the file counts as degraded."""
    began = time.process_time()
    facts = read_csharp(data, frozenset())
    took = time.process_time() - began
    return took, max(0.0, took - _FREE) / len(data) * 1e6 if data else 0.0, facts.degraded


def damage(data: bytes, chance: random.Random) -> bytes:
    """A file with a few cuts, doubled or moved stretches, and signs put in or taken out."""
    for _ in range(chance.randint(1, 12)):
        at = chance.randrange(len(data) + 1)
        far = min(len(data), at + chance.choice((1, 1, 2, 20, 400, 4000)))
        piece = chance.choice((b"", b"{", b"}", b"(", b")", b'"', b"<", b";", b"int?[]", b"class ", data[at:far] * 2))
        data = data[:at] + piece + data[far:]
    return data


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--files", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--largest", type=int, default=10_000_000)
    parser.add_argument("--keep", type=Path)
    chosen = parser.parse_args()
    rows = []
    for text in REPEATED:
        for around in AROUND:
            repeated = text * (SIZE // len(text))
            rows.append((*judge(around.format(repeated).encode()), f"{around.format(text)} repeated", SIZE))
    files = sorted(path for folder in chosen.folders for path in folder.rglob("*.cs") if path.is_file())
    files = [path for path in files if path.stat().st_size <= chosen.largest]
    chance = random.Random(chosen.seed)  # noqa: S311 - damage, not secrets
    for number in range(chosen.files):
        path = chance.choice(files)
        data = damage(path.read_bytes(), chance)
        try:
            rows.append((*judge(data), str(path), len(data)))
        except Exception as error:
            error.add_note(f"{path}, damaged: {data!r}")
            raise
        if chosen.keep and rows[-1][1] > 1:
            chosen.keep.mkdir(parents=True, exist_ok=True)
            (chosen.keep / f"{number}_{path.name}").write_bytes(data)
    rows.sort(key=lambda row: row[1], reverse=True)
    for took, share, degraded, name, size in rows[:12]:
        print(f"{share:7.2f} s/MB  {took:6.3f} s  {size:8,} bytes  {name}: {degraded}")
    print(f"{sum(row[1] > 1 for row in rows):,} of {len(rows):,} took more than 1 s/MB and 50 ms")


if __name__ == "__main__":
    main()
