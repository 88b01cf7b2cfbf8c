"""Finds the old texts that a job's note continues from, and the notes that it supersedes.

Where a group splits, each of its types continues from the group's whole text; where types merge into a group, its note
continues from all of theirs. An old file is removed only when each of its types has another note, so that no text is
lost between jobs that succeed and jobs that fail.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.notes.groups import join_texts
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.notes.files import read_notes
from codecortex.store.paths import semantic_owner

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from codecortex.analysis.notes.jobs import Job
    from codecortex.model.code.types import TypeId
    from codecortex.model.notes import Note
    from codecortex.operations.catalog.workspace import Workspace


class Previous(NamedTuple):
    """The old text that a job's note continues from.

    Attributes:
        texts: The five section texts, as in `Note.texts`; None if no old note can be read.
        notes: The old notes that can be read.
        unread: The files in `Job.previous` that cannot be read.
    """

    texts: tuple[str, ...] | None
    notes: tuple[Note, ...]
    unread: tuple[str, ...]


def read_previous(workspace: Workspace, job: Job) -> Previous:
    """Read the old text of a job from the workspace's tree as it is now."""
    owners = {owner for owner in map(semantic_owner, job.previous) if owner is not None}
    files = {file.path: file.note for file in read_notes(workspace.tree, owners).files}
    notes = tuple(note for note in map(files.get, job.previous) if note is not None)
    unread = tuple(path for path in job.previous if path in files and files[path] is None)
    return Previous(join_texts(notes), notes, unread)


def list_superseded(workspace: Workspace, job: Job) -> tuple[str, ...]:
    """The old files that are superseded once the job's note is written; remove them only after that.

    A file stays if it cannot be read, or if one of its existing types has no other note. The answer may change with
    every note written: ask again for each job, right before its note is written.
    """
    silent = list_silent(workspace, {path for path in job.previous if path != job.path}, job.types)
    return tuple(path for path in job.previous if path in silent)


def list_silent(workspace: Workspace, paths: Collection[str], settled: Iterable[TypeId] = ()) -> set[str]:
    """Those of the given notes whose existing types all have another note, outside the given ones.

    Args:
        workspace: The tree.
        paths: The notes; one that cannot be read is never returned.
        settled: Types that have another note, or are about to get one.
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
    """The types of each readable note, by path: notes of the owners (ids or paths), and of groups mentioning them."""
    found = read_notes(workspace.tree, {semantic_owner(each) or each for each in owners}).files
    return {file.path: {base.type_id for base in file.note.types} for file in found if file.note is not None}
