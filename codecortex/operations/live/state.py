"""What an editor shows, remembered for a session and told in its live context."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codecortex.context.live.writing import describe_editor, write_editor
from codecortex.git.repository import open_repository
from codecortex.model.editor import EditorState, Position, Span
from codecortex.model.errors import UsageError
from codecortex.model.sessions import DEFAULT_SESSION
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later
from codecortex.operations.live.chains import choose_session
from codecortex.operations.reading.places import place_file
from codecortex.operations.sessions.remembered import lock_session, read_remembered, write_remembered

if TYPE_CHECKING:
    from codecortex.git.repository import Repository
    from codecortex.operations.request import Request

_POSITION = r"([1-9]\d{0,8}):([1-9]\d{0,8})"
_SPAN = compile_later(f"{_POSITION}-{_POSITION}")
_PLACE = compile_later(_POSITION)


class StateChange(NamedTuple):
    """What shall be remembered; None leaves a part as it was.

    Attributes:
        active: The active file; a new one has neither cursor nor selections unless they are given.
        cursor: `L:C`, in the active file.
        selections: `L:C-L:C` each, in the active file.
        open: The open files.
        clear: Whether all that was remembered is forgotten first.
    """

    active: str | None = None
    cursor: str | None = None
    selections: tuple[str, ...] | None = None
    open: tuple[str, ...] | None = None
    clear: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether nothing is to change."""
        return self == StateChange()


class StateResult(NamedTuple):
    """What an editor shows, and the session that it is remembered for."""

    session: str
    editor: EditorState

    def as_json(self) -> dict[str, Any]:
        """The state as JSON values."""
        return {"session": self.session, "editorState": describe_editor(self.editor)}

    def as_text(self) -> str:
        """A line for each part."""
        return "\n".join(write_editor(self.editor)) or "Nothing is known of an editor."


def change_state(request: Request, session: str | None, change: StateChange) -> StateResult:
    """Remember what an editor shows; without a change tell what is remembered.

    Args:
        request: The folder.
        session: The session; None for the one that a live context without a session tells of.
        change: What shall be remembered.

    Raises:
        UsageError: There is no such session, or a path or a place makes no sense.
        GitStateError: There is no work tree, or the state cannot be written.
    """
    repository = open_repository(request.folder, lasting=request.lasting)
    repository.require_root("What is edited lies in a work tree: run this in one.")
    chosen = choose_session(repository, session)
    name = chosen.name if chosen is not None else DEFAULT_SESSION
    if change.is_empty:
        return StateResult(name, read_remembered(repository, name).editor)
    with lock_session(repository, name):
        state = read_remembered(repository, name)
        editor = _apply(request, repository, EditorState() if change.clear else state.editor, change)
        write_remembered(repository, name, state._replace(editor=editor))
    return StateResult(name, editor)


def _apply(request: Request, repository: Repository, editor: EditorState, change: StateChange) -> EditorState:
    if change.active is not None:
        active = place_file(request, repository, change.active)
        editor = editor if active == editor.active else editor._replace(active=active, cursor=None, selections=())
    if change.open is not None:
        files = dict.fromkeys(place_file(request, repository, each) for each in change.open)
        editor = editor._replace(open=tuple(files))
    if (change.cursor is not None or change.selections is not None) and editor.active is None:
        raise UsageError("A cursor and selections stand in a file, and none is active.", "Name it: --active FILE.")
    if change.cursor is not None:
        editor = editor._replace(cursor=_read_position(change.cursor))
    if change.selections is not None and editor.active is not None:
        spans = tuple(_read_span(editor.active, each) for each in change.selections)
        editor = editor._replace(selections=spans)
    return editor


def _read_position(text: str) -> Position:
    found = _PLACE.fullmatch(text)
    if found is None:
        raise UsageError(f"{text[:60]!r} is no place.", "Write LINE:COLUMN, both from 1, as 120:5.")
    return Position(int(found[1]), int(found[2]))


def _read_span(file: str, text: str) -> Span:
    found = _SPAN.fullmatch(text)
    if found is None:
        raise UsageError(
            f"{text[:60]!r} is no selection.", "Write LINE:COLUMN-LINE:COLUMN, all from 1, as 120:5-124:1."
        )
    start, end = Position(int(found[1]), int(found[2])), Position(int(found[3]), int(found[4]))
    if end < start:
        raise UsageError(f"The selection {text} is reversed.", "Give the earlier place first.")
    return Span(file, start, end)
