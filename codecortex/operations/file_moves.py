"""Two trees in; which files of the later one grew out of which of the earlier one, as git tells renames, out."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from codecortex.git.paths import encode_path
from codecortex.model.errors import GitStateError

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from codecortex.operations.reading import Tree

_OPTIONS = ("--name-status", "-z", "--no-ext-diff", "--ignore-submodules=all", "--diff-filter=R")
_SOURCES = ("--", ":(top,icase)*.cs")
_LIMIT = "-l2000"  # set here, so that a user's diff.renameLimit does not decide what is found


def trace_files(before: Tree, after: Tree, old: Collection[str], new: Collection[str]) -> Mapping[str, frozenset[str]]:
    """Path after to the paths before that are its ancestors; a path that stands in both trees is its own.

    Args:
        before: The earlier tree.
        after: The later tree.
        old: Paths of the earlier one that matter.
        new: Paths of the later one that matter.
    """
    out: dict[str, set[str]] = defaultdict(set)
    for path in new:
        if path in before.sources.sources:
            out[path].add(path)
    if any(path not in after.sources.sources for path in old) and any(path not in out for path in new):
        for source, target in _list_renamed(before, after):
            out[target].add(source)
    return {path: frozenset(ancestors) for path, ancestors in out.items()}


def _list_renamed(before: Tree, after: Tree) -> list[tuple[str, str]]:
    trees = _name_trees(before, after)
    if trees is None:
        return []
    command, *ends = trees
    try:
        output = after.repository.ask("find renamed files", command, *_OPTIONS, "-M", _LIMIT, *ends, *_SOURCES)
    except GitStateError:  # a partial clone lacks the bytes that tell what resembles what
        output = after.repository.ask("find renamed files", command, *_OPTIONS, "-M100%", *ends, *_SOURCES)
    fields = [encode_path(field) for field in output.split(b"\0")[:-1]]
    return list(zip(fields[1::3], fields[2::3], strict=True))


def _name_trees(before: Tree, after: Tree) -> tuple[str, ...] | None:
    """The git command that compares them; None where none does."""
    first, last = before.request, after.request
    if first.rev is not None and last.rev is not None:
        return ("diff-tree", "-r", first.rev, last.rev)
    if first.rev is not None:
        return ("diff-index", "--cached", first.rev) if last.staged else ("diff-index", first.rev)
    return ("diff-files",) if first.staged and last.rev is None and not last.staged else None
