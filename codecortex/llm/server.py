"""A model's server with its key, and the sending of one request to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from codecortex.llm.exchange import Exchange, Limits, ResponseReader
from codecortex.model.errors import ProviderError, ProviderUnusableError
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from codecortex.llm.answer import Answer
    from codecortex.llm.exchange import Post
    from codecortex.llm.keys import Key
    from codecortex.llm.provider import Reply


class Server(NamedTuple):
    """A model's server.

    Attributes:
        url: Its base URL.
        model: Name of the model.
        key: The key to send; None for none.
        headers: Further headers.
        advice: Hint for when the server needs a key or refuses it: how to set one.
    """

    url: str
    model: str
    key: Key | None
    headers: Mapping[str, str]
    advice: str

    def explain(self, problem: ProviderError) -> ProviderError:
        """The same error, with the advice as hint if the server cannot be used and there is no hint yet."""
        if isinstance(problem, ProviderUnusableError) and not problem.hint:
            problem.hint = self.advice
        return problem

    def ask(self, exchange: Exchange, post: Post, reader: AnswerReader, stopped: Callable[[], bool]) -> Reply:
        """Send one request and return the answer from its reader.

        Raises:
            ProviderError: There is no usable answer; it has the tokens used nevertheless.
        """
        try:
            exchange.post(post, reader, stopped)
            return reader.finish()
        except ProviderError as problem:
            reader.answer.charge(problem)
            raise self.explain(problem) from None


class Client:
    """A provider that asks a server; subclasses know its protocol.

    Args:
        server: The server.
        count: Estimates the tokens of a text.
        limits: Bounds of a request.
    """

    def __init__(self, server: Server, count: Callable[[str], int], limits: Limits | None = None) -> None:
        self._server = server
        self._count = count
        self._exchange = Exchange(limits or Limits())


class AnswerReader(ResponseReader, Protocol):
    """A reader that collects an answer."""

    answer: Answer

    def finish(self) -> Reply:
        """The complete answer."""
