"""Buffers remembered between calls: as states of a text, and found again in the versions of their session."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from codecortex.editing.matching import Selection
from codecortex.editing.reducer import EditState, open_draft
from codecortex.editing.values import Language, Mode, State, Status
from codecortex.editing.visibility import Verb
from codecortex.git.objects.opening import open_objects
from codecortex.model.editor import Buffer, PendingSelection, StoredText, read_stored
from codecortex.model.errors import StoreFormatError
from codecortex.operations.sessions.versions import list_versions

if TYPE_CHECKING:
    from collections.abc import Iterable

    from codecortex.editing.drafts import Draft
    from codecortex.git.repository import Repository
    from codecortex.model.sessions import Version
    from codecortex.operations.editing.held import Entry
    from codecortex.operations.editing.texts import Texts
    from codecortex.operations.sessions.versions import Session

OPEN = "open"
EXTERNAL = "external"
_MOST_STEPS = 100


def restore(record: Buffer, texts: Texts, language: Language) -> EditState:
    """The state of a buffer that is remembered.

    Raises:
        StoreFormatError: What is remembered makes no sense.
    """
    draft = texts.load(record.text)
    base = draft if record.base == record.text else texts.load(record.base)
    selection = Selection(*record.selection) if record.selection is not None else None
    return read_state(record)._replace(draft=draft, base=base, selection=selection, language=language)


def read_state(record: Buffer) -> EditState:
    """The state of a buffer that is remembered, without its texts.

    Raises:
        StoreFormatError: What is remembered makes no sense.
    """
    try:
        state, returns_to, mode = State(record.state), State(record.returns_to), Mode(record.mode)
    except ValueError as problem:
        raise StoreFormatError(f"A session remembers what is no state: {problem}.", "Move its file away.") from problem
    return EditState(state, mode, returns_to=returns_to, conflict=record.conflict)


def begin_buffer(disk: Draft | None, mode: Mode, language: Language) -> tuple[Buffer, EditState]:
    """A buffer that is opened for the first time; its texts are stored by `capture`."""
    return _new_buffer(mode), open_draft(disk, mode, language)


def _new_buffer(mode: Mode, text: StoredText | None = None, base: StoredText | None = None) -> Buffer:
    return Buffer(mode, State.IDLE, State.IDLE, conflict=False, text=text, base=base, disk="")


def capture(record: Buffer, state: EditState, texts: Texts, kept: str | None) -> Buffer:
    """What is remembered of a state; its texts are stored.

    Args:
        record: What was remembered.
        state: The state.
        texts: The texts of the file.
        kept: What the session has at its path.
    """
    text = texts.store(state.draft, kept, record.text) if state.draft is not None else None
    base = None
    if state.base is not None:
        base = text if state.base == state.draft else texts.store(state.base, kept, record.base)
    return record._replace(
        mode=state.mode,
        state=state.state,
        returns_to=state.returns_to,
        conflict=state.conflict,
        text=text,
        base=base,
        selection=PendingSelection(*state.selection) if state.selection is not None else None,
    )


def move_steps(record: Buffer, op: str, before: StoredText | None) -> Buffer:
    """The texts to go back and forward to once an operation has changed the text.

    What was changed outside is nobody's to take back: there is nothing to go back to behind it.
    """
    match op:
        case Verb.UNDO:
            return record._replace(undo=record.undo[:-1], redo=(*record.redo, before))
        case Verb.REDO:
            return record._replace(undo=(*record.undo, before), redo=record.redo[:-1])
        case _ if op in (OPEN, EXTERNAL):
            return record._replace(undo=(), redo=(), undo_left=0, redo_left=0)
        case _:
            return record._replace(undo=(*record.undo, before), redo=(), redo_left=0)


def cut_steps(record: Buffer) -> Buffer:
    """The buffer with the nearest texts to go to alone, so that a long session costs no more than a short one."""
    undo, redo = (max(0, len(texts) - _MOST_STEPS) for texts in (record.undo, record.redo))
    return record._replace(
        undo=record.undo[undo:],
        redo=record.redo[redo:],
        undo_left=record.undo_left + undo,
        redo_left=record.redo_left + redo,
    )


def describe_change(before: StoredText | None, record: Buffer, base: StoredText | None) -> dict[str, Any]:
    """What a version says of a buffer, for `find_again`; `base` as it is until the file is written."""
    return {"before": before, "after": record.text, "base": base, "mode": record.mode}


def find_again(repository: Repository, session: Session, path: str, kept: Entry, texts: Texts) -> Buffer | None:
    """A buffer as the versions of its session tell it: its text is that of the latest one, whoever made it.

    Args:
        repository: The repository.
        session: The session.
        path: The file's path.
        kept: What the session has at the path.
        texts: The texts of the file.

    Returns:
        The buffer; None for a file that the session has as it was opened.
    """
    versions = list_versions(repository, session)
    record = _replay(reversed(versions), path)
    if record is None or (record.text.blob if record.text is not None else None) != kept.blob:
        first = open_objects(repository).find_blobs([(versions[-1].id, path)]).get((versions[-1].id, path))
        if record is None and first == kept.blob:
            return None
        executable = kept.mode & 0o100 != 0
        text, base = (texts.recognize(each, executable=executable) for each in (kept.blob, first))
        if (text is None) != (kept.blob is None):
            return None  # it is no text
        record = record._replace(text=text) if record is not None else _new_buffer(Mode.IMMEDIATE, text, base)
    state = State.IDLE if record.text == record.base else State.PERSIST_PENDING
    return cut_steps(record._replace(state=state, disk=texts.fingerprint(record.base)))


def is_interrupted(versions: Iterable[Version], path: str, record: Buffer) -> bool:
    """Whether the latest version of a buffer is of an edit that was to write its file at once."""
    facts, version = next(((found, each) for each in versions if (found := _find_facts(each, path))), ({}, None))
    if version is None or record.mode != Mode.IMMEDIATE or version.facts.get("status") != Status.SUCCESS:
        return False
    return record.text != record.base and read_stored(facts["after"]) == record.text


def _find_facts(version: Version, path: str) -> Mapping[str, Any] | None:
    """What a version tells of a file; None where it is not about it."""
    rows = version.facts.get("files")
    found = (each for each in (version.facts, *(rows if isinstance(rows, list) else ())) if isinstance(each, Mapping))
    return next((each for each in found if each.get("file") == path and "after" in each), None)


def _replay(versions: Iterable[Version], path: str) -> Buffer | None:
    record: Buffer | None = None
    for version in versions:
        facts = _find_facts(version, path)
        if facts is None:
            continue
        try:
            before, after, base = (read_stored(facts[name]) for name in ("before", "after", "base"))
            mode = Mode(facts["mode"])
        except (ValueError, KeyError):
            continue  # nothing that we wrote
        known = record or _new_buffer(mode)
        moved = move_steps(known, str(version.facts.get("op")), before) if before != after else known
        record = moved._replace(mode=mode, text=after, base=base)
    return record
