"""Reads and writes what a session remembers besides its versions, a file in `local/sessions`: one buffer a line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TypeVar

from codecortex.model.editor import (
    Buffer,
    EditorState,
    PendingSelection,
    Position,
    SessionState,
    Span,
    read_stored,
)
from codecortex.store.local.local_json import SCHEMA_VERSION, read_rows

if TYPE_CHECKING:
    from collections.abc import Callable

_T = TypeVar("_T")
_HINT = "Move the file away: the texts stand in the versions of the session, `session log` names them."


def encode_session(state: SessionState) -> bytes:
    """The bytes of a session's file."""
    rows = ",\n".join(f"{_write(path)}:{_write(_write_buffer(each))}" for path, each in sorted(state.buffers.items()))
    head = _write({"schemaVersion": SCHEMA_VERSION, "editor": _write_editor(state.editor)})
    return f'{head[:-1]},\n"buffers":{{\n{rows}\n}}}}\n'.encode("ascii")


def decode_session(data: bytes, path: str) -> SessionState:
    """What a file says; `path` is what it is called in messages.

    Raises:
        StoreFormatError: `encode_session` did not write this.
        NewerFormatError: A newer codecortex wrote it.
    """
    return read_rows(data, path, _read_state, wrong="not what a session remembers", hint=_HINT)


def _write(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


def _write_editor(editor: EditorState) -> dict[str, Any]:
    selections = [{"file": each.file, "start": each.start, "end": each.end} for each in editor.selections]
    return {"active": editor.active, "cursor": editor.cursor, "selections": selections, "open": editor.open}


def _write_buffer(each: Buffer) -> dict[str, Any]:
    return {**each._asdict(), "selection": each.selection and each.selection._asdict()}


def _read_state(root: dict[str, Any]) -> SessionState:
    buffers = {_check(path, str): _read_buffer(row) for path, row in root["buffers"].items()}
    editor = root["editor"]
    return SessionState(
        buffers,
        EditorState(
            _read_optional(editor["active"], _read_string),
            _read_optional(editor["cursor"], _read_position),
            tuple(
                Span(_read_string(each["file"]), _read_position(each["start"]), _read_position(each["end"]))
                for each in _check(editor["selections"], list)
            ),
            tuple(map(_read_string, _check(editor["open"], list))),
        ),
    )


def _read_buffer(row: dict[str, Any]) -> Buffer:
    return Buffer(
        mode=_read_string(row["mode"]),
        state=_read_string(row["state"]),
        returns_to=_read_string(row["returns_to"]),
        conflict=_check(row["conflict"], bool),
        text=read_stored(row["text"]),
        base=read_stored(row["base"]),
        disk=_read_string(row["disk"]),
        selection=_read_optional(row["selection"], _read_selection),
        undo=tuple(map(read_stored, _check(row["undo"], list))),
        redo=tuple(map(read_stored, _check(row["redo"], list))),
        undo_left=_read_count(row["undo_left"]),
        redo_left=_read_count(row["redo_left"]),
    )


def _read_selection(row: dict[str, Any]) -> PendingSelection:
    return PendingSelection(
        _read_string(row["needle"]),
        _read_string(row["replacement"]),
        _read_string(row["snapshot"]),
        tuple(map(_read_count, _check(row["starts"], list))),
        _read_count(row["total"]),
    )


def _read_position(value: list[Any]) -> Position:
    line, column = value
    return Position(_read_count(line), _read_count(column))


def _read_count(value: object) -> int:
    if type(value) is not int or value < 0:
        raise ValueError(value)
    return value


def _read_string(value: object) -> str:
    return _check(value, str)


def _read_optional(value: Any, read: Callable[[Any], _T]) -> _T | None:
    return None if value is None else read(value)


def _check(value: object, kind: type[_T]) -> _T:
    if not isinstance(value, kind):
        raise TypeError(value)
    return value
