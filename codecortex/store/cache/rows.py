"""Values in, bytes for the local cache out, and back; the keys they are kept under say which version wrote them."""

from __future__ import annotations

import marshal
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

_T = TypeVar("_T")


def pack_row(value: Any) -> bytes:
    """The bytes of plain values: numbers, texts, bytes, and tuples, lists and dictionaries of such."""
    return marshal.dumps(value)


def load_row(data: bytes | memoryview | None, read: Callable[[Any], _T]) -> _T | None:
    """What `read` makes of the values that bytes hold.

    Returns:
        None where there are no bytes, another Python wrote them, or they are damaged: the values are to be made anew.
    """
    if data is None:
        return None
    try:
        return read(marshal.loads(data))  # noqa: S302 - our own cache, beside .git
    except (ValueError, EOFError, TypeError):
        return None
