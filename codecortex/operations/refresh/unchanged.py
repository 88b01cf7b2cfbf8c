"""Remembers that a refresh had nothing to do.

While git's index is the same and git finds no file that differs from it, sources and generated files are what they
were: there still is nothing to do.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from codecortex import __version__
from codecortex.git.worktree.disk import Disk, Problem
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.versions import OUTLINE_VERSION, PACK_VERSION, PARSER_VERSION, TOKENS_VERSION
from codecortex.operations.reading.known_index import is_known
from codecortex.operations.reading.snapshot import Run, name_snapshot
from codecortex.store.cache.rows import load_row, pack_row
from codecortex.store.paths import ALIASES, CONFIG

if TYPE_CHECKING:
    from codecortex.git.repository import Repository
    from codecortex.git.worktree.look import Look
    from codecortex.operations.reading.tree import Tree
    from codecortex.operations.request import Request
    from codecortex.store.cache.cache import Cache

_OF_ROW = b'"T_'  # an id, which begins each row of the alias table
_VERSIONS = (PARSER_VERSION, OUTLINE_VERSION, PACK_VERSION, TOKENS_VERSION, __version__)


class Unchanged(NamedTuple):
    """A state in which there is nothing to do.

    Attributes:
        digest: The digest of git's index.
        settings: The digest of all else that counts: configuration, flavour, versions.
        types: The number of types.
        skipped: Listed paths that are no readable files, with the reason.
        number: How many generated files the index has.
    """

    digest: str
    settings: str
    types: int
    skipped: tuple[tuple[str, str], ...]
    number: int


def find_unchanged(request: Request, repository: Repository, cache: Cache, look: Look) -> Unchanged | None:
    """The state that an earlier refresh of the work tree found, if it is there again.

    Raises:
        GitStateError: Git cannot read the work tree.
    """
    known = load_row(cache.get(_name(repository)), Unchanged._make)
    if known is None or known.digest != look.digest:
        if not is_known(repository, cache, look.digest):
            look.begin_lists()
        return None
    look.recall_number(known.number)
    if known.settings != _digest_settings(request, repository) or not look.finds_nothing:
        return None
    return known if look.is_same else None


def keep_unchanged(tree: Tree, cache: Cache, look: Look, types: int) -> None:
    """Remember that there was nothing to do in a tree, if all its files are as an index has them that is known."""
    repository, settings = tree.repository, _digest_settings(tree.request, tree.repository)
    if not settings or not tree.sources.sources or tree.config.untracked:
        return
    if look.finds_nothing and (index := look.known) is not None:
        skipped = tuple((entry.path, str(entry.problem)) for entry in tree.listing.skipped)
        found = Unchanged(look.digest, settings, types, skipped, index.number)
        cache.put(_name(repository), pack_row(tuple(found)))


def find_committed(repository: Repository) -> str:
    """The blob of HEAD's alias table, which tells what may be taken back of the work tree's; empty where no row is."""
    data = Disk(repository.require_root()).read_all([ALIASES]).get(ALIASES)
    if not data or _OF_ROW not in data:
        return ""
    from codecortex.git.revisions import find_object

    return find_object(repository, f"HEAD:{ALIASES}") or ""


def _name(repository: Repository) -> str:
    return f"{name_snapshot(Run.REFRESH, repository)}/unchanged"


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
