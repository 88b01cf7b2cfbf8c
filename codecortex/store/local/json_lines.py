"""Logs of JSON lines that several processes append to and follow, of which only the newest are kept.

Who appends holds a shared lock, who trims an exclusive one, so that no line is lost and none stands twice.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from codecortex.store.local.flags import SAFE

if TYPE_CHECKING:
    from io import FileIO
    from pathlib import Path

_OPEN = os.O_RDWR | os.O_APPEND | os.O_CREAT | SAFE
_TRIES = 500  # a second: trimming takes milliseconds, but its process may wait for its turn
_PAUSE = 0.002

if sys.platform == "win32":

    def _try_lock(_descriptor: int, *, alone: bool, wait: bool) -> bool:  # noqa: ARG001 - as below
        return not alone  # Windows cannot replace an open file: the log is appended to and never trimmed

else:
    import fcntl

    def _try_lock(descriptor: int, *, alone: bool, wait: bool) -> bool:
        how = fcntl.LOCK_EX if alone else fcntl.LOCK_SH
        try:
            fcntl.flock(descriptor, how if wait else how | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


def append_line(file: Path, line: bytes, most: int, *, wait: bool = True, mode: int = 0o600) -> None:
    """Add a line to a log; above so many bytes only the newest half is kept.

    Args:
        file: The log, in a folder that exists.
        line: The line with its line feed.
        most: The size above which the log is trimmed.
        wait: Whether to wait for a process that trims the log; else the line is dropped after a second.
        mode: The permissions of a log that is made.

    Raises:
        OSError: The file cannot be written, or is none.
    """
    tries = 0
    while wait or tries < _TRIES:
        descriptor = open_log(file, mode)
        try:
            if _try_lock(descriptor, alone=False, wait=wait) and _is_still(file, descriptor):
                write_whole(descriptor, line)
                # Trimming needs the exclusive lock; if others are still writing, the next writer trims.
                if os.fstat(descriptor).st_size > most and _try_lock(descriptor, alone=True, wait=False):
                    _trim(file, descriptor, most)
                return
        finally:
            os.close(descriptor)
        tries += 1
        if not wait:
            time.sleep(_PAUSE)  # another process is trimming the log


def open_log(file: Path, mode: int = 0o600) -> int:
    """A descriptor to append to a log with, which is made if it is missing.

    Raises:
        OSError: It cannot be opened, or is no regular file.
    """
    descriptor = os.open(file, _OPEN, mode)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "not a regular file", str(file))  # writing to a full pipe would block
    return descriptor


def write_whole(descriptor: int, line: bytes) -> None:
    """Write all of a line."""
    view = memoryview(line)
    while view:
        view = view[os.write(descriptor, view) :]


def _is_still(file: Path, descriptor: int) -> bool:
    """Whether an open file still has that name, and was not replaced by trimming."""
    with suppress(FileNotFoundError):
        return os.path.samestat(os.fstat(descriptor), file.stat())
    return False


def _trim(file: Path, descriptor: int, most: int) -> None:
    if not _is_still(file, descriptor):
        return
    _, _, kept = file.read_bytes()[-(most // 2) :].partition(b"\n")
    fresh = file.with_name(f"{file.name}.new")
    fresh.unlink(missing_ok=True)  # only one process trims at a time; a killed one may have left it
    try:
        with fresh.open("xb") as opened:
            fresh.chmod(stat.S_IMODE(os.fstat(descriptor).st_mode))
            opened.write(kept)
        fresh.replace(file)
    except OSError:
        fresh.unlink(missing_ok=True)


class LogFollower:
    """Reads a log that grows, each line once and in order, also where it is trimmed meanwhile.

    Args:
        file: The log, which may not exist yet.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._opened: FileIO | None = None
        self._rest = self._last = b""

    def read(self) -> list[bytes]:
        """The lines that were completed since the last call, without their line feeds.

        Raises:
            OSError: The log cannot be read.
        """
        replaced = self._opened is None or not _is_still(self._file, self._opened.fileno())
        lines = self._read_on()  # after that look: nobody writes to a log that was replaced
        if replaced:
            self._open()
            lines += self._read_on()
        return lines

    def close(self) -> None:
        """Close the log."""
        if self._opened is not None:
            self._opened.close()
            self._opened = None

    def _read_on(self) -> list[bytes]:
        if self._opened is None:
            return []
        *lines, self._rest = (self._rest + self._opened.readall()).split(b"\n")
        self._last = lines[-1] if lines else self._last
        return lines

    def _open(self) -> None:
        """Open the log, behind the last line that was read; at its beginning if it does not hold that."""
        try:
            descriptor = os.open(self._file, os.O_RDONLY | SAFE)
        except FileNotFoundError:
            return
        self.close()
        self._opened, self._rest = open(descriptor, "rb", buffering=0), b""  # noqa: PTH123, SIM115 - a descriptor
        if self._last:
            held = b"\n" + self._opened.readall()
            at = held.rfind(b"\n%b\n" % self._last)
            self._opened.seek(0 if at < 0 else at + len(self._last) + 1)
