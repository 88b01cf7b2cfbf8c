"""A workspace and a selection in; the types that are to have notes, the notes there are, and who names whom, out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from codecortex.analysis.notes.groups import Limits, Tie, Ties
from codecortex.analysis.notes.jobs import is_by_hand
from codecortex.analysis.notes.staleness import Cause, CauseKind
from codecortex.context.filters.match import select_types
from codecortex.context.filters.parse import parse_filter
from codecortex.model.code.types import TypeId
from codecortex.model.errors import InvalidFilterError, SymbolNotFoundError
from codecortex.model.notes import is_group
from codecortex.operations.catalog.fingerprints import measure_outlines
from codecortex.operations.notes.texts import judge_workspace_notes
from codecortex.operations.packs.text import list_dependents
from codecortex.operations.queries.resolve import explain_nothing, find_type, list_hits, read_query
from codecortex.operations.reading.alias_table import list_aliases
from codecortex.store.paths import CONFIG
from codecortex.symbols.hits import Flag, HitKind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.notes.states import NoteState, Survey

_PATTERN_MARKS = frozenset("*?")


class Selection(NamedTuple):
    """Which notes are asked about.

    Attributes:
        symbols: Types, patterns for several, or groups that have a note; none for all that are to have one.
        every: Whether every type is to have one, whatever `semantics.types` says.
        limit: How many jobs to list; None for all.
        replace: Whose notes have to be written anew, whether they hold or not, as `extract` or `openai:gpt-x`; empty
            for nobody's.
    """

    symbols: tuple[str, ...] = ()
    every: bool = False
    limit: int | None = None
    replace: str = ""


class SelectedTypes(NamedTuple):
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


def choose(workspace: Workspace, selection: Selection) -> SelectedTypes:
    """What a selection means in a tree.

    Types that have a note already are to keep one, whatever the configuration selects.

    Raises:
        SymbolNotFoundError: A symbol means nothing.
        AmbiguousSymbolError: One means several types.
        UsageError: One is no symbol.
        InvalidFilterError: `semantics.types` makes no sense.
    """
    chosen = set(_select(workspace, every=selection.every))
    if not selection.symbols:
        survey = _judge(workspace, selection.replace)
        return SelectedTypes(None, frozenset(chosen | _list_noted(survey)), survey)
    named: set[Any] = {each for symbol in selection.symbols for each in _find(workspace, symbol)}
    groups = set(filter(is_group, named))
    around, survey = _look_around(workspace, named - groups, groups, selection.replace)
    missing = groups.difference(each.owner for each in survey.notes)
    if missing:
        raise SymbolNotFoundError(f"No group {min(missing)} has a note.", "`codecortex semantic states` lists them.")
    types = (named - groups) | (around & chosen) | (around & _list_noted(survey))
    return SelectedTypes(frozenset(named), frozenset(types), survey)


def _look_around(workspace: Workspace, types: set[Any], groups: set[Any], replace: str) -> tuple[set[Any], Survey]:
    """The types that may share a note with some of those given, as far as these have none that holds; and the notes."""
    while True:
        survey = _judge(workspace, replace, _with_old_names(workspace, types | groups))
        known = survey.by_type()
        unsettled = {each for each in types | _list_noted(survey) if each not in known or known[each].causes}
        wider = types | list_large_components(workspace, unsettled)
        if wider == types:
            return types, survey
        types = wider


def _judge(workspace: Workspace, replace: str, owners: Iterable[str] | None = None) -> Survey:
    """What is to be said of notes; those of somebody whose notes have to be replaced do not hold."""
    survey = judge_workspace_notes(workspace, owners)
    return survey._replace(notes=tuple(_add_cause(each, replace) for each in survey.notes)) if replace else survey


def _add_cause(found: NoteState, replace: str) -> NoteState:
    """A note with one cause more, if it has to be replaced; what a person wrote never has to be."""
    if found.note is None or is_by_hand(found.note):
        return found
    writer = found.note.writer
    if replace not in (writer, writer.partition(":")[0]):
        return found
    return found._replace(causes=(*found.causes, Cause(CauseKind.REPLACE, "", f"{writer} wrote it")))


def _select(workspace: Workspace, *, every: bool) -> Iterable[TypeId]:
    if every:
        return workspace.catalog.by_id
    try:
        tree = parse_filter(workspace.tree.config.semantics.types)
    except InvalidFilterError as error:
        place = f"{CONFIG}: semantics.types"
        raise InvalidFilterError(f"{place}: {error.message}", error.hint, **error.details) from None
    return [
        each.id
        for each in select_types(tree, workspace.catalog.types, lambda target: list_dependents(workspace, target))
    ]


def _list_noted(survey: Survey) -> set[TypeId]:
    """The types that notes speak of, orphans' heirs included."""
    found = {each.id for state in survey.notes for each in state.types}
    return found | {TypeId(orphan.alias.new_id) for orphan in survey.orphans if orphan.alias and orphan.movable}


def _find(workspace: Workspace, symbol: str) -> Iterable[str]:
    if is_group(symbol):
        return (symbol,)
    if not _PATTERN_MARKS & set(symbol):
        return (find_type(workspace, symbol)[0].id,)
    query = read_query(symbol, frozenset({HitKind.TYPE}))
    hits = list_hits(workspace, query)
    matched = [hit.entry.id for hit in hits if hit.entry is not None and Flag.WILDCARD in hit.flags]
    if not matched:
        raise explain_nothing(workspace, query)
    return matched


def _with_old_names(workspace: Workspace, owners: set[Any]) -> set[str]:
    """Owners, and the ids that lead to them: a note may still stand under an old one."""
    return owners | {alias.old_id for alias in list_aliases(workspace.tree) if alias.new_id in owners}


def list_large_components(workspace: Workspace, types: Iterable[TypeId], *, least: int = 1) -> set[TypeId]:
    """The types of the cycles that some types are in, those of fewer than `least` types left out."""
    seen: set[TypeId] = set()
    found: set[TypeId] = set()
    for each in types:
        if each not in seen:
            component = workspace.graph.component_of(each)
            seen.update(component)
            found.update(component if len(component) >= least else ())
    return found


def tie(workspace: Workspace, types: Iterable[TypeId]) -> Ties:
    """What those of the types name of each other that are in some cycle."""
    config, wanted = workspace.tree.config, set(types)
    inside = wanted & list_large_components(workspace, wanted, least=2)
    ties = {
        each: [
            Tie(edge.target, edge.structural, edge.count)
            for edge in workspace.graph.dependencies_of(each)
            if edge.exact and (edge.structural or config.include_internal_for_dependencies)
        ]
        for each in sorted(inside)
    }
    limits = Limits(config.scc.max_types, config.scc.max_tokens)
    return Ties(ties, lambda few: measure_outlines(workspace, few), limits)
