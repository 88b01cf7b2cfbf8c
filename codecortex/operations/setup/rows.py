"""What `doctor` says of one thing, and how a probe that fails becomes such a row."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from codecortex.model.errors import CodecortexError
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


class State(StrEnum):
    """How something is."""

    OK = "ok"
    WARNING = "warning"
    PROBLEM = "problem"


class Row(NamedTuple):
    """What is known of one thing.

    Attributes:
        about: What it is.
        state: How it is.
        told: What was found.
        mend: The next step; empty if there is none.
    """

    about: str
    state: State
    told: str
    mend: str = ""


def probe(about: str, look: Callable[[], Iterable[Row]]) -> list[Row]:
    """The rows of a probe; its failure is a row, too."""
    try:
        return list(look())
    except CodecortexError as problem:
        return [fail(about, problem)]
    except OSError as problem:
        told = f"{problem.strerror or problem}{f': {problem.filename}' if problem.filename else ''}"
        return [Row(about, State.PROBLEM, told, "grant access to it")]


def fail(about: str, problem: CodecortexError) -> Row:
    """The row for an error."""
    return Row(about, State.PROBLEM, problem.message, problem.hint)
