"""Finds the types and members around the places of a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.types.references import NameContext
from codecortex.analysis.usages.scope import Where
from codecortex.model.code.facts import covers, is_generated_name
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


class FilePlaces:
    """Finds the context of the places of a file in a project."""

    def __init__(self, type_scope: TypeScope, facts: FileFacts, project: str, path: str) -> None:
        self._type_scope = type_scope
        self._facts = facts
        self._project = project
        self.path = path
        self._known: dict[tuple[int, int], Around] = {}

    @property
    def generated(self) -> bool:
        """Whether the file is generated code."""
        return self._facts.generated or is_generated_name(self.path)

    def find(self, position: Position, *, attribute: bool = False) -> Around:
        """The context of a place; an attribute belongs to the declaration after it."""
        types = [number for number, each in enumerate(self._facts.types) if covers(each, position)]
        types = [number for number in types if not self._facts.types[number].implicit] or types
        inner = max(types, key=lambda number: (_start_of(self._facts.types[number]), number), default=-1)
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
        members = self._facts.types[inner].members
        found = [n for n, each in enumerate(members) if covers(each, position)]
        found = [n for n in found if not members[n].implicit and not members[n].primary]
        return max(
            found, key=lambda n: (_start_of(members[n]), -members[n].end_line, -members[n].end_column), default=-1
        )

    def _find_next(self, inner: int, position: Position) -> tuple[int, int]:
        """The type or member declared next after a place that is in no member."""
        types = self._facts.types
        container = types[inner].fqn if inner >= 0 else ""
        end = _end_of(types[inner]) if inner >= 0 else (1 << 60, 0)
        inside = [
            (_start_of(each), number, -1)
            for number, each in enumerate(types)
            if position < _start_of(each) < end and each.fqn.rpartition("+")[0] == container
        ]
        if inner >= 0:
            members = enumerate(types[inner].members)
            inside += [(_start_of(each), inner, n) for n, each in members if position < _start_of(each)]
        _, number, member = min(inside, default=((0, 0), inner, -1))
        return number, member

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
            part = own if fqn == own.fqn else next((each for each in facts.types if each.fqn == fqn), None)
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
