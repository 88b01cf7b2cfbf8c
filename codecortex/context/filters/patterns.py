"""A pattern of a filter in; a function that says which names fit it, whatever their case, out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codecortex.model.code.types import ACCESSIBILITIES
from codecortex.model.wildcards import translate_wildcards

if TYPE_CHECKING:
    from collections.abc import Callable


def compile_pattern(pattern: str) -> Callable[[str], bool]:
    """Whether a name fits a pattern in which `*` stands for any characters, dots too, and `?` for one.

    The time is bounded by the product of the two lengths, whatever the pattern.
    """
    folded = pattern.casefold()
    if "*" not in folded and "?" not in folded:
        return lambda name: name.casefold() == folded
    fits = re.compile(translate_wildcards(folded), re.DOTALL).fullmatch
    return lambda name: fits(name.casefold()) is not None


def compile_namespace(pattern: str) -> Callable[[str], bool]:
    """The same for namespaces, where `X.*` fits `X` itself and whatever lies below it."""
    if not pattern.endswith(".*"):
        return compile_pattern(pattern)
    inside, itself = compile_pattern(pattern), compile_pattern(pattern.removesuffix(".*"))
    return lambda name: itself(name) or inside(name)


def fold_word(text: str) -> str:
    """A word of C#, such as an accessibility or a kind, as patterns are compared with it: blanks become hyphens."""
    return text.casefold().replace(" ", "-").replace("_", "-")


ACCESS = tuple(map(fold_word, ACCESSIBILITIES))
"""The words that `access:` knows; C#'s two-word ones are joined by a hyphen."""
