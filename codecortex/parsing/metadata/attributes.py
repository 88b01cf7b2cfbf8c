"""The attributes that the compiler writes into assemblies to say what tables cannot."""

from __future__ import annotations

from enum import StrEnum
from struct import unpack_from
from typing import TYPE_CHECKING

from codecortex.parsing.metadata.tables import Table, read_number

if TYPE_CHECKING:
    from collections.abc import Mapping

    from codecortex.parsing.metadata.names import Budget
    from codecortex.parsing.metadata.tables import Tables

_COMPILER = "System.Runtime.CompilerServices."
_INTEROP = "System.Runtime.InteropServices."

TAGS: Mapping[str, str] = {
    "System.ParamArrayAttribute": "params",
    "System.ObsoleteAttribute": "obsolete",
    "System.AttributeUsageAttribute": "usage",
    "System.Reflection.DefaultMemberAttribute": "indexer",
    _INTEROP + "CoClassAttribute": "coclass",
    _COMPILER + "ExtensionAttribute": "this",
    _COMPILER + "ParamCollectionAttribute": "params",
    _COMPILER + "IsReadOnlyAttribute": "readonly",
    _COMPILER + "IsByRefLikeAttribute": "ref",
    _COMPILER + "DynamicAttribute": "dynamic",
    _COMPILER + "TupleElementNamesAttribute": "names",
    _COMPILER + "NullableAttribute": "nullable",
    _COMPILER + "NullableContextAttribute": "context",
    _COMPILER + "RequiredMemberAttribute": "required",
    _COMPILER + "ScopedRefAttribute": "scoped",
    _COMPILER + "RequiresLocationAttribute": "location",
    _COMPILER + "OverloadResolutionPriorityAttribute": "priority",
    _COMPILER + "CollectionBuilderAttribute": "builder",
    _COMPILER + "InterpolatedStringHandlerAttribute": "handler",
    _COMPILER + "IsUnmanagedAttribute": "unmanaged",
    _COMPILER + "InternalsVisibleToAttribute": "friend",
    _COMPILER + "InlineArrayAttribute": "inline",
    _COMPILER + "ExtensionMarkerAttribute": "marker",
    _COMPILER + "DecimalConstantAttribute": "decimal",
    _COMPILER + "FixedBufferAttribute": "buffer",
}
"""The attributes that are read, and what they are called here."""


class Owner:
    """The low five bits of what an attribute belongs to (HasCustomAttribute)."""

    METHOD = 0
    FIELD = 1
    TYPE = 3
    PARAMETER = 4
    INTERFACE = 5
    PROPERTY = 9
    EVENT = 10
    ASSEMBLY = 14
    TYPE_PARAMETER = 19


class Form(StrEnum):
    """The form of an attribute's argument."""

    STRING = "s"
    INT32 = "i"
    BYTE = "b"
    """A byte, or the first of an array of them."""
    STRINGS = "n"
    FLAGS = "d"
    """An array of booleans; without arguments one that is set."""


_NULL_STRING = 0xFF
_NO_ARGUMENT = 4
_ONE_BYTE_ARGUMENT = 8

Said = str | int | list[str | None] | list[int] | None


class Attributes:
    """What is said about each row: the blobs of its attributes by their tags."""

    def __init__(self, tables: Tables, budget: Budget) -> None:
        self._tables = tables
        self._budget = budget
        self.friends: list[int] = []
        self._found: dict[int, dict[str, int]] = {}
        constructors = self._list_constructors()
        for parent, constructor, value in tables.rows[Table.CUSTOM_ATTRIBUTE]:
            tag = constructors.get(constructor)
            if tag == "friend":
                self.friends.append(value)
            elif tag is not None:
                self._found.setdefault(parent, {})[tag] = value

    def of(self, row: int, owner: int) -> Mapping[str, int]:
        """The blobs of the attributes of a row by their tags."""
        return self._found.get(row << 5 | owner, {})

    def _list_constructors(self) -> dict[int, str]:
        """The tag of each constructor of an attribute that is read, by coded index."""
        rows, string = self._tables.rows, self._tables.string
        parents = {}
        for row, (scope, name, space) in enumerate(rows[Table.TYPE_REF], 1):
            tag = TAGS.get(f"{string(space)}.{string(name)}") if scope & 3 != 3 else None  # noqa: PLR2004 - nested
            if tag is not None:
                parents[row << 3 | 1] = tag
        found = {}
        for row, (parent, _, _) in enumerate(rows[Table.MEMBER_REF], 1):
            if parent in parents:
                found[row << 3 | 3] = parents[parent]
        for row, definition in enumerate(rows[Table.TYPE_DEF], 1):
            tag = TAGS.get(f"{string(definition[2])}.{string(definition[1])}")
            if tag is not None:
                methods = self._tables.span(Table.TYPE_DEF, row, 5, Table.METHOD_DEF)
                found.update((method << 3 | 2, tag) for method in methods)
        return found

    def text(self, at: int) -> str:
        """The only argument, a string."""
        said = self.arguments(at, Form.STRING)[0]
        return said if isinstance(said, str) else ""

    def number(self, at: int, form: Form = Form.INT32) -> int:
        """The only argument, a number."""
        said = self.arguments(at, form)[0]
        return said if isinstance(said, int) else 0

    def arguments(self, at: int, *forms: Form) -> list[Said]:
        """The first positional arguments (II.23.3)."""
        blob = self._tables.blob(at)
        self._budget.spend(len(blob))
        said: list[Said] = []
        start = 2
        for form in forms:
            if form is Form.STRING:
                text, start = _read_string(blob, start)
                said.append(text)
            elif form is Form.BYTE:
                said.append(blob[start] if len(blob) < _ONE_BYTE_ARGUMENT else blob[start + 4])
            elif form is Form.FLAGS and len(blob) <= _NO_ARGUMENT:
                said.append([1])
            else:
                (count,) = unpack_from("<i", blob, start)
                start += 4
                said.append(count if form is Form.INT32 else _read_many(blob, start, count, form))
        return said


def _read_string(blob: bytes, at: int) -> tuple[str | None, int]:
    if blob[at] == _NULL_STRING:
        return None, at + 1
    length, at = read_number(blob, at)
    return blob[at : at + length].decode("utf-8", "replace"), at + length


def _read_many(blob: bytes, at: int, count: int, form: Form) -> list[str | None] | list[int]:
    if form is Form.FLAGS:
        return list(blob[at : at + max(count, 0)])
    texts: list[str | None] = []
    for _ in range(max(min(count, len(blob)), 0)):
        text, at = _read_string(blob, at)
        texts.append(text)
    return texts
