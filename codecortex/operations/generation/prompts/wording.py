"""Explains in words what changed about a job's types since the old text was written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codecortex.analysis.notes.jobs import STRUCTURE_DEPENDENCY, JobKind
from codecortex.analysis.notes.staleness import CauseKind, DependencyChange
from codecortex.context.prompts.parts import join_names
from codecortex.operations.generation.prompts.dependencies import list_shape_changes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from codecortex.analysis.notes.staleness import Cause
    from codecortex.model.code.catalog import TypeEntry
    from codecortex.operations.generation.prompts.notes import PromptContext

_CLASSES = {
    "Structure": "the shape of the type changed: members, signatures, bases or attributes",
    "PublicBehavior": "what visible members do changed, their signatures did not",
    "Internal": "only what others cannot see changed",
    "Docs": "only documentation comments changed",
    STRUCTURE_DEPENDENCY: "the type did not change, what it depends on did",
}
_CAUSES = {
    CauseKind.TYPE_GONE: "{name} is gone.",
    CauseKind.STRUCTURE: "{name}: its shape changed.",
    CauseKind.PUBLIC_BEHAVIOR: "{name}: what its visible members do changed.",
    CauseKind.INTERNAL: "{name}: what others cannot see of it changed.",
    CauseKind.DOCS: "{name}: its documentation changed.",
    CauseKind.DRIFT_LIMIT: "{name}: it changed inside several times since the text was written.",
    CauseKind.REPLACE: "The text that is there is to be written anew.",
    CauseKind.DRIFT_AGE: "{name}: it changed inside some time ago.",
}
_SAID = {
    CauseKind.DAMAGED,
    CauseKind.STRUCTURE,
    CauseKind.PUBLIC_BEHAVIOR,
    CauseKind.INTERNAL,
    CauseKind.DOCS,
}
"""Causes that the kind of the job and the change class already express, for a type with a note of its own."""

_DEPENDENCIES = {
    DependencyChange.CHANGED: "{name}, which it depends on, changed its shape:",
    DependencyChange.GONE: "{name}, which it depended on, is gone.",
    DependencyChange.RENAMED: "A type that it depends on is now called {name}.",
    DependencyChange.NO_LONGER_NAMED: "It no longer depends on {name}.",
    DependencyChange.NEW: "It now depends on {name}.",
}
_MOST_CAUSES = 12


def explain_change(context: PromptContext) -> Iterator[tuple[str, str]]:
    """What happened to the types of a job: pairs of a line and a diff, which may be empty."""
    job = context.job
    if job.kind is JobKind.NEW:
        yield "There is no note yet.", ""
    elif job.kind is JobKind.DAMAGED:
        yield "The note that is there is damaged: it is written anew.", ""
    if job.change_class:
        yield f"Change class: {job.change_class} ({_CLASSES.get(job.change_class, 'see below')}).", ""
    said = _SAID if len(job.types) == 1 else {CauseKind.DAMAGED}
    causes = [cause for cause in job.causes if cause.kind not in said]
    for cause in causes[:_MOST_CAUSES]:
        yield _explain_cause(context, cause)
    if len(causes) > _MOST_CAUSES:
        yield f"And {len(causes) - _MOST_CAUSES:,} more of this kind.", ""
    if job.kind is JobKind.REDIRECTED and not job.causes:
        was = ", ".join(sorted({base.fqn for base, _ in context.past.bases.values()}))
        yield (f"It was called {was}." if was else "It goes by another name now."), ""
    if job.cut:
        names = join_names([_name(context, each) for each in job.cut])
        yield f"These depend on the types and are depended on by them, but have notes of their own: {names}.", ""


def _name(context: PromptContext, type_id: str) -> str:
    """FQN of a type, current or former, if known."""
    known: Mapping[Any, TypeEntry] = context.workspace.catalog.by_id
    if type_id in known:
        return known[type_id].fqn
    base = context.past.bases.get(type_id)
    return base[0].fqn if base is not None else "a type that is no more"


def _explain_cause(context: PromptContext, cause: Cause) -> tuple[str, str]:
    name = _name(context, cause.type_id)
    if cause.kind is not CauseKind.DEPENDENCY_STRUCTURE:
        return "- " + _CAUSES[cause.kind].format(name=name), ""
    what = DependencyChange(cause.detail)
    compared = context.compared.get(cause.type_id)
    lines = list(list_shape_changes(compared)) if compared is not None else []
    told = _DEPENDENCIES[what].format(name=name)
    return "- " + (told if lines else f"{told.rstrip(':.')}."), "\n".join(lines)
