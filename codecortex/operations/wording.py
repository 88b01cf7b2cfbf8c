"""Formats numbers, times and lists for people."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    Paint = Callable[[str, str | None], str]
    """Colours a text; None for no colour."""

_MOST_LISTED = 20
_MOST_UNREAD = 3


def count_noun(number: int, noun: str) -> str:
    """A number and its noun, in the plural if needed."""
    plural = noun[:-1] + "ies" if noun.endswith("y") else noun + "s"
    return f"{number:,} {noun if number == 1 else plural}"


def list_some(lines: Sequence[str], indent: str = "  ", most: int = _MOST_LISTED) -> Iterator[str]:
    """The first lines, and the number of further ones."""
    yield from (f"{indent}{line}" for line in lines[:most])
    if len(lines) > most:
        yield f"{indent}and {len(lines) - most:,} more"


def name_some(names: Sequence[str], most: int) -> str:
    """The first names on one line, and the number of further ones."""
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def tell_unread(unread: Iterable[tuple[str, str]]) -> Iterator[str]:
    """A line for each file that could not be read, given with its reason; one line for all if they are many."""
    files = sorted(unread)
    if len(files) <= _MOST_UNREAD:
        yield from (f"{path}: not read: {reason}" for path, reason in files)
        return
    reasons = ", ".join(sorted({reason for _, reason in files}))
    yield f"{len(files):,} files not read ({files[0][0]} first): {reasons}"


def mend_halves(text: str) -> str:
    """A text with lone surrogates, which UTF-8 cannot encode, replaced."""
    return text.encode("utf-8", "replace").decode()


def leave_plain(text: str, _colour: str | None) -> str:
    """The text, without colour."""
    return text


def write_time(seconds: int) -> str:
    """A time in UTC, to the second; a time outside the calendar, as of a damaged commit, stays a number."""
    try:
        return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
    except (ValueError, OverflowError, OSError):
        return f"@{seconds}"
