"""What was pinned, added and dismissed survives being written and read; damage is named, never guessed at."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codecortex.model.code.types import TypeId
from codecortex.model.errors import NewerFormatError, StoreFormatError
from codecortex.store.local.window_json import WindowMark, WindowState, decode_window, encode_window

_TEXTS = st.text(st.characters(codec="utf-8"))
_MARKS = st.lists(st.builds(WindowMark, _TEXTS.map(TypeId), _TEXTS, st.integers()), unique_by=lambda mark: mark.id).map(
    tuple
)


@given(st.builds(WindowState, _MARKS, _MARKS, _MARKS))
def test_what_is_written_is_read(state: WindowState):
    assert decode_window(encode_window(state), "window.json") == state


@given(st.binary())
def test_any_bytes_are_read_or_refused(data: bytes):
    with pytest.raises(StoreFormatError):
        decode_window(data, "window.json")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{}",
        b"[]",
        b"null",
        b"\xff",
        b"[" * 100_000,
        b'{"schemaVersion":"1.0"}',
        b'{"schemaVersion":"1.0","pinned":{},"added":[],"dismissed":[]}',
        b'{"schemaVersion":"1.0","pinned":[1],"added":[],"dismissed":[]}',
        b'{"schemaVersion":"1.0","pinned":[{"id":"T_A"}],"added":[],"dismissed":[]}',
        b'{"schemaVersion":"1.0","pinned":[{"id":"\\ud800","fqn":"","number":0}],"added":[],"dismissed":[]}',
        b'{"schemaVersion":1,"pinned":[],"added":[],"dismissed":[]}',
    ],
)
def test_damage_is_named(data: bytes):
    with pytest.raises(StoreFormatError, match=r"local/window\.json"):
        decode_window(data, "local/window.json")


def test_a_newer_file_is_told_from_a_damaged_one():
    with pytest.raises(NewerFormatError):
        decode_window(b'{"schemaVersion":"2.0","pinned":[],"added":[],"dismissed":[]}', "window.json")
