"""Texts to put in: from a file or from stdin."""

from __future__ import annotations

import sys
from pathlib import Path


def read_source(path: str) -> str:
    """The text of a file or of stdin, line ends and all.

    Raises:
        UsageError: It cannot be read, or is not UTF-8.
    """
    from codecortex.model.errors import UsageError

    try:
        return read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise UsageError(f"{path} is not UTF-8 at byte {problem.start}.", "Texts to put in are UTF-8.") from problem


def read_bytes(path: str) -> bytes:
    """The bytes of a file or of stdin.

    Raises:
        UsageError: It cannot be read.
    """
    from codecortex.model.errors import UsageError

    try:
        return sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    except OSError as problem:
        raise UsageError(f"{path} cannot be read: {problem.strerror}.", "Name a file, or - for stdin.") from problem
