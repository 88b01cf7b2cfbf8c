"""Finds names close to a misspelled query, closest first."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from codecortex.model.code.types import cut_simple_name, rank_accessibility
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.symbols.members import name_member
from codecortex.symbols.paths import match_names, split_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from codecortex.model.code.catalog import Catalog, MemberEntry, TypeEntry
    from codecortex.symbols.paths import Named
    from codecortex.symbols.query import Query, Segment

_SHORT = 12
MOST_ALIKE = 5
_LEAST_LIKENESS = 60

_Key = TypeVar("_Key")


class NearName(NamedTuple):
    """A type, or a member of it, with a name close to the query.

    Attributes:
        distance: Characters inserted, removed, replaced or swapped, summed over all segments of the query.
        entry: The type.
        member: The member, or None.
    """

    distance: int
    entry: TypeEntry
    member: MemberEntry | None = None


def threshold(name: str) -> int:
    """The largest distance at which a name still counts as close."""
    return 1 if len(name) <= _SHORT else 2


def list_near(query: str, names: Iterable[str]) -> dict[str, int]:
    """The names within their thresholds, each with its distance; query and names are in lower case."""
    from rapidfuzz import process
    from rapidfuzz.distance import DamerauLevenshtein

    found = process.extract(query, list(names), scorer=DamerauLevenshtein.distance, score_cutoff=2, limit=None)
    return {name: int(distance) for name, distance, _ in found if distance <= threshold(name)}


def find_near_types(query: Query, catalog: Catalog, fan_in: Callable[[TypeEntry], int]) -> list[NearName]:
    """The types close to a path: closest first; ties by visibility, fan-in and common prefix."""
    found = []
    for name in list_near(query.segments[-1].lower, catalog.by_simple_name):
        for entry in catalog.by_simple_name[name]:
            distance = _measure(query.segments, split_name(entry.fqn))
            if distance is not None and query.allows("type", entry.kind):
                found.append(NearName(distance, entry))
    wanted = query.segments[-1].lower
    return sorted(found, key=lambda near: _rank(near, wanted, fan_in))


def find_near_members(query: Query, catalog: Catalog) -> list[NearName]:
    """The members close to a path, closest first, in the types that match the rest of the path exactly or closely."""
    wanted = query.segments[-1].lower
    if len(query.segments) == 1:
        originals: dict[str, list[str]] = {}
        for name in catalog.member_names:
            originals.setdefault(name.lower(), []).append(name)
        near = list_near(wanted, originals)
        found = [
            NearName(distance, catalog.by_id[member.type_id], member)
            for lower, distance in near.items()
            for name in originals[lower]
            for member in catalog.find_members(name)
        ]
    else:
        found = list(_find_in_types(query, wanted, catalog))
    allowed = [near for near in found if near.member is not None and query.allows("member", near.member.kind)]
    return sorted(allowed, key=lambda near: (near.distance, near.entry.fqn, near.member and near.member.number))


def _find_in_types(query: Query, wanted: str, catalog: Catalog) -> Iterable[NearName]:
    head = query.segments[:-1]
    for name in list_near(head[-1].lower, catalog.by_simple_name):
        for entry in catalog.by_simple_name[name]:
            distance = _measure(head, split_name(entry.fqn))
            if distance is None:
                continue
            members = catalog.members_of(entry.id)
            near = list_near(wanted, {member.name.lower() for member in members})
            for member in members:
                if member.name.lower() in near:
                    yield NearName(distance + near[member.name.lower()], entry, member)


def _measure(wanted: Sequence[Segment], own: Sequence[tuple[str, int]]) -> int | None:
    """The distance between a path and the end of a name; None if one segment is beyond its threshold."""
    from rapidfuzz.distance import DamerauLevenshtein

    if len(wanted) > len(own):
        return None
    total = 0
    for segment, (name, arity) in zip(reversed(wanted), reversed(own), strict=False):
        distance = DamerauLevenshtein.distance(segment.lower, name.lower(), score_cutoff=2)
        if distance > threshold(name) or (segment.arity and segment.arity != arity):
            return None
        total += distance
    return total


def _rank(near: NearName, wanted: str, fan_in: Callable[[TypeEntry], int]) -> tuple[object, ...]:
    entry = near.entry
    hidden = rank_accessibility(entry.accessibility)
    alike = _count_common(wanted, entry.simple_name.lower())
    return near.distance, hidden, -fan_in(entry), -alike, entry.fqn, entry.assembly, entry.id


def _count_common(one: str, other: str) -> int:
    """The length of the common prefix of two names."""
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def suggest_names(query: Query, names: Iterable[Named]) -> tuple[str, ...]:
    """FQNs whose simple name is similar to the query's last segment, the most similar first; at most five."""
    if not query.segments:
        return ()
    simple: dict[str, list[str]] = {}
    for each in names:
        simple.setdefault(cut_simple_name(each.fqn).lower(), []).append(each.fqn)
    like = _list_like(query.segments[-1].lower, {name: name for name in simple})
    found = dict.fromkeys(fqn for name in like for fqn in sorted(simple[name]))
    return tuple(found)[:MOST_ALIKE]


def list_alike(name: str, names: Mapping[str, str]) -> list[str]:
    """The keys of the names like one, the likest first; at most `MOST_ALIKE`."""
    return _list_like(name.lower(), {key: names[key].lower() for key in sorted(names)})


def suggest_paths(wanted: str, paths: Sequence[str]) -> tuple[str, ...]:
    """Paths like one that there is not, the likest first, files of its very name before others; at most five."""
    name = wanted.rpartition("/")[2].lower()
    same = [path for path in paths if path.rpartition("/")[2].lower() == name]
    from rapidfuzz import fuzz

    like = _list_like(name, {path: path.rpartition("/")[2].lower() for path in paths})
    ranked = sorted(same, key=lambda path: -fuzz.ratio(wanted, path))
    return tuple(dict.fromkeys([*ranked, *like]))[:MOST_ALIKE]


def suggest_members(query: Query, catalog: Catalog) -> tuple[str, ...]:
    """Members similar to the last segment of a path, in the types that the other segments name; at most five."""
    if len(query.segments) == 1 or not query.segments:
        return ()
    head = query._replace(segments=query.segments[:-1])
    owners = match_names(head, catalog.list_named(head.segments[-1].lower))
    members = [(entry, member) for entry, _ in owners for member in catalog.members_of(entry.id)]
    like = _list_like(query.segments[-1].lower, {at: member.name.lower() for at, (_, member) in enumerate(members)})
    return tuple(dict.fromkeys(name_member(*members[at]) for at in like))


def _list_like(wanted: str, names: Mapping[_Key, str]) -> list[_Key]:
    """The keys of the names like one, the likest first and else in their order; all in lower case."""
    from rapidfuzz import fuzz, process

    found = process.extract(wanted, names, scorer=fuzz.ratio, score_cutoff=_LEAST_LIKENESS, limit=MOST_ALIKE)
    return [key for _, _, key in found]
