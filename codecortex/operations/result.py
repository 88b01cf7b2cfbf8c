"""The protocol of results: the same for a terminal and an agent, page by page."""

from __future__ import annotations

from typing import Any, Protocol


class Result(Protocol):
    """Result of an operation."""

    def as_json(self) -> dict[str, Any]:
        """The result as JSON values."""

    def as_text(self) -> str:
        """The result as plain text: no colour, no line feed at its end."""


def find_next(offset: int, shown: int, total: int) -> int | None:
    """Offset of the next page, given how many items this one shows; None if there is none."""
    end = offset + shown
    return end if shown and end < total else None
