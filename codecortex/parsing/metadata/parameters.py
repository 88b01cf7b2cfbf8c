"""Parameters and type parameters of members and types, with what attributes say of them."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from codecortex.model.code.metadata import ParameterRow, TypeParameterRow
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.parsing.metadata.attributes import Form, Owner
from codecortex.parsing.metadata.image import BadMetadataError
from codecortex.parsing.metadata.names import MOST_DEPTH
from codecortex.parsing.metadata.signatures import Annotations
from codecortex.parsing.metadata.tables import Table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from codecortex.parsing.metadata.attributes import Attributes
    from codecortex.parsing.metadata.names import Budget, TypeNames
    from codecortex.parsing.metadata.signatures import Signature, Signatures
    from codecortex.parsing.metadata.tables import Tables

_VARIANCE = ("", "out", "in", "")
_VARIANCE_BITS = 0x03
_REFERENCE_TYPE, _VALUE_TYPE, _CONSTRUCTOR, _BY_REF_LIKE = 0x04, 0x08, 0x10, 0x20
_IN, _OUT, _OPTIONAL = 0x01, 0x02, 0x10
_NOT_NULL = 1
_NAMELESS = "value"


class Parts(NamedTuple):
    """What reads the parts of one assembly."""

    tables: Tables
    names: TypeNames
    signatures: Signatures
    attributes: Attributes
    budget: Budget


def annotate(attributes: Attributes, tags: Mapping[str, int]) -> Annotations | None:
    """What the attributes of one place add to its type."""
    if "dynamic" not in tags and "names" not in tags:
        return None
    dynamic = attributes.arguments(tags["dynamic"], Form.FLAGS)[0] if "dynamic" in tags else []
    names = attributes.arguments(tags["names"], Form.STRINGS)[0] if "names" in tags else []
    return Annotations(
        [flag for flag in dynamic if isinstance(flag, int)] if isinstance(dynamic, list) else [],
        [name if isinstance(name, str) else None for name in names] if isinstance(names, list) else [],
    )


def read_parameters(
    parts: Parts, method: int, at: int, signature: Signature
) -> tuple[tuple[ParameterRow, ...], Mapping[str, int]]:
    """The parameters of a method, and the attributes of what it returns."""
    tables = parts.tables
    owned = tables.span(Table.METHOD_DEF, method, 5, Table.PARAM)
    parts.budget.spend(32 * (len(owned) + len(signature.types)))
    said = {}
    for row in owned:
        flags, sequence, name = tables.rows[Table.PARAM][row - 1]
        said[sequence] = (flags, name, row)
    found = []
    for position, plain in enumerate(signature.types, 1):
        text, (flags, name, row) = plain, said.get(position, (0, 0, 0))
        tags = parts.attributes.of(row, Owner.PARAMETER) if row else {}
        annotations = annotate(parts.attributes, tags)
        if annotations is not None:
            text = parts.signatures.part(at, signature.starts[position], annotations)
        words = _name_reference(flags, tags) if text.endswith("@") else ()
        words += tuple(word for word in ("params", "scoped") if word in tags)
        words += ("optional",) if flags & _OPTIONAL else ()
        written = (tables.string(name) if name else "") or _NAMELESS
        found.append(ParameterRow(words, written, text.removesuffix("@")))
    returned = said.get(0)
    return tuple(found), parts.attributes.of(returned[2], Owner.PARAMETER) if returned else {}


def _name_reference(flags: int, tags: Mapping[str, int]) -> tuple[str, ...]:
    if flags & (_IN | _OUT) == _OUT:
        return ("out",)
    if "location" in tags:
        return ("refreadonly",)
    return ("in",) if "readonly" in tags else ("ref",)


class TypeParameters:
    """The type parameters of the types and methods of one assembly."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._owned: dict[int, list[tuple[int, int, int, int]]] = defaultdict(list)
        for row, (index, flags, owner, name) in enumerate(parts.tables.rows[Table.GENERIC_PARAM], 1):
            self._owned[owner].append((index, flags, name, row))
        self._constraints: dict[int, list[int]] = defaultdict(list)
        for owner, constraint in parts.tables.rows[Table.GENERIC_PARAM_CONSTRAINT]:
            self._constraints[owner].append(constraint)

    def of_type(self, row: int) -> tuple[TypeParameterRow, ...]:
        """Those of a type, without those of the types around it."""
        return self._read(row << 1, self._parts.names.outer_arity(row), self.nullable_context(row))

    def of_block(self, row: int, group: int) -> tuple[TypeParameterRow, ...]:
        """Those of an extension block, whose types around it are those of its group."""
        return self._read(row << 1, self._parts.names.outer_arity(group), self.nullable_context(row))

    def of_method(self, row: int, context: int) -> tuple[TypeParameterRow, ...]:
        """Those of a method in a type with a nullable context."""
        tags = self._parts.attributes.of(row, Owner.METHOD)
        if "context" in tags:
            context = self._parts.attributes.number(tags["context"], Form.BYTE)
        return self._read(row << 1 | 1, 0, context)

    def nullable_context(self, row: int) -> int:
        """What a type parameter without a mark of its own is taken for, by the type and those around it."""
        for _ in range(MOST_DEPTH):
            tags = self._parts.attributes.of(row, Owner.TYPE)
            if "context" in tags:
                return self._parts.attributes.number(tags["context"], Form.BYTE)
            row = self._parts.names.outer.get(row, 0)
            if not row:
                return 0
        raise BadMetadataError("nested in itself")

    def _read(self, owner: int, skipped: int, context: int) -> tuple[TypeParameterRow, ...]:
        found = []
        for index, flags, name, row in sorted(self._owned.get(owner, ())):
            if index >= skipped:
                constraints = self._read_constraints(flags, row, context)
                written = self._parts.tables.string(name)
                found.append(TypeParameterRow(written, _VARIANCE[flags & _VARIANCE_BITS], constraints))
        return tuple(found)

    def _read_constraints(self, flags: int, row: int, context: int) -> tuple[str, ...]:
        parts = self._parts
        tags = parts.attributes.of(row, Owner.TYPE_PARAMETER)
        modifiers: set[str] = set()
        parts.signatures.modifiers = modifiers
        types = [parts.signatures.type_at(token) for token in self._constraints.get(row, ())]
        nullable = parts.attributes.number(tags["nullable"], Form.BYTE) if "nullable" in tags else context
        words = []
        if flags & _VALUE_TYPE:
            unmanaged = "unmanaged" in tags or any(each.endswith("UnmanagedType") for each in modifiers)
            words.append("unmanaged" if unmanaged else "struct")
            types = [text for text in types if text != "System.ValueType"]
        elif flags & _REFERENCE_TYPE:
            words.append("class")
        elif nullable == _NOT_NULL:
            words.append("notnull")
        if flags & _CONSTRUCTOR and not flags & _VALUE_TYPE:
            words.append("new")
        return (*words, *types, *(("allows ref struct",) if flags & _BY_REF_LIKE else ()))
