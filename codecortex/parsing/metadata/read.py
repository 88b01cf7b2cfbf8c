"""Reads an assembly: the bytes of a file in, `AssemblyRows` out. Time and memory are bounded by the file's size."""

from __future__ import annotations

from collections import defaultdict
from enum import Enum
from struct import error as struct_error
from typing import TYPE_CHECKING

from codecortex.model.code.metadata import AssemblyRows, MemberRow, TypeRow
from codecortex.parsing.metadata.attributes import Attributes, Form, Owner
from codecortex.parsing.metadata.image import BadMetadataError
from codecortex.parsing.metadata.members import Holder, Members
from codecortex.parsing.metadata.names import MOST_DEPTH, Budget, TypeNames
from codecortex.parsing.metadata.parameters import Parts, TypeParameters, annotate, read_parameters
from codecortex.parsing.metadata.signatures import Signatures
from codecortex.parsing.metadata.tables import Table, Tables

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from codecortex.model.code.metadata import ParameterRow

_PUBLIC = frozenset(("public", "protected", "protected internal"))
_INTERNAL = frozenset(("internal", "private protected"))


class Surface(Enum):
    """Which types and members are read, by their access."""

    PUBLIC = _PUBLIC
    INTERNAL = _PUBLIC | _INTERNAL
    ALL = _PUBLIC | _INTERNAL | {"private", ""}


_NESTED_ACCESS = (
    *("internal", "public", "public", "private", "protected", "internal"),
    *("private protected", "protected internal"),
)
_VISIBILITY, _NOT_NESTED = 0x07, 1
_INTERFACE, _ABSTRACT, _SEALED = 0x20, 0x80, 0x100
_LITERAL_OR_STATIC = 0x10
_KINDS_BY_BASE = {"System.Enum": "enum", "System.ValueType": "struct", "System.MulticastDelegate": "delegate"}
_EXTENSION_GROUP = "<G>$"
_EXTENSION_MARKER = "<Extension>$"
_RECORD_MARKER = "<Clone>$"


def read_assembly(data: bytes, surface: Surface = Surface.PUBLIC) -> AssemblyRows:
    """What an assembly declares.

    Raises:
        BadMetadataError: The file is no .NET assembly, or a damaged or hostile one.
    """
    try:
        return _Reader(data, surface).read()
    except (struct_error, IndexError, ValueError, KeyError, OverflowError, RecursionError) as problem:
        raise BadMetadataError(f"damaged metadata: {problem}") from problem


class _Reader:
    def __init__(self, data: bytes, surface: Surface) -> None:
        tables, budget = Tables(data), Budget(len(data))
        names = TypeNames(tables, budget)
        attributes = Attributes(tables, budget)
        self._parts = Parts(tables, names, Signatures(tables, names, budget), attributes, budget)
        self._tables = tables
        self._seen = surface.value
        self._type_parameters = TypeParameters(self._parts)
        self._members = Members(self._parts, self._type_parameters, self._seen)
        self._interfaces: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for row, (owner, interface) in enumerate(tables.rows[Table.INTERFACE_IMPL], 1):
            self._interfaces[owner].append((row, interface))
        rows = tables.rows
        self._properties = {parent: row for row, (parent, _) in enumerate(rows[Table.PROPERTY_MAP], 1)}
        self._events = {parent: row for row, (parent, _) in enumerate(rows[Table.EVENT_MAP], 1)}

    def read(self) -> AssemblyRows:
        rows, string = self._tables.rows, self._tables.string
        if not rows[Table.ASSEMBLY]:
            raise BadMetadataError("a module that is no assembly")
        own = rows[Table.ASSEMBLY][0]
        if not string(own[7]).isprintable():
            raise BadMetadataError("a name that is no text")
        references = ((string(row[6]), ".".join(map(str, row[:4]))) for row in rows[Table.ASSEMBLY_REF])
        friends = (self._parts.attributes.text(at) for at in self._parts.attributes.friends)
        return AssemblyRows(
            *(string(own[7]), ".".join(map(str, own[1:5]))),
            references=tuple(references),
            forwards=tuple(self._read_forwards()),
            friends=tuple(friends),
            types=tuple(self._read_types()),
        )

    def _read_forwards(self) -> Iterator[tuple[str, str]]:
        rows, string = self._tables.rows, self._tables.string
        for _, _, name, space, owner in rows[Table.EXPORTED_TYPE]:
            if owner & 3 == 1:
                full = f"{string(space)}.{string(name)}".lstrip(".")
                self._parts.budget.spend(len(full))
                yield full, string(rows[Table.ASSEMBLY_REF][(owner >> 2) - 1][6])

    # -- types

    def _read_types(self) -> Iterator[TypeRow]:
        shown: dict[int, str] = {}
        for row in range(2, len(self._tables.rows[Table.TYPE_DEF]) + 1):
            access = self._find_access(row, shown)
            if not access or self._is_extension_group(self._parts.names.outer.get(row, 0)):
                continue
            made = self._read_type(row, access)
            if self._is_extension_group(row):
                yield from self._read_extension_blocks(row, made)
            else:
                yield made

    def _find_access(self, row: int, shown: dict[int, str], depth: int = 0) -> str:
        """The access of a type; empty if it is not seen, in itself or for a type around it."""
        known = shown.get(row)
        if known is None:
            if depth > MOST_DEPTH:
                raise BadMetadataError("nested in itself")
            visibility = self._tables.rows[Table.TYPE_DEF][row - 1][0] & _VISIBILITY
            outer = self._parts.names.outer.get(row)
            if (visibility > _NOT_NESTED) != bool(outer):
                raise BadMetadataError("a nested type in none")
            known = _NESTED_ACCESS[visibility]
            name = self._parts.names.simple_name(row)
            file_local = name.startswith("<") and ">F" in name
            if file_local or known not in self._seen or (outer and not self._find_access(outer, shown, depth + 1)):
                known = ""
            shown[row] = known
        return known

    def _is_extension_group(self, row: int) -> bool:
        """Whether a type is what the compiler writes for the extension blocks of one receiver type."""
        return bool(row) and self._parts.names.simple_name(row).startswith(_EXTENSION_GROUP)

    def _read_type(self, row: int, access: str) -> TypeRow:
        parts = self._parts
        flags, _, _, extends, _, _ = self._tables.rows[Table.TYPE_DEF][row - 1]
        tags = parts.attributes.of(row, Owner.TYPE)
        base = parts.signatures.type_at(extends, 0, annotate(parts.attributes, tags)) if extends >> 2 else ""
        name = parts.names.plain(row << 2)
        kind = _name_kind(flags, base, name)
        listed = self._interfaces.get(row, ())
        plain = [parts.signatures.type_at(token) for _, token in listed]
        said = [annotate(parts.attributes, parts.attributes.of(number, Owner.INTERFACE)) for number, _ in listed]
        interfaces = tuple(
            parts.signatures.type_at(token, 0, each) if each is not None else written
            for (_, token), written, each in zip(listed, plain, said, strict=True)
        )
        notes = self._read_notes(tags)
        context = self._type_parameters.nullable_context(row)
        members = tuple(self._read_members(row, Holder(name, kind, frozenset(plain), context), notes))
        words = _list_words(flags, tags)
        if any(self._tables.string(self._tables.rows[Table.METHOD_DEF][n - 1][3]) == _RECORD_MARKER
               for n in self._tables.span(Table.TYPE_DEF, row, 5, Table.METHOD_DEF)):  # fmt: skip
            words.append("record")
        if kind == "enum":
            notes["underlying"] = self._read_underlying(row)
        own = self._type_parameters.of_type(row)
        return TypeRow(f"T:{name}", kind, access, tuple(words), base, interfaces, own, members, tuple(notes.items()))

    def _read_notes(self, tags: Mapping[str, int]) -> dict[str, str]:
        attributes, notes = self._parts.attributes, {}
        if "builder" in tags:
            said = attributes.arguments(tags["builder"], Form.STRING, Form.STRING)
            notes["builder"] = ",".join(str(each) for each in said)
        notes |= {tag: attributes.text(tags[tag]) for tag in ("indexer", "coclass") if tag in tags}
        notes |= {tag: str(attributes.number(tags[tag])) for tag in ("inline", "usage") if tag in tags}
        return notes

    def _read_members(self, row: int, holder: Holder, notes: Mapping[str, str]) -> Iterator[MemberRow]:
        span, members = self._tables.span, self._members
        properties: Sequence[int] = ()
        if row in self._properties:
            properties = span(Table.PROPERTY_MAP, self._properties[row], 1, Table.PROPERTY)
        for each in properties:
            members.free_accessors(each, notes.get("indexer", ""))
        found = [members.method(each, holder) for each in span(Table.TYPE_DEF, row, 5, Table.METHOD_DEF)]
        constructed = any(
            each is not None and each.name == "#ctor" and not each.parameters and "static" not in each.words
            for each in found
        )
        found += [members.field(each, holder) for each in span(Table.TYPE_DEF, row, 4, Table.FIELD)]
        found += [members.property(each, holder) for each in properties]
        if row in self._events:
            events = span(Table.EVENT_MAP, self._events[row], 1, Table.EVENT)
            found += [members.event(each, holder) for each in events]
        yield from (each for each in found if each is not None)
        if holder.kind in ("struct", "enum") and not constructed:
            made = f"M:{holder.name}.#ctor"
            yield MemberRow("#ctor", "method", "public", ("implicit",), "System.Void", (), (), made)

    def _read_underlying(self, row: int) -> str:
        rows = self._tables.rows[Table.FIELD]
        for each in self._tables.span(Table.TYPE_DEF, row, 4, Table.FIELD):
            flags, _, blob = rows[each - 1]
            if not flags & _LITERAL_OR_STATIC:
                return self._parts.signatures.field(blob, None)
        return "System.Int32"

    def _read_extension_blocks(self, group: int, made: TypeRow) -> Iterator[TypeRow]:
        """The extension blocks of a group: their receivers stand in nested types, whose names the members bear."""
        by_marker: dict[str, list[MemberRow]] = defaultdict(list)
        for member in made.members:
            by_marker[dict(member.notes).get("marker", "")].append(member)
        parts = self._parts
        for row in parts.names.inner.get(group, ()):
            receiver = self._read_receiver(row)
            if receiver is None:
                continue
            yield TypeRow(
                *("T:" + parts.names.plain(row << 2), "extension", made.access, ("static",), made.base),
                interfaces=made.interfaces,
                type_parameters=self._type_parameters.of_block(row, group),
                members=tuple(by_marker[parts.names.simple_name(row)]),
                receiver=receiver,
            )

    def _read_receiver(self, row: int) -> ParameterRow | None:
        parts = self._parts
        for method in self._tables.span(Table.TYPE_DEF, row, 5, Table.METHOD_DEF):
            _, _, _, name, blob, _ = self._tables.rows[Table.METHOD_DEF][method - 1]
            if self._tables.string(name) == _EXTENSION_MARKER:
                return read_parameters(parts, method, blob, parts.signatures.method(blob))[0][0]
        return None


def _name_kind(flags: int, base: str, name: str) -> str:
    if flags & _INTERFACE:
        return "interface"
    return "class" if name == "System.Enum" else _KINDS_BY_BASE.get(base, "class")


def _list_words(flags: int, tags: Mapping[str, int]) -> list[str]:
    if flags & _ABSTRACT and flags & _SEALED:
        words = ["static"]
    else:
        words = [word for bit, word in ((_ABSTRACT, "abstract"), (_SEALED, "sealed")) if flags & bit]
    named = ("ref", "readonly", "this", "obsolete", "required", "handler")
    return words + [word for word in named if word in tags]
