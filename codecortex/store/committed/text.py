"""Bytes of a committed artefact in; its text, or the line on which it is broken, out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codecortex.model.errors import UnmergedError

if TYPE_CHECKING:
    from codecortex.model.errors import CodecortexError

_MARKER = re.compile(r"^(?:<{7}|>{7}|\|{7}) .*$|^={7}\r?$", re.MULTILINE)
_BASE = re.compile(r"^\|{7} .*?(?=^={7}\r?$)", re.MULTILINE | re.DOTALL)
_CONFLICT = re.compile(rb"^<{7} .*?^={7}\r?$.*?^>{7} ", re.MULTILINE | re.DOTALL)


def decode_text(data: bytes, path: str, error: type[CodecortexError]) -> str:
    """The UTF-8 text of an artefact, without a byte order mark.

    Raises:
        CodecortexError: Of the class given, naming the line that is not UTF-8.
    """
    try:
        return data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as problem:
        line = data.count(b"\n", 0, problem.start) + 1
        raise error(f"{path}:{line}: not UTF-8 text") from problem


def line_at(text: str, index: int) -> int:
    """The number of the line, from 1, that holds the character at `index`."""
    return text.count("\n", 0, index) + 1


def find_conflict_marker(text: str) -> int | None:
    """The number of the first line that git left as a conflict marker, or None."""
    match = _MARKER.search(text)
    return line_at(text, match.start()) if match else None


def refuse_conflict(text: str, path: str, hint: str) -> None:
    """Refuse a text in which git left conflict markers.

    Raises:
        UnmergedError: There is one, on the line that the message names.
    """
    line = find_conflict_marker(text)
    if line is not None:
        raise UnmergedError(f"{path}:{line}: conflict marker", hint)


def drop_base(text: str) -> str:
    """A text without what stood, in each conflict, there before both sides changed it; the lines keep their numbers."""
    return _BASE.sub(lambda match: "\n" * match[0].count("\n"), text)


def find_conflict(data: bytes) -> int | None:
    """The line of the first conflict in prose, which may hold a line that looks like one marker but not like three."""
    match = _CONFLICT.search(data) if b"\n>>>>>>> " in data else None
    return data.count(b"\n", 0, match.start()) + 1 if match else None
