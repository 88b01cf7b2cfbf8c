"""A pattern with `*` and `?` in; a regular expression that takes no longer than the product of the two lengths, out."""

from __future__ import annotations

import re


def translate_wildcards(pattern: str) -> str:
    """The source of a regular expression in which `*` stands for any characters and `?` for one; needs `re.DOTALL`.

    It never goes back to an earlier star: where a piece between two stars first fits is as good as any other place.
    """
    first, *others = [re.escape(piece).replace(r"\?", ".") for piece in pattern.split("*")]
    if not others:
        return first
    *middle, last = others
    return first + "".join(f"(?>.*?{piece})" for piece in middle if piece) + f".*{last}"
