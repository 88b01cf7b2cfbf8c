"""The state of one text and an event in, its next state and the response out.

Nothing is written here. A step says whether its file has to become what the buffer says (`Step.is_due`): that text, or
no file. Its state and response hold once that is done, and `refuse_write` says what holds where it could not be done.
"""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from codecortex.editing import events
from codecortex.editing.drafts import Draft, fold_ends
from codecortex.editing.matching import MOST_SHOWN, Selection, find_places, make_candidates
from codecortex.editing.nearest import Passage, find_nearest
from codecortex.editing.values import REQUIRED_FLAGS, Flag, Language, Metrics, Mode, Response, State, Status
from codecortex.editing.visibility import Verb, list_allowed
from codecortex.editing.wording import Say, join, write, write_differences
from codecortex.model.startup.named_tuple import NamedTuple


class EditState(NamedTuple):
    """One text that is being edited.

    Attributes:
        state: Where the work stands.
        mode: When the file is written.
        draft: The buffer; None for no file.
        base: What the file said when it was last read or written; None where there was none.
        selection: The passages of which one is to be chosen, in `SelectionPending` alone.
        returns_to: The state before them; `Idle` where there are none.
        conflict: Whether the file was changed outside, in `OutOfSync` alone.
        language: The language of responses.
    """

    state: State = State.IDLE
    mode: Mode = Mode.IMMEDIATE
    draft: Draft | None = None
    base: Draft | None = None
    selection: Selection | None = None
    returns_to: State = State.IDLE
    conflict: bool = False
    language: Language = Language.ENGLISH

    @property
    def text(self) -> Draft:
        """The buffer; no file is an empty text, written as the file was."""
        return self.draft or replace(self.base or Draft(), raw="")

    @property
    def settled(self) -> State:
        """The state, or the one before candidates were found."""
        return self.returns_to if self.state is State.SELECTION_PENDING else self.state


class Step(NamedTuple):
    """What an event leads to.

    Attributes:
        state: The next state.
        response: The answer.
        is_due: Whether the file has to become what the buffer of the next state says.
        near: Where nothing matched, the passages that come nearest.
    """

    state: EditState
    response: Response
    is_due: bool = False
    near: tuple[Passage, ...] = ()


def open_draft(disk: Draft | None, mode: Mode = Mode.IMMEDIATE, language: Language = Language.ENGLISH) -> EditState:
    """The state of a text that is opened: what its file says, or nothing for a file that is to be made."""
    return EditState(mode=mode, draft=disk, base=disk, language=language)


def step(before: EditState, event: events.Event) -> Step:
    """What an event leads to; a verb that the state does not allow changes nothing."""
    verb = _VERBS.get(type(event))
    if verb is not None and verb not in list_allowed(before.state, before.mode):
        return _answer(before, before, Status.EXCEPTION, (Say.NOT_ALLOWED, f"`{verb}`", f"`{before.state}`"))
    match event:
        case events.Replace():
            done = _replace(before, event._replace(old=fold_ends(event.old)))
        case events.Select():
            done = _select(before, event)
        case events.Append():
            end = len(before.text.shown)
            draft = before.text.splice(end, end, event.text) if event.text else before.draft
            done = _edit(before, draft, (Say.APPENDED,))
        case events.Write():
            done = _write(before, event)
        case events.Put():
            done = _edit(before, event.draft, (Say.UPDATED if event.draft is not None else Say.REMOVED,))
        case events.Undo() | events.Redo():
            done = _go(before, event)
        case events.Commit() | events.SaveAs():
            done = _persist(before, event)
        case events.Discard() | events.BeginRefresh() | events.EndRefresh() | events.DiskChange():
            done = _read(before, event)
        case events.Compare():
            done = _answer(before, before, Status.SUCCESS, (Say.COMPARED,))
        case events.Show():
            done = _answer(before, before._replace(mode=event.mode or before.mode), Status.SUCCESS, (Say.SHOWN,))
        case _:
            assert_never(event)
    return done


def refuse_write(before: EditState, done: Step, reason: str) -> Step:
    """What holds where the file could not get what a step named: the buffer keeps it, the file what it had.

    Args:
        before: The state before the step.
        done: The step.
        reason: Why the file was not written.
    """
    after = done.state._replace(state=State.OUT_OF_SYNC, base=before.base)
    return _answer(before, after, Status.PERSIST_FAILURE, (Say.NOT_WRITTEN, reason))


_Told = tuple[Say, *tuple[object, ...]]
"""What is said, and the values in it."""

_VERBS = {
    events.Replace: Verb.REPLACE,
    events.Select: Verb.SELECT,
    events.Append: Verb.APPEND,
    events.Write: Verb.WRITE,
    events.Put: Verb.WRITE,
    events.Undo: Verb.UNDO,
    events.Redo: Verb.REDO,
    events.Commit: Verb.COMMIT,
    events.SaveAs: Verb.SAVE_AS,
    events.Discard: Verb.DISCARD,
    events.Compare: Verb.DIFF,
    events.BeginRefresh: Verb.REFRESH,
}


def _replace(before: EditState, event: events.Replace) -> Step:
    old, new = event.old, event.new
    if not old:
        return _answer(before, before, Status.EXCEPTION, (Say.EMPTY_NEEDLE,))
    text, settled = before.text.shown, _drop_selection(before)
    start, end = event.within or (0, len(text))
    places = [start + place for place in find_places(text[start:end], old)]
    if not places:
        return _miss(before, settled, old, (start, end))
    if len(places) == 1:
        return _edit(settled, before.text.splice(places[0], places[0] + len(old), new), (Say.REPLACED,))
    selection = Selection(old, new, before.text.fingerprint, tuple(places[:MOST_SHOWN]), len(places))
    after = settled._replace(state=State.SELECTION_PENDING, selection=selection, returns_to=before.settled)
    return _answer(before, after, Status.MULTI_MATCH, (Say.MULTI_MATCH, len(places), min(len(places), MOST_SHOWN)))


def _miss(before: EditState, after: EditState, old: str, within: tuple[int, int]) -> Step:
    near = find_nearest(before.text.shown, old, within)
    language = before.language
    told = [write(language, Say.LOOK_AGAIN)]
    if near:
        differs = write_differences(language, near[0].differs)
        told = [write(language, Say.NEAREST, near[0].line, differs, near[0].preview)]
    done = _answer(before, after, Status.NO_MATCH, (Say.NO_MATCH,))
    guidance = join(language, [*filter(None, [done.response.guidance]), *told])
    return done._replace(response=done.response._replace(guidance=guidance), near=near)


def _select(before: EditState, event: events.Select) -> Step:
    selection = before.selection
    if selection is None or selection.snapshot != before.text.fingerprint:
        return _answer(before, _drop_selection(before), Status.NO_MATCH, (Say.STALE,), Say.MATCH_AGAIN)
    if not 0 < event.id <= len(selection.starts):
        return _answer(before, before, Status.EXCEPTION, (Say.NO_CANDIDATE, event.id))
    start = selection.starts[event.id - 1]
    end = start + len(selection.needle)
    settled = _drop_selection(before)
    if before.text.shown[start:end] != selection.needle:
        return _answer(before, settled, Status.NO_MATCH, (Say.STALE,), Say.MATCH_AGAIN)
    new = selection.replacement if event.new is None else event.new
    return _edit(settled, before.text.splice(start, end, new), (Say.SELECTED, event.id))


def _write(before: EditState, event: events.Write) -> Step:
    exists = before.base is not None
    if event.intent is events.Intent.CREATE and exists:
        return _answer(before, before, Status.EXCEPTION, (Say.EXISTS,))
    if event.intent is events.Intent.UPDATE and not exists:
        return _answer(before, before, Status.EXCEPTION, (Say.MISSING,))
    like = before.draft or before.base
    new = Draft(event.text) if like is None or not exists else replace(like, raw=like.fit(event.text))
    return _edit(before, new, (Say.UPDATED if exists else Say.CREATED,))


def _go(before: EditState, event: events.Undo | events.Redo) -> Step:
    if not event.known:
        return _answer(before, before, Status.NO_OP, (Say.NO_VERSION,))
    return _edit(before, event.to, (Say.UNDONE if isinstance(event, events.Undo) else Say.REDONE,))


def _persist(before: EditState, event: events.Commit | events.SaveAs) -> Step:
    if isinstance(event, events.SaveAs):
        if event.failure:
            return _answer(before, before, Status.PERSIST_FAILURE, (Say.NOT_SAVED, event.path, event.failure))
        return _answer(before, before, Status.SUCCESS, (Say.SAVED, event.path))
    if before.state is State.IDLE:
        return _answer(before, before, Status.NO_OP, (Say.IN_SYNC,))
    after = before._replace(state=State.IDLE, base=before.draft)
    return _answer(before, after, Status.SUCCESS, (Say.COMMITTED,))._replace(is_due=True)


def _read(
    before: EditState, event: events.Discard | events.BeginRefresh | events.EndRefresh | events.DiskChange
) -> Step:
    match event:
        case events.Discard() if before.state is State.SELECTION_PENDING:
            return _answer(before, _drop_selection(before), Status.SUCCESS, (Say.DROPPED,))
        case events.Discard():
            return _take_disk(before, event.disk, Say.DISCARDED)
        case events.BeginRefresh():
            after = _drop_selection(before)._replace(state=State.REFRESHING, conflict=False)
            return _answer(before, after, Status.SUCCESS, (Say.REFRESHING,))
        case events.EndRefresh():
            return _take_disk(before, event.disk, Say.REFRESHED)
        case events.DiskChange():
            return _meet_disk(before, event.disk, event.moved_to)


def _take_disk(before: EditState, disk: events.OnDisk, told: Say) -> Step:
    """Make the buffer say what the file says."""
    if isinstance(disk, events.Unreadable):
        after = before._replace(state=State.OUT_OF_SYNC, conflict=True)
        return _answer(before, after, Status.EXCEPTION, (Say.UNREADABLE, disk.reason), hint=True)
    after = open_draft(disk, before.mode, before.language)
    if after.draft == before.draft and disk == before.base and before.state in (State.IDLE, State.REFRESHING):
        return _answer(before, after, Status.NO_OP, (Say.IN_SYNC,))
    return _answer(before, after, Status.SUCCESS, (told,) if disk is not None else (Say.GONE,))


def _meet_disk(before: EditState, disk: events.OnDisk, moved_to: str) -> Step:
    """Take over what changed outside where the buffer holds nothing of its own, else say that both differ."""
    is_back = before.state is State.OUT_OF_SYNC and disk == before.draft
    if before.state is State.OUT_OF_SYNC and before.conflict and disk == before.base and not is_back:
        after = before._replace(state=State.PERSIST_PENDING, conflict=False)
        return _answer(before, after, Status.SUCCESS, (Say.RESTORED,))
    if before.state is State.REFRESHING or (disk == before.base and not is_back):
        return _answer(before, before, Status.NO_OP, (Say.IN_SYNC,))
    if disk == before.draft:  # whoever wrote the file wrote the same
        after = open_draft(before.draft, before.mode, before.language)
        return _answer(before, after, Status.SUCCESS, (Say.CHANGED_OUTSIDE,))
    if before.settled is State.IDLE and isinstance(disk, Draft):
        after = open_draft(disk, before.mode, before.language)
        return _answer(before, after, Status.SUCCESS, (Say.CHANGED_OUTSIDE,))
    after = _drop_selection(before)._replace(state=State.OUT_OF_SYNC, conflict=True)
    told: _Told = (Say.CONFLICT,)
    if isinstance(disk, events.Unreadable):
        told = (Say.UNREADABLE, disk.reason)
    elif disk is None:
        told = (Say.MOVED, moved_to) if moved_to else (Say.GONE,)
    return _answer(before, after, Status.EXTERNAL_CONFLICT, told)


def _edit(before: EditState, draft: Draft | None, told: _Told) -> Step:
    """Make the buffer another text or none, and have the file follow where the mode says so."""
    if draft == before.draft:
        return _answer(before, before, Status.NO_OP, (Say.SAME,))
    refused = _find_unwritable(draft) if draft is not None else ""
    if draft is not None and refused:
        return _answer(before, before, Status.EXCEPTION, (Say.NOT_ENCODABLE, draft.form.encoding, refused))
    after = before._replace(draft=draft)
    if before.state is State.OUT_OF_SYNC:
        return _answer(before, after, Status.SUCCESS, told)
    if before.mode is Mode.IMMEDIATE:
        after = after._replace(state=State.IDLE, base=draft)
        return _answer(before, after, Status.SUCCESS, told)._replace(is_due=True)
    state = State.IDLE if draft == before.base else State.PERSIST_PENDING
    return _answer(before, after._replace(state=state), Status.SUCCESS, told)


def _find_unwritable(draft: Draft) -> str:
    """The first character that the encoding of a text cannot write; empty where it can write all."""
    if draft.raw.isascii():
        return ""
    try:
        draft.encode()
    except UnicodeEncodeError as problem:
        return f"U+{ord(draft.raw[problem.start]):04X}"
    return ""


def _drop_selection(state: EditState) -> EditState:
    return state._replace(state=state.settled, selection=None, returns_to=State.IDLE)


def _answer(
    before: EditState,
    after: EditState,
    status: Status,
    told: _Told,
    *advice: Say,
    hint: bool = False,
) -> Step:
    """A step without anything to write; `advice` stands before what the state suggests, `hint` points to the log."""
    size = len(after.text.shown)
    selection = after.selection
    response = Response(
        status,
        after.state,
        find_flags(after) | (Flag.DiagnosticHint if hint else Flag(0)),
        write(after.language, *told),
        join(after.language, [write(after.language, each) for each in (*advice, *_advise(after, hint=hint))]),
        Metrics(size - len(before.text.shown), size, selection.total if selection else None),
        make_candidates(after.text.shown, selection) if selection else (),
    )
    return Step(after, response)


def find_flags(after: EditState) -> Flag:
    """The flags that follow from a state and its mode."""
    flags = REQUIRED_FLAGS[after.state]
    if after.state is State.REFRESHING:
        return flags
    if after.mode is Mode.DISABLED:
        flags |= Flag.PersistReadOnly
    if after.state is State.OUT_OF_SYNC and after.conflict:
        flags |= Flag.ExternalConflict
    return flags


def _advise(after: EditState, *, hint: bool) -> list[Say]:
    advice: list[Say] = []
    match after.state:
        case State.IDLE:
            pass
        case State.SELECTION_PENDING:
            advice = [Say.CHOOSE]
        case State.PERSIST_PENDING:
            advice = [Say.COMMIT_OR_DISCARD] if after.mode is not Mode.DISABLED else []
        case State.OUT_OF_SYNC:
            advice = [Say.COMPARE_FIRST, Say.DO_NOT_COMMIT] if after.conflict else [Say.COMPARE_FIRST]
        case State.REFRESHING:
            advice = [Say.WAIT]
        case _:
            assert_never(after.state)
    if after.mode is Mode.DISABLED and after.state is not State.REFRESHING:
        advice.append(Say.KEPT_IN_BUFFER)
    return [*advice, Say.READ_LOG] if hint else advice
