"""What every writer of texts offers: a prompt in, its answer and what that took out."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, NoReturn, Protocol

from codecortex.model.errors import ProviderUnusableError

if TYPE_CHECKING:
    from collections.abc import Callable


class Reply(NamedTuple):
    """What came back.

    Attributes:
        text: The answer, whole.
        tokens_in: Tokens of the prompt, as the server counted them, else estimated; with those of vain attempts.
        tokens_out: Tokens of the answer, in the same way.
        model: The model that answered, as it calls itself; empty where nobody says.
    """

    text: str
    tokens_in: int
    tokens_out: int
    model: str


class Provider(Protocol):
    """Who answers prompts; may be asked by several threads at a time."""

    @property
    def name(self) -> str:
        """What the configuration calls it."""

    def complete(
        self, prompt: str, *, most_tokens: int, told: Callable[[int], None], stopped: Callable[[], bool]
    ) -> Reply:
        """Answer one prompt.

        Args:
            prompt: All that the model gets to read.
            most_tokens: How long the answer may grow.
            told: Told, now and then, about how many tokens of the answer are there.
            stopped: Asked several times a second whether to give up.

        Raises:
            ProviderError: There is no answer, or not all of it.
            StoppedError: `stopped` said so.
        """


class NoModel:
    """Stands where notes are written without asking anybody: by `extract`, or by the agent that asks us."""

    def __init__(self, name: str) -> None:
        self.name = name

    def complete(
        self, prompt: str, *, most_tokens: int, told: Callable[[int], None], stopped: Callable[[], bool]
    ) -> NoReturn:
        """Refuse.

        Raises:
            ProviderUnusableError: Always.
        """
        del prompt, most_tokens, told, stopped
        raise ProviderUnusableError(f"The provider {self.name} answers no prompts.", "Name another: llm.provider.")
