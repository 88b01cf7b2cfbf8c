"""Resolves a selection of notes to types, with the notes there are and the dependencies between the types."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codecortex.analysis.notes.groups import Limits, Tie, Ties
from codecortex.analysis.notes.jobs import is_by_hand
from codecortex.analysis.notes.staleness import Cause, CauseKind
from codecortex.analysis.test_code import is_benchmark_path
from codecortex.context.filters.match import select_types
from codecortex.model.code.types import TypeId
from codecortex.model.errors import SymbolNotFoundError
from codecortex.model.notes import is_group
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.catalog.fingerprints import measure_outlines
from codecortex.operations.notes.texts import judge_workspace_notes
from codecortex.operations.packs.files import read_config_file
from codecortex.operations.packs.text import list_dependents
from codecortex.operations.packs.types_filter import parse_types_filter
from codecortex.operations.queries.resolve import explain_nothing, find_type, list_hits, read_query
from codecortex.operations.reading.alias_table import list_aliases
from codecortex.symbols.hits import Flag, HitKind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from codecortex.model.code.catalog import TypeEntry
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.notes.states import NoteState, Survey

_PATTERN_MARKS = frozenset("*?")


class Selection(NamedTuple):
    """Which notes are asked for.

    Attributes:
        symbols: Types, patterns for types, or groups that have a note; empty for every type that needs a note.
        every: Whether every type needs a note, whatever `semantics` selects.
        limit: Maximum number of jobs to list; None for all.
        replace: Writer, such as `extract` or `openai:gpt-x`, whose notes are rewritten even if valid; empty for none.
        stale: Whether only existing notes are asked for.
    """

    symbols: tuple[str, ...] = ()
    every: bool = False
    limit: int | None = None
    replace: str = ""
    stale: bool = False


class SelectedTypes(NamedTuple):
    """The types and notes of a selection.

    Attributes:
        named: Types and groups that its symbols match; None if it has no symbols.
        types: The types that need a note, as far as they matter for `named`.
        survey: The notes about them.
    """

    named: frozenset[str] | None
    types: frozenset[TypeId]
    survey: Survey

    def concern(self, types: Iterable[str]) -> bool:
        """Whether any of these types or groups is asked for."""
        return self.named is None or not self.named.isdisjoint(types)


def choose(workspace: Workspace, selection: Selection) -> SelectedTypes:
    """Resolve a selection in a tree.

    Types that already have a note keep needing one, whatever the configuration selects.

    Raises:
        SymbolNotFoundError: A symbol matches nothing.
        AmbiguousSymbolError: A symbol matches several types.
        UsageError: A symbol is malformed.
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
    """The given types, widened by those that may share a note with one of them that has no valid one; and the notes."""
    while True:
        survey = _judge(workspace, replace, _with_old_names(workspace, types | groups))
        known = survey.by_type()
        unsettled = {each for each in types | _list_noted(survey) if each not in known or known[each].causes}
        wider = types | list_large_components(workspace, unsettled)
        if wider == types:
            return types, survey
        types = wider


def _judge(workspace: Workspace, replace: str, owners: Iterable[str] | None = None) -> Survey:
    """Judge notes; those by the writer in `replace` become stale."""
    survey = judge_workspace_notes(workspace, owners)
    return survey._replace(notes=tuple(_add_cause(each, replace) for each in survey.notes)) if replace else survey


def _add_cause(found: NoteState, replace: str) -> NoteState:
    """A note with the cause `replace` added if its writer matches; never a note that a person wrote or edited."""
    if found.note is None or is_by_hand(found.note):
        return found
    writer = found.note.writer
    if replace not in (writer, writer.partition(":")[0]):
        return found
    return found._replace(causes=(*found.causes, Cause(CauseKind.REPLACE, "", f"{writer} wrote it")))


def _select(workspace: Workspace, *, every: bool) -> Iterable[TypeId]:
    if every:
        return workspace.catalog.by_id
    tree = parse_types_filter(workspace.tree.config, lambda: read_config_file(workspace))
    chosen, _ = select_types(tree, workspace.catalog.types, lambda target: list_dependents(workspace, target))
    tests = workspace.tree.config.semantics.tests
    return [each.id for each in chosen if tests or not is_for_tests(each)]


def is_for_tests(entry: TypeEntry) -> bool:
    """Whether a type is code of tests or benchmarks, which explains what it uses and needs no note itself."""
    return entry.test or all(map(is_benchmark_path, entry.files))


def _list_noted(survey: Survey) -> set[TypeId]:
    """The types that have a note, including those that an orphan will move to."""
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
    """The owners, and the old ids that alias them: a note may still be under an old id."""
    return owners | {alias.old_id for alias in list_aliases(workspace.tree) if alias.new_id in owners}


def list_large_components(workspace: Workspace, types: Iterable[TypeId], *, least: int = 1) -> set[TypeId]:
    """All types of the components of the given types, leaving out components smaller than `least`."""
    seen: set[TypeId] = set()
    found: set[TypeId] = set()
    for each in types:
        if each not in seen:
            component = workspace.graph.component_of(each)
            seen.update(component)
            found.update(component if len(component) >= least else ())
    return found


def tie(workspace: Workspace, types: Iterable[TypeId]) -> Ties:
    """The dependencies among the given types that are in a cycle."""
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
