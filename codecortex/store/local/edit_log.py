"""Reads and writes the log of edits: a line of JSON for each thing that happened to a buffer, the newest last."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.store.local.json_lines import LogFollower, append_line

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

FILE_NAME = "edit.log"
MAX_BYTES = 4 << 20


class EditRecord(NamedTuple):
    """One thing that happened to a buffer.

    Attributes:
        at: When, as ISO 8601 in UTC.
        operation: The id of the call that it belongs to.
        category: `edit.match`, `edit.persistence`, `edit.external` or `edit.schema`.
        verb: What was asked for.
        session: The session.
        file: The path of the file.
        status: What it came to.
        state: What lasts.
        flags: Their names.
        milliseconds: Time since the call began.
        details: What else its category tells.
    """

    at: str
    operation: str
    category: str
    verb: str
    session: str
    file: str
    status: str
    state: str
    flags: tuple[str, ...]
    milliseconds: float
    details: Mapping[str, Any]


def write_record(record: EditRecord) -> str:
    """A record as a line of JSON."""
    row = record._asdict()
    row["ms"] = row.pop("milliseconds")
    row.update(row.pop("details"))
    return json.dumps(row, separators=(",", ":"))


def append_edit(folder: Path, record: EditRecord) -> None:
    """Add a record to the log in a folder; above four megabytes only the newest half is kept.

    Raises:
        OSError: The file cannot be written.
    """
    append_line(folder / FILE_NAME, write_record(record).encode() + b"\n", MAX_BYTES)


def read_edits(folder: Path) -> list[dict[str, Any]]:
    """All records, the oldest first; lines that are none, as the last of a process that was killed, are left out."""
    try:
        lines = (folder / FILE_NAME).read_bytes().splitlines()
    except FileNotFoundError:
        return []
    return [row for row in map(_read_line, lines) if row is not None]


class EditFollower:
    """Reads the log in a folder as it grows, each record once; the folder may not exist yet."""

    def __init__(self, folder: Path) -> None:
        self._lines = LogFollower(folder / FILE_NAME)
        self.close = self._lines.close

    def read(self) -> list[dict[str, Any]]:
        """The records since the last call.

        Raises:
            OSError: The file cannot be read.
        """
        return [row for row in map(_read_line, self._lines.read()) if row is not None]


def _read_line(line: bytes) -> dict[str, Any] | None:
    try:
        row = json.loads(line)
    except ValueError:
        return None
    return row if isinstance(row, dict) else None
