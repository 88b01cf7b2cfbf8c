"""Writes what happens in a run, for whoever follows it."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from codecortex.git.worktree.folders import Folder, attempt
from codecortex.model.runs import KILLED, RunStatus
from codecortex.operations.local_files import write_local
from codecortex.store.local.run_events import EventLog, RunEvent
from codecortex.store.paths import OPS, events_path

if TYPE_CHECKING:
    from pathlib import Path

    from codecortex.model.runs import RunRecord


class EventWriter:
    """Writes the events of one run; whoever uses it holds the lock of runs.

    Args:
        root: The work tree.
        run: The run as it was recorded; if a process was killed before it could tell its end, that is told first.

    Raises:
        GitStateError: The log cannot be written.
    """

    def __init__(self, root: Path, run: RunRecord) -> None:
        write_local(root, {})
        Folder(os.fsencode(root), f"{OPS}/{run.id}".encode()).make()
        self._path = events_path(run.id)
        self._log = attempt(self._path, EventLog, root / self._path)
        last = self._log.last
        if last is not None and last["event"] != RunEvent.DONE:
            self.end(run.end(RunStatus.INTERRUPTED, KILLED) if run.status is RunStatus.RUNNING else run)

    def tell(self, event: RunEvent, progress: float, **details: Any) -> None:
        """Add an event.

        Raises:
            GitStateError: The log cannot be written.
        """
        attempt(self._path, self._log.append, _now(), event, progress, details)

    def end(self, run: RunRecord) -> None:
        """Add the end of the run."""
        self.tell(RunEvent.DONE, run.progress, **describe_end(run))

    def close(self) -> None:
        """Close the log."""
        self._log.close()


def describe_end(run: RunRecord) -> dict[str, Any]:
    """What the event of a run's end tells, as JSON values."""
    return {
        "status": run.status,
        "reason": run.reason or None,
        "tokensIn": run.tokens_in,
        "tokensOut": run.tokens_out,
    }


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
