"""A desk and a selection in; the types that are to have notes, the notes there are, and who names whom, out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from codecortex.analysis.groups import Limits, Tie, Ties
from codecortex.model.errors import InvalidFilterError, SymbolNotFoundError
from codecortex.model.notes import is_group
from codecortex.operations.note_texts import judge_owners
from codecortex.store.paths import CONFIG

if TYPE_CHECKING:
    from collections.abc import Iterable

    from codecortex.model.types import TypeId
    from codecortex.operations.desk import Desk
    from codecortex.operations.states import Survey

_PATTERN_MARKS = frozenset("*?")


class Selection(NamedTuple):
    """Which notes are asked about.

    Attributes:
        symbols: Types, patterns for several, or groups that have a note; none for all that are to have one.
        every: Whether every type is to have one, whatever `semantics.types` says.
        limit: How many jobs to list; None for all.
    """

    symbols: tuple[str, ...] = ()
    every: bool = False
    limit: int | None = None


class Wanted(NamedTuple):
    """What a selection comes to.

    Attributes:
        named: The types and groups that its symbols mean; None where it has no symbols.
        types: The types that are to have a note, as far as they matter for those.
        survey: The notes that speak of them.
    """

    named: frozenset[str] | None
    types: frozenset[TypeId]
    survey: Survey

    def concern(self, types: Iterable[str]) -> bool:
        """Whether some of these types or groups are asked about."""
        return self.named is None or not self.named.isdisjoint(types)


def choose(desk: Desk, selection: Selection) -> Wanted:
    """What a selection means in a tree.

    Types that have a note already are to keep one, whatever the configuration selects.

    Raises:
        SymbolNotFoundError: A symbol means nothing.
        AmbiguousSymbolError: One means several types.
        UsageError: One is no symbol.
        InvalidFilterError: `semantics.types` makes no sense.
    """
    chosen = set(_select(desk, every=selection.every))
    if not selection.symbols:
        survey = judge_owners(desk)
        return Wanted(None, frozenset(chosen | _list_noted(survey)), survey)
    named: set[Any] = {each for symbol in selection.symbols for each in _find(desk, symbol)}
    around = {each for each in named if not is_group(each)}
    around |= {mate for each in around for mate in desk.graph.component_of(each)}
    survey = judge_owners(desk, _with_old_names(desk, named | around))
    inside = _list_noted(survey)
    if inside - around:  # the others of a group may have notes of their own
        around |= inside | {mate for each in inside for mate in desk.graph.component_of(each)}
        survey = judge_owners(desk, _with_old_names(desk, named | around))
    types = {each for each in named if not is_group(each)} | (around & chosen) | (around & _list_noted(survey))
    missing = set(filter(is_group, named)).difference(each.owner for each in survey.notes)
    if missing:
        raise SymbolNotFoundError(f"No group {min(missing)} has a note.", "`codecortex semantic states` lists them.")
    return Wanted(frozenset(named), frozenset(types), survey)


def _select(desk: Desk, *, every: bool) -> Iterable[TypeId]:
    if every:
        return desk.catalog.by_id
    from codecortex.context.filter_matching import select_types  # noqa: PLC0415 - only where the filter decides
    from codecortex.context.filters import parse_filter  # noqa: PLC0415
    from codecortex.operations.pack_text import list_dependents  # noqa: PLC0415

    try:
        tree = parse_filter(desk.tree.config.semantics.types)
    except InvalidFilterError as error:
        place = f"{CONFIG}: semantics.types"
        raise InvalidFilterError(f"{place}: {error.message}", error.hint, **error.details) from None
    return [each.id for each in select_types(tree, desk.catalog.types, lambda target: list_dependents(desk, target))]


def _list_noted(survey: Survey) -> set[TypeId]:
    """The types that notes speak of, orphans' heirs included."""
    found = {each.id for state in survey.notes for each in state.types}
    return found | {orphan.alias.new_id for orphan in survey.orphans if orphan.alias is not None and orphan.movable}


def _find(desk: Desk, symbol: str) -> Iterable[str]:
    from codecortex.operations.resolve import explain_nothing, find_type, list_hits  # noqa: PLC0415 - only with symbols
    from codecortex.symbols.hits import Flag, HitKind  # noqa: PLC0415

    if is_group(symbol):
        return (symbol,)
    if not _PATTERN_MARKS & set(symbol):
        return (find_type(desk, symbol)[0].id,)
    hits = list_hits(desk, symbol, frozenset({HitKind.TYPE}))
    matched = [hit.entry.id for hit in hits if hit.entry is not None and Flag.WILDCARD in hit.flags]
    if not matched:
        raise explain_nothing(desk, symbol)
    return matched


def _with_old_names(desk: Desk, owners: set[Any]) -> set[str]:
    """Owners, and the ids that lead to them: a note may still stand under an old one."""
    from codecortex.operations.alias_table import list_aliases  # noqa: PLC0415 - only with symbols

    return owners | {alias.old_id for alias in list_aliases(desk.tree) if alias.new_id in owners}


def tie(desk: Desk, types: Iterable[TypeId]) -> Ties:
    """What those of the types name of each other that are in some circle."""
    from codecortex.operations.prints import measure_outlines  # noqa: PLC0415 - only where there are circles

    config, wanted = desk.tree.config, frozenset(types)
    inside: set[TypeId] = set()
    seen: set[TypeId] = set()
    for each in wanted:
        if each not in seen:
            circle = desk.graph.component_of(each)
            seen.update(circle)
            inside.update(wanted.intersection(circle) if len(circle) > 1 else ())
    ties = {
        each: [
            Tie(edge.target, edge.structural, edge.count)
            for edge in desk.graph.dependencies_of(each)
            if edge.exact and (edge.structural or config.include_internal_for_dependencies)
        ]
        for each in sorted(inside)
    }
    limits = Limits(config.scc.max_types, config.scc.max_tokens)
    return Ties(ties, lambda few: measure_outlines(desk, few), limits)
