"""The tables and heaps of an assembly's metadata (ECMA-335, II.22 and II.24.2.6)."""

from __future__ import annotations

from collections import defaultdict
from enum import IntEnum
from struct import calcsize, iter_unpack, unpack_from
from typing import TYPE_CHECKING

from codecortex.parsing.metadata.image import BadMetadataError, find_streams

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_LONGEST_NAME = 4096


class Table(IntEnum):
    """The tables that are read, by their numbers in the format."""

    TYPE_REF = 1
    TYPE_DEF = 2
    FIELD = 4
    METHOD_DEF = 6
    PARAM = 8
    INTERFACE_IMPL = 9
    MEMBER_REF = 10
    CUSTOM_ATTRIBUTE = 12
    EVENT_MAP = 18
    EVENT = 20
    PROPERTY_MAP = 21
    PROPERTY = 23
    METHOD_SEMANTICS = 24
    METHOD_IMPL = 25
    TYPE_SPEC = 27
    ASSEMBLY = 32
    ASSEMBLY_REF = 35
    EXPORTED_TYPE = 39
    NESTED_CLASS = 41
    GENERIC_PARAM = 42
    GENERIC_PARAM_CONSTRAINT = 44


_CODED = {
    "TypeDefOrRef": (2, (2, 1, 27)),
    "HasConstant": (2, (4, 8, 23)),
    "HasCustomAttribute": (5, (6, 4, 1, 2, 8, 9, 10, 0, 14, 23, 20, 17, 26, 27, 32, 35, 38, 39, 40, 42, 44, 43)),
    "HasFieldMarshal": (1, (4, 8)),
    "HasDeclSecurity": (2, (2, 6, 32)),
    "MemberRefParent": (3, (2, 1, 26, 6, 27)),
    "HasSemantics": (1, (20, 23)),
    "MethodDefOrRef": (1, (6, 10)),
    "MemberForwarded": (1, (4, 6)),
    "Implementation": (2, (38, 35, 39)),
    "CustomAttributeType": (3, (6, 10)),
    "ResolutionScope": (2, (0, 26, 35, 1)),
    "TypeOrMethodDef": (1, (2, 6)),
}
"""Coded indexes: how many bits tell the table, and the tables that it can be."""

COLUMNS = {
    0: "u2 str guid guid guid",
    1: "ResolutionScope str str",
    2: "u4 str str TypeDefOrRef #4 #6",
    3: "#4",
    4: "u2 str blob",
    5: "#6",
    6: "u4 u2 u2 str blob #8",
    7: "#8",
    8: "u2 u2 str",
    9: "#2 TypeDefOrRef",
    10: "MemberRefParent str blob",
    11: "u2 HasConstant blob",
    12: "HasCustomAttribute CustomAttributeType blob",
    13: "HasFieldMarshal blob",
    14: "u2 HasDeclSecurity blob",
    15: "u2 u4 #2",
    16: "u4 #4",
    17: "blob",
    18: "#2 #20",
    19: "#20",
    20: "u2 str TypeDefOrRef",
    21: "#2 #23",
    22: "#23",
    23: "u2 str blob",
    24: "u2 #6 HasSemantics",
    25: "#2 MethodDefOrRef MethodDefOrRef",
    26: "str",
    27: "blob",
    28: "u2 MemberForwarded str #26",
    29: "u4 #4",
    30: "u4 u4",
    31: "u4",
    32: "u4 u2 u2 u2 u2 u4 blob str str",
    33: "u4",
    34: "u4 u4 u4",
    35: "u2 u2 u2 u2 u4 blob str str blob",
    36: "u4 #35",
    37: "u4 u4 u4 #35",
    38: "u4 str blob",
    39: "u4 u4 str str Implementation",
    40: "u4 u4 str Implementation",
    41: "#2 #2",
    42: "u2 u2 TypeOrMethodDef str",
    43: "MethodDefOrRef blob",
    44: "#42 TypeDefOrRef",
}
"""The columns of every table: numbers, heaps, rows of a table, coded indexes."""

_INDIRECT = (3, 5, 7, 19, 22)  # tables that only edit-and-continue writes
_READ = frozenset(Table)
_WIDE_ROWS = 1 << 16
_EXTRA_DATA = 0x40

Row = tuple[int, ...]


class Tables:
    """The rows of the tables, in order (row 1 at index 0), and what the heaps hold."""

    def __init__(self, data: bytes) -> None:
        streams = find_streams(data)
        self._strings = streams.get(b"#Strings", b"\0")
        self._blobs = streams.get(b"#Blob", b"\0")
        self._names: dict[int, str] = {}
        self.rows: Mapping[int, Sequence[Row]] = _read_tables(streams.get(b"#~") or streams.get(b"#-") or b"")

    def string(self, at: int) -> str:
        """A name of the heap of strings."""
        known = self._names.get(at)
        if known is None:
            end = self._strings.index(0, at, at + _LONGEST_NAME)
            known = self._names[at] = self._strings[at:end].decode("utf-8", "replace")
        return known

    def blob(self, at: int) -> bytes:
        """Bytes of the heap of blobs."""
        length, start = read_number(self._blobs, at)
        if start + length > len(self._blobs):
            raise BadMetadataError("a blob beyond the end")
        return self._blobs[start : start + length]

    def span(self, table: Table, row: int, column: int, target: Table) -> range:
        """The rows of another table that a row owns: from its own first one up to the next row's."""
        rows, count = self.rows[table], len(self.rows[target])
        start = rows[row - 1][column]
        end = rows[row][column] if row < len(rows) else count + 1
        if not 0 < start <= end <= count + 1:
            raise BadMetadataError("members out of order")
        return range(start, end)


def _read_tables(stream: bytes) -> dict[int, list[Row]]:
    if not stream:
        raise BadMetadataError("no tables")
    heap_sizes, (valid,) = stream[6], unpack_from("<Q", stream, 8)
    present = [number for number in range(64) if valid >> number & 1]
    if not set(present) <= COLUMNS.keys():
        raise BadMetadataError("unknown tables")
    counts = dict(zip(present, unpack_from(f"<{len(present)}I", stream, 24), strict=True))
    if any(counts.get(number) for number in _INDIRECT):
        raise BadMetadataError("tables of an edit session")
    forms = list_forms(heap_sizes, counts)
    at = 24 + 4 * len(present) + (4 if heap_sizes & _EXTRA_DATA else 0)
    rows: dict[int, list[Row]] = defaultdict(list)
    for number in present:
        form = "<" + "".join(forms[column] for column in COLUMNS[number].split())
        length = calcsize(form) * counts[number]
        if at + length > len(stream):
            raise BadMetadataError("a table beyond the end")
        if number in _READ:
            rows[number] = list(iter_unpack(form, stream[at : at + length]))
        at += length
    return rows


def list_forms(heap_sizes: int, counts: Mapping[int, int]) -> dict[str, str]:
    """For each kind of column its format: indexes are wide only where the tables are large."""
    forms = {"u2": "H", "u4": "I"}
    for bit, heap in enumerate(("str", "guid", "blob")):
        forms[heap] = "I" if heap_sizes >> bit & 1 else "H"
    for name, (bits, targets) in _CODED.items():
        most = max(counts.get(target, 0) for target in targets)
        forms[name] = "I" if most >= _WIDE_ROWS >> bits else "H"
    for number in COLUMNS:
        forms[f"#{number}"] = "I" if counts.get(number, 0) >= _WIDE_ROWS else "H"
    return forms


_ONE_BYTE, _TWO_BYTES = 0x80, 0xC0


def read_number(blob: bytes, at: int) -> tuple[int, int]:
    """A compressed number (II.23.2), and where the next thing stands."""
    first = blob[at]
    if first < _ONE_BYTE:
        return first, at + 1
    if first < _TWO_BYTES:
        return (first & 0x3F) << 8 | blob[at + 1], at + 2
    return (first & 0x1F) << 24 | blob[at + 1] << 16 | blob[at + 2] << 8 | blob[at + 3], at + 4
