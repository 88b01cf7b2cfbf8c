"""Remembers what a refresh found about git's index, so that the next one need not find it again.

While the index is the same, and git finds no file that differs from it, sources and generated files are what they were:
where there was nothing to do, there is nothing to do. While it has the same generated files, their sum is the same.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from codecortex import __version__
from codecortex.git.worktree.disk import Disk, Problem
from codecortex.git.worktree.folder_digest import IndexSum
from codecortex.git.worktree.look import identify_index
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.versions import OUTLINE_VERSION, PACK_VERSION, PARSER_VERSION, TOKENS_VERSION
from codecortex.operations.reading.snapshot import Run, name_snapshot
from codecortex.store.cache.rows import load_row, pack_row
from codecortex.store.paths import CONFIG

if TYPE_CHECKING:
    from codecortex.git.repository import Repository
    from codecortex.git.worktree.look import Look
    from codecortex.operations.reading.tree import Tree
    from codecortex.operations.request import Request
    from codecortex.store.cache.cache import Cache

_UNCHANGED, _SUM = "unchanged", "sum"
_VERSIONS = (PARSER_VERSION, OUTLINE_VERSION, PACK_VERSION, TOKENS_VERSION, __version__)


class Unchanged(NamedTuple):
    """A state in which there is nothing to do.

    Attributes:
        index_id: The digest of git's index.
        settings: The digest of all else that counts: configuration, flavour, versions.
        types: The number of types.
        skipped: Listed paths that are no readable files, with the reason.
    """

    index_id: str
    settings: str
    types: int
    skipped: tuple[tuple[str, str], ...]


def find_unchanged(request: Request, repository: Repository, cache: Cache, look: Look) -> Unchanged | None:
    """The state that an earlier refresh of the work tree found, if it is there again.

    Raises:
        GitStateError: Git cannot read the work tree.
    """
    known = _load(cache, repository)
    if known is None or known[:2] != (look.index_id, _digest_settings(request, repository)) or not look.finds_nothing:
        return None
    return known


def keep_unchanged(tree: Tree, cache: Cache, look: Look, types: int) -> None:
    """Remember that there was nothing to do in a tree, if all its files are as git's index has them."""
    request, repository = tree.request, tree.repository
    settings = _digest_settings(request, repository)
    if not (settings and look.index_id and look.finds_nothing and look.looks_at_all) or tree.config.untracked:
        return
    skipped = tuple((entry.path, str(entry.problem)) for entry in tree.listing.skipped)
    found = Unchanged(look.index_id, settings, types, skipped)
    if tree.sources.sources and found.index_id == identify_index(repository) and found != _load(cache, repository):
        cache.put(_name(repository, _UNCHANGED), pack_row(tuple(found)))


def load_sum(repository: Repository, cache: Cache) -> IndexSum | None:
    """The sum for the generated files as the index had them at the last refresh."""
    return load_row(cache.get(_name(repository, _SUM)), IndexSum._make)


def keep_sum(repository: Repository, cache: Cache, last: IndexSum | None, found: IndexSum | None) -> None:
    """Remember it for the next refresh."""
    if found not in (last, None):
        cache.put(_name(repository, _SUM), pack_row(tuple(found)))


def _load(cache: Cache, repository: Repository) -> Unchanged | None:
    return load_row(cache.get(_name(repository, _UNCHANGED)), Unchanged._make)


def _name(repository: Repository, what: str) -> str:
    return f"{name_snapshot(Run.REFRESH, repository)}/{what}"


def _digest_settings(request: Request, repository: Repository) -> str:
    """Empty if the configuration cannot be read."""
    config = Disk(repository.require_root()).read(CONFIG.encode())
    if isinstance(config, Problem) and config is not Problem.MISSING:
        return ""
    told = (config, request.tfm, request.configuration, request.define, request.untracked, _VERSIONS)
    return sha256(repr(told).encode("utf-8", "surrogatepass")).hexdigest()
