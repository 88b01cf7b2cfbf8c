"""Matches a query against plain lists of names, such as old names that are in no catalog."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from codecortex.model.code.types import write_path
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.symbols.paths import Named, make_pattern, match_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from codecortex.model.code.aliases import Alias
    from codecortex.symbols.query import Query

N = TypeVar("N", bound=Named)


class Name(NamedTuple):
    """A type that a query may mean: its TypeId and its FQN."""

    id: str
    fqn: str


def match_types(query: Query, names: Sequence[N]) -> tuple[N, ...]:
    """The types that match a query best, sorted by FQN; for a pattern, all that match."""
    if query.type_id and not query.member_mark:
        return tuple(name for name in names if name.id == query.type_id)
    if not query.segments or query.parameters is not None or not query.allows("type"):
        return ()
    if query.is_pattern:
        fits = make_pattern(query.segments, anchored=query.anchored)
        return _order(name for name in names if fits(write_path(name.fqn)))
    found = match_names(query, names)
    best = min((fit.score for _, fit in found), default=0)
    return _order(name for name, fit in found if fit.score == best)


def match_aliases(query: Query, aliases: Iterable[Alias]) -> tuple[Alias, ...]:
    """The aliases whose old name or id matches a query best, sorted by old name; none for a pattern."""
    if query.is_pattern:
        return ()
    known = {alias.old_id: alias for alias in aliases}
    return tuple(known[name.id] for name in match_types(query, [Name(key, known[key].old_fqn) for key in known]))


def _order(names: Iterable[N]) -> tuple[N, ...]:
    return tuple(sorted(names, key=lambda name: (name.fqn, name.id)))
