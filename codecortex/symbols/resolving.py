"""Finds every symbol that a query means, best first.

Named symbols come first: whole names, then names that end with the path; patterns are handled separately. Similar
names are searched only if nothing else is found. Nothing is truncated here: the caller cuts pages.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING

from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.symbols.hits import Flag, Hit, HitKind, Match
from codecortex.symbols.members import match_members, name_member
from codecortex.symbols.near import NearName, find_near_members, find_near_types
from codecortex.symbols.paths import FUZZY, WILDCARD, Fit, make_pattern, match_names
from codecortex.symbols.query import TYPE_KINDS, parse_query

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from codecortex.model.code.aliases import Alias
    from codecortex.model.code.catalog import Catalog, MemberEntry, TypeEntry
    from codecortex.symbols.query import Query


_OF_TYPES = TYPE_KINDS | {"type", "namespace"}


class Space(NamedTuple):
    """A namespace, in the form that `match_names` needs."""

    fqn: str
    id: str = ""


def find_named(query: Query, catalog: Catalog) -> list[Hit]:
    """The symbols that a query names: the type with an id, types, namespaces, members, or their direct content."""
    if query.type_id:
        entry = catalog.by_id.get(query.type_id)  # type: ignore[call-overload]
        return [_hit_type(entry, Fit(0, (), Match.ID))] if entry is not None and query.allows("type") else []
    if not query.segments:
        return []
    if query.children:
        return _find_children(query, catalog)
    if query.is_pattern:
        return _find_fitting(query, catalog)
    hits = _find_types(query, catalog) + _find_spaces(query, catalog)
    if not hits:
        hits = [_hit_member(*each) for each in _find_members(query, catalog)]
    elif len(query.segments) > 1 and all(hit.score for hit in hits):
        hits += [_hit_member(*each) for each in _find_members(query, catalog) if not each[2].score]
    return flag_ambiguous(hits)


def _find_types(query: Query, catalog: Catalog) -> list[Hit]:
    if query.parameters is not None:
        return []
    named = catalog.list_named(query.segments[-1].lower)
    return [_hit_type(entry, fit) for entry, fit in match_names(query, named) if query.allows("type", entry.kind)]


def _find_spaces(query: Query, catalog: Catalog) -> list[Hit]:
    if query.parameters is not None or not query.allows("namespace"):
        return []
    spaces = map(Space, catalog.find_namespaces(query.segments[-1].lower))
    return [_hit_space(space.fqn, fit) for space, fit in match_names(query, spaces)]


def _find_members(query: Query, catalog: Catalog) -> list[tuple[TypeEntry, MemberEntry, Fit]]:
    return match_members(query, catalog) if _allows_members(query) else []


def _allows_members(query: Query) -> bool:
    return not query.kinds or not query.kinds <= _OF_TYPES


def _find_children(query: Query, catalog: Catalog) -> list[Hit]:
    """The direct content of the namespaces and types that best match a path with a dot at its end."""
    owners = query._replace(children=False, kinds=frozenset({"type", "namespace"}))
    parents = find_named(owners, catalog)
    best = min((hit.score for hit in parents), default=0)
    hits = chain.from_iterable(_list_children(hit, catalog) for hit in parents if hit.score == best)
    return [hit for hit in hits if query.allows(hit.kind, *_own_kinds(hit))]


def _own_kinds(hit: Hit) -> tuple[str, ...]:
    if hit.member is not None:
        return (hit.member.kind,)
    return (hit.entry.kind,) if hit.entry is not None else ()


def _list_children(parent: Hit, catalog: Catalog) -> Iterable[Hit]:
    fit = Fit(parent.score, parent.flags, Match.CHILD)
    if parent.entry is None:
        for name in catalog.namespaces:
            if name.rpartition(".")[0] == parent.name:
                yield _hit_space(name, fit)
        for entry in catalog.types:
            if "+" not in entry.fqn and entry.namespace == parent.name:
                yield _hit_type(entry, fit)
        return
    own = parent.entry
    for entry in catalog.types:
        if entry.fqn.rpartition("+")[0] == own.fqn and entry.owner == own.owner:
            yield _hit_type(entry, fit)
    for member in catalog.members_of(own.id):
        yield _hit_member(own, member, fit)


def _find_fitting(query: Query, catalog: Catalog) -> list[Hit]:
    """The types that match a pattern; if none, namespaces and members (whose last segment is the member's name)."""
    fits = make_pattern(query.segments, anchored=query.anchored)
    fit = Fit(WILDCARD, (Flag.WILDCARD,), Match.WILDCARD)
    hits = []
    if query.parameters is None:
        hits = [
            _hit_type(entry, fit)
            for entry, path in zip(catalog.types, catalog.spelled.paths, strict=True)
            if query.allows("type", entry.kind) and fits(path)
        ]
    if query.allows("namespace") and (query.kinds or not hits):
        hits += [_hit_space(name, fit) for name in catalog.namespaces if fits(name)]
    if _allows_members(query) and (query.kinds or not hits):
        hits += [_hit_member(entry, member, fit) for entry, member in _list_fitting_members(query, catalog)]
    return hits


def _list_fitting_members(query: Query, catalog: Catalog) -> Iterable[tuple[TypeEntry, MemberEntry]]:
    *head, last = query.segments
    if query.anchored and not head:
        return
    fits_name = make_pattern((last,), anchored=True)
    names = {name for name in catalog.member_names if fits_name(name)}
    if not names:
        return
    anything = all(segment.name.strip("*") == "" for segment in head)
    fits_type = None if anything else make_pattern(head, anchored=query.anchored)
    lines = catalog.member_lines
    for number, entry in enumerate(catalog.types):
        if fits_type is not None and not fits_type(catalog.spelled.paths[number]):
            continue
        places = [n for n, line in enumerate(lines.at(number)) if line.partition("\t")[0] in names]
        members = catalog.members_of(entry.id) if places else ()
        yield from ((entry, members[place]) for place in places if query.allows("member", members[place].kind))


def find_near(query: Query, catalog: Catalog, fan_in: Callable[[TypeEntry], int]) -> list[Hit]:
    """The symbols with names similar to a misspelled one, best first: types, or if there are none, members."""
    if not query.segments or query.is_pattern or query.anchored or query.children:
        return []
    near = find_near_types(query, catalog, fan_in) if query.parameters is None and query.allows(*_OF_TYPES) else []
    if not near and _allows_members(query):
        near = find_near_members(query, catalog)
    return [_hit_near(each) for each in near]


def follow_aliases(query: Query, aliases: Iterable[Alias], catalog: Catalog) -> list[Hit]:
    """The current symbols for an old id or an old name; for an old name also members and nested types below it."""
    rows = list(aliases)
    if query.type_id:
        today = [(_lead_to(query, row, catalog), row.old_fqn) for row in rows if row.old_id == query.type_id]
    else:
        today = list(_rewrite(query, rows, catalog))
    hits: dict[tuple[object, ...], Hit] = {}
    for each, old in today:
        for hit in find_named(each, catalog):
            hits.setdefault((hit.kind, hit.name, hit.entry, hit.member), hit._replace(redirected_from=old))
    return flag_ambiguous(hits.values())


def _rewrite(query: Query, rows: list[Alias], catalog: Catalog) -> Iterable[tuple[Query, str]]:
    """The query with the longest known old name at its beginning replaced by the current name."""
    if query.is_pattern:
        return
    olds = [_Old(row.old_fqn, row.old_id, row) for row in rows]
    most = len(query.segments)
    for length in range(most, max(0, most - _MOST_LEVELS), -1):
        found = match_names(query._replace(segments=query.segments[:length]), olds)
        best = min((fit.score for _, fit in found), default=0)
        for old in [old for old, fit in found if fit.score == best]:
            rest = query.segments[length:]
            today = _lead_to(query._replace(segments=rest), old.row, catalog)
            yield today, old.fqn + "".join([f".{segment.name}" for segment in rest])
        if found:
            return


_MOST_LEVELS = 8
"""The most segments (nested types and a member) that may follow an old name."""


class _Old(NamedTuple):
    fqn: str
    id: str
    row: Alias


def _lead_to(query: Query, row: Alias, catalog: Catalog) -> Query:
    """A query whose segments are those after the old name, with the current name in front."""
    if not query.segments and not query.children and row.new_id in catalog.by_id:
        return query._replace(type_id=row.new_id)
    new = parse_query(row.new_fqn).segments
    return query._replace(type_id="", segments=(*new, *query.segments), anchored=True)


def flag_ambiguous(hits: Iterable[Hit]) -> list[Hit]:
    """Flag the hits that have the same kind and score as another hit."""
    found = list(hits)
    counts = Counter((hit.kind, hit.score) for hit in found)
    return [
        hit._replace(flags=tuple(sorted({*hit.flags, Flag.AMBIGUOUS})))
        if counts[hit.kind, hit.score] > 1 and hit.match not in (Match.CHILD, Match.WILDCARD)
        else hit
        for hit in found
    ]


def order_hits(hits: Iterable[Hit], access: Mapping[str, int]) -> list[Hit]:
    """Sort hits, best first: by score, name, assembly; then the type asked for most recently."""
    return sorted(hits, key=lambda hit: (
        hit.score,
        hit.entry.fqn if hit.entry is not None and hit.member is None else hit.name,
        hit.entry.assembly if hit.entry is not None else "",
        access.get(hit.entry.id, len(access)) if hit.entry is not None else 0,
        hit.entry.id if hit.entry is not None else "",
        hit.member.number if hit.member is not None else -1,
    ))  # fmt: skip


def _hit_type(entry: TypeEntry, fit: Fit) -> Hit:
    return Hit(HitKind.TYPE, entry.display, entry, None, fit.match, fit.flags, fit.score)


def _hit_space(name: str, fit: Fit) -> Hit:
    return Hit(HitKind.NAMESPACE, name, None, None, fit.match, fit.flags, fit.score)


def _hit_member(entry: TypeEntry, member: MemberEntry, fit: Fit) -> Hit:
    return Hit(HitKind.MEMBER, name_member(entry, member), entry, member, fit.match, fit.flags, fit.score)


def _hit_near(near: NearName) -> Hit:
    fit = Fit(FUZZY + max(0, near.distance - 1), (Flag.FUZZY,), Match.FUZZY)
    return _hit_type(near.entry, fit) if near.member is None else _hit_member(near.entry, near.member, fit)
