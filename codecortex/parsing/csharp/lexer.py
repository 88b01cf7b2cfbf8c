"""Scans C# text for opaque items: strings, characters, comments, directives; and masks them.

Every pattern has the form ``[first bytes](?:(?<=x)rest|...)``: with a leading byte set, `re` finds candidates at
memory speed, which an alternation of groups would prevent. Loops are possessive, so that nothing backtracks; those
over a group are written `(?>(?:...)*)`: Python before 3.11.5 misreads a possessive group (its issue 106052).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Mapping

# What may follow each first byte. Group q is the quotes of a raw string, group i an opener that needs
# `find_string_end`.
LITERAL = (
    rb'(?<=")(?:(?P<q>"{2,})[^"]*+(?>(?:"(?!(?P=q))[^"]*+)*)(?:"(?P=q)"*+|\Z)|[^"\\\n]*+(?>(?:\\.[^"\\\n]*+)*)"?)'
    rb"|(?<=')[^'\\\n]*+(?>(?:\\.[^'\\\n]*+)*)'?"
    rb'|(?<=@)"[^"]*+(?>(?:""[^"]*+)*)"?'
    rb'|(?<=\$)"(?!"")[^"\\{}\n]*+(?>(?:(?:\\.|\{\{|\}\}|\{[^"\'{}\n/@$]*+\})[^"\\{}\n]*+)*)"'
    rb'|(?P<i>(?:(?<=\$)(?<!\$\$)\$*+@?"|(?<=@)\$+"))'
)
# A run of line comments is one item.
COMMENT = rb"(?<=/)(?:/[^\n]*+(?>(?:\s*+//[^\n]*+)*)|\*[^*]*+(?>(?:\*(?!/)[^*]*+)*)(?:\*/|\Z))"
DIRECTIVE = rb"(?<=\#)[^\n]*+"
FIRST = rb"/\"'@$#"
_PIECE_OF_TRIVIA = rb"(?:\s|#[^\n]*+|//[^\n]*+|/\*[^*]*+(?>(?:\*(?!/)[^*]*+)*)\*/)"
TRIVIA, SOME_TRIVIA = rb"(?>" + _PIECE_OF_TRIVIA + rb"*)", rb"(?>" + _PIECE_OF_TRIVIA + rb"+)"

OPAQUE = compile_later(
    rb"[" + FIRST + rb"](?:(?P<c>" + COMMENT + rb")|(?P<d>" + DIRECTIVE + rb")|" + LITERAL + rb")", re.DOTALL
)
"""Finds the next opaque item; the last group is c for a comment, d for a directive, i for an opener."""

_MARKS: Mapping[str | None, bytes] = {"c": b"\xfc", "d": b"\xfd"}
_LITERAL, _FILLER = b"\xfe", b"\xff"
COMMENT_MARK, DIRECTIVE_MARK, LITERAL_MARK, FILLER = b"\xfc\xfd\xfe\xff"  # none of which is in UTF-8
_FIRST_BYTES = bytes(1 if byte in b"/\"'@$#" else 0 for byte in range(256))  # to find one by at memory speed

_INTERPOLATED = compile_later(rb'[^"\\{}\n]++|\\.|\{\{|\}\}|(?P<o>\{)|(?P<e>"|\n|\})', re.DOTALL)
_INTERPOLATED_VERBATIM = compile_later(rb'[^"{}]++|""|\{\{|\}\}|(?P<o>\{)|(?P<e>"|\})')
_HOLE = compile_later(
    rb"""[^"'/{}()\[\]@$]++|(?P<o>[{(\[])|(?P<x>[})\]])|(?P<t>\$++@?"|@\$++")|\$++|//[^\n]*+
    |/\*[^*]*+(?>(?:\*(?!/)[^*]*+)*)(?:\*/|\Z)
    |"(?P<q>"{2,})[^"]*+(?>(?:"(?!(?P=q))[^"]*+)*)(?:"(?P=q)"*+|\Z)|"[^"\\\n]*+(?>(?:\\.[^"\\\n]*+)*)"?
    |'[^'\\\n]*+(?>(?:\\.[^'\\\n]*+)*)'?|@"[^"]*+(?>(?:""[^"]*+)*)"?|.""",
    re.VERBOSE | re.DOTALL,
)
_MAX_NESTING = 200


@lru_cache(maxsize=64)
def _raw_stops(quotes: int, dollars: int) -> re.Pattern[bytes]:
    """A pattern for what can end a stretch of a raw interpolated string: closing quotes, or the braces of a hole."""
    return re.compile(rb'"{%d,}|\{{%d,}' % (quotes, dollars))


class Masked(NamedTuple):
    """A text whose opaque items are masked, so that scans of its code need not know what they look like.

    Attributes:
        source: The text.
        text: The same, of equal length: an item is the mark of its kind, then fillers.
        starts: Where items begin, ascending.
        ends: Where they end.
    """

    source: bytes
    text: bytes
    starts: list[int]
    ends: list[int]


NOTHING_MASKED = Masked(b"", b"", [], [])


def mask_opaque(source: bytes) -> Masked:
    """Mask the opaque items of a text."""
    find, match = source.translate(_FIRST_BYTES).find, OPAQUE.match
    out: list[bytes] = []
    starts: list[int] = []
    ends: list[int] = []
    last, start = 0, find(b"\1")
    while start >= 0:
        item = match(source, start)
        if item is None:
            start = find(b"\1", start + 1)
            continue
        end, group = item.end(), item.lastgroup
        if group == "i":
            end = find_string_end(source, start, end)
        starts.append(start)
        ends.append(end)
        out += (source[last:start], _MARKS.get(group, _LITERAL).ljust(end - start, _FILLER))
        last, start = end, find(b"\1", end)
    out.append(source[last:])
    return Masked(source, b"".join(out), starts, ends)


Holes = list[tuple[int, int]]


def find_string_end(text: bytes, start: int, opened: int, holes: Holes | None = None, depth: int = 0) -> int:
    """The offset after an interpolated string.

    Args:
        text: The source.
        start: Where the string's prefix (`$`, `$@`, `$$`) begins.
        opened: The offset after its first quote.
        holes: If given, receives the extent of the code in each hole.
        depth: How many interpolated strings enclose it; beyond a limit the rest of the text counts as string.
    """
    if depth > _MAX_NESTING:
        return len(text)
    holes = [] if holes is None else holes
    verbatim = b"@" in text[start:opened]
    if text[opened - 1 : opened + 2] == b'"""' and not verbatim:
        return _find_raw_end(text, start, opened, holes, depth)
    pattern = _INTERPOLATED_VERBATIM if verbatim else _INTERPOLATED
    at, size = opened, len(text)
    while at < size:
        match = pattern.match(text, at)
        if match is None:
            return at + 1
        at = match.end()
        if match.lastgroup == "o":
            begin, at = at, _find_hole_end(text, at, depth)
            holes.append((begin, at - 1))
        elif match.lastgroup == "e":
            return at
    return size


def _find_raw_end(text: bytes, start: int, opened: int, holes: Holes, depth: int) -> int:
    first_quote, size = opened - 1, len(text)
    at = opened
    while at < size and text[at] == ord('"'):
        at += 1
    dollars = text.count(b"$", start, opened)
    stops = _raw_stops(at - first_quote, dollars)
    while True:
        match = stops.search(text, at)
        if match is None:
            return size
        if text[match.start()] == ord('"'):
            return match.end()
        closed = _find_hole_end(text, match.end(), depth)
        holes.append((match.end(), closed - 1))
        at = min(closed + dollars - 1, size)


def _find_hole_end(text: bytes, at: int, depth: int) -> int:
    """The offset after the brace that closes an interpolation hole."""
    nesting, size = 0, len(text)
    while at < size:
        match = _HOLE.match(text, at)
        if match is None:
            return size
        at, group = match.end(), match.lastgroup
        if group == "o":
            nesting += 1
        elif group == "x":
            if nesting == 0:
                return at
            nesting -= 1
        elif group == "t":
            at = find_string_end(text, match.start(), at, None, depth + 1)
    return size
