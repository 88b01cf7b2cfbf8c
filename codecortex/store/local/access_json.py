"""Reads and writes access.json: which types were asked for lately, and how often.

One row per line, the latest first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codecortex.model.hashing import ID_PATTERN
from codecortex.model.startup.patterns import compile_later
from codecortex.store.local.local_json import read_rows

if TYPE_CHECKING:
    from collections.abc import Mapping

SCHEMA_VERSION = "1.0"
MOST_COUNTED = 1_000_000_000

_TYPE_ID = compile_later(f"T_{ID_PATTERN}")


def encode_access(counts: Mapping[str, int]) -> bytes:
    """The bytes of access.json, from the latest to the earliest."""
    rows = ",\n".join(f'["{type_id}",{count}]' for type_id, count in counts.items())
    return f'{{"schemaVersion":"{SCHEMA_VERSION}",\n"types":[\n{rows}\n]}}\n'.encode()


def decode_access(data: bytes, path: str) -> dict[str, int]:
    """How often each type was asked for, from the latest to the earliest.

    Raises:
        StoreFormatError: `encode_access` did not write this.
    """
    return read_rows(data, path, _read_counts, wrong="not a list of types and how often they were asked for")


def _read_counts(root: Mapping[str, Any]) -> dict[str, int]:
    return {_read_id(type_id): _read_count(count) for type_id, count in root["types"]}


def _read_id(value: object) -> str:
    if not isinstance(value, str) or not _TYPE_ID.fullmatch(value):
        raise ValueError(value)
    return value


def _read_count(value: object) -> int:
    if type(value) is not int or not 0 < value <= MOST_COUNTED:
        raise ValueError(value)
    return value
