"""A workspace in; the files of groups that are no more and say nothing any more, removed, out.

A group falls apart, and its types come by other notes: written by hand, or merged from another branch. What is left
over is found with the work to be done (`jobs_units`); here it is made certain, and goes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.git.lock import lock_repository
from codecortex.git.worktree.disk import Problem
from codecortex.model.notes import is_group
from codecortex.operations.generation.jobs.selection import Selection, choose
from codecortex.operations.generation.jobs.units import make_units
from codecortex.operations.notes.backup import remove_notes
from codecortex.operations.notes.moves import list_unmerged
from codecortex.operations.notes.previous import list_silent, read_noted
from codecortex.operations.reading.committed_files import require_folder
from codecortex.store.paths import REPLACED, Layout, outline_path, semantic_owner

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from pathlib import Path

    from codecortex.model.code.types import TypeId
    from codecortex.operations.catalog.workspace import Workspace

_NO_SOURCES = (Problem.SYMLINK, Problem.SUBMODULE)


def remove_stale_groups_of(workspace: Workspace, types: Iterable[TypeId]) -> tuple[str, ...]:
    """Remove what is left over of groups that some types were in; see `remove_stale_groups`."""
    asked = tuple(types)
    if not any(is_group(semantic_owner(path) or "") for path in read_noted(workspace, asked)):
        return ()
    return remove_stale_groups(
        workspace, make_units(workspace, choose(workspace, Selection(asked, every=True))).left_over
    )


def remove_stale_groups(workspace: Workspace, paths: Collection[str]) -> tuple[str, ...]:
    """Remove those files of groups that certainly say nothing any more, and say so; what they said is kept aside.

    Each type of theirs that exists has another note, no source is unread, and the outlines of types that went are gone
    too: until a refresh took these away, a type may have been renamed, and the text is what its note will go on from.

    Args:
        workspace: A workspace at the work tree.
        paths: What is left over, as `Jobs.left_over` has it.

    Raises:
        UsageError: There is no `.codecortex`.
        BusyError: Another process writes.
        GitStateError: The disk refuses.
    """
    if not paths or not _is_whole(workspace):
        return ()
    root = require_folder(workspace.repository)
    with lock_repository(workspace.repository):
        removed = remove_notes(root, _list_certain(workspace, root, set(paths)))
    if removed:
        workspace.request.warn(
            f"{', '.join(removed)} said nothing any more, for all types of the group have other notes; "
            f"what stood there is kept in {REPLACED}"
        )
    return removed


def _is_whole(workspace: Workspace) -> bool:
    """Whether every source was read: a type that stands in another counts as gone."""
    return not workspace.catalog.unread and all(each.problem in _NO_SOURCES for each in workspace.tree.listing.skipped)


def _list_certain(workspace: Workspace, root: Path, paths: set[str]) -> list[str]:
    silent = list_silent(workspace, paths - list_unmerged(workspace.repository))
    noted = read_noted(workspace, silent)
    return [path for path in sorted(silent) if not any(_may_return(workspace, root, each) for each in noted[path])]


def _may_return(workspace: Workspace, root: Path, type_id: TypeId) -> bool:
    """Whether a type went that nobody has told the generated files of."""
    if type_id in workspace.catalog.by_id:
        return False
    return any((root / outline_path(type_id, layout)).exists() for layout in Layout)
