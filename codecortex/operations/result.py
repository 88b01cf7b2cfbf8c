"""What every operation that answers a question gives: the same to a terminal and to an agent, page by page."""

from __future__ import annotations

from typing import Any, Protocol


class Result(Protocol):
    """What an operation found."""

    def as_json(self) -> dict[str, Any]:
        """Itself as JSON values."""

    def as_text(self) -> str:
        """Itself as plain text: no colour, no line feed at its end."""


def find_next(offset: int, shown: int, total: int) -> int | None:
    """Where the page after one begins that shows so many of all; None where nothing follows."""
    end = offset + shown
    return end if shown and end < total else None
