"""`usages` beside a plain search for the name, both judged by a listing that a compiler made.

Run as `python -m benchmarks.usages_and_names LISTING.tsv.gz REPOSITORY [--symbols N] [--seed N]`. The listing has one
record a line, tab separated: `P path`, `S number documentation-id assembly kind file line column`, `F number number`
(the first overrides or implements the second), `R file line column length symbol flags` (files and symbols by number).
Places at which no name of the symbol stands have a flag of `xoipv` and are left out; so are constructors, operators
and indexers, which no search for a name finds.
"""

from __future__ import annotations

import argparse
import gzip
import random
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import NamedTuple

from benchmarks.judge_usages import Spot, collect
from codecortex.model.code.usages import Certainty
from codecortex.model.errors import CodecortexError
from codecortex.operations.catalog.workspace import Workspace
from codecortex.operations.request import Request
from codecortex.operations.usages.usages import UsageQuery, usages

_EVERYTHING = 1 << 30
_KINDS = ("NamedType", "Method", "Property", "Field", "Event")
_NAMELESS = ("#ctor", "#cctor", ".op_", ".Item(", "<")
_IMPLIED = frozenset("xoipv")


class Listing(NamedTuple):
    """What a compiler says.

    Attributes:
        files: The paths that it compiled.
        symbols: Documentation id and kind by number.
        places: Where a name of each symbol stands.
        family: What each symbol overrides or implements, and the reverse.
    """

    files: list[str]
    symbols: dict[int, tuple[str, str]]
    places: dict[int, set[Spot]]
    family: dict[int, set[int]]

    def true_places(self, symbol: int) -> set[Spot]:
        """The places of a symbol and of its family."""
        seen, todo = {symbol}, [symbol]
        while todo:
            for other in self.family[todo.pop()] - seen:
                seen.add(other)
                todo.append(other)
        return {place for each in seen for place in self.places[each]}


def read_listing(path: Path) -> Listing:
    """Read a listing."""
    found = Listing([], {}, defaultdict(set), defaultdict(set))
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as lines:
        for line in lines:
            kind, *fields = line.rstrip("\n").split("\t")
            if kind == "P":
                found.files.append(fields[0])
            elif kind == "S":
                found.symbols[int(fields[0])] = fields[1], fields[3]
            elif kind == "F":
                found.family[int(fields[0])].add(int(fields[1]))
                found.family[int(fields[1])].add(int(fields[0]))
            elif kind == "R" and not _IMPLIED & set(fields[5]):
                place = found.files[int(fields[0])], int(fields[1]), int(fields[2])
                found.places[int(fields[4])].add(place)
    return found


def choose(listing: Listing, count: int, chance: random.Random) -> list[int]:
    """Symbols with a name and with usages, of each kind as many."""
    known = Counter(written for written, _ in listing.symbols.values())
    chosen = []
    for kind in _KINDS:
        pool = [
            number
            for number, (written, own) in sorted(listing.symbols.items())
            if own == kind and listing.places[number] and known[written] == 1
            and not any(mark in written for mark in _NAMELESS)
        ]  # fmt: skip
        chosen += chance.sample(pool, min(count, len(pool)))
    return chosen


def name_of(written: str) -> str:
    """The name in a documentation id."""
    return written.partition("(")[0].rpartition(".")[2].partition("`")[0]


def main() -> None:
    """Compare, and print a table."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("listing", type=Path)
    reader.add_argument("repository", type=Path)
    reader.add_argument("--seed", type=int, default=1)
    reader.add_argument("--symbols", type=int, default=10, help="of each kind")
    arguments = reader.parse_args()
    listing = read_listing(arguments.listing)
    known = set(listing.files)
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    with Workspace(Request(arguments.repository)) as workspace:
        chosen = choose(listing, arguments.symbols, random.Random(arguments.seed))  # noqa: S311 - a sample
        spots = collect(workspace, frozenset(name_of(listing.symbols[each][0]) for each in chosen))
        asked, seconds = 0, 0.0
        for number in chosen:
            written = listing.symbols[number][0]
            start = time.process_time()
            try:
                found = usages(workspace, UsageQuery(written), limit=_EVERYTHING)
            except CodecortexError as problem:
                print(f"not asked: {written}: {problem.message.splitlines()[0]}")
                continue
            seconds += time.process_time() - start
            asked += 1
            declared = {(r.file, r.line, r.column) for r in found.rows if r.certainty is Certainty.DECLARATION}
            exact = {(r.file, r.line, r.column) for r in found.rows if r.certainty is Certainty.EXACT}
            likely = {(r.file, r.line, r.column) for r in found.rows if r.certainty is Certainty.LIKELY}
            true = listing.true_places(number)
            named = spots[name_of(written)] - declared
            for label, places in (("exact", exact), ("exact or likely", exact | likely), ("the name", named)):
                shown = {place for place in places if place[0] in known}
                counts[label].update(shown=len(shown), right=len(shown & true), true=len(true))
    print(f"{asked} symbols, {seconds / max(asked, 1):.2f} s of processor time each")
    print(f"{'':16} {'places':>8} {'precision':>10} {'recall':>8}")
    for label, n in counts.items():
        print(
            f"{label:16} {n['shown']:8,} {n['right'] / max(n['shown'], 1):10.4f} {n['right'] / max(n['true'], 1):8.4f}"
        )


if __name__ == "__main__":
    main()
