"""Maps files of a tree to the files of an earlier tree that git sees as their origin."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from codecortex.git.history import list_renamed

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from codecortex.operations.reading.tree import Tree


def trace_files(before: Tree, after: Tree, old: Collection[str], new: Collection[str]) -> Mapping[str, frozenset[str]]:
    """Path after to the paths before that it descends from; a path in both trees descends from itself.

    Args:
        before: The earlier tree, a revision.
        after: The later tree.
        old: The paths of the earlier tree to consider.
        new: The paths of the later tree to consider.
    """
    out: dict[str, set[str]] = defaultdict(set)
    for path in new:
        if path in before.sources.sources:
            out[path].add(path)
    earlier, later = before.request.rev, after.request
    if earlier and any(path not in after.sources.sources for path in old) and any(path not in out for path in new):
        for source, target in list_renamed(after.repository, earlier, later.rev, staged=later.staged):
            out[target].add(source)
    return {path: frozenset(ancestors) for path, ancestors in out.items()}
