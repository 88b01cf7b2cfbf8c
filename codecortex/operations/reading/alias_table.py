"""A tree in; its alias table, as bytes, as rows, or as what every old id leads to, out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.git.hooks.staging import read_held
from codecortex.git.worktree.disk import Disk
from codecortex.model.errors import NewerFormatError, StoreFormatError
from codecortex.store.committed.aliases_json import decode_aliases, decode_rows, mend_rows
from codecortex.store.paths import ALIASES

if TYPE_CHECKING:
    from codecortex.model.code.aliases import Alias
    from codecortex.operations.reading.tree import Tree


def read_table(tree: Tree) -> bytes | None:
    """The alias table of the very tree, or None where there is none."""
    if tree.request.reads_worktree:
        return Disk(tree.repository.require_root()).read_all([ALIASES]).get(ALIASES)
    return read_held(tree.repository, tree.request.rev, ALIASES)


def read_aliases(tree: Tree) -> dict[str, Alias]:
    """What every old id of a tree's alias table leads to, in one step.

    Raises:
        StoreFormatError: The table is damaged, or a newer codecortex wrote it.
    """
    data = read_table(tree)
    return decode_aliases(data, ALIASES) if data else {}


def read_rows(tree: Tree) -> tuple[Alias, ...]:
    """The rows of the alias table of a tree; errors as for `unite_rows`."""
    return unite_rows(read_table(tree), tree)


def unite_rows(data: bytes | None, tree: Tree) -> tuple[Alias, ...]:
    """The rows of the alias table; of one that git left with conflict markers, those of both sides.

    Raises:
        StoreFormatError: It is damaged otherwise: its rows stand nowhere else, so nothing is dropped on a guess.
    """
    if not data:
        return ()
    try:
        return decode_rows(data, ALIASES)
    except NewerFormatError:
        raise
    except StoreFormatError as problem:
        rows = mend_rows(data, ALIASES)
        tree.request.warn(f"{problem.message}; the rows of both sides are kept")
        return rows


def list_aliases(tree: Tree) -> tuple[Alias, ...]:
    """The aliases of a tree, each to what the type is called now; none, and a warning, where its table is damaged."""
    try:
        return tuple(read_aliases(tree).values())
    except StoreFormatError as error:
        tree.request.warn(f"{error.message}; old names are not looked up")
        return ()
