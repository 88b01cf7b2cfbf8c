"""Adds to the changed types those whose surface references a type with a changed structure."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from codecortex.analysis.changes.dependents import classify_dependent, list_affecting
from codecortex.model.code.changes import Cause, ChangeClass, Status, TypeChange
from codecortex.model.code.types import TypeId, cut_simple_name
from codecortex.operations.reading.type_table import iter_groups

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from codecortex.analysis.types.assemble import Group
    from codecortex.operations.reading.type_table import TypeTable


class ComparedTrees(NamedTuple):
    """Two compared trees.

    Attributes:
        before: The earlier tree.
        after: The later tree.
        origins: Id after to id before, for types in both trees.
    """

    before: TypeTable
    after: TypeTable
    origins: Mapping[TypeId, TypeId]


def spread(
    changes: Mapping[TypeId, TypeChange], gone: Iterable[TypeChange], sides: ComparedTrees
) -> Iterable[TypeChange]:
    """The changes with their causes in structural dependencies, and changes of types that have only such causes.

    Args:
        changes: Changes by id after.
        gone: The changes of removed types.
        sides: The two trees.
    """
    return _Spreading(changes, gone, sides).run()


class _Spreading:
    """One propagation."""

    def __init__(self, changes: Mapping[TypeId, TypeChange], gone: Iterable[TypeChange], sides: ComparedTrees) -> None:
        self._changes = dict(changes)
        self._before, self._after, self._origins = sides
        self._affecting = list_affecting(self._after.tree.config)
        self._bodies = self._after.tree.config.include_internal_for_dependencies
        grave = [change for change in (*changes.values(), *gone) if change.own_class is ChangeClass.STRUCTURE]
        causes = [(change, Cause(change.type_id, change.fqn, change.status)) for change in grave]
        self._now = {cause.id: cause for change, cause in causes if change.status is not Status.REMOVED}
        self._then = {change.old_id: cause for change, cause in causes if change.old_id}
        self._renamed = {change.type_id for change in grave if change.old_fqn not in ("", change.fqn)}

    def run(self) -> Iterable[TypeChange]:
        pairs = self._pair_dependents()
        self._before.assemble(old for old, _ in pairs.values())
        self._after.assemble(new for _, new in pairs.values())
        for type_id, (old, new) in sorted(pairs.items()):
            causes = self._find_causes(self._after, new, self._now) | self._find_causes(self._before, old, self._then)
            causes.pop(type_id, None)
            if causes:
                self._add(type_id, tuple(sorted(causes.values(), key=lambda cause: (cause.fqn, cause.id))))
        return self._changes.values()

    def _pair_dependents(self) -> dict[TypeId, tuple[Group, Group]]:
        """The types that may depend on a changed type, before and after, by id after."""
        came_from = {change.type_id: change.old_id for change in self._changes.values()} | {**self._origins}
        became = {old: new for new, old in came_from.items()}
        naming = self._list_naming(self._after, [cause.fqn for cause in self._now.values()])
        olds = [self._before.groups[TypeId(type_id)].fqn for type_id in self._then]
        naming |= {became.get(type_id, type_id) for type_id in self._list_naming(self._before, olds)}
        pairs = {}
        for type_id in map(TypeId, naming):
            old = self._before.groups.get(TypeId(came_from.get(type_id, type_id)))
            new = self._after.groups.get(type_id)
            if old is not None and new is not None:
                pairs[type_id] = old, new
        return pairs

    def _list_naming(self, type_table: TypeTable, fqns: Iterable[str]) -> set[str]:
        """The types whose files contain the simple name of one of these types on a surface or in a using."""
        names = type_table.name_aliases({cut_simple_name(fqn) for fqn in fqns})
        ids, summaries = type_table.state.ids, type_table.state.summaries
        out: set[str] = set()
        for place, key in type_table.state.keys.items() if names else ():
            summary = summaries.get(key)
            if summary is not None and (self._bodies or not names.isdisjoint(summary.names)):
                out.update(ids[group] for group in iter_groups(place, summary))
        return out

    def _find_causes(self, type_table: TypeTable, group: Group, grave: Mapping[str, Cause]) -> dict[str, Cause]:
        """The structure changes that a type depends on, by id after."""
        merged, resolver = type_table.type_of(group), type_table.resolver
        edges = resolver.edges_of(merged) if self._bodies else resolver.surface_edges_of(merged)
        causes = [grave[edge.target] for edge in edges if edge.exact and edge.target in grave]
        return {cause.id: cause for cause in causes}

    def _add(self, type_id: TypeId, causes: tuple[Cause, ...]) -> None:
        merged = self._after.type_of(self._after.groups[type_id])
        renamed = {cut_simple_name(cause.fqn) for cause in causes if cause.id in self._renamed}
        change = classify_dependent(merged, self._changes.get(type_id), causes, self._affecting, renamed)
        if change is not None:
            self._changes[type_id] = change
