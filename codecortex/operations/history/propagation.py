"""Adds to the changed types those whose surface references a type with a changed structure."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from codecortex.analysis.changes.dependents import classify_dependent, list_affecting
from codecortex.analysis.types.assemble import Group, iter_owned
from codecortex.analysis.types.identity import names_of
from codecortex.model.code.changes import Cause, ChangeClass, Status, TypeChange
from codecortex.model.code.types import TypeId, cut_simple_name
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.reading.type_table import iter_groups

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from codecortex.model.code.types import CSharpType
    from codecortex.operations.reading.type_table import TypeTable


_MOST_NAMES = 16
"""With more names than this, looking for each costs as much as looking all of them up."""


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


class _Side(NamedTuple):
    """One of the trees.

    Attributes:
        table: Its types.
        grave: The types whose structure changed, by their id in it.
        names: Their simple names, and the global aliases of these.
    """

    table: TypeTable
    grave: Mapping[str, Cause]
    names: set[str]


def _add_aliases(names: set[str], merged: CSharpType) -> set[str]:
    """Names, their aliases in a type's files, and how attributes write them; nothing where there are many."""
    if len(names) > _MOST_NAMES:
        return set()
    left = [using for part in merged.parts for scope in part.scopes for using in scope.usings if using.alias]
    while more := {
        each.alias for each in left if each.alias not in names and not names.isdisjoint(names_of(each.target))
    }:
        names = names | more
    return names | {each.removesuffix("Attribute") for each in names}


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
        before, after = self._open(self._before, self._then), self._open(self._after, self._now)
        pairs = self._pair_dependents(before, after)
        self._after.assemble(new for _, new in pairs.values())
        found = {type_id: self._find_causes(after, new) for type_id, (_, new) in pairs.items()}
        every = {cause.id for cause in self._then.values()}
        left = {type_id: old for type_id, (old, _) in pairs.items() if not every <= found[type_id].keys()}
        self._before.assemble(left.values())
        for type_id, causes in sorted(found.items()):
            if type_id in left:
                causes |= self._find_causes(before, left[type_id])  # noqa: PLW2901 - one of our own
            causes.pop(type_id, None)
            if causes:
                self._add(type_id, tuple(sorted(causes.values(), key=lambda cause: (cause.fqn, cause.id))))
        return self._changes.values()

    def _open(self, type_table: TypeTable, grave: Mapping[str, Cause]) -> _Side:
        names = {cut_simple_name(type_table.groups[TypeId(type_id)].fqn) for type_id in grave}
        return _Side(type_table, grave, type_table.name_aliases(names))

    def _pair_dependents(self, before: _Side, after: _Side) -> dict[TypeId, tuple[Group, Group]]:
        """The types that may depend on a changed type, before and after, by id after."""
        came_from = {change.type_id: change.old_id for change in self._changes.values()} | {**self._origins}
        became = {old: new for new, old in came_from.items()}
        naming = self._list_naming(after) | {became.get(each, each) for each in self._list_naming(before)}
        pairs = {}
        for type_id in map(TypeId, naming):
            old = self._before.groups.get(TypeId(came_from.get(type_id, type_id)))
            new = self._after.groups.get(type_id)
            if old is not None and new is not None:
                pairs[type_id] = old, new
        return pairs

    def _list_naming(self, side: _Side) -> set[str]:
        """The types that say the name of a gravely changed one on their surface, or whose file's usings do."""
        type_table, _, names = side
        ids = type_table.state.ids
        if not names or self._bodies:
            return set(ids.values()) if names else set()
        found = type_table.find_naming(names)
        type_table.load(found)
        names_in = cache(names_of)
        out: set[str] = set()
        for place, summary in found.items():
            facts = type_table.facts_of(place)
            usings = () if facts is None else (using for scope in facts.scopes for using in scope.usings)
            if facts is None or any(not names.isdisjoint(names_in(each.target)) for each in usings):
                out.update(ids[group] for group in iter_groups(place, summary))
                continue
            for declared, owner in iter_owned(facts, *place):
                if any(not names.isdisjoint(names_in(name)) for name, _ in declared.surface):
                    out.add(ids[Group(declared.fqn, declared.kind, place[0], owner)])
        return out

    def _find_causes(self, side: _Side, group: Group) -> dict[str, Cause]:
        """The structure changes that a type depends on, by id after."""
        if not side.grave:
            return {}
        merged, resolver = side.table.type_of(group), side.table.resolver
        if self._bodies:
            edges = resolver.edges_of(merged)
        else:
            edges = resolver.surface_edges_of(merged, words=_add_aliases(side.names, merged))
        causes = [side.grave[edge.target] for edge in edges if edge.exact and edge.target in side.grave]
        return {cause.id: cause for cause in causes}

    def _add(self, type_id: TypeId, causes: tuple[Cause, ...]) -> None:
        merged = self._after.type_of(self._after.groups[type_id])
        renamed = {cut_simple_name(cause.fqn) for cause in causes if cause.id in self._renamed}
        change = classify_dependent(merged, self._changes.get(type_id), causes, self._affecting, renamed)
        if change is not None:
            self._changes[type_id] = change
