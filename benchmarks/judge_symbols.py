"""A repository in; how surely its symbols are found, by full name, id, simple name and with typos, out.

    PYTHONPATH=. python benchmarks/judge_symbols.py REPOSITORY...

Every public type is asked for by its names; 500 seeded one-letter typos of simple names of at least four letters (a
letter inserted, deleted, replaced, or swapped with its neighbour) should find the type among the first five hits.
"""

from __future__ import annotations

import argparse
import random
import string
import sys
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from codecortex.operations.catalog.workspace import Workspace
from codecortex.operations.queries.resolve import list_hits
from codecortex.operations.request import Request
from codecortex.symbols.hits import Flag

if TYPE_CHECKING:
    from codecortex.model.code.catalog import TypeEntry
    from codecortex.symbols.hits import Hit

SEED = 20240102
TYPOS = 500
FIRST = 5
SHORTEST = 4


def misspell(name: str, chance: random.Random) -> str:
    """A name with one letter wrong; never the name itself."""
    while True:
        at = chance.randrange(len(name))
        letter = chance.choice(string.ascii_letters)
        match chance.choice(("insert", "delete", "replace", "swap")):
            case "insert":
                wrong = name[:at] + letter + name[at:]
            case "delete":
                wrong = name[:at] + name[at + 1 :]
            case "replace":
                wrong = name[:at] + letter + name[at + 1 :]
            case _:
                wrong = name[:at] + name[at : at + 2][::-1] + name[at + 2 :]
        if wrong.lower() != name.lower():
            return wrong


def best_of(hits: list[Hit]) -> list[Hit]:
    """The hits that nothing is better than."""
    return [hit for hit in hits if hit.score == hits[0].score]


def judge_names(workspace: Workspace, public: list[TypeEntry]) -> None:
    """Print how many types answer to each of their names, and every one that does not."""
    twins = Counter(entry.fqn for entry in workspace.catalog.types)
    declared_twice = sorted({entry.fqn for entry in public if twins[entry.fqn] > 1})
    print(f"  public types {len(public):,}; names declared by several projects {len(declared_twice):,}")
    for name in declared_twice:
        print(f"    {twins[name]} x {name}")
    totals: Counter[str] = Counter()
    for entry in public:
        dotted = f"T:{entry.fqn.replace('+', '.')}"
        for way, query in (("full name", entry.fqn), ("documentation id", dotted), ("TypeId", entry.id)):
            hits = list_hits(workspace, query)
            found = {hit.entry.id for hit in best_of(hits) if hit.entry is not None and hit.member is None}
            same = {
                each.id for each in workspace.catalog.by_simple_name[entry.simple_name.lower()] if each.fqn == entry.fqn
            }
            expected = {entry.id} if way == "TypeId" else same
            right = found == expected and len(best_of(hits)) == len(expected) and not hits[0].flags[1:]
            totals[way] += right
            totals[f"{way}, nothing beside it"] += right and len(hits) == len(expected)
            if not right:
                print(f"    {way} {query}: {[(hit.name, *hit.flags) for hit in hits[:3]]}")
        listed = {hit.entry.id for hit in list_hits(workspace, entry.simple_name) if hit.entry is not None}
        totals["simple name lists it"] += entry.id in listed
    for way, count in totals.items():
        print(f"  {way:<36} {count:>6,} of {len(public):,}")


def judge_typos(workspace: Workspace, public: list[TypeEntry]) -> float:
    """Print how many typos find their type among the first hits, and why the others do not; the share found."""
    chance = random.Random(SEED)  # noqa: S311 - a sample, not a secret
    names = sorted(public, key=lambda entry: entry.id)
    pool = [entry for entry in names if len(entry.simple_name) >= SHORTEST]
    reasons: Counter[str] = Counter()
    for _ in range(TYPOS):
        entry = chance.choice(pool)
        wrong = misspell(entry.simple_name, chance)
        hits = list_hits(workspace, wrong)
        top = {hit.entry.id for hit in hits[:FIRST] if hit.entry is not None and hit.member is None}
        if entry.id in top:
            reasons["found"] += 1
            continue
        near = [hit for hit in hits if hit.entry is not None and hit.entry.id == entry.id]
        if hits and Flag.FUZZY not in hits[0].flags:
            reasons["missed: the typo is another symbol's name"] += 1
        elif near and entry.simple_name in {hit.entry.simple_name for hit in hits[:FIRST] if hit.entry is not None}:
            reasons["missed: more than five types bear the right name"] += 1
        else:
            reasons["missed: others are as near"] += 1
        print(f"    {wrong} for {entry.fqn}: {[hit.name for hit in hits[:FIRST]]}")
    for reason, count in reasons.most_common():
        print(f"  {reason:<52} {count:>4}")
    return reasons["found"] / TYPOS


def main() -> int:
    """Judge every repository given."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", nargs="+", type=Path)
    failed = 0
    for folder in parser.parse_args().repositories:
        print(folder.name)
        began = time.perf_counter()
        with Workspace(Request(folder)) as workspace:
            public = [entry for entry in workspace.catalog.types if entry.accessibility == "public"]
            judge_names(workspace, public)
            share = judge_typos(workspace, public)
        print(f"  typos found {share:.1%}; {time.perf_counter() - began:.1f} s")
        failed += share < 0.95  # noqa: PLR2004 - the goal
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
