"""Texts in each state, and one readable snapshot for each kind of response in the top-level `snapshots/`."""

from collections.abc import Callable
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

from codecortex.editing import events
from codecortex.editing.drafts import Draft
from codecortex.editing.reducer import EditState, open_draft, step
from codecortex.editing.values import Language, Mode, State

Reach = Callable[..., EditState]
TEXT = "one two\ntwo three\n"
ROOT = Path(__file__).parents[2]


class ResponseSnapshot(SingleFileSnapshotExtension):
    """Writes Markdown to `snapshots/editing/<name>.md`; the name is the one given to the assertion."""

    _write_mode = WriteMode.TEXT
    file_extension = "md"

    @classmethod
    def dirname(cls, **_: object) -> str:
        return str(ROOT / "snapshots" / "editing")

    @classmethod
    def get_snapshot_name(cls, *, index: object = 0, **_: object) -> str:
        return str(index)


@pytest.fixture
def response_snapshot(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    """Compare with `response_snapshot(name="success.en")`."""
    return snapshot.use_extension(ResponseSnapshot)


@pytest.fixture
def reach() -> Reach:
    """`reach(state, mode)`: the text `TEXT` in that state, as events bring it there; then in that mode."""

    def go(state: State, mode: Mode = Mode.MANUAL, language: Language = Language.ENGLISH) -> EditState:
        return _go(open_draft(Draft(TEXT), Mode.MANUAL, language), state)._replace(mode=mode)

    return go


def _go(opened: EditState, state: State) -> EditState:
    match state:
        case State.IDLE:
            return opened
        case State.SELECTION_PENDING:
            return step(opened, events.Replace("two", "2")).state
        case State.PERSIST_PENDING:
            return step(opened, events.Replace("one", "1")).state
        case State.OUT_OF_SYNC:
            changed = step(opened, events.Replace("one", "1")).state
            return step(changed, events.DiskChange(Draft("other\n"))).state
        case State.REFRESHING:
            return step(opened, events.BeginRefresh()).state
