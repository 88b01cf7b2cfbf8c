"""A job in; the text that its note goes on from, and the notes that are no more once it stands, out.

Where a group falls apart, each of its types goes on from the whole of the old text; where types join, the new group
goes on from all of theirs. An old file goes only when each of its types has another note, so that no text is lost
between a job that is done and one that failed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from codecortex.analysis.notes.groups import join_texts
from codecortex.operations.notes.files import read_notes
from codecortex.store.paths import semantic_owner

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from codecortex.analysis.notes.jobs import Job
    from codecortex.model.code.types import TypeId
    from codecortex.model.notes import Note
    from codecortex.operations.catalog.workspace import Workspace


class Previous(NamedTuple):
    """What a job's note goes on from.

    Attributes:
        texts: The five texts, as `Note` holds them; None where there is no note that can be read.
        notes: The notes that they are of.
        unread: The files among `Job.previous` that cannot be read.
    """

    texts: tuple[str, ...] | None
    notes: tuple[Note, ...]
    unread: tuple[str, ...]


def read_previous(workspace: Workspace, job: Job) -> Previous:
    """What a job's note goes on from, as it stands in the workspace's tree now."""
    owners = {owner for owner in map(semantic_owner, job.previous) if owner is not None}
    files = {file.path: file.note for file in read_notes(workspace.tree, owners).files}
    notes = tuple(note for note in map(files.get, job.previous) if note is not None)
    unread = tuple(path for path in job.previous if path in files and files[path] is None)
    return Previous(join_texts(notes), notes, unread)


def list_superseded(workspace: Workspace, job: Job) -> tuple[str, ...]:
    """The files that say nothing more once the job's note stands: to be removed with the writing of it, never before.

    A file stays while it cannot be read, or while one of its types that exist has no other note. The answer is that of
    the moment: ask again for each job, right before its note is written.
    """
    silent = list_silent(workspace, {path for path in job.previous if path != job.path}, job.types)
    return tuple(path for path in job.previous if path in silent)


def list_silent(workspace: Workspace, paths: Collection[str], settled: Iterable[TypeId] = ()) -> set[str]:
    """Those of some notes of which each type that exists has another note, outside of these.

    Args:
        workspace: The tree.
        paths: The notes; what cannot be read is never silent.
        settled: Types that have another note, or are about to.
    """
    if not paths:
        return set()
    left = {
        path: {each for each in types if each in workspace.catalog.by_id}.difference(settled)
        for path, types in read_noted(workspace, paths).items()
        if path in paths
    }
    spoken: set[TypeId] = set()
    for path, types in read_noted(workspace, set().union(*left.values())).items():
        spoken |= types if path not in paths else set()
    return {path for path, types in left.items() if types <= spoken}


def read_noted(workspace: Workspace, owners: Iterable[str]) -> dict[str, set[TypeId]]:
    """The types of each note that can be read: those of owners, given by id or by file, and of groups they are in."""
    found = read_notes(workspace.tree, {semantic_owner(each) or each for each in owners}).files
    return {file.path: {base.type_id for base in file.note.types} for file in found if file.note is not None}
