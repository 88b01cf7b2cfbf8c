"""Converts plain values to bytes for the local cache and back."""

from __future__ import annotations

import marshal
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

_T = TypeVar("_T")


def pack_row(value: Any) -> bytes:
    """The bytes of plain values: numbers, strings, bytes, and tuples, lists and dictionaries of these."""
    return marshal.dumps(value)


def load_row(data: bytes | memoryview | None, read: Callable[[Any], _T]) -> _T | None:
    """Decode bytes and pass the values to `read`.

    Returns:
        The result of `read`; None if there are no bytes, another Python version wrote them, or they are damaged.
    """
    if data is None:
        return None
    try:
        return read(marshal.loads(data))  # noqa: S302 - our own cache, beside .git
    except (ValueError, EOFError, TypeError):
        return None
