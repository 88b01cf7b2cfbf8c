"""Which removed and added types are worth comparing, by their indexes."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import product
from typing import TYPE_CHECKING

from codecortex.analysis.changes.likeness import (
    ALIKE,
    Sketch,
    measure_share,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from codecortex.model.code.types import CSharpType


LEAST_MEMBERS = 2


_MOST_PAIRS = 250_000


def list_kin(
    old: Sequence[CSharpType], new: Sequence[CSharpType], lineage: Mapping[str, frozenset[str]]
) -> set[tuple[int, int]]:
    """Pairs in the same file, or in files of which git says that one came from the other."""
    before, now = _by_file(old), _by_file(new)
    pairs: set[tuple[int, int]] = set()
    for path, places in now.items():
        for ancestor in lineage.get(path, (path,)):
            others = before.get(ancestor, ())
            if len(others) * len(places) <= _MOST_PAIRS:
                pairs.update(product(others, places))
            else:
                named: dict[str, list[int]] = defaultdict(list)
                for place in places:
                    named[new[place].simple_name].append(place)
                pairs.update((i, j) for i in others for j in named.get(old[i].simple_name, ()))
    return pairs


def _by_file(types: Sequence[CSharpType]) -> dict[str, list[int]]:
    out: dict[str, list[int]] = defaultdict(list)
    for place, merged in enumerate(types):
        for path in merged.files:
            out[path].append(place)
    return out


def group_by_name(types: Sequence[CSharpType]) -> dict[str, list[int]]:
    """The indexes of types by simple name."""
    out: dict[str, list[int]] = defaultdict(list)
    for place, merged in enumerate(types):
        out[merged.simple_name].append(place)
    return out


def join_groups(old: Mapping[str, Sequence[int]], new: Mapping[str, Sequence[int]]) -> Iterator[tuple[int, int]]:
    """Yield the pairs of what has one name, unless they are very many."""
    for key, places in old.items():
        if len(places) * len(new.get(key, ())) <= _MOST_PAIRS:
            yield from product(places, new.get(key, ()))


def list_alike(old: Mapping[int, Sketch], new: Mapping[int, Sketch]) -> Iterator[tuple[int, int]]:
    """Pairs of types with enough public members that share nearly all of them.

    Two sets that similar share one of the few rarest members of each, so only these are looked up; types with exactly
    the same members are compared once.
    """
    shown: tuple[dict[frozenset[str], list[int]], ...] = (defaultdict(list), defaultdict(list))
    for sketches, groups in zip((old, new), shown, strict=True):
        for place, sketch in sketches.items():
            if len(sketch.public) >= LEAST_MEMBERS:
                groups[sketch.public].append(place)
    spread = Counter(signature for groups in shown for members in groups for signature in members)
    holders: dict[str, list[frozenset[str]]] = defaultdict(list)
    for members in shown[1]:
        for signature in _list_rarest(members, spread):
            holders[signature].append(members)
    for members, places in shown[0].items():
        near = {other for signature in _list_rarest(members, spread) for other in holders.get(signature, ())}
        for other in near:
            if measure_share(members, other) >= ALIKE:
                yield from _pair_up(places, shown[1][other])


def _list_rarest(members: frozenset[str], spread: Mapping[str, int]) -> Iterable[str]:
    ordered = sorted(members, key=lambda signature: (spread[signature], signature))
    return ordered[: int(len(ordered) * (1 - ALIKE)) + 1]


def _pair_up(old: Sequence[int], new: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Every pair; if there are very many identical types, each only with its neighbours in the order of names."""
    if len(old) * len(new) <= _MOST_PAIRS:
        yield from product(old, new)
        return
    reach = _MOST_PAIRS // max(len(old), len(new))
    for place, left in enumerate(old):
        middle = place * len(new) // len(old)
        yield from ((left, right) for right in new[max(0, middle - reach) : middle + reach + 1])
