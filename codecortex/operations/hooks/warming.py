"""Reads a new HEAD into the local cache in the background, and leaves a notice if generated files are out of date.

This runs detached after merges, checkouts and rebases, which must not wait for it. The next hook reports the notice, if
the commit in question is still HEAD.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from codecortex.git.hooks.staging import list_committed
from codecortex.git.lock import hold_lock
from codecortex.git.revisions import find_commit, resolve_commit
from codecortex.git.worktree.writing import apply_writes
from codecortex.model.errors import BusyError
from codecortex.operations.hooks.commit import compare_generated, remember
from codecortex.operations.reading.tree import open_tree
from codecortex.operations.refresh.plan import select_derived
from codecortex.operations.request import Request
from codecortex.store.cache.cache import open_cache
from codecortex.store.paths import FOLDER

if TYPE_CHECKING:
    from pathlib import Path

    from codecortex.git.repository import Repository

_GENTLE = 10
_NOTICE = "notice"


def warm(repository: Repository, *, caches: bool = True) -> None:
    """Read HEAD as the next commit will need it, and again if it moves meanwhile; one process at a time.

    Args:
        repository: The repository.
        caches: Whether the local cache is read and written; else all that comes of it is the notice.

    Raises:
        GitStateError: Git cannot read HEAD.
        StoreFormatError: Another version of codecortex wrote the existing files.
    """
    if hasattr(os, "nice"):
        os.nice(_GENTLE)
    done = None
    with suppress(BusyError), hold_lock(repository.local_dir / "warming", wait=0):
        while (head := resolve_commit(repository, "HEAD")) != done:
            _leave_notice(repository, head, _count_behind(repository, head, caches=caches))
            done = head


def read_notice(repository: Repository) -> int:
    """Number of outdated generated files of HEAD, as an earlier run found; drops a notice about another commit."""
    try:
        head, _, count = _locate(repository).read_text("ascii").strip().partition(" ")
        behind = int(count) if head == find_commit(repository, "HEAD") else 0
    except (FileNotFoundError, ValueError):
        behind = 0
    if not behind:
        drop_notice(repository)
    return behind


def drop_notice(repository: Repository) -> None:
    """Delete the notice."""
    _locate(repository).unlink(missing_ok=True)


def _locate(repository: Repository) -> Path:
    return repository.local_dir / _NOTICE


def _count_behind(repository: Repository, commit: str, *, caches: bool) -> int:
    entries = list_committed(repository, commit, FOLDER)
    if not entries:
        return 0
    with open_cache(repository.shared_dir, warn=lambda _: None, keeps=caches) as cache:
        request = Request(repository.require_root(), rev=commit, jobs=1, caches=caches)
        tree = open_tree(request, repository, cache=cache)
        found = compare_generated(tree, select_derived(entries), cache)
        remember(cache, repository, found.plan)
    return len(found.writes) + len(found.removals)


def _leave_notice(repository: Repository, commit: str, behind: int) -> None:
    if behind:
        apply_writes(repository.local_dir, {_NOTICE: f"{commit} {behind}\n".encode()})
    else:
        drop_notice(repository)
