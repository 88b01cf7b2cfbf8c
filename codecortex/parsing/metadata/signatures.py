"""Reads signatures (ECMA-335, II.23.2): types as texts, methods and properties as what they take and return."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.parsing.metadata.image import BadMetadataError
from codecortex.parsing.metadata.names import CONSTRUCTED, MOST_DEPTH
from codecortex.parsing.metadata.tables import Table, read_number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from codecortex.parsing.metadata.names import Budget, TypeNames
    from codecortex.parsing.metadata.tables import Tables


class _Element(IntEnum):
    POINTER = 0x0F
    BY_REFERENCE = 0x10
    VALUE_TYPE = 0x11
    CLASS = 0x12
    TYPE_PARAMETER = 0x13
    ARRAY = 0x14
    GENERIC = 0x15
    FUNCTION_POINTER = 0x1B
    OBJECT = 0x1C
    VECTOR = 0x1D
    METHOD_TYPE_PARAMETER = 0x1E
    REQUIRED_MODIFIER = 0x1F
    OPTIONAL_MODIFIER = 0x20


_PRIMITIVES = {
    number: f"System.{name}"
    for number, name in (
        *((1, "Void"), (2, "Boolean"), (3, "Char"), (4, "SByte"), (5, "Byte"), (6, "Int16"), (7, "UInt16")),
        *((8, "Int32"), (9, "UInt32"), (10, "Int64"), (11, "UInt64"), (12, "Single"), (13, "Double"), (14, "String")),
        *((22, "TypedReference"), (24, "IntPtr"), (25, "UIntPtr"), (28, "Object")),
    )
}
_MOST_DIMENSIONS = 32
_GENERIC_METHOD = 0x10
_CALLING_CONVENTION = 0x0F
_VARIABLE_ARGUMENTS = 5
_LONG_TUPLE = 8
_TUPLE = "System.ValueTuple"
FUNCTION = "=FUNC"


class Annotations:
    """What attributes add to a type: its parts that are `dynamic`, the names of tuples' elements; in pre-order."""

    def __init__(self, dynamic: Sequence[int], names: Sequence[str | None]) -> None:
        self._dynamic = dynamic
        self._names = names
        self._part = 0
        self._name = 0

    def next_is_dynamic(self) -> bool:
        """Step to the next part of the type; whether it is `dynamic`."""
        self._part += 1
        return self._part <= len(self._dynamic) and bool(self._dynamic[self._part - 1])

    def take_names(self, count: int) -> Sequence[str | None]:
        """The names of the next tuple's elements."""
        first, self._name = self._name, self._name + count
        return self._names[first : self._name]


class Signature(NamedTuple):
    """A method's or a property's signature.

    Attributes:
        arity: How many type parameters it has.
        returns: What it returns; a reference ends in `@`.
        types: The types of its parameters, likewise.
        starts: Where what it returns and each parameter stand in the blob.
        modifiers: The modifiers of what it returns.
        written: The parameters as ids write them.
    """

    arity: int
    returns: str
    types: tuple[str, ...]
    starts: tuple[int, ...]
    modifiers: frozenset[str]
    written: tuple[str, ...]


class Signatures:
    """Reads the signatures of one assembly."""

    def __init__(self, tables: Tables, names: TypeNames, budget: Budget) -> None:
        self._tables = tables
        self._names = names
        self._budget = budget
        self._known: dict[int, Signature] = {}
        self._counts: dict[int, int] = {}
        self._constructed: dict[int, str] = {}
        self._silent = False  # ids write nothing for a function pointer
        self.modifiers: set[str] = set()

    def type_at(self, token: int, depth: int = 0, annotations: Annotations | None = None) -> str:
        """The text of a TypeDefOrRef."""
        if token & 3 != CONSTRUCTED:
            return self._names.plain(token)
        if depth > MOST_DEPTH:
            raise BadMetadataError("a type that holds itself")
        if annotations is None and token in self._constructed:
            return self._constructed[token]
        blob = self._tables.blob(self._tables.rows[Table.TYPE_SPEC][(token >> 2) - 1][0])
        text, _ = self.read_type(blob, 0, depth + 1, annotations)
        if annotations is None:
            self._constructed[token] = text
        return text

    def field(self, at: int, annotations: Annotations | None) -> str:
        """The text of a field's type; its modifiers are in `modifiers` then."""
        self.modifiers = set()
        return self.read_type(self._tables.blob(at), 1, 0, annotations)[0]

    def part(self, at: int, start: int, annotations: Annotations) -> str:
        """A part of a signature once more, with what attributes add to it."""
        return self.read_type(self._tables.blob(at), start, 0, annotations)[0]

    def count_parameters(self, at: int) -> int:
        """How many parameters a signature has."""
        known = self._counts.get(at)
        if known is None:
            blob = self._tables.blob(at)
            start = read_number(blob, 1)[1] if blob[0] & _GENERIC_METHOD else 1
            known = self._counts[at] = read_number(blob, start)[0]
        return known

    def method(self, at: int) -> Signature:
        """The signature of a method or a property."""
        known = self._known.get(at)
        if known is None:
            blob = self._tables.blob(at)
            known, _ = self._read_method(blob, 0, 0, None)
            known = known._replace(written=self._write_parameters(blob, known))
            self._known[at] = known
            self._budget.spend(sum(map(len, known.types)) + len(known.returns))
        return known

    def _write_parameters(self, blob: bytes, signature: Signature) -> tuple[str, ...]:
        written = signature.types
        if any(FUNCTION in text for text in written):
            self._silent = True
            written = tuple(self.read_type(blob, start, 0, None)[0] for start in signature.starts[1:])
            self._silent = False
        return (*written, "") if blob[0] & _CALLING_CONVENTION == _VARIABLE_ARGUMENTS else written

    def _read_method(self, blob: bytes, at: int, depth: int, annotations: Annotations | None) -> tuple[Signature, int]:
        arity, generic = 0, blob[at] & _GENERIC_METHOD
        at += 1
        if generic:
            arity, at = read_number(blob, at)
        count, at = read_number(blob, at)
        if count > len(blob):
            raise BadMetadataError("more parameters than bytes")
        modifiers: set[str] = set()
        self.modifiers = modifiers
        starts, types = [at], []
        returns, at = self.read_type(blob, at, depth, annotations)
        self.modifiers = set()
        for _ in range(count):
            starts.append(at)
            text, at = self.read_type(blob, at, depth, annotations)
            types.append(text)
        return Signature(arity, returns, tuple(types), tuple(starts), frozenset(modifiers), ()), at

    def read_type(self, blob: bytes, at: int, depth: int, annotations: Annotations | None) -> tuple[str, int]:
        """The text of the type at an offset of a blob, and where it ends."""
        kind = blob[at]
        dynamic = annotations is not None and annotations.next_is_dynamic()
        primitive = _PRIMITIVES.get(kind)
        if primitive is not None:
            return ("dynamic" if dynamic and kind == _Element.OBJECT else primitive), at + 1
        if depth > MOST_DEPTH:
            raise BadMetadataError("a signature too deep")
        if kind in (_Element.CLASS, _Element.VALUE_TYPE):
            token, at = read_number(blob, at + 1)
            return self.type_at(token, depth, annotations), at
        if kind in (_Element.TYPE_PARAMETER, _Element.METHOD_TYPE_PARAMETER):
            number, at = read_number(blob, at + 1)
            return ("`" if kind == _Element.TYPE_PARAMETER else "``") + str(number), at
        text, at = self._read_compound(blob, at, depth, annotations)
        self._budget.spend(len(text) + 8)
        return text, at

    def _read_compound(self, blob: bytes, at: int, depth: int, annotations: Annotations | None) -> tuple[str, int]:
        kind, at = blob[at], at + 1
        if kind == _Element.GENERIC:
            return self._read_generic(blob, at, depth, annotations)
        if kind in _SUFFIXES:
            text, at = self.read_type(blob, at, depth + 1, annotations)
            return text + _SUFFIXES[kind], at
        if kind == _Element.ARRAY:
            text, at = self.read_type(blob, at, depth + 1, annotations)
            rank, at = _read_dimensions(blob, at)
            return text + ("[" + ",".join(["0:"] * rank) + "]" if rank > 1 else "[]"), at
        if kind in (_Element.REQUIRED_MODIFIER, _Element.OPTIONAL_MODIFIER):
            token, at = read_number(blob, at)
            self.modifiers.add(self.type_at(token, depth + 1))
            return self.read_type(blob, at, depth + 1, annotations)
        if kind == _Element.FUNCTION_POINTER:
            modifiers = self.modifiers
            inner, at = self._read_method(blob, at, depth + 1, annotations)
            self.modifiers = modifiers
            taken = ",".join(inner.types) or "System.Void"
            return ("" if self._silent else f"{FUNCTION}:{inner.returns}({taken})"), at
        raise BadMetadataError("an unknown type in a signature")

    def _read_generic(self, blob: bytes, at: int, depth: int, annotations: Annotations | None) -> tuple[str, int]:
        """A constructed type; its arguments are spread over the levels of nesting."""
        token, at = read_number(blob, at + 1)
        count, at = read_number(blob, at)
        segments = self._names.segments(token)
        names: Sequence[str | None] = ()
        if annotations is not None and segments[0][0] == _TUPLE and len(segments) == 1:
            names = annotations.take_names(self._count_elements(blob, at, count, depth))
        arguments = []
        for _ in range(count):
            text, at = self.read_type(blob, at, depth + 1, annotations)
            arguments.append(text)
        written, first = "", 0
        for number, (name, arity) in enumerate(segments, 1):
            last = count if number == len(segments) else min(first + arity, count)
            own = arguments[first:last]
            written += f"{name}{{{','.join(own)}}}" if own else name
            first = last
        if any(names):
            written += f"<{','.join(name or '' for name in names)}>"
        return written, at

    def _count_elements(self, blob: bytes, at: int, count: int, depth: int) -> int:
        """How many elements a tuple has, those of its nested rest included."""
        if count < _LONG_TUPLE:
            return count
        for _ in range(_LONG_TUPLE - 1):
            at = self.read_type(blob, at, depth + 1, None)[1]
        if blob[at] != _Element.GENERIC or depth >= MOST_DEPTH:
            return _LONG_TUPLE
        _, at = read_number(blob, at + 2)
        more, at = read_number(blob, at)
        return _LONG_TUPLE - 1 + self._count_elements(blob, at, more, depth + 1)


_SUFFIXES: dict[int, str] = {_Element.VECTOR: "[]", _Element.POINTER: "*", _Element.BY_REFERENCE: "@"}


def _read_dimensions(blob: bytes, at: int) -> tuple[int, int]:
    """The rank of an array; its sizes and lower bounds are passed over."""
    rank, at = read_number(blob, at)
    if not 0 < rank <= _MOST_DIMENSIONS:
        raise BadMetadataError("an array of no rank")
    for _ in range(2):
        count, at = read_number(blob, at)
        if count > rank:
            raise BadMetadataError("more bounds than dimensions")
        for _ in range(count):
            at = read_number(blob, at)[1]
    return rank, at
