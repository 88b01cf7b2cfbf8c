"""Tells which types left the tree only because the configuration excludes their sources: such a type is no rename."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.operations.reading.sources import select_sources
from codecortex.operations.reading.tree import read_projects, read_tree

if TYPE_CHECKING:
    from collections.abc import Collection

    from codecortex.operations.reading.tree import Tree
    from codecortex.store.cache.cache import Cache


def find_excluded(tree: Tree, type_ids: Collection[str], cache: Cache) -> frozenset[str]:
    """Those of the types that a source declares which `exclude` leaves out; only such sources are read."""
    if not type_ids or not tree.config.exclude:
        return frozenset()
    whole = tree._replace(sources=select_sources(tree.listing.entries, tree.config._replace(exclude=())))
    left_out = whole.sources.sources.keys() - tree.sources.sources.keys()
    projects = (
        each._replace(files=tuple(path for path in each.files if path in left_out))
        for each in read_projects(whole, cache)
    )
    found = read_tree(whole, tuple(each for each in projects if each.files), cache).types
    return frozenset(merged.id for merged in found if merged.id in type_ids)


def is_left_out(tree: Tree, paths: Collection[str]) -> bool:
    """Whether sources are all there, but none of them is read."""
    known = {entry.path for entry in tree.listing.entries if entry.path in paths}
    return bool(paths) and known.issuperset(paths) and tree.sources.sources.keys().isdisjoint(paths)
