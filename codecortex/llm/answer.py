"""Collects the pieces of one answer and the tokens it used, or explains why there is no answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from codecortex.llm.provider import Reply
from codecortex.model.errors import ProviderError

if TYPE_CHECKING:
    from collections.abc import Callable

_MOST_CHARACTERS = 1 << 20
_MOST_TOKENS = 1 << 32
_PLAUSIBLE = 8  # tokenizers differ by a factor of two or three


class Answer:
    """One answer while it grows; used for both kinds of servers.

    Args:
        prompt: The prompt.
        count: Counts the tokens of a text, if the server does not report them.
        heard: Called with each piece of it.
    """

    def __init__(self, prompt: str, count: Callable[[str], int], heard: Callable[[str], None]) -> None:
        self._count = count
        self._heard = heard
        self._prompt = prompt
        self._pieces: list[str] = []
        self._characters = 0
        self._estimate = 0
        self.model = ""
        self.tokens_in: int | None = None
        self.tokens_out: int | None = None

    def add(self, piece: Any) -> None:
        """Add a piece of the text; anything but a string is ignored.

        Raises:
            ProviderError: The answer is longer than any note.
        """
        if not isinstance(piece, str) or not piece:
            return
        self._pieces.append(piece)
        self._characters += len(piece)
        self._estimate += self._count(piece)
        self._heard(piece)
        if self._characters > _MOST_CHARACTERS:
            raise ProviderError(f"The answer is longer than {_MOST_CHARACTERS:,} characters.")

    def take_model(self, name: Any) -> None:
        """Store the name that the model reports, if it is printable."""
        if isinstance(name, str) and name.isprintable() and name.strip():
            self.model = name.strip()[:200]

    def finish(self) -> Reply:
        """The complete answer.

        Raises:
            ProviderError: It is empty.
        """
        text = "".join(self._pieces)
        if not text.strip():
            raise ProviderError("The server's answer is empty.", retryable=True)
        return Reply(text, self._paid_in(), self._paid_out(), self.model)

    def charge(self, problem: ProviderError) -> None:
        """Record on an error the tokens used so far; nothing if the server had not begun."""
        if self._pieces or self.tokens_in is not None:
            problem.tokens_in, problem.tokens_out = self._paid_in(), self._paid_out()

    def refuse_cut(self, most_tokens: int) -> NoReturn:
        """Refuse an answer that was cut off.

        Raises:
            ProviderError: Always.
        """
        raise ProviderError(f"The answer was cut off: it would be longer than {most_tokens:,} tokens.")

    def refuse_refusal(self, words: str = "") -> NoReturn:
        """Refuse because the model, or a filter before it, declined to answer.

        Raises:
            ProviderError: Always.
        """
        raise ProviderError(f"The model will not answer this{f': {words}' if words else ''}.")

    def _paid_in(self) -> int:
        return _choose_count(self.tokens_in, self._count(self._prompt))

    def _paid_out(self) -> int:
        return _choose_count(self.tokens_out, self._estimate)


def _choose_count(reported: int | None, estimate: int) -> int:
    """The tokens that count against a budget: never so few that a server could make the budget boundless."""
    return estimate if not reported or reported * _PLAUSIBLE < estimate else reported


def read_number(value: Any) -> int:
    """A token count as reported by a server; 0 for anything else, also for more than any model takes."""
    return value if type(value) is int and 0 <= value <= _MOST_TOKENS else 0


def read_object(value: Any) -> dict[str, Any]:
    """A JSON object; an empty dict for anything else."""
    return value if isinstance(value, dict) else {}


def read_first(value: Any) -> dict[str, Any]:
    """The first object of a JSON array; an empty dict if there is none."""
    return read_object(value[0]) if isinstance(value, list) and value else {}
