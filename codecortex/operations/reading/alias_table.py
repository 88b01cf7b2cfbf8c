"""Reads the alias table of a tree, as bytes, as rows, or as a mapping from old ids to current types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.git.hooks.staging import read_held
from codecortex.git.worktree.disk import Disk
from codecortex.model.errors import NewerFormatError, StoreFormatError
from codecortex.store.committed.aliases_json import collapse, decode_aliases, decode_rows, mend_rows
from codecortex.store.paths import ALIASES

if TYPE_CHECKING:
    from codecortex.model.code.aliases import Alias
    from codecortex.operations.reading.tree import Tree


def read_table(tree: Tree) -> bytes | None:
    """The bytes of the tree's alias table, or None if there is none."""
    if tree.request.reads_worktree:
        return Disk(tree.repository.require_root()).read_all([ALIASES]).get(ALIASES)
    return read_held(tree.repository, tree.request.rev, ALIASES)


def read_aliases(tree: Tree) -> dict[str, Alias]:
    """The alias of every old id in a tree's alias table, leading to its type in one step.

    Raises:
        StoreFormatError: The table is damaged, or a newer codecortex wrote it.
    """
    data = read_table(tree)
    return decode_aliases(data, ALIASES) if data else {}


def read_rows(tree: Tree) -> tuple[Alias, ...]:
    """The rows of a tree's alias table; raises the same errors as `unite_rows`."""
    return unite_rows(read_table(tree), tree)


def unite_rows(data: bytes | None, tree: Tree) -> tuple[Alias, ...]:
    """The rows of an alias table; if it has git's conflict markers, those of both sides.

    Raises:
        StoreFormatError: It is damaged otherwise; its rows exist nowhere else, so nothing is dropped on a guess.
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
    """The aliases of a tree, each with the current type; if its table is damaged, none, and a warning.

    Of a type with several, such as after a merge of two renames, all are given: some may lead to a type that is gone.
    The one that counts comes last.
    """
    try:
        data = read_table(tree)
        table = collapse(decode_rows(data, ALIASES) if data else ())
        return (*(row for twins in table.twins for row in twins[1:]), *table.aliases.values())
    except StoreFormatError as error:
        tree.request.warn(f"{error.message}; old names are not looked up")
        return ()
