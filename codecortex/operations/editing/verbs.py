"""The verbs of a text that is edited: one function each, from a request to what happened and what may be done next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.editing import events
from codecortex.editing.drafts import Draft
from codecortex.editing.events import Intent
from codecortex.editing.reducer import Step
from codecortex.editing.values import Mode, Status
from codecortex.editing.visibility import Verb, list_allowed
from codecortex.git.sessions.differences import diff_texts
from codecortex.operations.editing.allowed import read_edit_config, require_allowed
from codecortex.operations.editing.answers import Outcome, answer
from codecortex.operations.editing.declarations import find_declaration
from codecortex.operations.editing.files import find_path, read_bytes, write_draft
from codecortex.operations.editing.transaction import open_buffer

if TYPE_CHECKING:
    from collections.abc import Callable

    from codecortex.editing.events import Event
    from codecortex.model.editor import StoredText
    from codecortex.operations.editing.results import EditRequest, EditResult
    from codecortex.operations.editing.transaction import Transaction

_AFTER_A_CONFLICT = frozenset({Verb.DISCARD, Verb.REFRESH, Verb.DIFF})
"""Verbs that were meant whatever the file says."""


def open_file(edit: EditRequest, mode: Mode | None = None) -> EditResult:
    """Show a buffer with its state; with a mode, write it to its file by that from now on.

    This function and those below raise `NoTextError` for what is no text, `UsageError` for a path or a session that
    cannot be, `BusyError` while another process is at work in the session, and `GitStateError` where git or the disk
    refuses; then the file and the session are as before.
    """
    with open_buffer(edit, "open", mode) as work:
        told = work.meet_disk()
        done = work.take("open", events.Show(mode))
        work.remember_attempt("open", done.response)
        work.finish()
        return answer(edit, work, "open", Outcome(done, told, is_shown=True))


def open_text(edit: EditRequest, text: str, mode: Mode = Mode.MANUAL) -> EditResult:
    """Show a buffer that says a text of the caller's, whatever its file says, which follows by the mode."""
    with open_buffer(edit, Verb.WRITE, mode) as work:
        told = work.meet_disk()
        if told is not None and told.status is Status.EXTERNAL_CONFLICT:
            done, told = Step(work.state, told), None
        else:
            work.take("open", events.Show(mode))
            done = work.take(Verb.WRITE, events.Write(text))
        work.remember_attempt("open", done.response)
        work.finish()
        return answer(edit, work, "open", Outcome(done, told, is_shown=True))


def notice(edit: EditRequest) -> None:
    """Let a buffer take notice of what was changed outside, which the editor's state does not depend on."""
    with open_buffer(edit, "notice") as work:
        work.meet_disk()
        work.finish(is_shown=False)


def replace(edit: EditRequest, old: str, new: str, symbol: str | None = None) -> EditResult:
    """Put a text where another stands, or make candidates where it stands in several places.

    With a symbol, only its declaration in the buffer is looked at; `SymbolNotFoundError` and `AmbiguousSymbolError`
    tell of one that has none, or several.
    """

    def find(work: Transaction) -> Event:
        text = work.state.text.shown
        return events.Replace(old, new, find_declaration(work.path, text, symbol) if symbol is not None else None)

    return _perform(edit, Verb.REPLACE, find)


def select(edit: EditRequest, number: int, new: str | None = None) -> EditResult:
    """Choose a candidate; with a text, put that in its place."""
    return _perform(edit, Verb.SELECT, lambda _: events.Select(number, new))


def append(edit: EditRequest, text: str) -> EditResult:
    """Add a text at the end."""
    return _perform(edit, Verb.APPEND, lambda _: events.Append(text))


def write(edit: EditRequest, text: str, intent: Intent = Intent.EITHER) -> EditResult:
    """Put a text in place of the whole one, or make a file of it."""
    return _perform(edit, Verb.WRITE, lambda _: events.Write(text, intent))


def undo(edit: EditRequest) -> EditResult:
    """Go back to the text before the latest change."""
    return _perform(edit, Verb.UNDO, lambda work: events.Undo(*_load_last(work, work.list_steps(back=True))))


def redo(edit: EditRequest) -> EditResult:
    """Go forward to the text that was gone back from."""
    return _perform(edit, Verb.REDO, lambda work: events.Redo(*_load_last(work, work.list_steps(back=False))))


def commit(edit: EditRequest) -> EditResult:
    """Write the buffer to its file."""
    return _perform(edit, Verb.COMMIT, lambda _: events.Commit())


def discard(edit: EditRequest) -> EditResult:
    """Give up candidates, or else what differs from the file."""
    return _perform(edit, Verb.DISCARD, lambda work: events.Discard(work.disk))


def refresh(edit: EditRequest) -> EditResult:
    """Take what the file says now."""

    def read(work: Transaction) -> Event:
        work.take(Verb.REFRESH, events.BeginRefresh())
        return events.EndRefresh(work.disk)

    return _perform(edit, Verb.REFRESH, read)


def save_as(edit: EditRequest, path: str) -> EditResult:
    """Write the buffer to a path where no file is."""

    def save(work: Transaction) -> Event:
        place = find_path(edit.request, work.repository, path)
        require_allowed(read_edit_config(work.repository), Verb.SAVE_AS, [place])
        if Verb.SAVE_AS not in list_allowed(work.state.state, work.state.mode):
            return events.SaveAs(place)
        found = read_bytes(work.repository, place)
        if found.data is not None or found.problem:
            return events.SaveAs(place, found.problem or "it exists already")
        if work.state.draft is None:
            return events.SaveAs(place, "the buffer is no file")
        return events.SaveAs(place, write_draft(work.repository, place, work.state.draft, ""))

    return _perform(edit, Verb.SAVE_AS, save)


def compare(edit: EditRequest) -> EditResult:
    """Show what differs between file and buffer, as a patch."""
    return _perform(edit, Verb.DIFF, lambda _: events.Compare())


def _perform(edit: EditRequest, verb: Verb, make: Callable[[Transaction], Event]) -> EditResult:
    """Let the event of a verb happen, unless what was changed outside stands in its way."""
    with open_buffer(edit, verb) as work:
        told = work.meet_disk()
        if told is not None and told.status is Status.EXTERNAL_CONFLICT and verb not in _AFTER_A_CONFLICT:
            done, told = Step(work.state, told), None
        else:
            done = work.take(verb, make(work))
        work.remember_attempt(verb, done.response)
        work.finish()
        patch = _compare(work) if verb is Verb.DIFF and done.response.status is Status.SUCCESS else None
        return answer(edit, work, verb, Outcome(done, told, patch=patch))


def _load_last(work: Transaction, texts: tuple[StoredText | None, ...]) -> tuple[Draft | None, bool]:
    """The last of some texts, None for no file, and whether there is one."""
    return (work.texts.load(texts[-1]), True) if texts else (None, False)


def _compare(work: Transaction) -> str:
    disk, draft = work.disk, work.state.draft
    before = disk.shown if isinstance(disk, Draft) else None
    return diff_texts(work.repository, before, draft.shown if draft is not None else None, work.path)
