"""A configuration in; what counts the tokens of a text out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.context.tokens import estimate_tokens

if TYPE_CHECKING:
    from collections.abc import Callable

    from codecortex.model.config import Config


def make_counter(config: Config) -> Callable[[str], int]:
    """What counts tokens: by the vocabulary that `tokens.encoding` names, else by estimate.

    Raises:
        ConfigError: The vocabulary cannot be had; there is no falling back to the estimate.
    """
    if config.tokens.encoding is None:
        return estimate_tokens
    from codecortex.store.tokenizer import open_tokenizer

    return open_tokenizer(config.tokens.encoding)
