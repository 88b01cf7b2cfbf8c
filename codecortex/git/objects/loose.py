"""Reads loose objects, from the repository's own folder and its alternates.

libgit2 1.9 reads on without end from such a file that is cut short, as a full disk or a crash leaves it, and cannot be
interrupted then. So these are read here, and only what lies in packs is libgit2's to read.
"""

from __future__ import annotations

import os
import zlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

KINDS = {b"commit": 1, b"tree": 2, b"blob": 3, b"tag": 4}
_DEEPEST = 5  # alternates of alternates that git follows
_HEAD = 64


def list_folders(objects: Path) -> list[Path]:
    """The object folders of a repository: its own and those of its alternates.

    Raises:
        OSError: What is said of them cannot be read.
        ValueError: They are said in a way that only git reads.
    """
    found, next_ones = [objects], [objects]
    for _ in range(_DEEPEST):
        next_ones = [other for folder in next_ones for other in _list_alternates(folder) if other not in found]
        found += next_ones
    if next_ones:
        raise ValueError(objects)
    return found


def read_loose(folders: list[Path], name: str, most: int) -> tuple[int, int, bytes] | None:
    """The kind, the size and the bytes of an object, these only where they are no more than `most`; None without one.

    Raises:
        ValueError: It is damaged.
        OSError: It cannot be read.
    """
    for folder in folders:
        try:
            with open(f"{folder}/{name[:2]}/{name[2:]}", "rb") as file:  # noqa: PTH123 - asked for every object
                return _unpack(file.read(), name, most)
        except (FileNotFoundError, NotADirectoryError):
            continue
    return None


def _unpack(raw: bytes, name: str, most: int) -> tuple[int, int, bytes]:
    reader = zlib.decompressobj()
    try:
        start = reader.decompress(raw, _HEAD)
        head, end, rest = start.partition(b"\0")
        kind, _, size = head.partition(b" ")
        if not end or kind not in KINDS or not size.isdigit():
            raise ValueError(name)
        if int(size) > most:
            return KINDS[kind], int(size), b""
        data = rest + reader.decompress(reader.unconsumed_tail) + reader.flush()
    except zlib.error as error:
        raise ValueError(name) from error
    if not reader.eof or len(data) != int(size):
        raise ValueError(name)
    return KINDS[kind], len(data), data


def _list_alternates(folder: Path) -> list[Path]:
    try:
        lines = (folder / "info" / "alternates").read_bytes().splitlines()
    except (FileNotFoundError, NotADirectoryError):
        return []
    if any(line.startswith(b'"') for line in lines):
        raise ValueError(folder)  # quoted
    return [folder / os.fsdecode(line) for line in lines if line and not line.startswith(b"#")]
