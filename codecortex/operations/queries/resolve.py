"""Resolves a query to types, members and namespaces, best first."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from codecortex.model.code.types import TypeId
from codecortex.model.errors import AmbiguousSymbolError, SymbolNotFoundError, UsageError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.queries.access_log import note_access, read_access
from codecortex.operations.queries.asked import tell_asked
from codecortex.operations.request import Count
from codecortex.operations.result import find_next
from codecortex.symbols.hits import Flag, Hit, HitKind
from codecortex.symbols.near import suggest_members, suggest_names
from codecortex.symbols.query import KINDS, Query, parse_query
from codecortex.symbols.resolving import find_named, find_near, flag_ambiguous, follow_aliases, order_hits

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from codecortex.model.code.catalog import TypeEntry
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.notes.investigations import InvestigationFile

_NO_KINDS: frozenset[str] = frozenset()
_MOST_TOLD = 20
_MOST_SUGGESTED = 5
_SURE = (HitKind.TYPE, HitKind.MEMBER, HitKind.NAMESPACE)
"""Order in which kinds take precedence among equally good hits."""


class Resolution(NamedTuple):
    """One page of hits for a query.

    Attributes:
        query: The query.
        hits: The hits of the page, best first.
        records: The hits as JSON values.
        total: Number of hits on all pages.
        next_offset: Offset of the next page, or None.
        answered: Investigations about the same words.
    """

    query: str
    hits: tuple[Hit, ...]
    records: tuple[dict[str, Any], ...]
    total: int
    next_offset: int | None
    answered: tuple[InvestigationFile, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The page as JSON values."""
        return {
            "query": self.query,
            "hits": list(self.records),
            "total": self.total,
            "nextOffset": self.next_offset,
        } | self._describe_answered()

    def _describe_answered(self) -> dict[str, Any]:
        if not self.answered:
            return {}
        from codecortex.operations.notes.investigations import describe_answered

        return {"investigations": describe_answered(self.answered)}

    def as_text(self) -> str:
        """One line per hit."""
        from codecortex.operations.queries.hits import write_rows

        if not self.answered:
            return write_rows(self.records, self.total, self.next_offset)
        from codecortex.operations.notes.investigations import tell_answered

        rows = [write_rows(self.records, self.total, self.next_offset)] if self.records else []
        return "\n".join([*rows, *tell_answered(self.answered)])


def resolve(
    workspace: Workspace, query: str, *, limit: int = 20, offset: int = 0, kinds: frozenset[str] = _NO_KINDS
) -> Resolution:
    """Resolve a query to one page of hits.

    Args:
        workspace: The tree.
        query: A name, the end of a name, a pattern, an id or a doc id.
        limit: Maximum number of hits on the page.
        offset: Number of hits to skip.
        kinds: `type`, `member`, `namespace`, or kinds of types or members; empty for all.

    Raises:
        SymbolNotFoundError: It matches nothing; similar names are suggested.
        UsageError: It is malformed.
    """
    wanted = read_query(query, kinds)
    hits = list_hits(workspace, wanted)
    if not hits or Flag.FUZZY in hits[0].flags:
        raise explain_nothing(workspace, wanted, hits)
    if len(hits) == 1:
        _note_first(workspace, hits)
    return describe_page(workspace, query, hits[offset : offset + limit], (offset, len(hits)))


def describe_page(workspace: Workspace, query: str, shown: Sequence[Hit], place: tuple[int, int]) -> Resolution:
    """A page of hits; `place` is the offset of the page and the total number of hits."""
    from codecortex.operations.queries.hits import describe_hits

    offset, total = place
    workspace.request.tally(Count.HITS, total)
    following = find_next(offset, len(shown), total)
    return Resolution(query, tuple(shown), tuple(describe_hits(workspace, shown)), total, following)


def read_query(text: str, kinds: frozenset[str] = _NO_KINDS) -> Query:
    """The query that a user typed, for `find_one`, `find_overloads` and `list_hits`.

    Raises:
        UsageError: It is no query, or there is no such kind.
    """
    refuse_kinds(kinds)
    query = parse_query(text, kinds)
    if query.problem:
        raise UsageError(f"{text[:80]!r} is no symbol: {query.problem}.", "`codecortex resolve --help` shows what is.")
    return query


def find_one(workspace: Workspace, query: Query) -> Hit:
    """The one symbol that a query matches best; a type wins over a member, a member over a namespace.

    Raises:
        SymbolNotFoundError: It matches nothing exactly; similar names are suggested.
        AmbiguousSymbolError: It matches several equally well; they are listed.
    """
    best = _list_best(workspace, query)
    if len(best) > 1:
        raise _explain_several(workspace, query, best)
    return _note_first(workspace, best)[0]


def find_overloads(workspace: Workspace, query: Query) -> Sequence[Hit]:
    """The one symbol that a query matches best; for a member, all equally good overloads of that name in its type.

    Raises as `find_one`.
    """
    best = _list_best(workspace, query)
    places = {(hit.entry.id, hit.member.name) if hit.entry and hit.member else hit for hit in best}
    if len(places) > 1:
        raise _explain_several(workspace, query, best)
    return _note_first(workspace, best)


def find_shared(workspace: Workspace, query: Query) -> Sequence[Hit]:
    """The one symbol that a query matches best, as each project has it that compiles the same sources.

    Raises as `find_one`.
    """
    best = _list_best(workspace, query)
    if len({_name_sources(hit) for hit in best}) > 1:
        raise _explain_several(workspace, query, best)
    return [*_list_shared(workspace, _note_first(workspace, best)[0])]


def _list_shared(workspace: Workspace, hit: Hit) -> Iterator[Hit]:
    """A hit, and the same of other projects that compile its sources."""
    yield hit
    own = _name_sources(hit)
    for entry in workspace.catalog.list_called({hit.entry.fqn}) if hit.entry is not None else ():
        members = workspace.catalog.members_of(entry.id) if hit.member is not None else (None,)
        for other in (hit._replace(entry=entry, member=each) for each in members):
            if entry != hit.entry and _name_sources(other) == own:
                yield other


def _name_sources(hit: Hit) -> tuple[object, ...]:
    """What a hit is, wherever it is compiled: its sources, and which of their declarations."""
    if hit.entry is None:
        return (hit.name,)
    return hit.entry.fqn, hit.entry.files, hit.member._replace(type_id=TypeId("")) if hit.member else None


def _list_best(workspace: Workspace, query: Query) -> Sequence[Hit]:
    """The equally good best hits, all of one kind; raises as `find_one`, except if there are several."""
    hits = list_hits(workspace, query)
    if not hits or Flag.FUZZY in hits[0].flags:
        raise explain_nothing(workspace, query, hits)
    best = [hit for hit in hits if hit.score == hits[0].score]
    surest = next(kind for kind in _SURE if any(hit.kind is kind for hit in best))
    return [hit for hit in best if hit.kind is surest]


def _note_first(workspace: Workspace, hits: Sequence[Hit]) -> Sequence[Hit]:
    """The same hits, which the request is about, after counting an access to the type of the first."""
    tell_asked(workspace, hits)
    if hits[0].entry is not None:
        note_access(workspace, (hits[0].entry.id,))
    return hits


def find_type(workspace: Workspace, symbol: str) -> tuple[TypeEntry, str]:
    """The one type that a symbol matches, and the old name that led to it, or empty.

    Errors are those of `read_query` and `find_one`.
    """
    query = read_query(symbol, frozenset({HitKind.TYPE}))
    try:
        hit = find_one(workspace, query)
    except SymbolNotFoundError as problem:
        raise _explain_other(workspace, query) or problem from None
    if hit.kind is not HitKind.TYPE or hit.entry is None:
        raise SymbolNotFoundError(f"{symbol!r} is no type but a {hit.kind}.", "Name the type.", suggestions=())
    return hit.entry, hit.redirected_from


def list_hits(workspace: Workspace, query: Query) -> list[Hit]:
    """All hits of a query, best first; fuzzy hits only if there are no others."""
    hits = _find_members_by_id(workspace, query) if query.member_mark else find_named(query, workspace.catalog)
    if len(query.segments) < 2 and all(hit.kind is HitKind.MEMBER for hit in hits):  # noqa: PLR2004 - a bare name
        hits += _follow_aliases(workspace, query)
    elif not hits:
        hits = _follow_aliases(workspace, query)
    if hits:
        return order_hits(hits, read_access(workspace).ranks)
    return find_near(query, workspace.catalog, lambda entry: workspace.graph.fan_in_of(entry.id))


def refuse_kinds(kinds: frozenset[str]) -> None:
    """Refuse unknown kinds.

    Raises:
        UsageError: One is unknown.
    """
    unknown = sorted(kinds - KINDS)
    if unknown:
        raise UsageError(f"There is no kind {unknown[0]!r}.", f"There are {', '.join(sorted(KINDS))}.")


def _follow_aliases(workspace: Workspace, query: Query) -> list[Hit]:
    from codecortex.operations.reading.alias_table import list_aliases

    aliases = list_aliases(workspace.tree)
    if not aliases or not query.member_mark:
        return follow_aliases(query, aliases, workspace.catalog)
    row = next((row for row in aliases if row.old_id == query.type_id), None)
    if row is None:
        return []
    hits = _find_members_by_id(workspace, query._replace(type_id=row.new_id))
    return [hit._replace(redirected_from=row.old_fqn) for hit in hits]


def _find_members_by_id(workspace: Workspace, query: Query) -> list[Hit]:
    """The members that a MemberId matches; this needs the facts of its type."""
    from codecortex.operations.queries.hits import find_by_mark

    entry = workspace.catalog.by_id.get(query.type_id)  # type: ignore[call-overload]
    return flag_ambiguous(find_by_mark(workspace, entry, query)) if entry is not None else []


def explain_nothing(workspace: Workspace, query: Query, near: Sequence[Hit] = ()) -> SymbolNotFoundError:
    """The error for a query without exact hits; `near` are its fuzzy hits."""
    names = tuple(hit.entry.fqn if hit.entry is not None and hit.member is None else hit.name for hit in near)
    names = tuple(dict.fromkeys(names))[:_MOST_SUGGESTED] or _suggest(workspace, query)
    hint = f"Did you mean {', '.join(names)}?" if names else "`codecortex search` looks for words in names and docs."
    hint = (_tell_left_out(workspace, query) if query.last_name.isidentifier() else "") or hint
    return SymbolNotFoundError(f"Nothing is called {query.text[:200]!r}.", hint, suggestions=names)


def _tell_left_out(workspace: Workspace, query: Query) -> str:
    from codecortex.operations.queries.left_out import tell_left_out

    return tell_left_out(workspace, [each.name for each in query.segments])


def _explain_other(workspace: Workspace, query: Query) -> SymbolNotFoundError | None:
    """The error for a query that matches a member or namespace instead of a type; None if it matches neither."""
    if query.documentation:
        return None  # its own kind was allowed already
    hits = [hit for hit in list_hits(workspace, query._replace(kinds=_NO_KINDS)) if Flag.FUZZY not in hit.flags]
    if not hits:
        return None
    hit, named = hits[0], query.text[:200]
    if hit.kind is HitKind.MEMBER and hit.entry is not None:
        name = hit.entry.fqn
        message = f"{named!r} is a member, not a type."
        return SymbolNotFoundError(message, f"Name its type: {name}.", suggestions=(name,))
    if hit.kind is HitKind.NAMESPACE:
        hint = f"Name one of its types, or all of them where a pattern will do: '{hit.name}.*'."
        return SymbolNotFoundError(f"{named!r} is a namespace, not a type.", hint, suggestions=())
    return None


def _suggest(workspace: Workspace, query: Query) -> tuple[str, ...]:
    """Similar names for a query without hits: members if it names their type, else types."""
    return suggest_members(query, workspace.catalog) or suggest_names(query, workspace.catalog.types)


def _explain_several(workspace: Workspace, query: Query, hits: Sequence[Hit]) -> AmbiguousSymbolError:
    from codecortex.operations.queries.hits import describe_hits

    told = list(describe_hits(workspace, hits[:_MOST_TOLD]))
    spelt = Counter(each["display"] for each in told)
    rows = [f"{each['id']}  {each['display']}{_tell_project(each, spelt)}" for each in told]
    rows += [f"and {len(hits) - len(told):,} more"] if len(hits) > len(told) else []
    return AmbiguousSymbolError(
        f"{query.text[:200]!r} means {len(hits):,} {hits[0].kind}s:",
        "Give more of the name, or the id.",
        rows,
        candidates=[_describe_candidate(each) for each in told],
        total=len(hits),
    )


def _tell_project(record: Mapping[str, Any], spelt: Mapping[str, int]) -> str:
    """What tells a symbol from others that are spelt alike: its assembly."""
    return f"  ({record['assembly']})" if spelt[record["display"]] > 1 else ""


def _describe_candidate(record: Mapping[str, Any]) -> dict[str, Any]:
    kept = {"id": record["id"], "fqn": record["fqn"]}
    return kept | ({"member": record["display"]} if "typeId" in record else {})
