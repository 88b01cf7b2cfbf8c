"""Finds the types and members around the places of a file."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from heapq import heappop, heappush
from operator import itemgetter
from typing import TYPE_CHECKING

from codecortex.analysis.types.references import NameContext
from codecortex.analysis.usages.scope import Where
from codecortex.model.code.facts import is_generated_name
from codecortex.model.code.types import (
    add_parameters,
    canonical_signature,
    cut_simple_name,
    encode_sha256,
    list_levels,
    parameter_types,
    write_name,
)
from codecortex.model.code.usages import Enclosing
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from codecortex.analysis.usages.scope import TypeScope
    from codecortex.model.code.facts import FileFacts, MemberFacts, Position, TypeFacts


class Around(NamedTuple):
    """The context of a place, for lookups and for people; and the extent to search for variables.

    The extent is that of the innermost declaration; outside of all, the whole file, whose `last` is None.
    """

    where: Where
    enclosing: Enclosing
    first: Position
    last: Position | None


class _Cover:
    """Tells the first of some extents, in the order of their ranks, that covers a place.

    They may lie in each other or overlap, but between two neighbouring bounds it is always the same one.
    """

    def __init__(self, extents: Iterable[tuple[tuple[int, ...], int, TypeFacts | MemberFacts]]) -> None:
        """Take them: the rank, which no two share, the number that is told, and what lies there."""
        waiting = sorted(((_start_of(each), _end_of(each), rank, number) for rank, number, each in extents))
        self._bounds = sorted({bound for start, end, *_ in waiting for bound in (start, end)})
        self._told: list[int] = []
        begun: list[tuple[tuple[int, ...], Position, int]] = []  # a heap: what has ended leaves it once it is the first
        at = 0
        for bound in self._bounds:
            while at < len(waiting) and waiting[at][0] <= bound:
                _, end, rank, number = waiting[at]
                heappush(begun, (rank, end, number))
                at += 1
            while begun and begun[0][1] <= bound:
                heappop(begun)
            self._told.append(begun[0][2] if begun else -1)

    def find(self, position: Position) -> int:
        """The number of the extent at a place; -1 if there is none."""
        at = bisect_right(self._bounds, position)
        return self._told[at - 1] if at else -1


class FilePlaces:
    """Finds the context of the places of a file in a project."""

    def __init__(self, type_scope: TypeScope, facts: FileFacts, project: str, path: str) -> None:
        self._type_scope = type_scope
        self._facts = facts
        self._project = project
        self.path = path
        self._known: dict[tuple[int, int], Around] = {}
        self._members: dict[int, _Cover] = {}
        self._next: dict[int, Sequence[tuple[Position, int, int]]] = {}

    @property
    def generated(self) -> bool:
        """Whether the file is generated code."""
        return self._facts.generated or is_generated_name(self.path)

    def find(self, position: Position, *, attribute: bool = False) -> Around:
        """The context of a place; an attribute belongs to the declaration after it."""
        inner = self._types.find(position)
        member = self._find_member(inner, position) if inner >= 0 else -1
        if attribute and member < 0:
            inner, member = self._find_next(inner, position)
        key = (inner, member)
        around = self._known.get(key)
        if around is None:
            around = self._known[key] = self._describe(inner, member, position)
        return around

    def _find_member(self, inner: int, position: Position) -> int:
        """The member at a place; of several declarators with one type, the first that reaches so far."""
        if inner not in self._members:
            self._members[inner] = _Cover(
                ((-each.line, -each.column, each.end_line, each.end_column, number), number, each)
                for number, each in enumerate(self._facts.types[inner].members)
                if not each.implicit and not each.primary
            )
        return self._members[inner].find(position)

    def _find_next(self, inner: int, position: Position) -> tuple[int, int]:
        """The type or member declared next after a place that is in no member."""
        if inner not in self._next:
            self._next[inner] = sorted(self._list_inside(inner))
        inside = self._next[inner]
        at = bisect_right(inside, position, key=itemgetter(0))
        return inside[at][1:] if at < len(inside) else (inner, -1)

    def _list_inside(self, inner: int) -> Iterable[tuple[Position, int, int]]:
        """Where the types and members begin that a type declares, or of -1 the file, with both of their numbers."""
        types = self._facts.types
        container = types[inner].fqn if inner >= 0 else ""
        end = _end_of(types[inner]) if inner >= 0 else (1 << 60, 0)
        for number in self._nested.get(container, ()):
            if _start_of(types[number]) < end:  # else another part of the type declares it
                yield _start_of(types[number]), number, -1
        for number, each in enumerate(types[inner].members if inner >= 0 else ()):
            yield _start_of(each), inner, number

    @cached_property
    def _types(self) -> _Cover:
        """The innermost type at each place; one that the compiler adds only where there is no other."""
        return _Cover(
            ((each.implicit, -each.line, -each.column, -number), number, each)
            for number, each in enumerate(self._facts.types)
        )

    @cached_property
    def _nested(self) -> dict[str, list[int]]:
        """The numbers of types by the type around them; those that are in none by the empty name."""
        nested: dict[str, list[int]] = {}
        for number, each in enumerate(self._facts.types):
            nested.setdefault(each.fqn.rpartition("+")[0], []).append(number)
        return nested

    @cached_property
    def _first_parts(self) -> dict[str, TypeFacts]:
        """By its name, the first part of each type."""
        return {each.fqn: each for each in reversed(self._facts.types)}

    def _describe(self, inner: int, number: int, position: Position) -> Around:
        facts = self._facts
        if inner < 0:
            scope = next((each.scope for each in facts.types if _start_of(each) > position), len(facts.scopes) - 1)
            place = NameContext(self._project, facts.scopes, scope, "", self.path)
            return Around(Where(place, (), None), Enclosing(), (1, 1), None)
        own = facts.types[inner]
        member = own.members[number] if number >= 0 else None
        types = []
        for fqn in list_levels(own.fqn):
            part = own if fqn == own.fqn else self._first_parts.get(fqn)
            entry = self._type_scope.find_entry(fqn, self._project, self.path)
            if part is not None and entry is not None:
                types.append((part, entry.id))
        where = Where(NameContext(self._project, facts.scopes, own.scope, own.fqn, self.path), tuple(types), member)
        around = own if member is None else member
        return Around(where, self._name(own, member), _start_of(around), _end_of(around))

    def _name(self, own: TypeFacts, member: MemberFacts | None) -> Enclosing:
        entry = self._type_scope.find_entry(own.fqn, self._project, self.path)
        if entry is None:
            return Enclosing(None, own.fqn, own.fqn, "", "")
        if member is None:
            return Enclosing(entry.id, entry.fqn, entry.display)
        signature = canonical_signature(member)
        return Enclosing(
            entry.id, entry.fqn, entry.display, f"{entry.id}_{encode_sha256(signature, 6)}", _name_member(own, member)
        )


def _start_of(declared: TypeFacts | MemberFacts) -> Position:
    return declared.line, declared.column


def _end_of(declared: TypeFacts | MemberFacts) -> Position:
    return declared.end_line, declared.end_column


def _name_member(own: TypeFacts, member: MemberFacts) -> str:
    name = write_name(member.kind, member.name, member.type, cut_simple_name(own.fqn))
    return name if member.kind == "destructor" else add_parameters(member.kind, name, parameter_types(member, ", "))
