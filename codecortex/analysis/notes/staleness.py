"""Judges whether a note is still valid by comparing fingerprints, and explains why it is stale."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from codecortex.model.notes import SemanticState
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from codecortex.analysis.types.fingerprints import Fingerprints
    from codecortex.model.code.types import TypeId
    from codecortex.model.config import SemanticsConfig
    from codecortex.model.hashing import Digest
    from codecortex.model.notes import Base, Note


class CauseKind(StrEnum):
    """Why a note is stale, the most severe cause first."""

    DAMAGED = "Damaged"
    TYPE_GONE = "TypeGone"
    STRUCTURE = "Structure"
    PUBLIC_BEHAVIOR = "PublicBehavior"
    DEPENDENCY_STRUCTURE = "DependencyStructure"
    INTERNAL = "Internal"
    DOCS = "Docs"
    DRIFT_LIMIT = "DriftLimit"
    DRIFT_AGE = "DriftAge"
    REPLACE = "Replace"


_ORDER = {kind: place for place, kind in enumerate(CauseKind)}


class DependencyChange(StrEnum):
    """What happened to a dependency since the note was made."""

    CHANGED = "changed"
    GONE = "gone"
    RENAMED = "renamed"
    NO_LONGER_NAMED = "noLongerNamed"
    NEW = "new"


class Cause(NamedTuple):
    """One reason for a note to be stale.

    Attributes:
        kind: What happened.
        type_id: The type concerned: one of the note's own, or a dependency; empty for the note itself.
        detail: For a dependency, a `DependencyChange`; for a damaged note the problem, and for a note to be replaced
            who wrote it, as clauses for people; else empty.
    """

    kind: CauseKind
    type_id: str
    detail: str = ""


class Drift(NamedTuple):
    """The internal changes of a type since its note was written.

    Attributes:
        changes: Their number; counting stops at the limit.
        hours: Whole hours from the commit of the first change to that of the tree; 0 if none is committed.
        exact: Whether the history was complete; otherwise the number is a minimum.
    """

    changes: int
    hours: int
    exact: bool


class CurrentState(NamedTuple):
    """The current state of the types that a note is about, and of their dependencies.

    Attributes:
        prints: The fingerprints of these types by id; types that do not exist are missing.
        dependencies: The direct structural dependencies outside of the note's own types.
        aliases: Old id to current id.
    """

    prints: Mapping[TypeId, Fingerprints]
    dependencies: Collection[TypeId]
    aliases: Mapping[str, str]


class Verdict(NamedTuple):
    """The result of judging a note.

    Attributes:
        state: Cached or stale.
        causes: Why it is stale, the most severe first, then by type.
        internal: The note's types whose internalImplHash differs from that in the note, so that drift has to be
            counted; empty for a stale note.
    """

    state: SemanticState
    causes: tuple[Cause, ...]
    internal: tuple[TypeId, ...]


def judge(note: Note, today: CurrentState, config: SemanticsConfig) -> Verdict:
    """Compare a note with the current state, without drift.

    If a change of the note's own types makes it stale, dependencies are not compared: one reason to rewrite it is
    enough.
    """
    causes = [cause for base in note.types for cause in _judge_own(base, today, config)]
    if not causes:
        causes = list(_compare_dependencies(note, today))
    if causes:
        return Verdict(SemanticState.STALE, sort_causes(causes), ())
    changed = tuple(base.type_id for base in note.types if differs_inside(base, today.prints))
    return Verdict(SemanticState.CACHED, (), changed)


def differs_inside(base: Base, prints: Mapping[TypeId, Fingerprints]) -> bool:
    """Whether the type's internalImplHash differs from that in the note."""
    now = prints.get(base.type_id)
    return now is not None and now.internal_impl != base.internal_impl


def judge_drift(verdict: Verdict, drifts: Mapping[TypeId, Drift], config: SemanticsConfig) -> Verdict:
    """The verdict on a cached note with the drift of its types."""
    causes = []
    for type_id, drift in drifts.items():
        if drift.changes >= config.drift_limit:
            causes.append(Cause(CauseKind.DRIFT_LIMIT, type_id))
        elif drift.hours >= config.drift_hours:
            causes.append(Cause(CauseKind.DRIFT_AGE, type_id))
    return verdict._replace(state=SemanticState.STALE, causes=sort_causes(causes)) if causes else verdict


def explain_cause(cause: Cause, names: Mapping[str, str], drifts: Mapping[TypeId, Drift]) -> str:
    """A cause as a clause for people.

    Args:
        cause: The cause.
        names: FQNs of types by id; a type without one is shown by its id.
        drifts: The drift of the note's types.
    """
    name = names.get(cause.type_id, cause.type_id)
    drift = next((drift for type_id, drift in drifts.items() if type_id == cause.type_id), None)
    match cause.kind:
        case CauseKind.DAMAGED | CauseKind.REPLACE:
            return cause.detail
        case CauseKind.TYPE_GONE:
            return f"{name} is gone"
        case CauseKind.DEPENDENCY_STRUCTURE:
            return f"{_DEPENDENCY_WORDS[DependencyChange(cause.detail)]} {name}"
        case CauseKind.DRIFT_LIMIT if drift is not None:
            return f"{drift.changes} internal changes of {name}"
        case CauseKind.DRIFT_AGE if drift is not None:
            return f"internal change of {name} {drift.hours} hours old"
        case _:
            return f"{cause.kind} of {name} changed"


def explain_drift(drift: Drift) -> str:
    """The drift of a type, as a clause for people."""
    number = f"{'' if drift.exact else 'at least '}{drift.changes}"
    return f"{number} internal change{'s' if drift.changes > 1 else ''} since"


_DEPENDENCY_WORDS = {
    DependencyChange.CHANGED: "structure of its dependency",
    DependencyChange.GONE: "no more",
    DependencyChange.RENAMED: "renamed:",
    DependencyChange.NO_LONGER_NAMED: "no longer depends on",
    DependencyChange.NEW: "now depends on",
}


def _judge_own(base: Base, today: CurrentState, config: SemanticsConfig) -> Iterator[Cause]:
    """Yield the most severe change of a type itself that makes its note stale."""
    now = today.prints.get(base.type_id)
    if now is None:
        yield Cause(CauseKind.TYPE_GONE, base.type_id)
    elif now.structure != base.structure:
        yield Cause(CauseKind.STRUCTURE, base.type_id)
    elif now.public_impl != base.public_impl:
        yield Cause(CauseKind.PUBLIC_BEHAVIOR, base.type_id)
    elif config.internal_impl_affects_semantic and now.internal_impl != base.internal_impl:
        yield Cause(CauseKind.INTERNAL, base.type_id)
    elif config.semantic_docs_affect and _differ(base.xml_doc, now.xml_doc):
        yield Cause(CauseKind.DOCS, base.type_id)


def _differ(before: Digest | None, after: Digest) -> bool:
    """Whether documentation changed; false for a note without an xmlDocHash."""
    return before is not None and before != after


def _compare_dependencies(note: Note, today: CurrentState) -> Iterator[Cause]:
    recorded = {each.type_id: each.structure for each in note.dependencies}
    for type_id, structure in recorded.items():
        now = today.prints.get(type_id)
        if now is None:
            change = DependencyChange.RENAMED if type_id in today.aliases else DependencyChange.GONE
        elif now.structure != structure:
            change = DependencyChange.CHANGED
        elif type_id not in today.dependencies:
            change = DependencyChange.NO_LONGER_NAMED
        else:
            continue
        yield Cause(CauseKind.DEPENDENCY_STRUCTURE, type_id, change)
    for type_id in sorted(set(today.dependencies) - set(recorded)):
        if today.aliases and type_id in {today.aliases.get(old) for old in recorded}:
            continue  # reported as renamed
        yield Cause(CauseKind.DEPENDENCY_STRUCTURE, type_id, DependencyChange.NEW)


def sort_causes(causes: Iterable[Cause]) -> tuple[Cause, ...]:
    """Sort causes, the most severe first, then by type."""
    return tuple(sorted(causes, key=lambda cause: (_ORDER[cause.kind], cause.type_id, cause.detail)))
