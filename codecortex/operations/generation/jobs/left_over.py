"""A desk in; the files of groups that are no more and say nothing any more, removed, out.

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
    from codecortex.operations.catalog.workspace import Desk

_NO_SOURCES = (Problem.SYMLINK, Problem.SUBMODULE)


def remove_left_of(desk: Desk, types: Iterable[TypeId]) -> tuple[str, ...]:
    """Remove what is left over of groups that some types were in; see `remove_left_over`."""
    asked = tuple(types)
    if not any(is_group(semantic_owner(path) or "") for path in read_noted(desk, asked)):
        return ()
    return remove_left_over(desk, make_units(desk, choose(desk, Selection(asked, every=True))).left_over)


def remove_left_over(desk: Desk, paths: Collection[str]) -> tuple[str, ...]:
    """Remove those files of groups that certainly say nothing any more, and say so; what they said is kept aside.

    Each type of theirs that exists has another note, no source is unread, and the outlines of types that went are gone
    too: until a refresh took these away, a type may have been renamed, and the text is what its note will go on from.

    Args:
        desk: A desk at the work tree.
        paths: What is left over, as `Jobs.left_over` has it.

    Raises:
        UsageError: There is no `.codecortex`.
        BusyError: Another process writes.
        GitStateError: The disk refuses.
    """
    if not paths or not _is_whole(desk):
        return ()
    root = require_folder(desk.repository)
    with lock_repository(desk.repository):
        removed = remove_notes(root, _list_certain(desk, root, set(paths)))
    if removed:
        desk.request.warn(
            f"{', '.join(removed)} said nothing any more, for all types of the group have other notes; "
            f"what stood there is kept in {REPLACED}"
        )
    return removed


def _is_whole(desk: Desk) -> bool:
    """Whether every source was read: a type that stands in another counts as gone."""
    return not desk.catalog.unread and all(each.problem in _NO_SOURCES for each in desk.tree.listing.skipped)


def _list_certain(desk: Desk, root: Path, paths: set[str]) -> list[str]:
    silent = list_silent(desk, paths - list_unmerged(desk.repository))
    noted = read_noted(desk, silent)
    return [path for path in sorted(silent) if not any(_may_return(desk, root, each) for each in noted[path])]


def _may_return(desk: Desk, root: Path, type_id: TypeId) -> bool:
    """Whether a type went that nobody has told the generated files of."""
    if type_id in desk.catalog.by_id:
        return False
    return any((root / outline_path(type_id, layout)).exists() for layout in Layout)
