"""Where a model is asked and as whom, and what is to be sent, in; the answer that a reader makes of what comes, out."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from codecortex.llm.exchange import ResponseReader
from codecortex.model.errors import ProviderError, ProviderUnusableError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from codecortex.llm.answer import Answer
    from codecortex.llm.exchange import Exchange, Post
    from codecortex.llm.keys import Key
    from codecortex.llm.provider import Reply


class Server(NamedTuple):
    """A model's server.

    Attributes:
        url: Its base URL.
        model: The model to ask for.
        key: The key to send; None for none.
        headers: What else is sent.
        advice: What to do where the server wants a key, or another one: which places were looked at.
    """

    url: str
    model: str
    key: Key | None
    headers: Mapping[str, str]
    advice: str

    def explain(self, problem: ProviderError) -> ProviderError:
        """The same problem; where the server cannot be used and nobody says why, with the advice."""
        if isinstance(problem, ProviderUnusableError) and not problem.hint:
            problem.hint = self.advice
        return problem

    def ask(self, exchange: Exchange, post: Post, reader: AnswerReader, stopped: Callable[[], bool]) -> Reply:
        """Send one request, and give what its reader makes of the answer.

        Raises:
            ProviderError: There is no answer to use; it says what was paid in vain.
        """
        try:
            exchange.post(post, reader, stopped)
            return reader.finish()
        except ProviderError as problem:
            reader.answer.charge(problem)
            raise self.explain(problem) from None


class AnswerReader(ResponseReader, Protocol):
    """A reader that gathers an answer."""

    answer: Answer

    def finish(self) -> Reply:
        """The whole answer."""
