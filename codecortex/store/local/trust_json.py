"""Reads and writes trust.json: what the user has allowed repositories to do.

One row per line, sorted. The file belongs to the user, not to a repository.
"""

from __future__ import annotations

import json
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later
from codecortex.store.local.local_json import read_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

SCHEMA_VERSION = "1.0"
_DIGEST = compile_later(r"[0-9a-f]{64}")


class GrantKind(StrEnum):
    """What can be allowed: sending to an address, building projects, or running a command."""

    ADDRESS = "address"
    BUILD = "build"
    COMMAND = "command"


class Grant(NamedTuple):
    """One permission of a repository.

    Attributes:
        repository: Its absolute path.
        kind: See `GrantKind`.
        words: The base URL alone, or the command and its arguments.
        digest: A SHA-256 over all of it, in hexadecimal; see `operations/generation/providers/trust.py`.
    """

    repository: str
    kind: GrantKind
    words: tuple[str, ...]
    digest: str


def encode_grants(grants: Iterable[Grant]) -> bytes:
    """The bytes of trust.json."""
    rows = ",\n".join(json.dumps(dict(zip(Grant._fields, grant, strict=True))) for grant in sorted(set(grants)))
    return f'{{"schemaVersion":"{SCHEMA_VERSION}",\n"allowed":[\n{rows}\n]}}\n'.encode()


def decode_grants(data: bytes, path: str) -> tuple[Grant, ...]:
    """The permissions, sorted.

    Raises:
        StoreFormatError: `encode_grants` did not write this; nothing counts as allowed then.
    """
    hint = "Move it away, then run `codecortex trust` again where you want to."
    return read_rows(data, path, _read_grants, wrong="not a list of what you have allowed", hint=hint)


def _read_grants(root: Mapping[str, Any]) -> tuple[Grant, ...]:
    return tuple(sorted(map(_read_row, root["allowed"])))


def _read_row(row: Any) -> Grant:
    words = tuple(row["words"])
    texts = (row["repository"], row["digest"], *words)
    if not all(isinstance(text, str) for text in texts) or not _DIGEST.fullmatch(row["digest"]):
        raise ValueError(row)
    return Grant(row["repository"], GrantKind(row["kind"]), words, row["digest"])
