"""Starts an investigation in a process of its own and gives its id at once; follows a run for a while."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from codecortex.git.background import start_detached
from codecortex.model.errors import BusyError, UsageError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.folder import require_folder
from codecortex.operations.generation.run_record import make_run_id
from codecortex.operations.investigate.run import Question, begin, list_stale, require_writer
from codecortex.operations.notes.runs import cancel_run, find_run, find_under_way
from codecortex.operations.notes.stream import follow_run
from codecortex.store.local.run_events import RunEvent
from codecortex.store.paths import run_path

if TYPE_CHECKING:
    from collections.abc import Sequence

    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.notes.runs import Cancelled
    from codecortex.store.local.run_events import Row

_PATIENCE, _LOOK = 30.0, 0.05
_WAIT = 20.0
"""Seconds after which a run is no longer followed in one call."""


class Started(NamedTuple):
    """An investigation that goes on in the background.

    Attributes:
        id: The id of the run; empty if nobody has to be asked.
        reason: Why nobody has to be asked.
    """

    id: str
    reason: str = ""

    def as_json(self) -> dict[str, Any]:
        """JSON values."""
        return {"id": self.id or None, "reason": self.reason or None}

    def as_text(self) -> str:
        """The id, and how to follow it."""
        return f"{self.id} is under way: `codecortex ops stream {self.id}` follows it." if self.id else self.reason


class Followed(NamedTuple):
    """What happened in a run so far.

    Attributes:
        id: The id of the run.
        rows: The events.
    """

    id: str
    rows: tuple[Row, ...]

    @property
    def ended(self) -> bool:
        """Whether the run has ended."""
        return bool(self.rows) and self.rows[-1]["event"] == RunEvent.DONE

    def as_json(self) -> dict[str, Any]:
        """JSON values."""
        progress = self.rows[-1]["progress"] if self.rows else 0.0
        return {"id": self.id, "ended": self.ended, "progress": progress, "events": list(self.rows)}

    def as_text(self) -> str:
        """A line for each event."""
        lines = [f"{row['number']}  {row['progress']:.0%}  {_tell(row)}" for row in self.rows]
        return "\n".join([*lines, *([] if self.ended else [f"{self.id} goes on."])])


def start(workspace: Workspace, question: Question | None, names: Sequence[str] = ()) -> Started:
    """Start to investigate a question, or to mend what does not hold, and return as soon as the run is recorded.

    Args:
        workspace: A workspace on the work tree.
        question: The question; None to update.
        names: The investigations to update; none for all that do not hold.

    Raises:
        BusyError: Another run is under way.
        UsageError: It could not be started; and as `investigate`.
    """
    root = require_folder(workspace.repository)
    require_writer(workspace, None)
    under_way = find_under_way(workspace.repository)
    if under_way is not None:
        raise BusyError(f"The run {under_way.id} is under way.", "Follow it, or cancel it, first.")
    if question is None:
        words, reason = ["--update", *names], "" if list_stale(workspace, names) else "Every investigation holds."
    else:
        _, reason = begin(workspace, question)
        scope = [word for symbol in question.scope for word in ("--scope", symbol)]
        words = [*scope, "--budget", str(question.budget), "--", question.text]
    if reason:
        return Started("", reason)
    run_id = make_run_id()
    start_detached(workspace.repository, "investigate", "ask", "--id", run_id, *words)
    until = time.monotonic() + _PATIENCE
    while not (root / run_path(run_id)).exists():
        if time.monotonic() > until:
            raise UsageError("The investigation did not start.", "`codecortex investigate` in a terminal tells why.")
        time.sleep(_LOOK)
        workspace.request.progress("Starting", 0, 1)
    return Started(run_id)


def follow(workspace: Workspace, name: str) -> Followed:
    """Follow a run until it ends, or for some seconds; the progress that is told is that of its events.

    Raises:
        UsageError: There is no such run.
    """
    run = find_run(workspace.repository, name)
    rows: list[Row] = []
    until = time.monotonic() + _WAIT

    def report() -> None:
        if rows:
            done = round(rows[-1]["progress"] * 10_000)
            workspace.request.progress(f"Run {run.id}: {_tell(rows[-1])} ({done // 100} %)", done, 10_000)

    def pause(seconds: float) -> None:
        report()
        if time.monotonic() > until:
            raise TimeoutError
        time.sleep(seconds)

    try:
        for row in follow_run(workspace.repository.folder, run.id, pause=pause):
            rows.append(row)
            report()
    except TimeoutError:
        pass
    return Followed(run.id, tuple(rows))


class Ended(NamedTuple):
    """A run that was told to end, or was ended already."""

    cancelled: Cancelled

    def as_json(self) -> dict[str, Any]:
        """JSON values."""
        return self.cancelled.as_json()

    def as_text(self) -> str:
        """One line."""
        return f"{self.cancelled.run.id} {'was told to end' if self.cancelled.told else 'is cancelled'}."


def cancel(workspace: Workspace, name: str) -> Ended:
    """End a run.

    Raises:
        UsageError: There is no such run, or it has ended.
    """
    return Ended(cancel_run(workspace.repository.folder, name))


def _tell(row: Row) -> str:
    """An event in words."""
    what = row.get("path") or row.get("reason") or row.get("status") or row.get("owner") or ""
    return f"{row['event']} {what}".rstrip()
