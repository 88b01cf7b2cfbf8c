"""Two trees in; which files of the later one grew out of which of the earlier one, as git tells renames, out."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from codecortex.git.history import list_renamed

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from codecortex.operations.reading.tree import Tree


def trace_files(before: Tree, after: Tree, old: Collection[str], new: Collection[str]) -> Mapping[str, frozenset[str]]:
    """Path after to the paths before that are its ancestors; a path that stands in both trees is its own.

    Args:
        before: The earlier tree, a revision.
        after: The later tree.
        old: Paths of the earlier one that matter.
        new: Paths of the later one that matter.
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
