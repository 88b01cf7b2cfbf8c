"""The cheaper way to read a file that is costly to parse: its types alone, everything else blanked, of equal length.

Error recovery costs many times what clean text does, and what it finds there is guessed anyway.
"""

from __future__ import annotations

import re

from codecortex.parsing.csharp.skeleton import TYPE_HEAD

_SIGN = re.compile(rb"[{};]")
_LONGEST_HEADER = 2000
_MOST_LOOSE = 6000
"""Bytes outside of types that are parsed; more statements, or members without a type, are blanked."""
_OUTSIDE = re.compile(rb"\s*+(?:(?:global\s++)?using|namespace|extern\s++alias)\b")
_SHORT = re.compile(rb"\s*+(?:\w++\s++)*?(?:record|delegate|class|struct|interface)\b")


def keep_types(text: bytes) -> bytes:
    """A skeleton's text with nothing left but namespaces, usings and the headers and braces of types."""
    return _blank(text, members=True)


def blank_loose(text: bytes) -> bytes:
    """A skeleton's text with what stands outside of types blanked, where that is more than people write there."""
    if len(text) <= _MOST_LOOSE:
        return text
    blanked = _blank(text, members=False)
    return text if text.count(b" ") + _MOST_LOOSE >= blanked.count(b" ") else blanked


def _blank(text: bytes, *, members: bool) -> bytes:
    """Blank what is between the signs `{`, `}` and `;`, but for headers of types, and for members unless these too."""
    out: list[bytes] = []
    kept: list[bool | None] = []  # of each open brace: whether of a type; None for one that is blanked
    at = types = 0
    for sign in _SIGN.finditer(text):
        gap, piece = _split_gap(text[at : sign.end()])
        at = sign.end()
        inside = types > 0
        if sign[0] == b"{":
            head = TYPE_HEAD.match(piece) if len(piece) <= _LONGEST_HEADER else None
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
            take = (inside and not members) or (short and len(piece) <= _LONGEST_HEADER)
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
