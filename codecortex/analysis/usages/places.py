"""Finds the types and members around the lines of a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from codecortex.analysis.types.references import NameContext
from codecortex.analysis.usages.scope import Where
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

if TYPE_CHECKING:
    from codecortex.analysis.usages.scope import TypeScope
    from codecortex.model.code.facts import FileFacts, MemberFacts, TypeFacts


class Around(NamedTuple):
    """The context of a line, for lookups and for people; and the range of lines to search for variables."""

    where: Where
    enclosing: Enclosing
    first: int
    last: int


class FilePlaces:
    """Finds the context of the lines of a file in a project."""

    def __init__(self, type_scope: TypeScope, facts: FileFacts, project: str, path: str) -> None:
        self._type_scope = type_scope
        self._facts = facts
        self._project = project
        self.path = path
        self._known: dict[tuple[int, int], Around] = {}

    def find(self, line: int, *, attribute: bool = False) -> Around:
        """The context of a line; an attribute belongs to the declaration after it."""
        types = [number for number, each in enumerate(self._facts.types) if each.line <= line <= each.end_line]
        types = [number for number in types if not self._facts.types[number].implicit] or types
        inner = max(types, key=lambda number: (self._facts.types[number].line, number), default=-1)
        member = self._find_member(inner, line) if inner >= 0 else -1
        if attribute and member < 0:
            inner, member = self._find_next(inner, line)
        key = (inner, member)
        around = self._known.get(key)
        if around is None:
            around = self._known[key] = self._describe(inner, member, line)
        return around

    def _find_member(self, inner: int, line: int) -> int:
        members = self._facts.types[inner].members
        found = [n for n, each in enumerate(members) if each.line <= line <= each.end_line]
        found = [n for n in found if not members[n].implicit and not members[n].primary]
        return max(found, key=lambda n: (members[n].line, n), default=-1)

    def _find_next(self, inner: int, line: int) -> tuple[int, int]:
        """The type or member declared next after a line that is in no member."""
        types = self._facts.types
        container = types[inner].fqn if inner >= 0 else ""
        end = types[inner].end_line if inner >= 0 else 1 << 60
        inside = [
            (each.line, number, -1)
            for number, each in enumerate(types)
            if line < each.line <= end and each.fqn.rpartition("+")[0] == container
        ]
        if inner >= 0:
            inside += [(each.line, inner, n) for n, each in enumerate(types[inner].members) if line < each.line]
        _, number, member = min(inside, default=(0, inner, -1))
        return number, member

    def _describe(self, inner: int, number: int, line: int) -> Around:
        facts = self._facts
        if inner < 0:
            scope = next((each.scope for each in facts.types if each.line > line), len(facts.scopes) - 1)
            place = NameContext(self._project, facts.scopes, scope, "", self.path)
            return Around(Where(place, (), None), Enclosing(), 1, 0)
        own = facts.types[inner]
        member = own.members[number] if number >= 0 else None
        types = []
        for fqn in list_levels(own.fqn):
            part = own if fqn == own.fqn else next((each for each in facts.types if each.fqn == fqn), None)
            entry = self._type_scope.find_entry(fqn, self._project, self.path)
            if part is not None and entry is not None:
                types.append((part, entry.id))
        where = Where(NameContext(self._project, facts.scopes, own.scope, own.fqn, self.path), tuple(types), member)
        lines = (own.line, own.end_line) if member is None else (member.line, member.end_line)
        return Around(where, self._name(own, member), *lines)

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


def _name_member(own: TypeFacts, member: MemberFacts) -> str:
    name = write_name(member.kind, member.name, member.type, cut_simple_name(own.fqn))
    return name if member.kind == "destructor" else add_parameters(member.kind, name, parameter_types(member, ", "))
