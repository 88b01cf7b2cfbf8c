"""The places that a search found, as bytes of the local cache: for who asks again, no file is read."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Any

from codecortex.model.code.usages import Certainty, Enclosing, Usage
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.store.cache.rows import load_row, pack_row

if TYPE_CHECKING:
    from collections.abc import Sequence

USAGES_VERSION = 1
"""Raised whenever a search may find other places in the same sources, though all names mean the same."""
_CERTAINTIES = {str(each): each for each in Certainty}


class FileRows(NamedTuple):
    """What was found in one file.

    Attributes:
        rows: The places.
        told: Why the file was not searched whole; empty if it was.
        aliases: The aliases in it that may stand for a name that was searched for.
        again: All such aliases, of any file, sorted: they were searched for too.
    """

    rows: Sequence[Usage]
    told: str
    aliases: Sequence[str]
    again: Sequence[str]


def pack_file(found: FileRows) -> bytes:
    """What was found in one file."""
    return pack_row((pack_usages(found.rows), *found[1:]))


def unpack_file_rows(packed: bytes | None) -> FileRows | None:
    """What was packed; None if it is not there, or cannot be read any more."""
    return load_row(packed, _unpack_file)


def _unpack_file(row: tuple[Any, ...]) -> FileRows | None:
    found = unpack_usages(row[0])
    return None if found is None else FileRows(found, *row[1:])


def pack_usages(rows: Sequence[Usage]) -> bytes:
    """The places in their order."""
    plain = [(*row[:5], str(row.certainty), row.role, tuple(row.enclosing), *row[8:]) for row in rows]
    return zlib.compress(pack_row(plain), 1)


def unpack_usages(packed: bytes) -> list[Usage] | None:
    """The places that were packed; None if they cannot be read any more."""
    return load_row(zlib.decompress(packed), lambda rows: list(map(_unpack, rows)))


def _unpack(row: tuple[Any, ...]) -> Usage:
    return Usage._make((*row[:5], _CERTAINTIES[row[5]], row[6], Enclosing(*row[7]), *row[8:]))
