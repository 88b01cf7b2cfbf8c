"""Bytes of a JSON file that is this machine's alone in; its object, if this version can read it, out; and back."""

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
    """The object of a file whose `schemaVersion` is 1 and something.

    Args:
        data: The file's bytes.
        path: Where it stands, for messages.
        hint: What to do about a file that cannot be read.
        halves: Whether its texts may hold halves of characters, as names of files do that are not UTF-8.

    Raises:
        StoreFormatError: It is damaged.
        NewerFormatError: A newer codecortex wrote it.
    """
    text = decode_text(data, path, StoreFormatError)
    try:
        root = json.loads(text)
        if not halves:
            json.dumps(root, ensure_ascii=False).encode()  # an escape can spell what has no bytes
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
    """The bytes of a file that `read_object` reads, laid out for people."""
    return (json.dumps({"schemaVersion": SCHEMA_VERSION, **fields}, ensure_ascii=False, indent=1) + "\n").encode()


def read_rows(data: bytes, path: str, read: Callable[[dict[str, Any]], _T], *, wrong: str, hint: str = "") -> _T:
    """What `read` makes of the object of a file whose rows a program wrote: whatever is wrong with it is one error.

    Args:
        data: The file's bytes.
        path: Where it stands, for messages.
        read: Makes values of the object; a `ValueError`, or what comes of a field that is missing or of another type,
            is damage.
        wrong: What a damaged file is, for people.
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
