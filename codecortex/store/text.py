"""Bytes of a committed artefact in; its text, or the line on which it is broken, out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from codecortex.model.errors import CodecortexError

_MARKER = re.compile(r"^(?:<{7}|>{7}|\|{7}) .*$|^={7}\r?$", re.MULTILINE)


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
