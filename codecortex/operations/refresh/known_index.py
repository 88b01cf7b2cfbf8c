"""Remembers what a refresh found about git's index, so that the next one need not find it again.

While the index is the same, git need not list it. While git also finds no file that differs from it, sources and
generated files are what they were: where there was nothing to do, there is nothing to do.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any

from codecortex import __version__
from codecortex.git.worktree.disk import Disk, Problem
from codecortex.git.worktree.look import KnownIndex, digest_index
from codecortex.git.worktree.records import Clean
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.versions import OUTLINE_VERSION, PACK_VERSION, PARSER_VERSION, TOKENS_VERSION
from codecortex.operations.reading.alias_table import find_committed
from codecortex.operations.reading.snapshot import Run, name_snapshot
from codecortex.operations.reading.sources import LISTED
from codecortex.store.cache.rows import load_row, pack_row
from codecortex.store.paths import CONFIG

if TYPE_CHECKING:
    from codecortex.git.repository import Repository
    from codecortex.git.worktree.look import Look
    from codecortex.operations.reading.tree import Tree
    from codecortex.operations.request import Request
    from codecortex.store.cache.cache import Cache

_UNCHANGED, _INDEX, _INDEX_DIGEST = "unchanged", "index", "index digest"
_VERSIONS = (PARSER_VERSION, OUTLINE_VERSION, PACK_VERSION, TOKENS_VERSION, __version__)


class Unchanged(NamedTuple):
    """A state in which there is nothing to do.

    Attributes:
        digest: The digest of git's index.
        settings: The digest of all else that counts: configuration, flavour, versions.
        types: The number of types.
        skipped: Listed paths that are no readable files, with the reason.
    """

    digest: str
    settings: str
    types: int
    skipped: tuple[tuple[str, str], ...]


def find_unchanged(request: Request, repository: Repository, cache: Cache, look: Look) -> Unchanged | None:
    """The state that an earlier refresh of the work tree found, if it is there again.

    Raises:
        GitStateError: Git cannot read the work tree.
    """
    known = load_row(cache.get(_name(repository, _UNCHANGED)), Unchanged._make)
    if known is None or known.digest != look.digest:
        if cache.get(_name(repository, _INDEX_DIGEST)) != look.digest.encode():  # no index is loaded for that
            look.begin_index()
        return None
    return known if known.settings == _digest_settings(request, repository) and look.finds_nothing else None


def keep_unchanged(tree: Tree, cache: Cache, look: Look, types: int) -> None:
    """Remember that there was nothing to do in a tree, if all its files are as an index has them that is known."""
    repository, settings = tree.repository, _digest_settings(tree.request, tree.repository)
    if look.known is None or not settings or not look.finds_nothing or tree.config.untracked:
        return
    if tree.sources.sources and look.digest == digest_index(repository):
        skipped = tuple((entry.path, str(entry.problem)) for entry in tree.listing.skipped)
        found = Unchanged(look.digest, settings, types, skipped)
        cache.put(_name(repository, _UNCHANGED), pack_row(tuple(found)))


def load_index(repository: Repository, cache: Cache) -> KnownIndex | None:
    """What the last refresh knew of git's index."""
    return load_row(cache.get(_name(repository, _INDEX)), _read_index)


def keep_index(repository: Repository, cache: Cache, look: Look, total: str) -> None:
    """Remember an index, given the sum over its generated files if all are ordinary ones; the last one is forgotten."""
    if look.known is None and look.digest and total and look.looks_at_all and look.digest == digest_index(repository):
        known = KnownIndex(look.digest, LISTED, look.take_clean(LISTED), total)
        row = pack_row((__version__, *known[:2], tuple(known.clean), known.total))
        digest = look.digest.encode()
        cache.put_all({_name(repository, _INDEX): row, _name(repository, _INDEX_DIGEST): digest})
        look.recall(known)


def _read_index(row: tuple[Any, ...]) -> KnownIndex | None:
    version, digest, suffixes, clean, total = row
    return KnownIndex(digest, suffixes, Clean._make(clean), total) if version == __version__ else None


def _name(repository: Repository, what: str) -> str:
    return f"{name_snapshot(Run.REFRESH, repository)}/{what}"


def _digest_settings(request: Request, repository: Repository) -> str:
    """Empty if the configuration cannot be read."""
    config = Disk(repository.require_root()).read(CONFIG.encode())
    if isinstance(config, Problem) and config is not Problem.MISSING:
        return ""
    told = (
        config, find_committed(repository), request.tfm, request.configuration, request.define, request.untracked,
        _VERSIONS,
    )  # fmt: skip
    return sha256(repr(told).encode("utf-8", "surrogatepass")).hexdigest()
