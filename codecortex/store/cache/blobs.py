"""Outputs that are too large for a row: a file each, named by its digest."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

BLOBS = "blobs"


def find_blob(folder: Path, key: bytes) -> Path:
    """The path of the file of an output, in the folder of a cache."""
    name = key.hex()
    return folder / BLOBS / name[:2] / name


def list_blobs(folder: Path) -> list[Path]:
    """The files of all outputs in the folder of a cache, and what writers that were killed left behind."""
    return [path for path in (folder / BLOBS).glob("*/*") if path.is_file()]


def read_blob(folder: Path, key: bytes) -> bytes | None:
    """The bytes of an output; None if they cannot be read."""
    try:
        return find_blob(folder, key).read_bytes()
    except OSError:
        return None


def write_blob(folder: Path, key: bytes, data: bytes) -> bool:
    """Write an output, so that no reader ever sees half of it; whether that could be done."""
    path = find_blob(folder, key)
    new = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        new.write_bytes(data)
        new.replace(path)
    except OSError:
        with suppress(OSError):
            new.unlink(missing_ok=True)
        return False
    return True
