"""Translates patterns with `*` and `?` to regular expressions that match in at most pattern length x text length."""

from __future__ import annotations

import re


def translate_wildcards(pattern: str) -> str:
    """The source of a regular expression in which `*` stands for any characters and `?` for one; needs `re.DOTALL`.

    It never backtracks into an earlier star: the first match of a piece between two stars is as good as any other.
    """
    first, *others = [re.escape(piece).replace(r"\?", ".") for piece in pattern.split("*")]
    if not others:
        return first
    *middle, last = others
    return first + "".join(f"(?>.*?{piece})" for piece in middle if piece) + f".*{last}"
