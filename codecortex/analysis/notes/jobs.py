"""Jobs: which notes have to be written, why, and in which order."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from codecortex.analysis.notes.staleness import Cause, CauseKind, DependencyChange
from codecortex.model.notes import is_group
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from codecortex.model.code.types import TypeId
    from codecortex.model.notes import Note

STRUCTURE_DEPENDENCY = "Structure-Dependency"
"""The change class of a note whose own types did not change but a dependency did."""

RENAMED = "Structure"
"""The change class of a renamed type whose note still has the old name."""

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
"""Change classes after which a text may still be valid; if a type's own structure or public behaviour changed, it has
to be checked section by section."""

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
"""A missing note misleads nobody: it comes after notes on types whose structure or behaviour changed, and before those
on types that changed only internally. A damaged note counts as completely wrong."""


class Job(NamedTuple):
    """One note that has to be written.

    Attributes:
        owner: The TypeId or GroupId that it is named after.
        kind: Why it has to be written.
        types: The types that it is to be about, sorted.
        names: Their FQNs, in the same order.
        change_class: The change of its types since the existing note was made; empty if there is none, or it is
            damaged.
        causes: Why the existing note is stale, the most severe cause first; empty for a new one.
        priority: The priority; higher comes first.
        path: The note's file.
        previous: The files with the previous text of this note, its own first; when a group is split or types are
            joined, those of other owners. A file is removed when all its types have another note.
        cut: Types of the same component that are too many to share the note; sorted.
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
        """Whether the existing text must be replaced, even if it is still valid."""
        return any(cause.kind is CauseKind.REPLACE for cause in self.causes)

    @property
    def is_group(self) -> bool:
        """Whether several types share the note."""
        return is_group(self.owner)

    def describe_types(self) -> list[dict[str, str]]:
        """Its types as JSON values."""
        return [{"id": each, "fqn": name} for each, name in zip(self.types, self.names, strict=True)]


def is_by_hand(note: Note | None) -> bool:
    """Whether a person wrote or edited a note, or that is unknown, as for a damaged one."""
    return note is None or note.generator == HAND or note.body_hash is None or note.edited


def name_kind(causes: Sequence[Cause]) -> JobKind:
    """The kind of a job with these causes, the most severe first."""
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
    """The change class for these causes, the most severe first; empty without causes, or for a damaged note."""
    return _CLASSES[causes[0].kind] if causes else ""


def weigh(kind: JobKind, change_class: str, fan_in: int, depth: int) -> float:
    """The priority of a job.

    Args:
        kind: Why the note has to be written.
        change_class: The change of its types.
        fan_in: How many other types reference them.
        depth: Steps from them to the nearest type that depends on nothing.
    """
    fallback = _DAMAGED if kind is JobKind.DAMAGED else _NEW
    return fan_in / (1 + depth) * _WEIGHTS.get(change_class, fallback)


def order_jobs(jobs: Iterable[Job], depth_of: Callable[[TypeId], int]) -> tuple[Job, ...]:
    """Sort jobs by descending priority, then dependencies first, since their notes help with the others."""

    def rank(job: Job) -> tuple[float, int, list[str], str]:
        return -job.priority, min(map(depth_of, job.types)), sorted(job.names), job.owner

    return tuple(sorted(jobs, key=rank))
