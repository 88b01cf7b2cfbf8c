"""Reads and writes window.json: the types that a person pinned, added or dismissed in the prompt window."""

from __future__ import annotations

from typing import Any

from codecortex.model.code.types import TypeId
from codecortex.model.errors import StoreFormatError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.store.local.local_json import read_object, write_object

_MOST_ROWS = 10_000
_HINT = "Remove the file to begin anew: it holds what was pinned, added and dismissed, and nothing else."


class WindowMark(NamedTuple):
    """A type that a person pinned, added or dismissed.

    Attributes:
        id: Its TypeId at that time.
        fqn: Its FQN at that time.
        number: For an added type, when that expires, in seconds since 1970; for a dismissed one, how often it had been
            asked for; else 0.
    """

    id: TypeId
    fqn: str
    number: int = 0


class WindowState(NamedTuple):
    """The marks of the prompt window; each list in the order of marking, without duplicate ids."""

    pinned: tuple[WindowMark, ...] = ()
    added: tuple[WindowMark, ...] = ()
    dismissed: tuple[WindowMark, ...] = ()


def encode_window(state: WindowState) -> bytes:
    """The bytes of window.json."""
    return write_object({name: [mark._asdict() for mark in marks] for name, marks in state._asdict().items()})


def decode_window(data: bytes, path: str) -> WindowState:
    """The marks in window.json; arguments and errors are those of `read_object`."""
    root = read_object(data, path, _HINT)
    return WindowState(*(_read_marks(name, root.get(name), path) for name in WindowState._fields))


def _read_marks(name: str, rows: Any, path: str) -> tuple[WindowMark, ...]:
    if not isinstance(rows, list) or len(rows) > _MOST_ROWS:
        raise StoreFormatError(f"{path}: {name} is no list", _HINT)
    marks: dict[TypeId, WindowMark] = {}
    for row in rows:
        match row:
            case {"id": str(type_id), "fqn": str(fqn), "number": int(number)}:
                marks.setdefault(TypeId(type_id), WindowMark(TypeId(type_id), fqn, number))
            case _:
                raise StoreFormatError(f"{path}: {name} holds something that is no type", _HINT)
    return tuple(marks.values())
