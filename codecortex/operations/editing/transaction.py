"""One call about one buffer: under the lock of its session, from what is remembered to what is remembered next.

A changed text is a version of the session before its file is written, and what is remembered is written last. Whatever
was not done when a process ends, the next call finds again: the text from the version, the file's by looking at it.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from codecortex.editing import events
from codecortex.editing.reducer import refuse_write, step
from codecortex.editing.values import Language, Mode, Response, Status
from codecortex.git.paths import decode_path
from codecortex.model.editor import EditorState
from codecortex.model.errors import BusyError
from codecortex.operations.editing import diagnostics
from codecortex.operations.editing.allowed import read_edit_config, require_allowed
from codecortex.operations.editing.buffers import (
    EXTERNAL,
    OPEN,
    begin_buffer,
    capture,
    cut_steps,
    describe_change,
    find_again,
    move_steps,
    restore,
)
from codecortex.operations.editing.files import find_path, read_bytes, require_text, write_bytes
from codecortex.operations.editing.texts import Texts
from codecortex.operations.sessions.manage import open_session
from codecortex.operations.sessions.remembered import lock_session, read_remembered, write_remembered
from codecortex.operations.sessions.versions import (
    add_version,
    check_name,
    find_session,
    list_sessions,
    open_worktree,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codecortex.editing.events import Event
    from codecortex.editing.reducer import EditState, Step
    from codecortex.git.repository import Repository
    from codecortex.model.editor import Buffer, StoredText
    from codecortex.operations.editing.files import FileBytes
    from codecortex.operations.editing.results import EditRequest
    from codecortex.operations.sessions.versions import Session

_REGULAR, _EXECUTABLE = 0o100644, 0o100755
_TRIES = 3
_FINE = frozenset({Status.SUCCESS, Status.NO_OP, Status.MULTI_MATCH})
_CHANGING = frozenset({"replace", "select", "append", "write", "save-as", "commit", "undo", "redo"})


class Entry(NamedTuple):
    """What a session has at a path: mode and blob; 0 and None where it has no file there."""

    mode: int
    blob: str | None


@contextmanager
def open_buffer(edit: EditRequest, verb: str, mode: Mode | None = None) -> Iterator[Transaction]:
    """Hold the session of a buffer, with what is remembered of it; a session and a buffer that there are not begin.

    Args:
        edit: Which text.
        verb: What is asked for.
        mode: The mode of a buffer that begins; None for `immediate`.

    Raises:
        NoTextError: The file has no text that can be edited.
        NotAllowedError: The configuration does not allow the verb, or that the file is changed.
        BusyError: Another process is at work in the session.
    """
    check_name(edit.session)
    repository = open_worktree(edit.request.folder)
    path = find_path(edit.request, repository, edit.file)
    config = read_edit_config(repository)
    if verb in _CHANGING:
        require_allowed(config, verb, [path])
    log = diagnostics.Diagnostics(edit, repository.require_root(), path, verb)
    with lock_session(repository, edit.session):
        work = Transaction(repository, find_or_begin(edit, repository), path, log, edit.plan)
        work.begin(Language(config.language.value), mode)
        yield work


def find_or_begin(edit: EditRequest, repository: Repository) -> Session:
    """The session; one that there is not is opened."""
    if edit.session not in list_sessions(repository):
        return open_session(edit.request.folder, edit.session).session
    return find_session(repository, edit.session)


class Transaction:
    """One buffer of a session that nobody else changes meanwhile.

    Attributes:
        repository: The repository.
        session: The session, with its latest version.
        path: The file's path.
        log: The diagnostics of this call.
        found: What the file says.
        disk: The same as a text.
        texts: The texts of the file.
        record: What is remembered of the buffer.
        state: The buffer.
        response: The latest answer; None before the first.
    """

    def __init__(
        self, repository: Repository, session: Session, path: str, log: diagnostics.Diagnostics, plan: str
    ) -> None:
        self.repository, self.session, self.path, self.log, self._plan = repository, session, path, log, plan
        self._met = session.tip.id
        self.found: FileBytes = read_bytes(repository, path)
        self.texts = Texts(repository, self.found)
        self.disk: events.OnDisk = None
        self.record: Buffer
        self.state: EditState
        self._entry = read_entry(repository, session.tree, path)

    def begin(self, language: Language, mode: Mode | None) -> None:
        """Take up the buffer where it was left, or begin one."""
        self._remembered = read_remembered(self.repository, self.session.name)
        record = self._remembered.buffers.get(self.path)
        if record is None or (record.text.blob if record.text is not None else None) != self._entry.blob:
            record = find_again(self.repository, self.session, self.path, self._entry.blob, self.texts)
        if record is not None:
            self.disk = self.texts.decode_disk(record.base, record.text)
            self.record, self.state = record, restore(record, self.texts, language)
            return
        disk = self.disk = self.texts.decode_disk()
        if isinstance(disk, events.Unreadable):
            raise require_text(self.path, disk.reason)
        self.record, self.state = begin_buffer(disk, mode or Mode.IMMEDIATE, language)
        self.record = self.record._replace(disk=self.found.fingerprint)
        self._keep(OPEN, self.state, step(self.state, events.Show()).response)

    def meet_disk(self) -> Response | None:
        """Tell the buffer what was changed outside since the last call; None where nothing was."""
        self._met = self.session.tip.id
        if self.found.fingerprint == self.record.disk:
            return None
        done = step(self.state, events.DiskChange(self.disk))
        self.record = self.record._replace(disk=self.found.fingerprint)
        self._keep(EXTERNAL, done.state, done.response)
        self._met = self.session.tip.id
        self.log.tell(diagnostics.EXTERNAL, done.response, fingerprint=self.found.fingerprint)
        return done.response

    def take(self, op: str, event: Event) -> Step:
        """Let an event happen: the text is stored, then the file written where the mode says so."""
        before = self.state
        done = step(before, event)
        if not isinstance(event, events.Commit):
            self._keep(op, done.state, done.response, is_written=done.write is None)
        if done.write is None:
            return done
        data = done.write.encode()
        failure = write_bytes(self.repository, self.path, data, self.record.disk)
        if failure:
            done = refuse_write(before, done, failure)
            self.state = done.state
            self.record = capture(self.record, done.state, self.texts, self._entry.blob)
            self._add_version(op, done.response, self.record.text, self.record.base, error=failure)
        else:
            if isinstance(event, events.Commit):
                self._keep(op, done.state, done.response)
                self._add_version(op, done.response, self.record.text, self.record.base)
            self.record = self.record._replace(disk=self.texts.fingerprint(self.record.text))
        self.log.tell(
            diagnostics.PERSISTENCE, done.response, bytes=len(data), **({"error": failure} if failure else {})
        )
        return done

    def remember_attempt(self, op: str, response: Response) -> None:
        """Keep an attempt that made no version as one of the same text, where it failed or was planned."""
        is_failed = response.status not in _FINE
        if self.session.tip.id == self._met and (is_failed or self._plan):
            text, error = self.record.text, response.summary if is_failed else ""
            self._add_version(op, response, text, self.record.base, error=error)

    def list_steps(self, *, back: bool) -> tuple[StoredText | None, ...]:
        """The nearest texts to go back or forward to, the nearest last; those that are not remembered are looked up."""
        record = self.record
        if (record.undo_left and not record.undo) if back else (record.redo_left and not record.redo):
            found = find_again(self.repository, self.session, self.path, self._entry.blob, self.texts)
            if found is not None:
                self.record = self.record._replace(
                    undo=found.undo, redo=found.redo, undo_left=found.undo_left, redo_left=found.redo_left
                )
        return self.record.undo if back else self.record.redo

    def finish(self, *, is_shown: bool = True) -> None:
        """Write what is remembered; a buffer that is shown is the active one."""
        buffers = {**self._remembered.buffers, self.path: self.record}
        editor = self._show() if is_shown else self._remembered.editor
        state = self._remembered._replace(buffers=buffers, editor=editor)
        write_remembered(self.repository, self.session.name, state)

    def _show(self) -> EditorState:
        editor = self._remembered.editor
        opened = editor.open if self.path in editor.open else (*editor.open, self.path)
        return EditorState(self.path, editor.cursor if editor.active == self.path else None, editor.selections, opened)

    def _keep(self, op: str, after: EditState, response: Response, *, is_written: bool = True) -> None:
        """Make a state the one of the buffer; another text than the session has is a version of it.

        Of a file that is yet to be written, the version says what it says until then.
        """
        before, base = self.record.text, self.record.base
        self.record, self.state = capture(self.record, after, self.texts, self._entry.blob), after
        if self.record.text != before and op != OPEN:
            self.record = cut_steps(move_steps(self.record, op, before))
        if (self.record.text.blob if self.record.text is not None else None) != self._entry.blob:
            self._add_version(op, response, before, self.record.base if is_written else base)

    def _add_version(
        self, op: str, response: Response, before: StoredText | None, base: StoredText | None, *, error: str = ""
    ) -> None:
        """Add a version; one that another process added meanwhile stays, unless it changed this file too."""
        facts: dict[str, Any] = {
            "op": op,
            "file": self.path,
            "status": response.status,
            "state": response.state,
            "delta": response.metrics.delta,
            "length": response.metrics.new_length,
            **describe_change(before, self.record, base),
            **({"error": error} if error else {}),
            **({"plan": self._plan} if self._plan else {}),
        }
        text = self.record.text
        entry = (self._find_mode(), text.blob) if text is not None else None
        is_changed = (text.blob if text is not None else None) != self._entry.blob
        title = f"{op} {self.path}" + ("" if response.status is Status.SUCCESS else f": {response.status}")
        for left in reversed(range(_TRIES)):
            try:
                changes = {decode_path(self.path): entry} if is_changed else {}
                self.session = add_version(self.repository, self.session, changes, title, facts)
                break
            except BusyError:
                session = find_session(self.repository, self.session.name)
                if not left or read_entry(self.repository, session.tree, self.path) != self._entry:
                    raise
                self.session = session
        self._entry = Entry(*entry) if entry is not None else Entry(0, None)

    def _find_mode(self) -> int:
        if self._entry.mode:
            return self._entry.mode
        return _EXECUTABLE if self.found.executable else _REGULAR


def read_entry(repository: Repository, tree: str, path: str) -> Entry:
    """What a tree has at a path."""
    raw = decode_path(path)
    output = repository.ask("look up a file", "ls-tree", "-z", "--full-tree", tree, "--", os.fsdecode(raw))
    if not output.startswith((b"100644 blob ", b"100755 blob ")):
        return Entry(0, None)
    mode, _, rest = output.partition(b" blob ")
    return Entry(int(mode, 8), rest.partition(b"\t")[0].decode())
