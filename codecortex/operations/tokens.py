"""Makes the token counter for a configuration."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.context.tokens import estimate_tokens

if TYPE_CHECKING:
    from collections.abc import Callable

    from codecortex.model.config import Config


def make_counter(config: Config) -> Callable[[str], int]:
    """A function that counts the tokens of a text: with the vocabulary in `tokens.encoding`, else by estimate.

    Raises:
        ConfigError: The vocabulary is not available; there is no fallback to the estimate.
    """
    if config.tokens.encoding is None:
        return estimate_tokens
    from codecortex.store.tokenizer import open_tokenizer

    return open_tokenizer(config.tokens.encoding)
