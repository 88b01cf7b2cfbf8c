"""Estimates the number of tokens of a text without a vocabulary.

Byte-pair tokenizers first split a text by a regular expression; most pieces of code and of English are then one token.
So the pieces are counted, and a long piece counts as several. `benchmarks/tokens.py` compares the estimate with a real
vocabulary; the lengths below came closest on C#, outlines and Markdown. Whoever changes them must raise
`TOKENS_VERSION`.
"""

from __future__ import annotations

import re
from functools import cache

_WORD, _JOINED, _CAPITALS, _DIGITS, _MARKS, _LETTERS, _SIGNS, _RUN = 9, 5, 2, 2, 4, 3, 2, 80
"""Characters per token: in words, words after a mark, capitals, digits, marks, other scripts, ideograms, and in runs of
white space or ruler characters."""

_MARK = r"[^\sA-Za-z0-9\\\u0080-\U0010ffff]"
# No two branches match at the same place, so the time is linear in the length of the text.
_PIECE = rf"""
      [ \t]?+ [A-Z]?+ [a-z]{{1,{_WORD}}}+
    | {_MARK} [A-Z]?+ [a-z]{{1,{_JOINED}}}+
    | [ \t]?+ [A-Z]{{1,{_CAPITALS}}}+ (?![a-z])
    | [A-Z]
    | [0-9]{{1,{_DIGITS}}}+
    | [-=*_~]{{3,{_RUN}}}+
    | \\[a-z]?+
    | [ ]?+ {_MARK}{{1,{_MARKS}}}+ [\r\n]*+
    | [ ]?+ [\u0080-\u2fff]{{1,{_LETTERS}}}+
    | [\u3000-\uffff]{{1,{_SIGNS}}}+
    | [\U00010000-\U0010ffff]
    | \s{{0,{_RUN}}} [\r\n]{{1,{_RUN}}}+
    | \s{{1,{_RUN}}} (?!\S)
    | \s{{1,{_RUN}}}+
    """


@cache
def compile_piece() -> re.Pattern[str]:
    """What a piece of a text is; few answers count any, and to compile it takes some milliseconds."""
    return re.compile(_PIECE, re.VERBOSE)


def estimate_tokens(text: str) -> int:
    """The estimated number of tokens of a text."""
    return compile_piece().subn("", text)[1]  # cheaper than `findall`, which keeps the pieces
