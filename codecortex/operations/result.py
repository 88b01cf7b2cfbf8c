"""What every operation that answers a question gives: the same to a terminal and to an agent."""

from __future__ import annotations

from typing import Any, Protocol


class Result(Protocol):
    """What an operation found."""

    def as_json(self) -> dict[str, Any]:
        """Itself as JSON values."""

    def as_text(self) -> str:
        """Itself as plain text: no colour, no line feed at its end."""
