"""Translates wildcards to regular expressions that take no longer than the product of pattern and text."""

from __future__ import annotations

import re

NAME_CHARACTER = "[^/]"
"""What a wildcard stands for in one name of a path."""


def translate_wildcards(pattern: str, character: str = ".") -> str:
    """The source of a regular expression in which `*` stands for any characters and `?` for one.

    It never backtracks to an earlier star: where a piece between two stars first fits is as good as any later place.

    Args:
        pattern: The pattern; all but `*` and `?` stands for itself.
        character: What one character is, as a regular expression; `.` needs `re.DOTALL`.
    """
    first, *others = [re.escape(piece).replace(r"\?", character) for piece in pattern.split("*")]
    if not others:
        return first
    *middle, last = others
    return first + "".join(f"(?>{character}*?{piece})" for piece in middle if piece) + f"{character}*{last}"
