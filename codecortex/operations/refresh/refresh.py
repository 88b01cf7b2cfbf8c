"""Updates the generated files in `.codecortex`.

What finds that there is nothing to do is loaded first, and alone where that is so.
"""

from __future__ import annotations

from contextlib import nullcontext
from itertools import starmap
from typing import TYPE_CHECKING

from codecortex.git.lock import lock_repository
from codecortex.git.repository import open_repository
from codecortex.git.worktree.look import abandon_looks, take_look
from codecortex.model.errors import GitStateError
from codecortex.operations.folder import require_folder
from codecortex.operations.reading.known_index import remember_counted
from codecortex.operations.refresh.result import say_nothing
from codecortex.operations.refresh.unchanged import find_unchanged
from codecortex.operations.request import Unread
from codecortex.store.cache.cache import open_cache
from codecortex.store.paths import FOLDER, GENERATED, PACKS, SEMANTIC

if TYPE_CHECKING:
    from codecortex.git.repository import Repository
    from codecortex.operations.refresh.result import RefreshResult
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
        open_cache(repository.shared_dir, warn=request.warn, keeps=request.caches) as cache,
    ):
        if not dry_run:
            _finish_earlier(request, repository)
        looks = request.reads_worktree and not repository.is_applying
        anew = full or relayout or request.upgrade
        with (
            take_look(repository, *GENERATED) if looks else nullcontext() as look,
            nullcontext() if look is None else remember_counted(repository, cache, look),
        ):
            unchanged = find_unchanged(request, repository, cache, look) if look is not None and not anew else None
            if unchanged is not None:
                return say_nothing(unchanged.types, starmap(Unread, unchanged.skipped), dry_run=dry_run)
            from codecortex.operations.refresh.run import list_all, run

            listed = list_all(request, repository, cache, look)
        return run(listed, look, dry_run=dry_run, full=full, relayout=relayout)


def _finish_earlier(request: Request, repository: Repository) -> None:
    """Finish or remove what killed runs left."""
    from codecortex.git.worktree.writing import sweep_temporary

    sweep_temporary(repository.require_root(), (FOLDER, SEMANTIC, PACKS))
    if (repository.local_dir / "journal").exists():
        from codecortex.git.hooks.journal import finish_journal

        abandon_looks()  # git's index will be another one
        try:
            finish_journal(repository, FOLDER)
        except GitStateError as problem:  # such as a commit under way, which will do it
            request.warn(f"git's index could not follow an earlier commit: {problem.message}")
