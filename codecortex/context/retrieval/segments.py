"""Units of files in; postings by term out, to be kept, found again, and merged with those of later files.

A posting holds, for one term, the files that have it and every place in them. Files are numbers here, in the order in
which they were added; what a number stands for is the caller's to know.
"""

from __future__ import annotations

from array import array
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_PLACE_BYTES = 3

PostingRow = tuple[bytes, bytes, bytes, bytes, bytes]
"""A posting as it is kept: gaps between documents, places in each, low and high bytes of units, codes."""


class Posting(NamedTuple):
    """Where one term stands.

    Attributes:
        documents: Their numbers, ascending.
        counts: How many places each has.
        units: The unit of each place, document by document.
        codes: The field and the count of each.
    """

    documents: Sequence[int]
    counts: Sequence[int]
    units: Sequence[int]
    codes: bytes


class PostingBuilder:
    """Postings of many documents, taken in one after another."""

    def __init__(self) -> None:
        self._rows: dict[str, tuple[array[int], array[int], bytearray]] = {}

    def add_document(self, number: int, postings: Mapping[str, bytes]) -> None:
        """Take in a document; its number is higher than any before."""
        rows = self._rows
        for term, places in postings.items():
            row = rows.get(term)
            if row is None:
                row = rows[term] = (array("I"), array("I"), bytearray())
            row[0].append(number)
            row[1].append(len(places) // _PLACE_BYTES)
            row[2].extend(places)

    def add_posting(self, term: str, posting: Posting, numbers: Sequence[int]) -> None:
        """Take in what is kept of one term, before any document: `numbers` has the new number of each, or -1."""
        row = (array("I"), array("I"), bytearray())
        at = 0
        for document, count in zip(posting.documents, posting.counts, strict=True):
            end = at + count
            if numbers[document] >= 0:
                row[0].append(numbers[document])
                row[1].append(count)
                for unit, code in zip(posting.units[at:end], posting.codes[at:end], strict=True):
                    row[2].extend((unit & 0xFF, unit >> 8, code))
            at = end
        if row[0]:
            self._rows[term] = row

    def close(self) -> dict[str, PostingRow]:
        """Every posting, to be kept."""
        return {term: _pack(*row) for term, row in self._rows.items()}


def _pack(documents: array[int], counts: array[int], places: bytearray) -> PostingRow:
    gaps = array("I", [documents[0], *(b - a for a, b in pairwise(documents))])
    highs = bytes(places[1::_PLACE_BYTES])
    lows, codes = bytes(places[0::_PLACE_BYTES]), bytes(places[2::_PLACE_BYTES])
    return _shrink(gaps), _shrink(counts), lows, highs if any(highs) else b"", codes


def _shrink(numbers: array[int]) -> bytes:
    """Numbers as bytes, one for each where all are small; a first byte says how many."""
    largest = max(numbers)
    if largest <= 0xFF:  # noqa: PLR2004 - a byte
        return b"B" + bytes(numbers.tolist())
    kind = "H" if largest <= 0xFFFF else "I"  # noqa: PLR2004 - two bytes
    return kind.encode() + array(kind, numbers).tobytes()


def grow(data: bytes) -> Sequence[int]:
    """The numbers that `_shrink` wrote."""
    kind = chr(data[0])
    if kind == "B":
        return data[1:]
    numbers = array(kind)
    numbers.frombytes(data[1:])
    return numbers


def unpack_posting(row: PostingRow) -> Posting:
    """A posting that was kept."""
    gaps, counts, lows, highs, codes = row
    units: Sequence[int] = lows if not highs else [low | high << 8 for low, high in zip(lows, highs, strict=True)]
    return Posting(list(accumulate(grow(gaps))), grow(counts), units, codes)


def pack_numbers(numbers: Sequence[int]) -> bytes:
    """Numbers below 2^32 as bytes, few where all are small."""
    return _shrink(array("I", numbers)) if numbers else b"B"
