"""Logs of JSON lines, of which only the newest are kept."""

from __future__ import annotations

import errno
import os
import stat
import threading
from typing import TYPE_CHECKING

from codecortex.store.local.flags import SAFE

if TYPE_CHECKING:
    from pathlib import Path

_OPEN = os.O_RDWR | os.O_APPEND | os.O_CREAT | SAFE
_TURN = threading.Lock()


def append_line(file: Path, line: bytes, most: int) -> None:
    """Add a line to a log; above so many bytes only the newest half is kept.

    Raises:
        OSError: The file cannot be written.
    """
    with _TURN:
        _append(file, line, most)


def _append(file: Path, line: bytes, most: int) -> None:
    descriptor = os.open(file, _OPEN, 0o600)
    with os.fdopen(descriptor, "r+b", buffering=0) as opened:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "not a regular file", str(file))  # writing to a full pipe would block
        view = memoryview(line)
        while view:
            view = view[opened.write(view) :]
        size = os.fstat(descriptor).st_size
        if size <= most:
            return
        opened.seek(size - most // 2)
        _, _, kept = opened.read(most // 2).partition(b"\n")
    fresh = file.with_name(f"{file.name}.{os.getpid()}.new")
    fresh.unlink(missing_ok=True)
    with os.fdopen(os.open(fresh, _OPEN | os.O_EXCL, 0o600), "wb") as opened_anew:
        opened_anew.write(kept)
    fresh.replace(file)
