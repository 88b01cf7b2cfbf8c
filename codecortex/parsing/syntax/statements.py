"""Splits what a block holds into its statements, without a grammar."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codecortex.model.startup.patterns import compile_later
from codecortex.parsing.csharp.lexer import COMMENT, DIRECTIVE, FIRST, LITERAL, TRIVIA, find_string_end

if TYPE_CHECKING:
    from codecortex.parsing.csharp.skeleton import Extent

_STATEMENT = compile_later(
    rb"[{}()\[\];" + FIRST + rb"](?:(?P<o>(?<=[{(\[]))|(?P<x>(?<=[})\]]))|(?P<s>(?<=;))|" + COMMENT + rb"|" + DIRECTIVE
    + rb"|" + LITERAL + rb")", re.DOTALL,
)  # fmt: skip
"""Brackets, semicolons and what may hold them: `o` opens, `x` closes, `s` ends, `i` begins an interpolated text."""
_WORD = compile_later(TRIVIA + rb"(@?\w+)")
_NEXT = compile_later(TRIVIA)
_BLOCKS = frozenset(
    (
        *(b"if", b"for", b"foreach", b"while", b"do", b"using", b"lock", b"fixed", b"try", b"switch", b"checked"),
        *(b"unchecked", b"unsafe", b"await"),
    )
)
"""The words that begin statements which end with a block."""
_DEPTHS: dict[str | None, int] = {"o": 1, "x": -1}
_JOINED = frozenset((b"else", b"catch", b"finally"))
_TESTED = compile_later(rb"\b(?:is|and|or|not)\b[\w\s.:<>,?()\[\]]*\Z")
"""What stands before the braces of a pattern."""
_LONGEST_TYPE = 256
_BEHIND = compile_later(rb"[;,.)\]?=!:&|+\-*/%<>^]|(?:is|as|and|or|when|in)\b|(?:switch|with)\s*\{")
"""What goes on with an expression behind a closing brace."""


def split_statements(source: bytes, start: int, end: int) -> list[Extent]:
    """The extents of the statements between two offsets; what is left at the end is one too."""
    found: list[Extent] = []
    first, at, opened, depth, looped = start, start, start, 0, False
    while (match := _STATEMENT.search(source, at, end)) is not None:
        group, at = match.lastgroup, match.end()
        if group == "i":
            at = min(find_string_end(source, match.start(), at), end)
        opened = match.start() if not depth else opened
        depth = max(0, depth + _DEPTHS.get(group, 0))
        braced = group == "x" and source[at - 1 : at] == b"}"
        if depth or not (braced or group == "s"):
            continue
        follows = _read_word(source, at, end)
        tail = follows == b"while" and not looped and _read_word(source, first, at) == b"do"
        looped |= tail
        if tail or follows in _JOINED or (braced and not _ends_behind(source, (first, opened, at), end)):
            continue
        found.append((first, at))
        first, looped = at, False
    if source[first:end].strip():
        found.append((first, end))
    return found


def _read_word(source: bytes, at: int, end: int) -> bytes:
    match = _WORD.match(source, at, end)
    return match[1] if match is not None else b""


def _ends_behind(source: bytes, places: tuple[int, int, int], end: int) -> bool:
    """Whether a statement ends behind a closing brace, if no part of it follows.

    Args:
        source: The source.
        places: Where the statement begins, where the braces open, and where they are closed.
        end: How far to look.
    """
    first, opened, at = places
    begun = _NEXT.match(source, first, at)
    if _read_word(source, first, at) in _BLOCKS or (begun is not None and source.startswith(b"{", begun.end())):
        return True
    if _TESTED.search(source, max(first, opened - _LONGEST_TYPE), opened) is not None:
        return False  # the variable of a pattern follows
    behind = _NEXT.match(source, at, end)
    return behind is None or _BEHIND.match(source, behind.end(), end) is None
