"""The base segment of an index: its documents and postings in; rows of the local cache out, and back.

Every row begins with a stamp that names the documents of its segment: rows of two segments are never mixed.
"""

from __future__ import annotations

import zlib
from hashlib import sha256
from typing import TYPE_CHECKING, Any, TypeVar
from zlib import crc32

from codecortex.context.retrieval.corpus import TypeName
from codecortex.context.retrieval.segments import grow, pack_numbers
from codecortex.model.code.types import cut_simple_name
from codecortex.model.code.units import UNITS_VERSION, Field
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.text.terms import split_name
from codecortex.model.versions import PARSER_VERSION
from codecortex.store.cache.facts_codec import CODEC_VERSION
from codecortex.store.cache.rows import load_row, pack_row

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from codecortex.context.retrieval.segments import PostingRow
    from codecortex.model.code.units import BlobUnits, DeclaredType
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.store.cache.cache import Cache

_T = TypeVar("_T")

_BUCKETS = 1024
_LEVEL = 6
MARK = sha256(f"5|{UNITS_VERSION}|{PARSER_VERSION}|{CODEC_VERSION}".encode()).digest()[:8]
_STAMP = 16


class Columns(NamedTuple):
    """What is known of every document of a segment.

    Attributes:
        keys: The names of the documents.
        sizes: Characters.
        lengths: By field: how many terms.
        types: The types that each declares.
        unit_counts: How many units each has.
        unit_lengths: How many terms each unit has.
    """

    keys: tuple[bytes, ...]
    sizes: Sequence[int]
    lengths: tuple[Sequence[int], ...]
    types: Sequence[tuple[TypeName, ...]]
    unit_counts: Sequence[int]
    unit_lengths: Sequence[int]


NOTHING = Columns((), (), tuple(() for _ in Field), (), (), ())


class Segment:
    """A segment in the local cache.

    Attributes:
        columns: Its documents.
        stamp: What names its documents; empty where nothing is kept.
        broken: Whether a row turned out to be missing: then it is to be made anew.
    """

    def __init__(self, cache: Cache, name: str, stamp: bytes, columns: Columns) -> None:
        self.columns = columns
        self.stamp = stamp
        self.broken = False
        self._cache, self._name = cache, name
        self._buckets: dict[int, Mapping[str, PostingRow]] = {}
        self._cards: Sequence[bytes] | None = None

    @property
    def cards(self) -> Sequence[bytes]:
        """The units of each document, packed."""
        if self._cards is None:
            row = _read(self._cache.get(f"{self._name}/cards"), self.stamp, list)
            self.broken |= row is None and bool(self.columns.keys)
            self._cards = row or [b""] * len(self.columns.keys)
        return self._cards

    def load(self, terms: Iterable[str]) -> list[Mapping[str, PostingRow]]:
        """The buckets that may hold some terms."""
        if not self.columns.keys:
            return []
        wanted = sorted({_find_bucket(term) for term in terms})
        names = {f"{self._name}/{number}": number for number in wanted if number not in self._buckets}
        if names:
            found = self._cache.get_all(list(names))
            for name, number in names.items():
                row = _read(found.get(name), self.stamp, dict)
                self.broken |= row is None
                self._buckets[number] = row or {}
        return [self._buckets[number] for number in wanted]

    def iter_buckets(self) -> Iterator[Mapping[str, PostingRow]]:
        """Every bucket; none is held."""
        for number in range(_BUCKETS if self.columns.keys else 0):
            row = _read(self._cache.get(f"{self._name}/{number}"), self.stamp, dict)
            self.broken |= row is None
            yield row or {}


def load_segment(workspace: Workspace, name: str) -> Segment:
    """The segment of a name; an empty one where there is none."""
    cache = workspace.cache
    data = cache.get(name)
    if data is None or not data.startswith(MARK):
        return Segment(cache, name, b"", NOTHING)
    stamp = data[:_STAMP]
    return workspace.keep(
        f"{name}/base", stamp, lambda: Segment(cache, name, stamp, _read(data, stamp, _unpack_columns) or NOTHING)
    )


def save_segment(
    cache: Cache, name: str, columns: Columns, cards: Sequence[bytes], postings: Mapping[str, PostingRow]
) -> Segment:
    """Keep a segment in place of the last one of its name."""
    stamp = MARK + sha256(b"\0".join(columns.keys)).digest()[: _STAMP - len(MARK)]
    buckets: list[dict[str, PostingRow]] = [{} for _ in range(_BUCKETS)]
    for term, row in sorted(postings.items()):
        buckets[_find_bucket(term)][term] = row
    rows = {f"{name}/{number}": _write(stamp, bucket) for number, bucket in enumerate(buckets)}
    rows[f"{name}/cards"] = _write(stamp, list(cards))
    rows[name] = _write(stamp, _pack_columns(columns))
    cache.put_all(rows)
    return Held(cache, name, columns, (buckets, cards))


class Held(Segment):
    """A segment that was made by this very run: it answers even where nothing could be kept."""

    def __init__(
        self,
        cache: Cache,
        name: str,
        columns: Columns,
        held: tuple[Sequence[Mapping[str, PostingRow]], Sequence[bytes]],
    ) -> None:
        super().__init__(cache, name, b"", columns)
        buckets, self._cards = held
        self._buckets = dict(enumerate(buckets))

    def iter_buckets(self) -> Iterator[Mapping[str, PostingRow]]:
        """Every bucket."""
        yield from self._buckets.values()


def make_columns(units: Mapping[bytes, BlobUnits]) -> Columns:
    """The columns of documents, by their keys."""
    each = list(units.values())
    return Columns(
        tuple(units),
        [one.size for one in each],
        tuple([one.lengths[field] for one in each] for field in Field),
        [tuple(map(_name_type, one.types)) for one in each],
        [len(one.units) for one in each],
        [unit.length for one in each for unit in one.units],
    )


def _name_type(declared: DeclaredType) -> TypeName:
    name = cut_simple_name(declared.fqn)
    parts = split_name(name.removeprefix("I") if _is_interface(name) else name).parts
    return TypeName(name, declared.line, parts, declared.fqn, declared.kind, declared.local)


def _is_interface(name: str) -> bool:
    return name[:1] == "I" and name[1:2].isupper()


def join_columns(first: Columns, kept: Sequence[int], second: Columns) -> Columns:
    """Some documents of one segment, and all of another after them."""
    starts, at = [], 0
    for count in first.unit_counts:
        starts.append(at)
        at += count
    lengths: list[int] = []
    for number in kept:
        lengths += first.unit_lengths[starts[number] : starts[number] + first.unit_counts[number]]
    return Columns(
        (*(first.keys[number] for number in kept), *second.keys),
        [*(first.sizes[number] for number in kept), *second.sizes],
        tuple(
            [*(one[number] for number in kept), *other]
            for one, other in zip(first.lengths, second.lengths, strict=True)
        ),
        [*(first.types[number] for number in kept), *second.types],
        [*(first.unit_counts[number] for number in kept), *second.unit_counts],
        [*lengths, *second.unit_lengths],
    )


def pack_units(units: BlobUnits) -> bytes:
    """What a document's units are called and where they stand."""
    return pack_row([tuple(each)[:-1] for each in units.units])


def _pack_columns(columns: Columns) -> tuple[Any, ...]:
    each = (columns.sizes, *columns.lengths, columns.unit_counts, columns.unit_lengths)
    numbers = [pack_numbers(one) for one in each]
    return columns.keys, numbers, [[tuple(one) for one in each] for each in columns.types]


def _unpack_columns(row: Any) -> Columns:
    keys, packed, types = row
    sizes, *lengths, counts, units = map(grow, packed)
    names = [tuple(map(TypeName._make, each)) for each in types]
    return Columns(keys, sizes, tuple(lengths), names, counts, units)


def _find_bucket(term: str) -> int:
    return crc32(term.lower().encode("utf-8", "surrogatepass")) % _BUCKETS


def _write(stamp: bytes, value: Any) -> bytes:
    return stamp + zlib.compress(pack_row(value), _LEVEL)


def _read(data: bytes | None, stamp: bytes, read: Callable[[Any], _T]) -> _T | None:
    if data is None or data[:_STAMP] != stamp:
        return None
    try:
        return load_row(zlib.decompress(data[_STAMP:]), read)
    except zlib.error:
        return None
