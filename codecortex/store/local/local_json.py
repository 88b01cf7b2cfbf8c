"""Reads and writes local JSON files, with a check of their version."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TypeVar

from codecortex.model.errors import NewerFormatError, StoreFormatError
from codecortex.store.committed.text import decode_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_T = TypeVar("_T")
SCHEMA_VERSION, _MAJOR = "1.0", 1


def read_object(data: bytes, path: str, hint: str = "", *, halves: bool = False) -> dict[str, Any]:
    """The object in a file with major schema version 1.

    Args:
        data: The file's bytes.
        path: The file's path, for messages.
        hint: What to do about a file that cannot be read.
        halves: Whether texts may contain lone surrogates, as file names that are not UTF-8 do.

    Raises:
        StoreFormatError: It is damaged.
        NewerFormatError: A newer codecortex wrote it.
    """
    text = decode_text(data, path, StoreFormatError)
    try:
        root = json.loads(text)
        if not halves:
            json.dumps(root, ensure_ascii=False).encode()  # an escape can be a lone surrogate, which has no UTF-8 bytes
    except (ValueError, RecursionError) as problem:
        line = problem.lineno if isinstance(problem, json.JSONDecodeError) else 1
        raise StoreFormatError(f"{path}:{line}: not JSON", hint) from problem
    version = root.get("schemaVersion") if isinstance(root, dict) else None
    major = version.partition(".")[0] if isinstance(version, str) else ""
    if not (major.isascii() and major.isdecimal()) or not 1 <= len(major) <= len("999"):
        raise StoreFormatError(f"{path}: schemaVersion is missing or no version", hint)
    if int(major) > _MAJOR:
        message = f"{path}: schemaVersion {version} is newer than this codecortex knows"
        raise NewerFormatError(message, "Install a newer codecortex, or move the file away.")
    return dict(root)


def write_object(fields: Mapping[str, Any]) -> bytes:
    """The bytes of a file for `read_object`, indented for people."""
    return (json.dumps({"schemaVersion": SCHEMA_VERSION, **fields}, ensure_ascii=False, indent=1) + "\n").encode()


def read_rows(data: bytes, path: str, read: Callable[[dict[str, Any]], _T], *, wrong: str, hint: str = "") -> _T:
    """Read a file that a program wrote, and pass its object to `read`; any damage is reported as one error.

    Args:
        data: The file's bytes.
        path: The file's path, for messages.
        read: Makes values of the object; a `ValueError`, or an error from a missing or wrongly typed field, means
            damage.
        wrong: What is wrong with a damaged file, for people.
        hint: What to do about it.

    Raises:
        StoreFormatError: It is damaged.
        NewerFormatError: A newer codecortex wrote it.
    """
    try:
        return read(read_object(data, path, halves=True))
    except NewerFormatError:
        raise
    except (StoreFormatError, ValueError, TypeError, KeyError, AttributeError, ArithmeticError) as problem:
        raise StoreFormatError(f"{path}: {wrong}", hint) from problem
