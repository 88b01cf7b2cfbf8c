"""What is edited in a session: each buffer with its state and the verbs it allows; and the log of what happened."""

from __future__ import annotations

import time
from contextlib import closing
from typing import TYPE_CHECKING, Any

from codecortex.editing.markdown import list_flags
from codecortex.editing.reducer import find_flags
from codecortex.editing.visibility import Verb, list_allowed
from codecortex.git.objects.opening import open_objects
from codecortex.git.worktree.folders import attempt
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.text.visible import show_line
from codecortex.operations.editing.buffers import read_state
from codecortex.operations.editing.files import find_path, read_bytes
from codecortex.operations.metrics import read_figures
from codecortex.operations.sessions.remembered import read_remembered
from codecortex.operations.sessions.versions import check_name, list_sessions, open_worktree
from codecortex.store.local.edit_log import EditFollower, read_edits
from codecortex.store.paths import LOGS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from codecortex.editing.values import Flag
    from codecortex.git.repository import Repository
    from codecortex.model.editor import Buffer
    from codecortex.operations.metrics import Figures
    from codecortex.operations.request import Request

_SHORT = 12
_LOOK = 0.1
"""Interval, in seconds, at which who follows the log looks for more."""


class BufferStatus(NamedTuple):
    """A buffer as it was left by the latest verb.

    Attributes:
        file: The path of its file.
        mode: When it is written there.
        state: Where the work on it stands.
        flags: What follows from both.
        allowed: The verbs that may be used.
        undo: How many changes can be gone back.
        redo: How many can be gone forward.
        changed: Whether the file says something else than it did then.
    """

    file: str
    mode: str
    state: str
    flags: Flag
    allowed: tuple[str, ...]
    undo: int
    redo: int
    changed: bool

    def as_json(self) -> dict[str, Any]:
        """The buffer as JSON values."""
        flags = {"mask": int(self.flags), "names": list_flags(self.flags)}
        return {**self._asdict(), "flags": flags, "allowed": list(self.allowed)}


class EditStatus(NamedTuple):
    """The buffers of a session.

    Attributes:
        session: Its name.
        version: Its latest version; None where there is no session.
        opened_on: The commit that it was opened on; None before the first one.
        head: The commit that the work tree stands on now.
        buffers: The buffers by path, sorted.
        figures: How edits went in this repository.
    """

    session: str
    version: str | None
    opened_on: str | None
    head: str | None
    buffers: tuple[BufferStatus, ...]
    figures: Figures

    def as_json(self) -> dict[str, Any]:
        """The buffers as JSON values."""
        return {
            "session": self.session,
            "version": self.version,
            "openedOn": self.opened_on,
            "head": self.head,
            "buffers": [each.as_json() for each in self.buffers],
            "applySuccessRate": self.figures.edit_success,
            "rollbackCount": self.figures.rollbacks,
        }

    def as_text(self) -> str:
        """A line for each buffer, one for what it allows, and one for the figures."""
        lines = [] if self.buffers else [f"Nothing is edited in session {self.session}."]
        for each in self.buffers:
            told = ", ".join([*list_flags(each.flags), *(["changed outside"] if each.changed else [])]) or "-"
            lines.append(f"{each.file}  {each.mode}  {each.state}  {told}  undo {each.undo}  redo {each.redo}")
            lines.append(f"  allowed: {', '.join(each.allowed)}")
        if self.version is not None and self.opened_on != self.head:
            was, now = ((each or "no commit")[:_SHORT] for each in (self.opened_on, self.head))
            lines.append(f"The session was opened on {was}, the work tree stands on {now}.")
        if self.figures.edit_success is not None:
            rate = f"{self.figures.edit_success:.0%} of edits applied"
            lines.append(f"{rate}, {self.figures.rollbacks} rolled back")
        return "\n".join(lines)


def edit_status(request: Request, session: str, file: str | None = None) -> EditStatus:
    """The buffers of a session, or the one of a file; nothing is changed.

    Raises:
        UsageError: The session or the path cannot be one.
    """
    check_name(session)
    repository = open_worktree(request.folder)
    path = find_path(request, repository, file) if file is not None else None
    known = list_sessions(repository).get(session)
    buffers = read_remembered(repository, session).buffers if known is not None else {}
    return EditStatus(
        session=session,
        version=known.tip.id if known is not None else None,
        opened_on=known.start if known is not None else None,
        head=open_objects(repository).find("HEAD^{commit}"),
        buffers=tuple(_describe(repository, each, buffers[each]) for each in sorted(buffers) if path in (None, each)),
        figures=read_figures(repository.shared_dir),
    )


def _describe(repository: Repository, path: str, record: Buffer) -> BufferStatus:
    known = read_state(record)
    allowed = list_allowed(known.state, known.mode)
    return BufferStatus(
        file=path,
        mode=known.mode,
        state=known.state,
        flags=find_flags(known),
        allowed=tuple(each.value for each in Verb if each in allowed),
        undo=len(record.undo) + record.undo_left,
        redo=len(record.redo) + record.redo_left,
        changed=read_bytes(repository, path).fingerprint != record.disk,
    )


class EditLog(NamedTuple):
    """Records of the log, the newest first; `total` counts those that are not listed too."""

    records: tuple[dict[str, Any], ...]
    total: int

    def as_json(self) -> dict[str, Any]:
        """The records as they stand in the log."""
        return {"records": list(self.records), "total": self.total}

    def as_text(self) -> str:
        """A line for each."""
        lines = [write_edit(each) for each in self.records]
        older = self.total - len(self.records)
        return "\n".join([*lines, *([f"and {older:,} older"] if older else [])]) or "Nothing was edited."


def edit_log(request: Request, session: str, file: str | None = None, limit: int | None = None) -> EditLog:
    """What happened to the buffers of a session, or to that of a file.

    Raises:
        UsageError: The session or the path cannot be one.
    """
    check_name(session)
    repository = open_worktree(request.folder)
    path = find_path(request, repository, file) if file is not None else None
    rows = [row for row in read_edits(repository.require_root() / LOGS) if row.get("session") == session]
    rows = [row for row in reversed(rows) if path in (None, row.get("file"))]
    return EditLog(tuple(rows[:limit]), len(rows))


def follow_edits(
    request: Request,
    session: str,
    file: str | None = None,
    limit: int | None = None,
    *,
    pause: Callable[[float], None] = time.sleep,
) -> Iterator[dict[str, Any]]:
    """The newest records of the log, the oldest of them first, and what is added from then on, each once.

    Args:
        request: The work tree.
        session: The session whose buffers are meant.
        file: One of its files alone.
        limit: How many of the records that are there already are wanted; None for all.
        pause: Called with the seconds to wait before the next look; may raise to end the stream.

    Raises:
        UsageError: The session or the path cannot be one.
        GitStateError: The log cannot be read.
    """
    check_name(session)
    repository = open_worktree(request.folder)
    path = find_path(request, repository, file) if file is not None else None
    most = limit
    with closing(EditFollower(repository.require_root() / LOGS)) as log:
        while True:
            rows = attempt(LOGS, log.read)
            rows = [row for row in rows if row.get("session") == session and path in (None, row.get("file"))]
            yield from rows if most is None else rows[-most:]
            most = None
            pause(_LOOK)


def write_edit(row: dict[str, Any]) -> str:
    """A record as a line for people."""
    return show_line(_write(row))


def _write(row: dict[str, Any]) -> str:
    flags = ",".join(row.get("flags") or ["-"])
    facts = (row.get(name, "-") for name in ("at", "category", "verb", "file", "status", "state"))
    return (
        f"{'  '.join(map(str, facts))}  {flags}  {row.get('ms', '-')} ms  {row.get('error') or row.get('summary', '')}"
    )
