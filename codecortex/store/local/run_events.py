"""Reads and writes the events of a run: a line of JSON each, numbered from 1.

Only the run itself writes, under the lock of runs; any process may follow. Nothing that was written is changed.
"""

from __future__ import annotations

import json
import os
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from codecortex.store.local.json_lines import open_log, write_whole

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

Row = dict[str, Any]


class RunEvent(StrEnum):
    """What happened in a run."""

    STARTED = "started"
    RESUMED = "resumed"
    ASKED = "asked"
    ANSWERED = "answered"
    RETRIED = "retried"
    FAILED = "failed"
    WRITTEN = "written"
    DONE = "done"


def make_row(last: Row | None, at: str, event: RunEvent, progress: float, details: Mapping[str, Any]) -> Row:
    """The event after another as JSON values: number, when, what, how much is done (0 to 1), and what belongs to it.

    The record of a run that was killed is older than its log: what was done does not become less by that.
    """
    number, before = (last["number"], last["progress"]) if last is not None else (0, 0)
    return {"number": number + 1, "at": at, "event": str(event), "progress": max(progress, before), **details}


def read_row(line: bytes) -> Row | None:
    """The event in a line; None if it holds none."""
    try:
        row = json.loads(line)
    except ValueError:
        return None
    known = (
        isinstance(row, dict) and isinstance(row.get("number"), int) and isinstance(row.get("progress"), int | float)
    )
    return row if known else None


class EventLog:
    """The events of one run, for its one writer.

    Args:
        file: The log, in a folder that exists; half a line at its end, of a process that was killed, is taken away.

    Raises:
        OSError: The log cannot be written.
    """

    def __init__(self, file: Path) -> None:
        self._descriptor = open_log(file)
        data = file.read_bytes()
        whole = data.rfind(b"\n") + 1
        if whole < len(data):
            os.ftruncate(self._descriptor, whole)
        rows = [row for line in data[:whole].splitlines()[-1:] if (row := read_row(line)) is not None]
        self.last: Row | None = rows[-1] if rows else None

    def append(self, at: str, event: RunEvent, progress: float, details: Mapping[str, Any]) -> None:
        """Add an event.

        Raises:
            OSError: The log cannot be written.
        """
        self.last = make_row(self.last, at, event, progress, details)
        write_whole(self._descriptor, json.dumps(self.last).encode() + b"\n")

    def close(self) -> None:
        """Close the log."""
        os.close(self._descriptor)
