"""Removes stale groups: notes of groups that no longer exist, whose types all have other notes.

This happens when a group splits and its types get notes by hand or from a merged branch. `units` finds candidates;
here each is verified and removed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.git.lock import lock_repository
from codecortex.git.worktree.disk import Problem
from codecortex.model.notes import is_group
from codecortex.operations.folder import require_folder
from codecortex.operations.generation.jobs.selection import Selection, choose
from codecortex.operations.generation.jobs.units import make_units
from codecortex.operations.notes.backup import remove_notes
from codecortex.operations.notes.moves import list_unmerged
from codecortex.operations.notes.previous import list_silent, read_noted
from codecortex.store.paths import REPLACED, Layout, outline_path, semantic_owner

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from pathlib import Path

    from codecortex.model.code.types import TypeId
    from codecortex.operations.catalog.workspace import Workspace

_NO_SOURCES = (Problem.SYMLINK, Problem.SUBMODULE)


def remove_stale_groups_of(workspace: Workspace, types: Iterable[TypeId]) -> tuple[str, ...]:
    """Remove the stale groups that contained some of these types; see `remove_stale_groups`."""
    asked = tuple(types)
    if not any(is_group(semantic_owner(path) or "") for path in read_noted(workspace, asked)):
        return ()
    return remove_stale_groups(
        workspace, make_units(workspace, choose(workspace, Selection(asked, every=True))).left_over
    )


def remove_stale_groups(workspace: Workspace, paths: Collection[str]) -> tuple[str, ...]:
    """Back up and remove those of the given notes that are certainly stale groups, warn, and return their paths.

    Each of their existing types has another note, every source was read, and the outlines of missing types are gone:
    while one exists, the type may have been renamed, and its next note will continue from this text.

    Args:
        workspace: A workspace on the work tree.
        paths: Candidates, from `Jobs.left_over`.

    Raises:
        UsageError: There is no `.codecortex`.
        BusyError: Another process holds the lock.
        GitStateError: A backup cannot be written, or a note not removed.
    """
    if not paths or not is_whole(workspace):
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


def is_whole(workspace: Workspace) -> bool:
    """Whether every source was read: a type in an unread source would count as missing."""
    return not workspace.catalog.unread and all(each.problem in _NO_SOURCES for each in workspace.tree.listing.skipped)


def _list_certain(workspace: Workspace, root: Path, paths: set[str]) -> list[str]:
    silent = list_silent(workspace, paths - list_unmerged(workspace.repository))
    noted = read_noted(workspace, silent)
    return [path for path in sorted(silent) if not any(may_return(workspace, root, each) for each in noted[path])]


def may_return(workspace: Workspace, root: Path, type_id: TypeId) -> bool:
    """Whether a type is missing, but still has an outline."""
    if type_id in workspace.catalog.by_id:
        return False
    return any((root / outline_path(type_id, layout)).exists() for layout in Layout)
