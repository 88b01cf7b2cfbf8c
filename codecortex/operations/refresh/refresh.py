"""Updates the generated files in `.codecortex`: what is to be waited for begins here, before all else is loaded."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING

from codecortex.git.head_start import head_start
from codecortex.git.lock import lock_repository
from codecortex.git.repository import open_repository
from codecortex.git.worktree.folder_digest import FolderDigest
from codecortex.operations.reading.committed_files import require_folder
from codecortex.store.paths import ALIASES, INDEX, PACKS, SEMANTIC, TYPES

if TYPE_CHECKING:
    from codecortex.git.repository import Repository
    from codecortex.operations.refresh.bring_up import RefreshResult
    from codecortex.operations.request import Request


def refresh(request: Request, *, dry_run: bool = False, full: bool = False, relayout: bool = False) -> RefreshResult:
    """Update `.codecortex` in the work tree from a tree.

    Args:
        request: Selects the tree; files are always written into the work tree.
        dry_run: Plan only.
        full: Ignore the snapshot of the last refresh.
        relayout: Choose the layout of the outlines anew, by the number of types.

    Raises:
        UsageError: There is no `.codecortex` folder.
        GitStateError: Git cannot read the repository, it lacks sources, or a file cannot be written.
        StoreFormatError: A newer codecortex wrote the existing files.
        BusyError: Another process holds the lock.
    """
    repository = open_repository(request.folder, lasting=request.lasting)
    require_folder(repository)
    if repository.is_applying:
        from codecortex.git.sessions.applying import finish_applying

        finish_applying(repository, request.warn)
    with (
        nullcontext() if dry_run else lock_repository(repository),
        look_at_generated(repository) as lying,
        head_start(repository) if request.reads_worktree else nullcontext(),
    ):
        from codecortex.operations.refresh.bring_up import bring_up  # while git answers

        return bring_up(request, repository, lying, dry_run=dry_run, full=full, relayout=relayout)


def look_at_generated(repository: Repository) -> FolderDigest:
    """Begin to look at the generated files, beside what this process does."""
    return FolderDigest(repository, (TYPES, SEMANTIC, PACKS), (INDEX, ALIASES))
