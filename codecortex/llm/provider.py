"""The protocol of providers: a request goes in; the answer and the tokens it used come out."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NoReturn, Protocol

from codecortex.model.errors import ProviderUnusableError
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable


class Role(StrEnum):
    """Who said a message of a conversation."""

    USER = "user"
    ASSISTANT = "assistant"


class Message(NamedTuple):
    """A message of a conversation."""

    role: Role
    text: str


class ModelRequest(NamedTuple):
    """What a model is asked.

    Attributes:
        prompt: The whole prompt; in a conversation its last message.
        most_tokens: Maximum tokens of the answer.
        before: The messages of the conversation before it, the oldest first.
    """

    prompt: str
    most_tokens: int
    before: tuple[Message, ...] = ()

    @property
    def messages(self) -> tuple[Message, ...]:
        """All messages, the prompt last."""
        return (*self.before, Message(Role.USER, self.prompt))

    @property
    def text(self) -> str:
        """All messages as one text; the prompt alone where none went before it."""
        if not self.before:
            return self.prompt
        return "\n".join(f"--- {role.upper()} ---\n{text}\n" for role, text in self.messages)


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

    def complete(self, asked: ModelRequest, *, heard: Callable[[str], None], stopped: Callable[[], bool]) -> Reply:
        """Answer one prompt.

        Args:
            asked: The prompt.
            heard: Called with each piece of the answer as it arrives; with an empty one where it begins anew.
            stopped: Called several times a second; returns whether to give up.

        Raises:
            ProviderError: There is no complete answer.
            StoppedError: `stopped` returned True.
        """


class NoModel:
    """Stands in where no model is used: for `extract`, and for the agent, which asks for prompts itself."""

    def __init__(self, name: str) -> None:
        self.name = name

    def complete(self, asked: ModelRequest, *, heard: Callable[[str], None], stopped: Callable[[], bool]) -> NoReturn:
        """Refuse every prompt.

        Raises:
            ProviderUnusableError: Always.
        """
        del asked, heard, stopped
        raise ProviderUnusableError(f"The provider {self.name} answers no prompts.", "Name another: llm.provider.")
