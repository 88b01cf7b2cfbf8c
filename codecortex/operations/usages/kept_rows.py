"""The places that a search found, as bytes of the local cache: for who asks again, no file is read."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Any

from codecortex.model.code.usages import Certainty, Enclosing, Usage
from codecortex.store.cache.rows import load_row, pack_row

if TYPE_CHECKING:
    from collections.abc import Sequence

USAGES_VERSION = 1
"""Raised whenever a search may find other places in the same sources, though all names mean the same."""
_CERTAINTIES = {str(each): each for each in Certainty}


def pack_usages(rows: Sequence[Usage]) -> bytes:
    """The places in their order."""
    plain = [(*row[:5], str(row.certainty), row.role, tuple(row.enclosing), *row[8:]) for row in rows]
    return zlib.compress(pack_row(plain), 1)


def unpack_usages(packed: bytes) -> list[Usage] | None:
    """The places that were packed; None if they cannot be read any more."""
    return load_row(zlib.decompress(packed), lambda rows: list(map(_unpack, rows)))


def _unpack(row: tuple[Any, ...]) -> Usage:
    return Usage._make((*row[:5], _CERTAINTIES[row[5]], row[6], Enclosing(*row[7]), *row[8:]))
