"""One call about one buffer: under the lock of its session, from what is remembered to what is remembered next.

A changed text is a version of the session before its file is written, and what is remembered is written last. Whatever
was not done when a process ends, the next call finds again: the text from the version, the file's by looking at it. A
file that was to be written at once and was not keeps what it says, and the buffer says that again.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from codecortex.editing import events
from codecortex.editing.reducer import refuse_write, step
from codecortex.editing.values import Language, Mode, Response, Status
from codecortex.editing.visibility import Verb
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
    is_interrupted,
    move_steps,
    restore,
)
from codecortex.operations.editing.files import (
    find_moved,
    find_path,
    read_bytes,
    require_text,
    trusts_permissions,
    write_draft,
)
from codecortex.operations.editing.held import Entry, hold_session
from codecortex.operations.editing.texts import Texts
from codecortex.operations.sessions.versions import check_name, list_versions, open_worktree

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codecortex.editing.events import Event
    from codecortex.editing.reducer import EditState, Step
    from codecortex.git.repository import Repository
    from codecortex.model.editor import Buffer, StoredText
    from codecortex.operations.editing.files import FileBytes
    from codecortex.operations.editing.held import HeldSession
    from codecortex.operations.editing.results import EditRequest
    from codecortex.operations.sessions.versions import Session

_REGULAR, _EXECUTABLE = 0o100644, 0o100755
_FINE = frozenset({Status.SUCCESS, Status.NO_OP, Status.MULTI_MATCH})
_CHANGING = frozenset({"replace", "select", "append", "write", "save-as", "commit", "undo", "redo"})


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
    with hold_session(edit, repository, Language(config.language.value)) as held:
        work = Transaction(held, path, log, held.read_entries([path])[path])
        work.begin(mode)
        yield work


class Transaction:
    """One buffer of a session that nobody else changes meanwhile.

    Attributes:
        path: The file's path.
        log: The diagnostics of this call.
        found: What the file says.
        disk: The same as a text.
        texts: The texts of the file.
        record: What is remembered of the buffer.
        state: The buffer.
        entry: What the session has at the path.
    """

    def __init__(self, held: HeldSession, path: str, log: diagnostics.Diagnostics, entry: Entry) -> None:
        self._held, self.path, self.log, self.entry = held, path, log, entry
        self._met = held.session.tip.id
        self.found: FileBytes = read_bytes(held.repository, path)
        self.texts = Texts(held.repository, self.found)
        self.disk: events.OnDisk = None
        self.record: Buffer
        self.state: EditState

    @property
    def repository(self) -> Repository:
        """The repository."""
        return self._held.repository

    @property
    def session(self) -> Session:
        """The session, with its latest version."""
        return self._held.session

    def begin(self, mode: Mode | None) -> None:
        """Take up the buffer where it was left, or begin one."""
        language = self._held.language
        record = self._held.find_buffer(self.path)
        is_known = record is not None and self._is_kept(record.text)
        if not is_known:
            record = self._find_again()
        if record is not None:
            self.disk = self.texts.decode_disk(record.base, record.text)
            self.record, self.state = record, restore(record, self.texts, language)
            if not is_known:
                self._drop_interrupted()
            return
        disk = self.disk = self.texts.decode_disk()
        if isinstance(disk, events.Unreadable):
            raise require_text(self.path, disk.reason)
        self.record, self.state = begin_buffer(disk, mode or Mode.IMMEDIATE, language)
        self.record = self.record._replace(disk=self.found.fingerprint)
        self._keep(OPEN, self.state, step(self.state, events.Show()).response)

    def _drop_interrupted(self) -> None:
        """Take back what a process stored that was killed before it wrote the file."""
        unwritten = self._is_kept(self.record.text) and self.found.fingerprint == self.record.disk
        if unwritten and is_interrupted(list_versions(self.repository, self.session), self.path, self.record):
            done = step(self.state, events.Discard(self.disk))
            self._keep(Verb.DISCARD, done.state, done.response)
            self._held.warn(f"Took back an edit of {self.path} that was interrupted before the file was written.")

    def meet_disk(self) -> Response | None:
        """Tell the buffer what was changed outside since the last call; None where nothing was."""
        self._met = self.session.tip.id
        if self.found.fingerprint == self.record.disk:
            return None
        moved_to = ""
        if self.disk is None and self.state.base is not None:
            moved_to = find_moved(self.repository, self.state.base.encode())
        done = step(self.state, events.DiskChange(self.disk, moved_to))
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
            self._keep(op, done.state, done.response, is_written=not done.is_due)
        if not done.is_due:
            return done
        failure = write_draft(self.repository, self.path, done.state.draft, self.record.disk)
        if failure:
            done = refuse_write(before, done, failure)
            self.state = done.state
            self.record = capture(self.record, done.state, self.texts, self.entry.blob)
            self._add_version(op, done.response, self.record.text, self.record.base, error=failure)
        else:
            if isinstance(event, events.Commit):
                self._keep(op, done.state, done.response)
                self._add_version(op, done.response, self.record.text, self.record.base)
            self.mark_written()
        self.log.tell(
            diagnostics.PERSISTENCE,
            done.response,
            bytes=len(done.state.text.encode()),
            **({"error": failure} if failure else {}),
        )
        return done

    def remember_attempt(self, op: str, response: Response) -> None:
        """Keep an attempt that made no version as one of the same text, where it failed or was planned."""
        is_failed = response.status not in _FINE
        if self.session.tip.id == self._met and (is_failed or self._held.plan):
            text, error = self.record.text, response.summary if is_failed else ""
            self._add_version(op, response, text, self.record.base, error=error)

    def list_steps(self, *, back: bool) -> tuple[StoredText | None, ...]:
        """The nearest texts to go back or forward to, the nearest last; those that are not remembered are looked up."""
        record = self.record
        if (record.undo_left and not record.undo) if back else (record.redo_left and not record.redo):
            found = self._find_again()
            if found is not None:
                self.record = self.record._replace(
                    undo=found.undo, redo=found.redo, undo_left=found.undo_left, redo_left=found.redo_left
                )
        return self.record.undo if back else self.record.redo

    def finish(self, *, is_shown: bool = True) -> None:
        """Write what is remembered; a buffer that is shown is the active one."""
        self._held.remember({self.path: self.record}, shown=self.path if is_shown else None)

    def _keep(self, op: str, after: EditState, response: Response, *, is_written: bool = True) -> None:
        """Make a state the one of the buffer; another text than the session has is a version of it.

        Of a file that is yet to be written, the version says what it says until then.
        """
        before, base = self.record.text, self.record.base
        self._take_over(op, after)
        if not self._is_kept(self.record.text):
            self._add_version(op, response, before, self.record.base if is_written else base)

    def _take_over(self, op: str, after: EditState) -> None:
        before = self.record.text
        self.record, self.state = capture(self.record, after, self.texts, self.entry.blob), after
        if self.record.text != before and op != OPEN:
            self.record = cut_steps(move_steps(self.record, op, before))

    def capture(self, op: str, done: Step) -> dict[str, Any]:
        """Make a step the state of the buffer, and say what a version of several files tells of this one."""
        before, base = self.record.text, self.record.base
        self._take_over(op, done.state)
        return self.describe(before, base if done.is_due else self.record.base)

    def describe(self, before: StoredText | None, *bases: StoredText | None) -> dict[str, Any]:
        """What a version of several files tells of this one, which said `before` and says what it does now."""
        (base,) = bases or (self.record.base,)
        return {"file": self.path, **describe_change(before, self.record, base)}

    @property
    def existed(self) -> bool:
        """Whether there was a file when this call began."""
        return self.found.data is not None

    def mark_written(self) -> None:
        """The file says what the buffer says."""
        self.record = self.record._replace(disk=self.texts.fingerprint(self.record.text))

    def _is_kept(self, text: StoredText | None) -> bool:
        """Whether the session has a text at the path, with its permission."""
        if text is None or self.entry.blob is None:
            return text is None and self.entry.blob is None
        return text.blob == self.entry.blob and self._choose_mode(text) == self.entry.mode

    def _find_again(self) -> Buffer | None:
        return find_again(self.repository, self.session, self.path, self.entry, self.texts)

    def _add_version(
        self, op: str, response: Response, before: StoredText | None, base: StoredText | None, *, error: str = ""
    ) -> None:
        facts: dict[str, Any] = {
            "op": op,
            "file": self.path,
            "status": response.status,
            "state": response.state,
            "delta": response.metrics.delta,
            "length": response.metrics.new_length,
            **describe_change(before, self.record, base),
            **({"error": error} if error else {}),
        }
        entry = self.make_entry()
        title = f"{op} {self.path}" + ("" if response.status is Status.SUCCESS else f": {response.status}")
        changes = {self.path: entry} if entry != self.entry else {}
        self._held.add_version({self.path: self.entry}, changes, title, facts)
        self.entry = entry

    def make_entry(self) -> Entry:
        """What the session is to have at the path."""
        text = self.record.text
        return Entry(self._choose_mode(text), text.blob) if text is not None else Entry(0, None)

    def _choose_mode(self, text: StoredText) -> int:
        """The mode of a text; of a disk without permissions git knows better."""
        may_run = text.executable
        if self.entry.mode == _EXECUTABLE and not may_run and not self.found.executable:
            may_run = not trusts_permissions(self.repository)
        return _EXECUTABLE if may_run else _REGULAR
