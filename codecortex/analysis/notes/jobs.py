"""How notes stand to their types in; which notes have to be written, and which first, out."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from codecortex.analysis.notes.staleness import Cause, CauseKind, DependencyChange
from codecortex.model.notes import is_group

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from codecortex.model.code.types import TypeId
    from codecortex.model.notes import Note

STRUCTURE_DEPENDENCY = "Structure-Dependency"
"""The class of a note whose own types did not change but what they depend on did."""

RENAMED = "Structure"
"""The class of a type that goes by another name, whose note still stands under the old one."""

HAND = "hand"
"""The generator of a note that a person wrote."""


class JobKind(StrEnum):
    """Why a note has to be written."""

    NEW = "new"
    STALE = "stale"
    DRIFTED = "drifted"
    REDIRECTED = "redirected"
    DAMAGED = "damaged"
    REPLACED = "replaced"


MILD = frozenset({STRUCTURE_DEPENDENCY, "Internal", "Docs"})
"""Classes of change that may leave a text true. A type whose own structure or public behaviour changed has to be
looked at again, section by section."""

_DRIFTS = (CauseKind.DRIFT_LIMIT, CauseKind.DRIFT_AGE)
_CLASSES = {
    CauseKind.DAMAGED: "",
    CauseKind.TYPE_GONE: "Structure",
    CauseKind.STRUCTURE: "Structure",
    CauseKind.PUBLIC_BEHAVIOR: "PublicBehavior",
    CauseKind.DEPENDENCY_STRUCTURE: STRUCTURE_DEPENDENCY,
    CauseKind.INTERNAL: "Internal",
    CauseKind.DOCS: "Docs",
    CauseKind.DRIFT_LIMIT: "Internal",
    CauseKind.DRIFT_AGE: "Internal",
    CauseKind.REPLACE: "",
}
_WEIGHTS = {"Structure": 2.0, "PublicBehavior": 1.5, STRUCTURE_DEPENDENCY: 1.2, "Internal": 0.5, "Docs": 0.5}
_NEW, _DAMAGED = 1.0, 2.0
"""A note that is missing misleads nobody: it comes after those that speak of what is no more, and before those whose
types changed inside alone. A damaged one is as good as wrong throughout."""


class Job(NamedTuple):
    """One note that has to be written.

    Attributes:
        owner: The TypeId or the GroupId that it is named after.
        kind: Why.
        types: The types that it is to speak of, sorted.
        names: Their metadata names, in the same order.
        change_class: What happened to them since the note that is there was made; empty where there is none, or it
            cannot be read.
        causes: Why the note that is there does not hold, the gravest first; none of a new one.
        priority: The larger, the sooner.
        path: The note's file.
        previous: The files whose texts are the previous text of this one, its own first; of a group that falls apart
            or of types that join, those of other owners. They go when all they speak of has another note.
        cut: Types that the note's own depend on and that depend on them, but are too many to share it; sorted.
    """

    owner: str
    kind: JobKind
    types: tuple[TypeId, ...]
    names: tuple[str, ...]
    change_class: str
    causes: tuple[Cause, ...]
    priority: float
    path: str
    previous: tuple[str, ...] = ()
    cut: tuple[TypeId, ...] = ()

    @property
    def is_replaced(self) -> bool:
        """Whether the text that is there has to go, whether it holds or not."""
        return any(cause.kind is CauseKind.REPLACE for cause in self.causes)

    @property
    def is_group(self) -> bool:
        """Whether several types share the note."""
        return is_group(self.owner)

    def describe_types(self) -> list[dict[str, str]]:
        """Its types as JSON values."""
        return [{"id": each, "fqn": name} for each, name in zip(self.types, self.names, strict=True)]


def is_by_hand(note: Note | None) -> bool:
    """Whether a person wrote a note, or changed it since, or it cannot be told, as of a damaged one."""
    return note is None or note.generator == HAND or note.body_hash is None or note.edited


def name_kind(causes: Sequence[Cause]) -> JobKind:
    """Why a note has to be written whose causes are these, the gravest first."""
    if not causes:
        return JobKind.NEW
    if causes[0].kind is CauseKind.DAMAGED:
        return JobKind.DAMAGED
    if causes[0].kind is CauseKind.REPLACE:
        return JobKind.REPLACED
    if causes[0].kind in _DRIFTS:
        return JobKind.DRIFTED
    if all(cause.detail == DependencyChange.RENAMED for cause in causes):
        return JobKind.REDIRECTED
    return JobKind.STALE


def name_class(causes: Sequence[Cause]) -> str:
    """The change class that causes amount to, the gravest first; empty without any, or where the note is damaged."""
    return _CLASSES[causes[0].kind] if causes else ""


def weigh(kind: JobKind, change_class: str, fan_in: int, depth: int) -> float:
    """The priority of a job.

    Args:
        kind: Why the note has to be written.
        change_class: What happened to its types.
        fan_in: How many other types name them.
        depth: Steps from them to the nearest type that depends on nothing.
    """
    fallback = _DAMAGED if kind is JobKind.DAMAGED else _NEW
    return fan_in / (1 + depth) * _WEIGHTS.get(change_class, fallback)


def order_jobs(jobs: Iterable[Job], depth_of: Callable[[TypeId], int]) -> tuple[Job, ...]:
    """Jobs by priority, the highest first; of equal ones first what others stand on, whose notes help these."""

    def rank(job: Job) -> tuple[float, int, list[str], str]:
        return -job.priority, min(map(depth_of, job.types)), sorted(job.names), job.owner

    return tuple(sorted(jobs, key=rank))
