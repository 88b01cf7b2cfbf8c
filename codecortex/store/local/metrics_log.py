"""The metrics log: one line per command that ran, for `codecortex status`.

It must never disturb a command: a line that cannot be written is dropped, a line that cannot be read is skipped.
"""

from __future__ import annotations

import os
import re
import stat
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from codecortex.store.local.flags import SAFE

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

FILE_NAME = "metrics.log"
MAX_BYTES = 1 << 20
_KEPT_BYTES = MAX_BYTES // 2
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9. -]{0,63}")
_TRIES = 5
_PAUSE = 0.002

if sys.platform == "win32":

    def _try_lock(_descriptor: int, *, alone: bool) -> bool:
        return not alone  # Windows cannot replace an open file: the log is appended to and never trimmed

else:
    import fcntl

    def _try_lock(descriptor: int, *, alone: bool) -> bool:
        try:
            fcntl.flock(descriptor, (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


class Record(NamedTuple):
    """One run of a command, or one call of a server.

    Attributes:
        name: The command, such as `resolve` or `hooks install`.
        milliseconds: How long it took.
        exit_code: The exit code of the process; 0 for success.
        counts: Numbers of what it did; see `Count`.
    """

    name: str
    milliseconds: float
    exit_code: int
    counts: Mapping[str, int]


def append_record(folder: Path, record: Record) -> None:
    """Add a record to the log in a folder, if that folder exists and is writable.

    Above a megabyte the log is cut to its newest half: some 5,000 records. A record is dropped unless its names consist
    of letters, digits, points, spaces and hyphens: other text does not belong in the log.
    """
    if not all(map(_PLAIN.fullmatch, (record.name, *record.counts))):
        return
    counts = ",".join(f'"{name}":{number:d}' for name, number in record.counts.items())
    line = b'{"name":"%b","ms":%.1f,"exit":%d,"counts":{%b}}\n' % (
        record.name.encode(), record.milliseconds, record.exit_code, counts.encode(),
    )  # fmt: skip
    with suppress(OSError):
        for _ in range(_TRIES):
            if _append(folder / FILE_NAME, line):
                return
            time.sleep(_PAUSE)  # another process is trimming the log


def _append(file: Path, line: bytes) -> bool:
    """Whether the line is written, or can never be; False to try again."""
    descriptor = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT | SAFE, 0o666)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return True
        if not _try_lock(descriptor, alone=False) or not _is_still(file, descriptor):
            return False
        os.write(descriptor, line)
        # Trimming needs the exclusive lock; if others are still writing, the next writer trims.
        if os.fstat(descriptor).st_size > MAX_BYTES and _try_lock(descriptor, alone=True):
            _trim(file, descriptor)
        return True
    finally:
        os.close(descriptor)


def _is_still(file: Path, descriptor: int) -> bool:
    """Whether an open file still has that name, and was not replaced by trimming."""
    with suppress(FileNotFoundError):
        return os.path.samestat(os.fstat(descriptor), file.stat())
    return False


def _trim(file: Path, descriptor: int) -> None:
    if not _is_still(file, descriptor):
        return
    _, _, kept = file.read_bytes()[-_KEPT_BYTES:].partition(b"\n")
    fresh = file.with_name(f"{FILE_NAME}.new")
    fresh.unlink(missing_ok=True)  # only one process trims at a time; a killed one may have left it
    try:
        with fresh.open("xb") as opened:
            opened.write(kept)
        fresh.replace(file)
    except OSError:
        fresh.unlink(missing_ok=True)


def read_records(folder: Path) -> tuple[Record, ...]:
    """The records in a folder, the oldest first; invalid lines are skipped."""
    try:
        descriptor = os.open(folder / FILE_NAME, os.O_RDONLY | SAFE)
        with os.fdopen(descriptor, "rb") as opened:
            lines = opened.read(MAX_BYTES * 2).splitlines()
    except OSError:
        return ()
    return tuple(record for line in lines if (record := _read_line(line)) is not None)


def _read_line(line: bytes) -> Record | None:
    import json

    try:
        row = json.loads(line)
        name, took, code, counts = row["name"], float(row["ms"]), int(row["exit"]), row.get("counts", {})
        known = {str(key): int(number) for key, number in counts.items()}
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
        return None
    return Record(name, took, code, known) if isinstance(name, str) and 0 <= took < float("inf") else None
