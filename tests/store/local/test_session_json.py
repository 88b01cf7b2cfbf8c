"""The file of what a session remembers: there and back, and damage named."""

import json

import pytest

from codecortex.model.editor import (
    NOTHING_REMEMBERED,
    Buffer,
    EditorState,
    PendingSelection,
    Position,
    SessionState,
    Span,
    StoredText,
)
from codecortex.model.errors import NewerFormatError, StoreFormatError
from codecortex.store.local.session_json import decode_session, encode_session

TEXT = StoredText("a" * 40, "utf-8 with mark", widened=True)
STATE = SessionState(
    {
        "src/é\udc80.cs": Buffer(
            "manual", "SelectionPending", "PersistPending", conflict=False, text=TEXT, base=None, disk="",
            selection=PendingSelection("old\n", "\ud83d", "f", (1, 5), 2), undo=(None, TEXT), redo=(TEXT,), undo_left=7,
        ),
        "b": Buffer("disabled", "OutOfSync", "Idle", conflict=True, text=None, base=TEXT, disk="is a folder"),
    },
    EditorState("b", Position(1, 2), (Span("b", Position(1, 1), Position(2, 3)),), ("b", "c")),
)  # fmt: skip


@pytest.mark.parametrize("state", [STATE, NOTHING_REMEMBERED])
def test_what_is_written_is_read_back(state):
    assert decode_session(encode_session(state), "s.json") == state


def spoil(path, value):
    root = json.loads(encode_session(STATE))
    inner = root
    for name in path[:-1]:
        inner = inner[name]
    inner[path[-1]] = value
    return json.dumps(root).encode()


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("editor",), []),
        (("editor", "cursor"), [1]),
        (("editor", "open"), "b"),
        (("buffers",), [1]),
        (("buffers", "b", "conflict"), 1),
        (("buffers", "b", "base"), ["../../x", "utf-8", False]),
        (("buffers", "b", "undo"), [[1]]),
        (("buffers", "b", "undo_left"), -1),
        (("buffers", "b", "selection"), {"needle": "x"}),
        (("schemaVersion",), None),
    ],
)
def test_damage_is_named(path, value):
    with pytest.raises(StoreFormatError, match=r"^s\.json: not what a session remembers$"):
        decode_session(spoil(path, value), "s.json")


def test_what_a_newer_codecortex_wrote_is_left_alone():
    with pytest.raises(NewerFormatError):
        decode_session(spoil(("schemaVersion",), "2.0"), "s.json")
