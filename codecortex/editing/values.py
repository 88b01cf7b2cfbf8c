"""What every response to an edit is made of: status, state, flags, metrics and candidates."""

from __future__ import annotations

from enum import IntFlag, StrEnum

from codecortex.model.startup.named_tuple import NamedTuple


class Language(StrEnum):
    """The language of summaries, guidance and headings."""

    ENGLISH = "en"
    CHINESE = "zh"


class Mode(StrEnum):
    """When an edit is written to the file: at once, on `commit`, or never."""

    IMMEDIATE = "immediate"
    MANUAL = "manual"
    DISABLED = "disabled"


class Status(StrEnum):
    """What one operation came to."""

    SUCCESS = "Success"
    NO_MATCH = "NoMatch"
    MULTI_MATCH = "MultiMatch"
    NO_OP = "NoOp"
    PERSIST_FAILURE = "PersistFailure"
    EXTERNAL_CONFLICT = "ExternalConflict"
    EXCEPTION = "Exception"


class State(StrEnum):
    """What lasts between operations.

    `Idle`: the buffer says what the file says. `SelectionPending`: several passages match and one is to be chosen.
    `PersistPending`: the buffer differs from the file on purpose. `OutOfSync`: nobody knows which of them is right.
    `Refreshing`: the file is being read anew.
    """

    IDLE = "Idle"
    SELECTION_PENDING = "SelectionPending"
    PERSIST_PENDING = "PersistPending"
    OUT_OF_SYNC = "OutOfSync"
    REFRESHING = "Refreshing"


class Flag(IntFlag):
    """What follows from state and mode, and what else a reader should know."""

    SelectionPending = 1
    PersistPending = 2
    OutOfSync = 4
    SchemaViolation = 8
    PersistReadOnly = 16
    ExternalConflict = 32
    DiagnosticHint = 64


NO_FLAGS = Flag(0)

REQUIRED_FLAGS = {
    State.IDLE: NO_FLAGS,
    State.SELECTION_PENDING: Flag.SelectionPending,
    State.PERSIST_PENDING: Flag.PersistPending,
    State.OUT_OF_SYNC: Flag.OutOfSync,
    State.REFRESHING: Flag.DiagnosticHint,
}
"""The flags that every response in a state has."""

_EVERYWHERE = Flag.PersistReadOnly | Flag.DiagnosticHint | Flag.SchemaViolation
OPTIONAL_FLAGS = {
    State.IDLE: _EVERYWHERE,
    State.SELECTION_PENDING: _EVERYWHERE,
    State.PERSIST_PENDING: _EVERYWHERE,
    State.OUT_OF_SYNC: _EVERYWHERE | Flag.ExternalConflict,
    State.REFRESHING: Flag.SchemaViolation,
}
"""The flags that a response in a state may have besides."""


class Metrics(NamedTuple):
    """Sizes, in characters of the text with one character for each line end.

    Attributes:
        delta: How much longer the text became; negative where it became shorter.
        new_length: How long it is now.
        selection_count: How many passages match while one is to be chosen, else None.
    """

    delta: int
    new_length: int
    selection_count: int | None = None


class Candidate(NamedTuple):
    """One of several passages that match.

    Attributes:
        id: Its number, from 1.
        preview: It and what stands around it, on one line.
        occurrence: Which of all matches it is, from 0.
        context_start: Where the preview begins in the text, in characters.
        context_end: Where it ends.
    """

    id: int
    preview: str
    occurrence: int
    context_start: int
    context_end: int

    @property
    def marker_start(self) -> str:
        """What stands before it in the marked text."""
        return f"[[SEL#{self.id}]]"

    @property
    def marker_end(self) -> str:
        """What stands behind it in the marked text."""
        return f"[[/SEL#{self.id}]]"


class Response(NamedTuple):
    """The answer to one operation.

    Attributes:
        status: What it came to.
        state: What lasts.
        flags: What follows from the state, and hints.
        summary: What happened, one sentence.
        guidance: What to do next; None where nothing is to be said.
        metrics: Sizes.
        candidates: What can be chosen from; empty but for several matches.
    """

    status: Status
    state: State
    flags: Flag
    summary: str
    guidance: str | None
    metrics: Metrics
    candidates: tuple[Candidate, ...] = ()
