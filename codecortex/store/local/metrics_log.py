"""The metrics log: one line per command that ran, for `codecortex status`.

It must never disturb a command: a line that cannot be written is dropped, a line that cannot be read is skipped.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later
from codecortex.store.local.flags import SAFE
from codecortex.store.local.json_lines import append_line

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

FILE_NAME = "metrics.log"
MAX_BYTES = 1 << 20
_PLAIN = compile_later(r"[A-Za-z][A-Za-z0-9. -]{0,63}")


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
        append_line(folder / FILE_NAME, line, MAX_BYTES, wait=False, mode=0o666)


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
