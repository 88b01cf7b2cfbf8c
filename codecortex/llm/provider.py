"""The protocol of providers: a prompt goes in; the answer and the tokens it used come out."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, NoReturn, Protocol

from codecortex.model.errors import ProviderUnusableError

if TYPE_CHECKING:
    from collections.abc import Callable


class Reply(NamedTuple):
    """Answer to a prompt.

    Attributes:
        text: The complete answer.
        tokens_in: Tokens of the prompt as the server counted them, else estimated; failed attempts included.
        tokens_out: Tokens of the answer, likewise.
        model: Name that the answering model reports; empty if unknown.
    """

    text: str
    tokens_in: int
    tokens_out: int
    model: str


class Provider(Protocol):
    """Answers prompts; safe to use from several threads."""

    @property
    def name(self) -> str:
        """Name of the provider in the configuration."""

    def complete(
        self, prompt: str, *, most_tokens: int, told: Callable[[int], None], stopped: Callable[[], bool]
    ) -> Reply:
        """Answer one prompt.

        Args:
            prompt: The whole prompt.
            most_tokens: Maximum tokens of the answer.
            told: Called now and then with the approximate number of tokens so far.
            stopped: Called several times a second; returns whether to give up.

        Raises:
            ProviderError: There is no complete answer.
            StoppedError: `stopped` returned True.
        """


class NoModel:
    """Stands in where no model is used: for `extract`, and for the agent, which asks for prompts itself."""

    def __init__(self, name: str) -> None:
        self.name = name

    def complete(
        self, prompt: str, *, most_tokens: int, told: Callable[[int], None], stopped: Callable[[], bool]
    ) -> NoReturn:
        """Refuse every prompt.

        Raises:
            ProviderUnusableError: Always.
        """
        del prompt, most_tokens, told, stopped
        raise ProviderUnusableError(f"The provider {self.name} answers no prompts.", "Name another: llm.provider.")
