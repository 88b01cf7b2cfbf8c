"""A state and a mode in, the verbs that may be used in them out."""

from __future__ import annotations

from enum import StrEnum

from codecortex.editing.values import Mode, State


class Verb(StrEnum):
    """What can be asked of a text that is being edited."""

    REPLACE = "replace"
    SELECT = "select"
    APPEND = "append"
    WRITE = "write"
    UNDO = "undo"
    REDO = "redo"
    COMMIT = "commit"
    SAVE_AS = "save-as"
    DISCARD = "discard"
    DIFF = "diff"
    REFRESH = "refresh"


_WHOLE = frozenset({Verb.APPEND, Verb.WRITE, Verb.UNDO, Verb.REDO})
_ALLOWED = {
    State.IDLE: _WHOLE | {Verb.REPLACE, Verb.COMMIT, Verb.SAVE_AS, Verb.DISCARD, Verb.REFRESH},
    State.SELECTION_PENDING: frozenset({Verb.REPLACE, Verb.SELECT, Verb.DISCARD, Verb.REFRESH, Verb.DIFF}),
    State.PERSIST_PENDING: _WHOLE | {Verb.REPLACE, Verb.COMMIT, Verb.SAVE_AS, Verb.DISCARD, Verb.REFRESH, Verb.DIFF},
    State.OUT_OF_SYNC: frozenset({Verb.REPLACE, Verb.SAVE_AS, Verb.DISCARD, Verb.REFRESH, Verb.DIFF}),
    State.REFRESHING: frozenset[Verb](),
}


def list_allowed(state: State, mode: Mode) -> frozenset[Verb]:
    """The verbs that are allowed; showing a text, its state and its log always is."""
    nothing_to_commit = mode is Mode.DISABLED or (mode is Mode.IMMEDIATE and state is State.IDLE)
    return _ALLOWED[state] - {Verb.COMMIT} if nothing_to_commit else _ALLOWED[state]
