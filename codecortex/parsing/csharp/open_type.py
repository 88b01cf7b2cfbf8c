"""A type while it is being read, and its conversion to `TypeFacts`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.model.code.facts import VISIBLE, Extension, MemberFacts, TypeFacts
from codecortex.parsing.csharp.cursor import short_digest
from codecortex.parsing.csharp.headers import (
    list_names,
    name_attribute,
    name_of_type_parameter,
    name_types,
    read_parameter,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from codecortex.model.code.facts import TypeKind
    from codecortex.parsing.csharp.headers import ParameterList


class OpenType:
    """A type whose members are still being read; other public fields as in `TypeFacts`.

    Attributes:
        start: Source position of its first attribute or documentation comment.
        end: Source position after it.
        shadowed: Type parameters in scope: its own and those of the enclosing types.
        body_parts: Tokens that belong to the type itself and to no member.
        default_access: The accessibility of members that state none.
        receiver: The receiver of the extension block whose members are being read, or empty.
        extension: The rest of that block's head, or None.
        comments: The comments inside its members' bodies.
        nested: Source extents of its nested types.
    """

    def __init__(self, name: str, scope: int, kind: TypeKind) -> None:
        self.name = name
        self.fqn = name
        self.scope = scope
        self.kind: TypeKind = kind
        self.default_access = "public" if kind in ("interface", "enum") else "private"
        self.receiver = ""
        self.extension: Extension | None = None
        self.accessibility = ""
        self.modifiers: tuple[str, ...] = ()
        self.type_parameters: tuple[str, ...] = ()
        self.type_parameter_attributes: tuple[tuple[int, str], ...] = ()
        self.constraints: tuple[str, ...] = ()
        self.bases: tuple[str, ...] = ()
        self.attributes: tuple[str, ...] = ()
        self.implicit = False
        self.nullable = ""
        self.doc = ""
        self.doc_hash = ""
        self.line = 0
        self.end_line = 0
        self.column = 1
        self.end_column = 1
        self.start = 0
        self.end = 0
        self.shadowed: frozenset[str] = frozenset()
        self.body_parts: list[bytes] = []
        self.comments: list[bytes] = []
        self.nested: list[tuple[int, int]] = []
        self._members: list[MemberFacts] = []
        self._surface: list[str] = []
        self._inner: set[str] = set()
        self._codes: list[bytes] = []

    def name_within(self, container: str, shadowed: frozenset[str]) -> None:
        """Set its FQN; `container` ends in `.` or `+`, or is empty."""
        arity = f"`{len(self.type_parameters)}" if self.type_parameters else ""
        self.fqn = container + self.name + arity
        self.shadowed = shadowed.union(map(name_of_type_parameter, self.type_parameters))

    def add_member(self, member: MemberFacts, code: bytes, parameters: ParameterList) -> None:
        """Add a member and the code of its bodies."""
        self._members.append(member)
        names = [*name_types(member.type), *parameters.names]
        if parameters.arguments:
            self._inner.update(parameters.arguments)
        if member.attributes or member.receiver or member.explicit_interface or member.accessor_attributes:
            self._name_extras(member, names)
        if member.type_parameters:
            self._name_attributes([text for _, text in member.type_parameter_attributes], names)
            for clause in member.constraints:
                names.extend(name_types(clause.partition(" : ")[2]))
            shadowed = {name_of_type_parameter(parameter) for parameter in member.type_parameters}
            names = [name for name in names if _head(name) not in shadowed]
            self._inner.update([name for name in list_names(code) if _head(name) not in shadowed])
        elif code:
            self._codes.append(code)
        if member.accessibility in VISIBLE:
            self._surface += names
        else:
            self._inner.update(names)

    def _name_extras(self, member: MemberFacts, names: list[str]) -> None:
        """Add the names in parts of a signature that few members have."""
        if member.explicit_interface:
            names += name_types(member.explicit_interface)
        if member.receiver:
            names += name_types(read_parameter(member.receiver.encode()).type)
        if member.extension is not None:
            for clause in member.extension.constraints:
                names.extend(name_types(clause.partition(" : ")[2]))
            self._name_attributes([text for _, text in member.extension.type_parameter_attributes], names)
        self._name_attributes(member.attributes, names)
        self._name_attributes([text for _, text in member.accessor_attributes], names)

    def _name_attributes(self, attributes: Iterable[str], names: list[str]) -> None:
        """Add attributes' own names to `names`, and those in their arguments to the inner ones."""
        for attribute in attributes:
            own, inside = name_attribute(attribute)
            names += own
            self._inner.update(inside)

    def add_code(self, code: bytes) -> None:
        """Add code that belongs to no member."""
        self._codes.append(code)

    def finish(self, layout: list[bytes]) -> TypeFacts:
        """The facts; `layout` is the result of `Cursor.layout` for its extent."""
        for base in self.bases:
            self._surface.extend(name_types(base))
        for clause in self.constraints:
            self._surface.extend(name_types(clause.partition(" : ")[2]))
        self._name_attributes(self.attributes, self._surface)
        self._name_attributes([text for _, text in self.type_parameter_attributes], self._surface)
        self._inner.update(list_names(b" ; ".join(self._codes)))
        surface: dict[str, int] = {}
        for name in self._surface:
            surface[name] = surface.get(name, 0) + 1
        inner = self._inner
        if self.shadowed:
            surface = {name: count for name, count in surface.items() if _head(name) not in self.shadowed}
            inner = {name for name in inner if _head(name) not in self.shadowed}
        return TypeFacts(
            fqn=self.fqn,
            scope=self.scope,
            kind=self.kind,
            accessibility=self.accessibility,
            modifiers=self.modifiers,
            type_parameters=self.type_parameters,
            constraints=self.constraints,
            bases=self.bases,
            attributes=self.attributes,
            members=tuple(self._members),
            surface=tuple(sorted(surface.items())),
            inner=" ".join(sorted(inner)),
            implicit=self.implicit,
            body=short_digest(self.body_parts) if self.body_parts else "",
            doc=self.doc,
            doc_hash=self.doc_hash,
            cosmetic=short_digest([*layout, *self.comments]),
            line=self.line,
            end_line=self.end_line,
            column=self.column,
            end_column=self.end_column,
            type_parameter_attributes=self.type_parameter_attributes,
            nullable=self.nullable,
        )


def _head(name: str) -> str:
    """The first part of a dotted name, without its arity."""
    return name.partition(".")[0].partition("`")[0] if "." in name else name
