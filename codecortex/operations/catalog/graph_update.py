"""Updates a graph to a tree that differs in a few sources.

The references of a type depend on its own declaration, on which types have the names in it, and, for nested types and
for names in bodies, on what it and other types inherit. So besides the types that changed, those are examined again
whose names contain a simple name that was added or removed, that derive from a type whose bases changed, or that name
a type nested in one of those bases. If that is not sufficient, the result is None and everything has to be read.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING

from codecortex.analysis.graph.columns import Columns, Names, TypeEdges, collect_edges, list_names, measure
from codecortex.analysis.types.assemble import Group, iter_owned
from codecortex.analysis.types.identity import names_of, pack_usings
from codecortex.model.code.catalog import Edges, Lines
from codecortex.model.code.facts import Using
from codecortex.model.code.indexed import IndexedType
from codecortex.model.code.types import cut_simple_name, list_namespaces
from codecortex.operations.catalog.storage import CatalogInputs, CatalogSnapshot, join_blocks
from codecortex.operations.catalog.type_rows import index_rows
from codecortex.operations.catalog.update import PreviousTree, assemble, find_difference

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from codecortex.model.code.facts import FileFacts, TypeFacts
    from codecortex.operations.catalog.type_rows import StoredType, TypeRows
    from codecortex.operations.catalog.update import Difference, Facts

_MOST_AGAIN = 2500
"""If more types have to be examined again, reading everything is no slower."""

_FEW = 24
"""Up to this many names are each searched in the text of all names."""

_GONE = 0xFFFF_FFFF
"""Replaces the number of a type that was removed."""

_VALUES = ("field", "constant", "property", "event")
_RECORDS = ("record", "record struct")


def update_columns(
    inputs: CatalogInputs, states: Mapping[str, str], last: CatalogSnapshot[Columns]
) -> tuple[Columns, dict[str, str]] | None:
    """The columns of a tree's graph, and path to reason of the sources that could not be read; None to read everything.

    Args:
        inputs: The tree.
        states: The tree's sources, from `state_sources`.
        last: The graph of an earlier tree.
    """
    types = index_rows(last.columns.rows)
    difference = find_difference(inputs, states, PreviousTree(last.states, types))
    if difference is None or _list_global(difference.before) != _list_global(difference.after):
        return None
    columns = _GraphUpdate(difference, last.columns, types).run()
    return None if columns is None else (columns, difference.unread)


def _list_global(facts: Facts) -> list[tuple[tuple[str, str], object]]:
    """The global usings of files, sorted by project and path."""
    found = ((place, pack_usings(u for u in each.scopes[0].usings if u.everywhere)) for place, each in facts.items())
    return sorted((place, usings) for place, usings in found if usings)


class _Parts:
    """The declarations of each type in the changed files, in one of the two trees."""

    def __init__(self, facts: Facts) -> None:
        self._parts: dict[Group, list[tuple[FileFacts, TypeFacts]]] = defaultdict(list)
        for (project, path), each in sorted(facts.items(), key=lambda item: item[0]):
            for declared, owner in iter_owned(each, project, path):
                self._parts[Group(declared.fqn, declared.kind, project, owner)].append((each, declared))

    def list_access(self, group: Group) -> set[str]:
        """The accessibilities of its parts, as written."""
        return {declared.accessibility for _, declared in self._parts.get(group, ())}

    def list_bases(self, group: Group) -> list[object]:
        """The base lists of its parts, each with the scopes that its names depend on."""
        found = [
            (declared.bases, declared.scope, facts.scopes)
            for facts, declared in self._parts.get(group, ())
            if declared.bases
        ]
        return sorted(found, key=repr)

    def list_values(self, group: Group) -> set[tuple[str, str]]:
        """Name and type of members that a name in a body may mean instead of a type; for records also parameters."""
        found = set()
        for _, declared in self._parts.get(group, ()):
            for member in declared.members:
                if member.kind in _VALUES:
                    found.add((member.name, member.type))
                if declared.kind in _RECORDS:
                    found.update((each.name, each.type) for each in member.parameters if member.primary)
                    found.add((member.name, ""))  # a method with that name replaces the property
        return found


class _GraphUpdate:
    """The update of a graph from one tree to the next."""

    def __init__(self, difference: Difference, last: Columns, before: TypeRows) -> None:
        self._difference = difference
        self._last = last
        self._before: Mapping[Group, StoredType] = before.held
        types = before
        if difference.held is not before.held:
            after = (
                row if isinstance(row, IndexedType) else IndexedType(row.id, *group, row.files, "")
                for group, row in difference.held.items()
            )
            types = index_rows(tuple(sorted(after)))
        self._types = types
        self._rows: tuple[IndexedType, ...] = types.rows  # type: ignore[assignment]  # made here or by a graph before
        self._groups, self._numbers = types.groups, types.numbers
        self._origins: Sequence[int] = range(len(self._rows))
        if types is not before:
            self._origins = [before.numbers.get(group, -1) for group in self._groups]
        self._type_table = difference.open_whole_table(types)
        self._type_table.usings = {
            path: tuple(Using(target, alias, static, everywhere=True) for target, alias, static in each)
            for path, each in last.usings.items()
        }
        self._names = last.names

    def run(self) -> Columns | None:
        """The new columns; None if everything has to be read."""
        difference, type_table = self._difference, self._type_table
        touched = assemble(type_table, difference.touched)
        if touched is None:
            return None
        self._names = self._place_names({group: list_names(merged) for group, merged in touched.items()})
        again = self._list_again()
        if again is None or len(again) > _MOST_AGAIN:
            return None
        types = assemble(type_table, [self._groups[number] for number in sorted(again)])
        if types is None:
            return None
        fqns = self._types.fqns
        limit = difference.inputs.tree.config.outline.max_dependencies
        return self._splice(
            {
                self._numbers[group]: collect_edges(merged, type_table.resolver, fqns, limit)
                for group, merged in types.items()
            }
        )

    # -- which types to examine again

    def _list_again(self) -> set[int] | None:
        """The numbers of the types whose references may have changed; None if that cannot be told."""
        old, new = _Parts(self._difference.before), _Parts(self._difference.after)
        touched = {group for group in self._difference.touched if group in self._numbers}
        stayed = [group for group in touched if group in self._before]
        names = self._list_moved_names([g for g in stayed if old.list_access(g) != new.list_access(g)])
        rebased = {self._numbers[group] for group in stayed if old.list_bases(group) != new.list_bases(group)}
        rebased |= self._find_naming(self._names.bases, names)
        valued = {group: old.list_values(group) ^ new.list_values(group) for group in stayed}
        heads = {name for values in valued.values() for name, _ in values}
        again = {self._numbers[group] for group in touched} | self._find_naming(self._names.all, names)
        derived = self._derive(rebased)
        revalued = self._derive({self._numbers[group] for group, values in valued.items() if values})
        inherited = self._list_inherited(rebased)
        concerned = names | inherited | {self._simple[number] for number in derived | revalued}
        if not concerned.isdisjoint(self._pinned) or any(name.endswith("Attribute") for name in inherited):
            return None
        again |= derived | self._find_naming(self._names.all, self._list_nested(inherited))
        return again | (revalued & self._find_naming(self._names.all, heads) if revalued else set())

    def _list_moved_names(self, shown: Iterable[Group]) -> set[str]:
        """Simple names that may mean another type now, and segments of namespaces that were added or removed.

        Args:
            shown: Types that other types can see now, or no longer.
        """
        renewed = self._difference.renewed
        before, after = self._before, self._difference.held
        moved = {*renewed, *shown}
        moved |= {g for g in self._difference.touched if g in before and g in after and before[g].id != after[g].id}
        if renewed:
            around = {(group.project, group.owner, group.fqn) for group in renewed}
            for group in (*before, *renewed):
                if "+" in group.fqn and (group.project, group.owner, group.fqn.rpartition("+")[0]) in around:
                    moved.add(group)
        names = {cut_simple_name(group.fqn) for group in moved}
        if renewed:
            for namespace in list_namespaces(g.fqn for g in before) ^ list_namespaces(g.fqn for g in after):
                names.update(namespace.split("."))
        return names

    @cached_property
    def _pinned(self) -> set[str]:
        """Names that global usings refer to or define."""
        used = [using for usings in self._last.usings.values() for using in usings if using[1] or using[2]]
        return {name for target, alias, _ in used for name in (*names_of(target), alias) if name}

    @cached_property
    def _simple(self) -> Sequence[str]:
        return [cut_simple_name(row.fqn) for row in self._rows]

    @cached_property
    def _by_simple(self) -> Mapping[str, Sequence[int]]:
        found: dict[str, list[int]] = defaultdict(list)
        for number, name in enumerate(self._simple):
            found[name].append(number)
        return found

    def _derive(self, numbers: set[int]) -> set[int]:
        """These types, and those whose bases, directly or indirectly, may be one of them."""
        found = set(numbers)
        pending = {self._simple[number] for number in numbers}
        known = set(pending)
        while pending:
            more = self._find_naming(self._names.bases, pending) - found
            found |= more
            pending = {self._simple[number] for number in more} - known
            known |= pending
        return found

    def _list_inherited(self, numbers: set[int]) -> set[str]:
        """All names in the base lists of these types and of their possible bases, before and after."""
        if not numbers:
            return set()
        gone: dict[str, list[str]] = defaultdict(list)
        for row in self._last.rows:
            gone[cut_simple_name(row.fqn)].append(row.id)
        old_numbers = index_rows(self._last.rows).places
        pending = set().union(*(self._bases_of(number) for number in numbers))
        for number in numbers:
            if self._origins[number] >= 0:
                pending.update(self._last.names.bases.block(self._origins[number]).split())
        found: set[str] = set()
        while pending:
            name = pending.pop()
            found.add(name)
            for number in self._by_simple.get(name, ()):
                pending |= self._bases_of(number) - found
            for type_id in gone.get(name, ()):
                pending |= set(self._last.names.bases.block(old_numbers[type_id]).split()) - found
        return found

    def _bases_of(self, number: int) -> set[str]:
        return set(self._names.bases.block(number).split())

    def _list_nested(self, inherited: set[str]) -> set[str]:
        """Simple names of the types directly nested in possible base types."""
        if not inherited:
            return set()
        fqns = {group.fqn for group in (*self._before, *self._groups) if "+" in group.fqn}
        return {cut_simple_name(fqn) for fqn in fqns if cut_simple_name(fqn.rpartition("+")[0]) in inherited}

    @staticmethod
    def _find_naming(lines: Lines, names: set[str]) -> set[int]:
        """The types whose line contains one of the names."""
        if len(names) > _FEW:
            each = enumerate(lines.text.split("\n")[:-1])
            return {number for number, line in each if not names.isdisjoint(line.split(" "))}
        found = set()
        for name in names:
            wanted = f" {name} "
            at = lines.text.find(wanted)
            while at >= 0:
                number = lines.owner(at)
                found.add(number)
                at = lines.text.find(wanted, lines.starts[number + 1])
        return found

    # -- new columns

    def _place_names(self, new: Mapping[Group, tuple[str, str]]) -> Names:
        last = self._last.names
        if self._rows is self._last.rows and all(
            (last.all.block(n), last.bases.block(n)) == lines
            for n, lines in ((self._numbers[group], lines) for group, lines in new.items())
        ):
            return last
        both = [
            new[group] if group in new else (last.all.block(origin), last.bases.block(origin))
            for group, origin in zip(self._groups, self._origins, strict=True)
        ]
        return Names(join_blocks([each for each, _ in both]), join_blocks([each for _, each in both]))

    def _splice(self, changed: Mapping[int, TypeEdges]) -> Columns | None:
        """The columns with the new references of some types; None if another type references a removed one.

        Unchanged columns stay the same objects.
        """
        last, rows = self._last, self._rows
        edges: Edges | None = last.edges
        if rows is not last.rows or any(
            self._list_edges(n) != _list_pairs(each, self._types.places) for n, each in changed.items()
        ):
            edges = self._splice_edges(changed)
        if edges is None:
            return None
        bodies = self._difference.inputs.tree.config.include_internal_for_dependencies
        measures = last.measures if edges is last.edges else measure(rows, edges, bodies=bodies)
        links = last.links
        if rows is not last.rows or any(last.links[number] != each.links for number, each in changed.items()):
            links = [changed[n].links if n in changed else last.links[origin] for n, origin in enumerate(self._origins)]
        return Columns(rows, edges, measures, links, self._names, last.usings)

    def _list_edges(self, number: int) -> list[tuple[int, int, int]]:
        """The references of a type before: number of the target, bits, count."""
        starts, *columns = self._last.edges
        span = slice(starts[number], starts[number + 1])
        return list(zip(*(column[span] for column in columns), strict=True))

    def _splice_edges(self, changed: Mapping[int, TypeEdges]) -> Edges | None:
        old = self._last.edges
        renumbered = [self._types.places.get(row.id, _GONE) for row in self._last.rows]
        old_targets = array("I", [renumbered[target] for target in old.targets])
        starts, targets, bits, counts = (array("I") for _ in range(4))
        starts.append(0)
        for number, origin in enumerate(self._origins):
            own = changed.get(number)
            if own is None:
                span = slice(old.starts[origin], old.starts[origin + 1])
                targets.extend(old_targets[span])
                bits.extend(old.bits[span])
                counts.extend(old.counts[span])
            else:
                for target, bit, count in _list_pairs(own, self._types.places):
                    targets.append(target)
                    bits.append(bit)
                    counts.append(count)
            starts.append(len(targets))
        return Edges(starts, targets, bits, counts) if _GONE not in targets else None


def _list_pairs(edges: TypeEdges, numbers: Mapping[str, int]) -> list[tuple[int, int, int]]:
    """The references of a type: number of the target, bits, count."""
    return [(numbers[target], bit, count) for target, bit, count in edges.edges]
