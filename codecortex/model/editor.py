"""What a session remembers besides its versions: the buffers of its files, and what an editor shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Mapping

_BLOB = compile_later("[0-9a-f]{40}|[0-9a-f]{64}")


class Position(NamedTuple):
    """A place in a text: line and column, from 1."""

    line: int
    column: int


class Span(NamedTuple):
    """A passage of a file, from a place up to before another."""

    file: str
    start: Position
    end: Position


class EditorState(NamedTuple):
    """What somebody looks at.

    Attributes:
        active: The path of the file in front; None for none.
        cursor: Where the cursor stands in it; None where that is unknown.
        selections: The passages that are selected.
        open: The paths of the open files, in the order of their tabs.
    """

    active: str | None = None
    cursor: Position | None = None
    selections: tuple[Span, ...] = ()
    open: tuple[str, ...] = ()


class PendingSelection(NamedTuple):
    """Passages of a buffer of which one is to be chosen.

    Attributes:
        needle: What all of them say.
        replacement: What takes the place of the chosen one.
        snapshot: The fingerprint of the text that they were found in.
        starts: Where each candidate begins.
        total: How many match.
    """

    needle: str
    replacement: str
    snapshot: str
    starts: tuple[int, ...]
    total: int


class StoredText(NamedTuple):
    """A text that git keeps.

    Attributes:
        blob: Its id, within the versions of the session.
        encoding: How its bytes are read, the mark before them apart.
        widened: Whether the file has CRLF where the blob has LF, because git checks it out so.
        executable: Whether the owner of the file may run it.
    """

    blob: str
    encoding: str
    widened: bool = False
    executable: bool = False


def read_stored(value: object) -> StoredText | None:
    """The text that a JSON value tells of, None for null.

    Raises:
        ValueError: It tells of none.
    """
    match value:
        case None:
            return None
        case [str(blob), str(encoding), bool(widened), bool(executable)] if _BLOB.fullmatch(blob):
            return StoredText(blob, encoding, widened, executable)
        case _:
            raise ValueError(value)


class Buffer(NamedTuple):
    """One file that is being edited, without its text.

    Attributes:
        mode: When it is written to its file.
        state: Where the work on it stands.
        returns_to: The state before candidates were found.
        conflict: Whether the file was changed outside.
        text: The buffer; None for no file, as before one is made.
        base: What the file said when it was last read or written; None where there was none.
        disk: The fingerprint of what the file said when it was last looked at; empty where there was none.
        selection: The passages of which one is to be chosen; None while there are none.
        undo: The texts that `undo` goes back to, the nearest last; None for no text.
        redo: The texts that `redo` goes forward to, the nearest last.
        undo_left: How many there are before those; they stand in the versions of the session.
        redo_left: The same of `redo`.
    """

    mode: str
    state: str
    returns_to: str
    conflict: bool
    text: StoredText | None
    base: StoredText | None
    disk: str
    selection: PendingSelection | None = None
    undo: tuple[StoredText | None, ...] = ()
    redo: tuple[StoredText | None, ...] = ()
    undo_left: int = 0
    redo_left: int = 0


class SessionState(NamedTuple):
    """What a session remembers besides its versions: its buffers by path, and what an editor shows."""

    buffers: Mapping[str, Buffer]
    editor: EditorState


NOTHING_REMEMBERED = SessionState({}, EditorState())
