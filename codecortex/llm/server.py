"""Where a model is asked and as whom; what a refusal of the key means there."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from codecortex.model.errors import ProviderError, ProviderUnusableError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from codecortex.llm.keys import Key


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
