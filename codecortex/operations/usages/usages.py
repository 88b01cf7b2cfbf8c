"""Finds every place in code that uses a symbol, and what only bears its name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.model.code.usages import Certainty
from codecortex.model.errors import UsageError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.catalog.among import EVERYTHING, Among, cut_files, narrow
from codecortex.operations.queries.resolve import find_one, find_overloads, read_query
from codecortex.operations.request import Count
from codecortex.operations.usages.namespaces import search_namespace
from codecortex.operations.usages.places import ELEMENT, read_symbol
from codecortex.operations.usages.search import RANKS, search, search_element
from codecortex.operations.usages.text import Usages
from codecortex.symbols.hits import Hit, HitKind, Match

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from codecortex.model.code.catalog import TypeEntry
    from codecortex.model.code.usages import Usage
    from codecortex.operations.catalog.among import FilePage
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.usages.search import Found

KINDS = (
    *("call", "read", "write", "type", "cref", "constructor", "attribute", "indexer", "operator", "implied"),
    *("declaration", "reference"),
)
"""What a symbol can be used for."""
_SURE = (Certainty.DECLARATION, Certainty.EXACT)


class UsageQuery(NamedTuple):
    """What is asked for.

    Attributes:
        symbol: A type, a member or a namespace.
        exact: Leave out what is not certain.
        among: What the places are narrowed to.
        family: Whether what a member overrides and implements, and what overrides and implements it, counts as it.
        kinds: Of `KINDS`: what the symbol is used for; empty for all.
    """

    symbol: str
    exact: bool = False
    among: Among = EVERYTHING
    family: bool = True
    kinds: frozenset[str] = frozenset()


def usages(workspace: Workspace, query: UsageQuery, *, limit: int = 50, offset: int = 0) -> Usages:
    """Find the usages of a symbol.

    Args:
        workspace: The tree.
        query: The symbol, and what to leave out.
        limit: Maximum number of rows on the page.
        offset: Number of rows to skip.

    Raises:
        SymbolNotFoundError: It matches nothing.
        AmbiguousSymbolError: It matches several symbols.
        UsageError: It is malformed, there is no such kind, or no project has the given name.
    """
    hit, answer, found = _find_rows(workspace, query)
    totals = {str(each): 0 for each in Certainty}
    for row in found:
        totals[row.certainty] += 1
    shown = _choose(found, query)
    files: dict[str, int] = {}
    for row in shown:
        files[row.file] = files.get(row.file, 0) + 1
    page = tuple(shown[offset : offset + limit])
    workspace.request.tally(Count.HITS, len(shown))
    family = tuple(answer.target.list_family()) if hit.member is not None else ()
    unread = tuple(sorted(answer.unread.items()))
    known = (family, answer.target.outside, answer.references)
    return Usages(hit, page, len(shown), offset, totals, files, unread, *known)


def usage_files(workspace: Workspace, query: UsageQuery, *, limit: int = 50, offset: int = 0) -> FilePage:
    """The files in which a symbol is used, those that declare it first; as `usages` otherwise."""
    _, _, found = _find_rows(workspace, query)
    named = (row.file for row in _choose(found, query) if row.certainty is not Certainty.OTHER)
    return cut_files(named, offset, limit)


def _choose(found: Sequence[Usage], query: UsageQuery) -> Sequence[Usage]:
    return [row for row in found if row.certainty in _SURE] if query.exact else found


def _find_rows(workspace: Workspace, query: UsageQuery) -> tuple[Hit, Found, Sequence[Usage]]:
    """The symbol, what was found, and every place that passes, the surest first."""
    unknown = sorted(query.kinds - set(KINDS))
    if unknown:
        raise UsageError(f"There is no kind {unknown[0]!r}.", f"There are {', '.join(KINDS)}.")
    narrowing = narrow(workspace, query.among)
    hits = _find_symbol(workspace, query.symbol)
    answer = _search(workspace, hits, family=query.family)
    found = sorted(answer.rows, key=_order)
    if query.kinds:
        found = [row for row in found if row.role in query.kinds]
    if narrowing is not None:
        known: Mapping[str, TypeEntry] = {str(each.id): each for each in workspace.catalog.types}
        found = [row for row in found if narrowing.takes_place(row.file, known.get(str(row.enclosing.type_id)))]
    return hits[0], answer, found


def _search(workspace: Workspace, hits: Sequence[Hit], *, family: bool) -> Found:
    if hits[0].kind is HitKind.NAMESPACE:
        return search_namespace(workspace, hits[0].name)
    if hits[0].entry is None:
        return search_element(workspace, hits[0].name)
    return search(workspace, hits, family=family)


def _order(row: Usage) -> tuple[int, str, int, int]:
    return RANKS[row.certainty], row.file, row.line, row.column


def _find_symbol(workspace: Workspace, symbol: str) -> Sequence[Hit]:
    """The symbol; a member's name alone means all its overloads. Elements of tuples are in no catalog."""
    symbol = read_symbol(workspace, symbol)
    if ELEMENT.fullmatch(symbol.strip()):
        return [Hit(HitKind.MEMBER, symbol.strip(), None, None, Match.ID, (), 0)]
    query = read_query(symbol)
    if query.parameters is not None or query.member_mark or query.documentation:
        return [find_one(workspace, query)]
    first, *others = find_overloads(workspace, query)
    if others and first.entry is not None and first.member is not None:
        first = first._replace(name=f"{first.entry.display}.{first.member.name}")
    return [first, *others]
