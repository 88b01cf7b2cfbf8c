"""Compiles the patterns of a filter to functions; case is ignored."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codecortex.model.code.types import ACCESSIBILITIES
from codecortex.model.text.wildcards import translate_wildcards

if TYPE_CHECKING:
    from collections.abc import Callable


def compile_pattern(pattern: str) -> Callable[[str], bool]:
    """A function that matches names against a pattern; `*` stands for any text, dots included, `?` for a character.

    The time is bounded by the product of the two lengths, whatever the pattern.
    """
    folded = pattern.casefold()
    if "*" not in folded and "?" not in folded:
        return lambda name: name.casefold() == folded
    fits = re.compile(translate_wildcards(folded), re.DOTALL).fullmatch
    return lambda name: fits(name.casefold()) is not None


def compile_namespace(pattern: str) -> Callable[[str], bool]:
    """The same for namespaces, where `X.*` matches `X` itself and everything below it."""
    if not pattern.endswith(".*"):
        return compile_pattern(pattern)
    inside, itself = compile_pattern(pattern), compile_pattern(pattern.removesuffix(".*"))
    return lambda name: itself(name) or inside(name)


def fold_word(text: str) -> str:
    """A C# word such as an accessibility, normalised for comparison: case folded, spaces replaced by hyphens."""
    return text.casefold().replace(" ", "-").replace("_", "-")


ACCESS = tuple(map(fold_word, ACCESSIBILITIES))
"""The values that `access:` knows; C#'s two-word ones are joined by a hyphen."""
