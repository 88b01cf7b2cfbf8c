"""The cheaper way to read a file that is costly to parse: its types alone, everything else blanked, of equal length.

Error recovery costs many times what clean text does, and what it finds there is guessed anyway.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from codecortex.model.startup.patterns import compile_later
from codecortex.parsing.csharp.brackets import blank_literals
from codecortex.parsing.csharp.grammar import parse
from codecortex.parsing.csharp.skeleton import TYPE_HEAD

if TYPE_CHECKING:
    import re

_SIGN = compile_later(rb"[{};]")
_LONGEST_HEADER = 2000
_MOST_LOOSE = 6000
"""Bytes outside of types that are parsed; more statements, or members without a type, are blanked."""
_LONGEST = 10_000
"""Bytes of one declaration, or of the members of one enum, that are parsed unseen; people write up to 6,000."""
_MOST_QUOTES = 150
"""Quotes in one declaration, whose initialisers and attributes are cut; people write up to 80."""
_FIRST_MEMBERS = 2000
_MOST_JUDGED = 40
"""Beginnings of long declarations that are parsed for one file."""
_PIECE = compile_later(rb"[^{};]++")
_BRACKET = compile_later(rb"[()\[\]]")
_CLOSING = {b"(": b")", b"[": b"]"}
_LONG = compile_later(rb"[{};][^{};]{%d,}+" % _LONGEST)
_LONG_FIRST = compile_later(rb"[^{};]{%d,}+" % _LONGEST)
_EXPRESSION = compile_later(rb"(?<=[{};])\s*+(?:[|&+*/%?:.,<>!-]|=[=>])[^{};]*+")
_SOME_LOOSE = 2000
_OUTSIDE = compile_later(rb"\s*+(?:(?:global\s++)?using|namespace|extern\s++alias)\b")
_SHORT = compile_later(rb"\s*+(?:\w++\s++)*?(?:record|delegate|class|struct|interface)\b")


def keep_types(text: bytes) -> bytes:
    """A skeleton's text with nothing left but namespaces, usings and the headers and braces of types."""
    return _blank(text, members=True)


def blank_loose(text: bytes, loose: int) -> bytes:
    """A skeleton's text with what stands outside of types blanked, where that is more than people write there.

    `loose` says how much stands there at least, accessors apart.
    """
    if loose <= _SOME_LOOSE:
        return text
    blanked = _blank(text, members=False)
    return text if text.count(b" ") + _MOST_LOOSE >= blanked.count(b" ") else blanked


def blank_others(text: bytes) -> bytes:
    """A skeleton's text with what is no declaration blanked, as its length or its literals tell; else as it is."""
    judge = _Judge()
    if b'"""' in text or text.count(b'"') > _MOST_QUOTES:
        text = _PIECE.sub(partial(_blank_literals, judge), text)
    return text if len(text) <= _LONGEST else _blank_long(judge, text)


def blank_expressions(text: bytes) -> bytes:
    """A skeleton's text with what begins as no declaration does blanked: parts of expressions that lost a bracket."""
    return _EXPRESSION.sub(lambda match: _spaces(match[0]), text)


class _Judge:
    """Tells of some long stretches between two signs whether they are declarations, by how they begin."""

    def __init__(self) -> None:
        self._left = _MOST_JUDGED

    def takes(self, piece: bytes) -> bool:
        """Whether it is no longer than people write headers, or has a list."""
        return len(piece) <= _LONGEST_HEADER or self.has_list(piece)

    def has_list(self, piece: bytes) -> bool:
        """Whether it is one with a list, such as parameters or base types."""
        begin = blank_literals(piece[:_FIRST_MEMBERS])
        while self._left and (begin := begin.rpartition(b",")[0]):  # the last comma may be one of type arguments
            self._left -= 1
            closing = _list_closing(begin)
            if not closing and TYPE_HEAD.match(begin) is None:
                return False
            roots = [parse(b"class C {" + begin + closing + end + b"}") for end in (b";", b"{}")]
            if any(root is not None and not root.has_error for root in roots):
                return True
        return False


def _list_closing(text: bytes) -> bytes:
    """The brackets that close those that are open at the end of a text."""
    closing: list[bytes] = []
    for bracket in _BRACKET.findall(text):
        if bracket in _CLOSING:
            closing.append(_CLOSING[bracket])
        elif closing:
            closing.pop()
    return b"".join(reversed(closing))


def _blank_literals(judge: _Judge, found: re.Match[bytes]) -> bytes:
    piece = found[0]
    told = b'"""' in piece or (piece.count(b'"') > _MOST_QUOTES and not judge.has_list(piece))
    return _spaces(piece) if told else piece


def _blank_long(judge: _Judge, text: bytes) -> bytes:
    first = _LONG_FIRST.match(text)
    if first is not None and _is_long(first[0]) and not judge.has_list(first[0]):
        text = _spaces(first[0]) + text[first.end() :]
    at = 0
    while (match := _LONG.search(text, at)) is not None:
        start, at = match.start() + 1, match.end()
        if _is_long(match[0]) and not _is_enum(text, start, at) and not judge.has_list(text[start:at]):
            text = text[:start] + _spaces(text[start:at]) + text[at:]
    return text


def _is_long(piece: bytes) -> bool:
    return len(b" ".join(piece.split())) > _LONGEST  # inactive text is white space


def _is_enum(text: bytes, start: int, end: int) -> bool:
    """Whether a long stretch between two signs holds the members of an enum, judged by the first of them."""
    header = max(text.rfind(sign, 0, start - 1) for sign in (b"{", b"}", b";")) + 1
    head = TYPE_HEAD.match(text, header, start - 1)
    if head is None or head[1] != b"enum" or not text.startswith(b"}", end):
        return False
    members, comma, _ = text[start : start + _FIRST_MEMBERS].rpartition(b",")
    root = parse(b"enum E {" + members + b"}") if comma else None
    return root is not None and not root.has_error


def _blank(text: bytes, *, members: bool) -> bytes:
    """Blank what is between the signs `{`, `}` and `;`, but for headers of types, and for members unless these too."""
    out: list[bytes] = []
    kept: list[bool | None] = []  # of each open brace: whether of a type; None for one that is blanked
    at = types = 0
    judge = _Judge()
    for sign in _SIGN.finditer(text):
        gap, piece = _split_gap(text[at : sign.end()])
        at = sign.end()
        inside = types > 0
        if sign[0] == b"{":
            head = TYPE_HEAD.match(piece)
            head = head if head is not None and judge.takes(piece) else None
            kept.append(None if head is None else head[1] != b"namespace")
            types += kept[-1] is True
            take = head is not None or (inside and not members)
        elif sign[0] == b"}":
            of = kept.pop() if kept else None
            types -= of is True
            take = of is not None or (inside and not members)
            if take and of is not None and members:
                piece = _spaces(piece[:-1]) + b"}"
        else:
            pattern = _SHORT if inside else _OUTSIDE
            short = pattern.match(piece) is not None or _SHORT.match(piece) is not None
            take = (inside and not members) or (short and judge.takes(piece))
        out += gap, piece if take else _spaces(piece)
    gap, piece = _split_gap(text[at:])
    out += gap, _spaces(piece)
    return b"".join(out)


def _split_gap(piece: bytes) -> tuple[bytes, bytes]:
    """The white space that a piece begins with, and the rest."""
    rest = piece.lstrip()
    return piece[: len(piece) - len(rest)], rest


def _spaces(piece: bytes) -> bytes:
    return b" " * len(piece)
