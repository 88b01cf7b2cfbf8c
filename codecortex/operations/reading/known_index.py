"""Remembers what a refresh found about git's index: while it is the same, git need not list it.

And what it counted in the folders in which untracked files count, so that git need not list these.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from codecortex import __version__
from codecortex.git.worktree.folder_counts import FolderCount
from codecortex.git.worktree.look import Counted, KnownIndex
from codecortex.git.worktree.records import Clean
from codecortex.operations.reading.snapshot import Run, name_snapshot
from codecortex.store.cache.rows import load_row, pack_row

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codecortex.git.repository import Repository
    from codecortex.git.worktree.folder_digest import FolderDigest
    from codecortex.git.worktree.look import Look
    from codecortex.store.cache.cache import Cache


def is_known(repository: Repository, cache: Cache, digest: str) -> bool:
    """Whether an index with this digest was remembered last; nothing else of it is loaded."""
    return cache.get(_name(repository, "index digest")) == _mark(digest)


def load_index(repository: Repository, cache: Cache, digest: str) -> KnownIndex | None:
    """What is known of an index with this digest; None if another one was remembered last."""
    if not digest or not is_known(repository, cache, digest):
        return None
    known = load_row(cache.get(_name(repository, "index")), _read_index)
    return known if known is not None and known.digest == digest else None


def keep_index(repository: Repository, cache: Cache, look: Look, lying: FolderDigest) -> None:
    """Remember an index, given the sum over its generated files if all are ordinary ones; the last one is forgotten."""
    total = lying.index_total
    if look.known is None and look.digest and total and look.looks_at_all and look.is_same:
        from codecortex.operations.reading.sources import LISTED

        known = KnownIndex(look.digest, LISTED, look.take_clean(LISTED), total, lying.index_number)
        row = pack_row((*known[:2], tuple(known.clean), *known[3:]))
        cache.put_all({_name(repository, "index"): row, _name(repository, "index digest"): _mark(look.digest)})
        look.recall(known)


@contextmanager
def remember_counted(repository: Repository, cache: Cache, look: Look) -> Iterator[None]:
    """Tell a look what was counted earlier where untracked files count, and remember what it counted itself."""
    before = load_row(cache.get(_name(repository, "counted")), _read_counted)
    if before is not None:
        look.recall_counted(before)
    yield
    if look.counted != before:
        some, folders = look.counted
        told = {folder: tuple(count) for folder, count in folders.items()}
        cache.put(_name(repository, "counted"), pack_row((__version__, some, told)))


def _read_counted(row: tuple[Any, ...]) -> Counted | None:
    version, some, folders = row
    if version != __version__:
        return None
    return Counted(some, {folder: FolderCount._make(count) for folder, count in dict(folders).items()})


def _read_index(row: tuple[Any, ...]) -> KnownIndex | None:
    digest, suffixes, clean, total, number = row
    return KnownIndex(digest, suffixes, Clean._make(clean), total, number)


def _mark(digest: str) -> bytes:
    return f"{__version__} {digest}".encode()


def _name(repository: Repository, what: str) -> str:
    return f"{name_snapshot(Run.REFRESH, repository)}/{what}"
