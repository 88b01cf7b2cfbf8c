"""Compares the dependencies that made a note stale with their state when the note was written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.changes.member_diffs import list_differences
from codecortex.analysis.notes.staleness import CauseKind, DependencyChange
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.catalog.describe import read_types
from codecortex.operations.generation.prompts.changes import sign_member
from codecortex.operations.generation.prompts.past import find_then
from codecortex.operations.generation.prompts.sources import is_withheld
from codecortex.operations.reading.hashes import rules_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from codecortex.analysis.changes.member_diffs import Differences
    from codecortex.analysis.changes.states import TypeAt
    from codecortex.analysis.notes.jobs import Job
    from codecortex.analysis.types.fingerprints import Fingerprints
    from codecortex.model.code.types import CSharpType
    from codecortex.model.hashing import Digest
    from codecortex.operations.catalog.workspace import Workspace

MOST_COMPARED = 12
"""Maximum number of dependencies of one job that are looked up in history."""

_MOST_LINES = 12


class Compared(NamedTuple):
    """A dependency then and now.

    Attributes:
        before: The dependency when the note was written.
        after: The dependency now.
        found: The differences.
    """

    before: TypeAt
    after: TypeAt
    found: Differences


def compare_dependencies(
    workspace: Workspace, job: Job, then: Mapping[str, Digest], exclude: tuple[str, ...]
) -> dict[str, Compared]:
    """How changed dependencies differ from what a note was made from, by TypeId, as far as known and not excluded.

    Args:
        workspace: The tree.
        job: The job of the note.
        then: The structureHash of each dependency in the note's header, by TypeId.
        exclude: Globs of files that no model may be sent.
    """
    compared: dict[str, Compared] = {}
    for type_id, now in read_types(
        workspace, [each for each in list_changed(job) if each in then][:MOST_COMPARED]
    ).items():
        before = _find_before(workspace, now, then[type_id], job.path)
        if before is not None and not any(is_withheld(path, exclude) for path in (*now.type.files, *before.type.files)):
            found = list_differences(before.side, now.side, rules_of(workspace.tree.config))
            compared[type_id] = Compared(before, now, found)
    return compared


def list_changed(job: Job) -> list[str]:
    """TypeIds of the dependencies whose structureHash differs from that in the job's note."""
    causes = (each for each in job.causes if each.kind is CauseKind.DEPENDENCY_STRUCTURE)
    return [each.type_id for each in causes if each.detail == DependencyChange.CHANGED]


def _find_before(workspace: Workspace, now: TypeAt, structure: Digest, note: str) -> TypeAt | None:
    def fits(prints: Fingerprints) -> bool:
        return prints.structure == structure

    then = find_then(workspace, now, fits, note)
    return then.found if then is not None else None


def list_shape_changes(compared: Compared) -> Iterator[str]:
    """Diff lines of a type's declaration and visible signatures; very many are truncated."""
    before, after, found = compared
    lines = list(_mark(list(_list_declared(before.type)), list(_list_declared(after.type))))
    for pair in found.members:
        old = sign_member(before.type, pair.before) if pair.before is not None else ""
        new = sign_member(after.type, pair.after) if pair.after is not None else ""
        if pair.nested:
            lines.append(f"{'+' if pair.came else '-'} {pair.nested}")
        elif pair.visible and old != new:
            lines += _mark([old] if old else [], [new] if new else [])
    yield from lines[:_MOST_LINES]
    if len(lines) > _MOST_LINES:
        yield f"... and {len(lines) - _MOST_LINES:,} more"


def _list_declared(merged: CSharpType) -> Iterator[str]:
    """The pieces of a type's declaration: header, attributes, bases, constraints."""
    yield " ".join((merged.accessibility, *merged.modifiers, merged.kind, merged.own_name))
    facts = [part.facts for part in merged.parts]
    yield from sorted({f"[{each}]" for own in facts for each in own.attributes})
    yield from sorted({f": {each}" for own in facts for each in own.bases})
    yield from sorted({f"where {each}" for own in facts for each in own.constraints})


def _mark(before: Sequence[str], after: Sequence[str]) -> Iterator[str]:
    yield from (f"- {each}" for each in before if each not in after)
    yield from (f"+ {each}" for each in after if each not in before)
