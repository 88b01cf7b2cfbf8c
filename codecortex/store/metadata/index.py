"""Reads an index of assemblies, or one that differs from another. Chunks are read when they are asked for."""

from __future__ import annotations

import re
import zlib
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

from codecortex.model.errors import StoreFormatError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.store.metadata.lines import TYPE_MARK, read_member, read_type
from codecortex.store.metadata.pack import DIFFERENCE_MARK, HEAD, MAGIC

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from codecortex.model.code.metadata import MemberRow, TypeRow

_MOST_TEXT = 16 << 20
_HINT = "Install codecortex anew; the file is part of it."


class IndexedType:
    """A type of an index; members are read from their lines when their name is asked for.

    Attributes:
        row: The type, without its members.
        assembly: The simple name of its assembly.
    """

    __slots__ = ("_lines", "assembly", "row")

    def __init__(self, row: TypeRow, assembly: str, lines: Sequence[str]) -> None:
        self.row = row
        self.assembly = assembly
        self._lines = lines

    def names(self) -> Iterator[str]:
        """The names of the members, overloads as often as there are."""
        return (line.partition("\t")[0] for line in self._lines)

    def members(self, name: str) -> Iterator[MemberRow]:
        """The members of a name."""
        owner, start = self.row.id[2:], name + "\t"
        return (read_member(owner, line) for line in self._lines if line.startswith(start))

    def all_members(self) -> Iterator[MemberRow]:
        """Every member."""
        owner = self.row.id[2:]
        return (read_member(owner, line) for line in self._lines)


class _Found(NamedTuple):
    head: str
    lines: list[str]


class Index:
    """An index, maybe over the one that it differs from.

    Attributes:
        label: What it is an index of.
        assemblies: Name and version of each assembly.
        check: The CRC-32 of its contents.
        size: The number of their bytes.
    """

    def __init__(self, data: bytes, base: Index | None = None) -> None:
        """Read the directory.

        Raises:
            StoreFormatError: The bytes are no index, damaged, or differ from an index that is not given.
        """
        if len(data) < HEAD.size or not data.startswith(MAGIC):
            raise StoreFormatError("An index of assemblies has another format.", _HINT)
        _, length, self.check, base_check = HEAD.unpack_from(data)
        if zlib.crc32(memoryview(data)[HEAD.size :]) != self.check:
            raise StoreFormatError("An index of assemblies is damaged.", _HINT)
        if base_check != (base.check if base is not None else 0):
            raise StoreFormatError("An index of assemblies belongs to another one.", _HINT)
        self._data = data
        self.size = len(data)
        self._start = HEAD.size + length
        self._base = base
        self._texts: dict[int, str] = {}
        self._own: dict[str, dict[str, int]] = {}
        self._lines: dict[str, list[str]] = {letter: [] for letter in "@ANX-C"}
        for line in _unpack(data[HEAD.size : self._start]).split("\n"):
            self._lines[line[0]].append(line[1:])
        self.label = self._lines["@"][0]
        self.assemblies = tuple((name, version) for name, _, version in _split(self._lines["A"]))
        self._ends = [0, *map(int, self._lines["C"])]
        self._gone = set(self._lines["-"])
        self._spaces = {name: places for name, _, places in _split(self._lines["N"])}

    @cached_property
    def extensions(self) -> Mapping[str, Sequence[str]]:
        """The outermost classes that declare an extension method of each name."""
        return {name: classes.split(" ") for name, _, classes in _split(self._lines["X"])}

    @cached_property
    def namespaces(self) -> frozenset[str]:
        """The namespaces in which types lie."""
        known = self._base.namespaces | self._spaces.keys() if self._base else self._spaces.keys()
        return frozenset(name for name in known if not self._gone or self.names(name))

    def names(self, namespace: str) -> frozenset[str]:
        """The types of a namespace that lie in no other type, such as ``List`1``."""
        known = self._own_names(namespace).keys()
        front = f"{namespace}." if namespace else ""
        if self._base is None:
            return frozenset(known)
        return frozenset(name for name in self._base.names(namespace) | known if front + name not in self._gone)

    def find_inner(self, namespace: str, name: str) -> list[str]:
        """The types within one at any depth, as `.SpecialFolder`."""
        full = f"{namespace}.{name}" if namespace else name
        found = self._base.find_inner(namespace, name) if self._base is not None else []
        chunk = self._own_names(namespace).get(name)
        if chunk is not None:
            text = self._text(chunk)
            for mark in (TYPE_MARK, DIFFERENCE_MARK):
                front = f"\n{mark}{full}."
                at = text.find(front)
                while at >= 0:
                    inner = text[at + 2 : text.find("\t", at)][len(full) :]
                    found += [inner] if inner not in found else []
                    at = text.find(front, at + 1)
        return [inner for inner in found if full + inner not in self._gone]

    def find_type(self, namespace: str, name: str, inner: str = "") -> IndexedType | None:
        """A type: `find_type("System", "Environment", ".SpecialFolder")`."""
        found = self._find(namespace, name, inner)
        if found is None:
            return None
        row, assembly = read_type(found.head)
        return IndexedType(row, self.assemblies[assembly][0], found.lines)

    def writes(self, names: Sequence[str]) -> bool:
        """Whether one of some names is written anywhere: of a namespace, a type, a member or a parameter."""
        if self._base is not None and self._base.writes(names):
            return True
        word = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, names))})(?!\w)".encode())
        spelt = [each.encode() for each in names]
        parts = (self._data[self._start + begin : self._start + end] for begin, end in pairwise(self._ends))
        texts = (_inflate(each) for each in (self._data[HEAD.size : self._start], *parts))
        return any(any(map(text.__contains__, spelt)) and word.search(text) for text in texts)

    # -- lines

    def _own_names(self, namespace: str) -> Mapping[str, int]:
        """The outermost types of a namespace that this file tells of, and their chunks."""
        known = self._own.get(namespace)
        if known is None:
            known = self._own[namespace] = {}
            for place in self._spaces.get(namespace, "").split("\t"):
                chunk, _, names = place.partition(" ")
                if names:
                    known.update(dict.fromkeys(names.split(" "), int(chunk)))
        return known

    def _text(self, chunk: int) -> str:
        known = self._texts.get(chunk)
        if known is None:
            part = self._data[self._start + self._ends[chunk] : self._start + self._ends[chunk + 1]]
            known = self._texts[chunk] = _unpack(part)
        return known

    def _find(self, namespace: str, name: str, inner: str) -> _Found | None:
        """The lines of a type, with the numbers of this index's assemblies."""
        full = (f"{namespace}.{name}" if namespace else name) + inner
        chunk = self._own_names(namespace).get(name)
        if chunk is not None:
            text = self._text(chunk)
            for mark in (TYPE_MARK, DIFFERENCE_MARK):
                at = text.find(f"\n{mark}{full}\t")
                if at >= 0:
                    head, *lines = text[at + 1 : _find_end(text, at + 1)].split("\n")
                    found = _Found(head, lines)
                    return found if mark == TYPE_MARK else self._apply(namespace, name, inner, found)
        if self._base is None or full in self._gone:
            return None
        other = self._base._find(namespace, name, inner)  # noqa: SLF001 - of the same class
        return self._number_anew(other) if other is not None else None

    def _apply(self, namespace: str, name: str, inner: str, change: _Found) -> _Found | None:
        """What a difference makes of the other index's lines."""
        was = self._base._find(namespace, name, inner) if self._base is not None else None  # noqa: SLF001
        if was is None:
            return None
        full, dropped, assembly, *fields = change.head[1:].split("\t")
        gone = set(map(int, dropped.split(" "))) if dropped else set()
        kept = [line for number, line in enumerate(was.lines) if number not in gone]
        fields = fields or was.head.split("\t")[1:-1]
        return _Found(TYPE_MARK + "\t".join((full, *fields, assembly)), kept + change.lines)

    def _number_anew(self, found: _Found) -> _Found:
        """The other index's lines with this one's number of the assembly."""
        head, _, assembly = found.head.rpartition("\t")
        name = self._base.assemblies[int(assembly)][0] if self._base is not None else ""
        number = next((n for n, (own, _) in enumerate(self.assemblies) if own == name), 0)
        return _Found(f"{head}\t{number}", found.lines)


def _find_end(text: str, start: int) -> int:
    ends = (text.find(f"\n{mark}", start) for mark in (TYPE_MARK, DIFFERENCE_MARK))
    return min((end for end in ends if end >= 0), default=len(text) - 1)


def _split(lines: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    return (line.partition("\t") for line in lines)


def _unpack(data: bytes) -> str:
    try:
        return _inflate(data).decode()
    except ValueError as problem:
        raise StoreFormatError("An index of assemblies is damaged.", _HINT) from problem


def _inflate(data: bytes) -> bytes:
    stream = zlib.decompressobj()
    try:
        text = stream.decompress(data, _MOST_TEXT)
    except zlib.error as problem:
        raise StoreFormatError("An index of assemblies is damaged.", _HINT) from problem
    if not stream.eof or stream.unused_data:
        raise StoreFormatError("An index of assemblies is damaged.", _HINT)
    return text
