"""Decodes committed files and finds conflict markers in them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codecortex.model.errors import UnmergedError
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from codecortex.model.errors import CodecortexError

_MARKER = compile_later(r"^(?:<{7}|>{7}|\|{7}) .*$|^={7}\r?$", re.MULTILINE)
_BASE = compile_later(r"^\|{7} .*?(?=^={7}\r?$)", re.MULTILINE | re.DOTALL)
_CONFLICT = compile_later(rb"^<{7} .*?^={7}\r?$.*?^>{7} ", re.MULTILINE | re.DOTALL)


def decode_text(data: bytes, path: str, error: type[CodecortexError]) -> str:
    """The UTF-8 text of a file, without a byte order mark.

    Raises:
        CodecortexError: Of the given class, naming the line that is not UTF-8.
    """
    try:
        return data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as problem:
        line = data.count(b"\n", 0, problem.start) + 1
        raise error(f"{path}:{line}: not UTF-8 text") from problem


def line_at(text: str, index: int) -> int:
    """The number of the line, from 1, that contains the character at `index`."""
    return text.count("\n", 0, index) + 1


def find_conflict_marker(text: str) -> int | None:
    """The line number of git's first conflict marker, or None."""
    match = _MARKER.search(text)
    return line_at(text, match.start()) if match else None


def refuse_conflict(text: str, path: str, hint: str) -> None:
    """Raise an error if git left conflict markers in a text.

    Raises:
        UnmergedError: There is one, on the line that the message names.
    """
    line = find_conflict_marker(text)
    if line is not None:
        raise UnmergedError(f"{path}:{line}: conflict marker", hint)


def drop_base(text: str) -> str:
    """A text with the base section of each conflict replaced by empty lines, so that line numbers stay."""
    return _BASE.sub(lambda match: "\n" * match[0].count("\n"), text)


def find_conflict(data: bytes) -> int | None:
    """The line of the first complete conflict in prose, in which a single line may look like a marker by chance."""
    match = _CONFLICT.search(data) if b"\n>>>>>>> " in data else None
    return data.count(b"\n", 0, match.start()) + 1 if match else None
