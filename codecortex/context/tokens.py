"""A text in, about how many tokens a language model reads it as out, without any vocabulary.

Byte-pair tokenizers first cut a text by a regular expression; most pieces of code and of English are then one token.
So the pieces are counted, and long ones count once for every so many characters. `benchmarks/tokens.py` measures the
estimate against a real vocabulary; the bounds below are those that came nearest on C#, outlines and Markdown. Whoever
changes them raises `TOKENS_VERSION`.
"""

from __future__ import annotations

import re

_WORD, _JOINED, _CAPITALS, _DIGITS, _MARKS, _LETTERS, _SIGNS, _RUN = 9, 5, 2, 2, 4, 3, 2, 80
"""Characters to a token: of a word, of one that a mark precedes, of capitals, digits, marks, other scripts, ideograms,
of a ruler or of white space."""

_MARK = r"[^\sA-Za-z0-9\\\u0080-\U0010ffff]"
# No branch can match in two ways, so that time grows with the length of the text and with nothing else.
_PIECE = re.compile(
    rf"""
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
    """,
    re.VERBOSE,
)


def estimate_tokens(text: str) -> int:
    """About how many tokens a text takes."""
    return _PIECE.subn("", text)[1]  # leaner than `findall`: it keeps no pieces
