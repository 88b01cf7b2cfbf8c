"""Lists the types that changed between two trees, or in each commit of a range."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codecortex.git.listing import begin_revision
from codecortex.git.repository import open_repository
from codecortex.git.revisions import (
    find_commit,
    find_merge_base,
    find_objects,
    name_empty_tree,
    resolve_commit,
    resolve_range,
)
from codecortex.model.errors import GitStateError, UsageError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.history.changes_text import describe_comparison, write_comparison
from codecortex.operations.history.kept import keep_comparison, load_comparison, name_comparison
from codecortex.operations.wording import tell_unread
from codecortex.store.cache.cache import open_cache

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codecortex.git.repository import Repository
    from codecortex.model.code.changes import Comparison
    from codecortex.operations.history.commit_walk import CommitChanges
    from codecortex.operations.request import Request
    from codecortex.store.cache.cache import Cache


class ChangesResult(NamedTuple):
    """The types that changed between two trees.

    Attributes:
        before: The tree-ish of the earlier tree.
        after: The tree-ish of the later tree; `index` or `worktree` if it is no commit.
        comparison: The differences.
    """

    before: str
    after: str
    comparison: Comparison

    def as_json(self) -> dict[str, Any]:
        """The differences as JSON values."""
        told = {"before": self.before, "after": self.after} | describe_comparison(self.comparison)
        return told | {"unread": list(self.comparison.unread)}

    def as_text(self) -> str:
        """The differences, type by type."""
        return "\n".join(write_comparison(self.comparison))


class TreePair(NamedTuple):
    """Two trees by name; `after` is None for the work tree or the index."""

    before: str
    after: str | None


def list_changes(request: Request, span: str | None) -> ChangesResult:
    """Compare the two trees that a span names.

    Args:
        request: The repository and the flavour; `staged` selects the index instead of the work tree.
        span: `A..B`, `A...B` (from their merge base), `A` (to the work tree or the index), or None for `HEAD`.

    Raises:
        UsageError: The span names two revisions, but the index is requested too.
        GitStateError: A revision does not exist, or the trees cannot be read.
    """
    repository = open_repository(request.folder, lasting=request.lasting)
    ends = find_ends(repository, span)
    if ends.after is not None and request.staged:
        raise UsageError(f"--staged and {span} name two trees to compare with.", "Give one of them.")
    with open_cache(repository.shared_dir, warn=request.warn, keeps=request.caches) as cache:
        key = name_comparison(request, repository, ends.before, ends.after) if ends.after is not None else None
        comparison = load_comparison(cache, key) if key is not None else None
        if comparison is None:
            comparison = _compare(request, repository, ends, cache)
            if key is not None:
                keep_comparison(cache, key, comparison)
    for line in tell_unread(problem.partition(": ")[::2] for problem in comparison.unread):
        request.warn(line)
    return ChangesResult(ends.before, ends.after or ("index" if request.staged else "worktree"), comparison)


def _compare(request: Request, repository: Repository, ends: TreePair, cache: Cache) -> Comparison:
    before, rev = ends
    if rev is not None:
        ids = find_objects(repository, (before, rev))  # who lists them tells of an end that git does not know
        before, rev = ids[0] or before, ids[1] or rev
        begin_revision(repository, rev)  # beside what is loaded now
    from codecortex.operations.history.compare import compare
    from codecortex.operations.reading.tree import open_tree

    after = open_tree(request._replace(rev=rev), repository, cache=cache)
    earlier = open_tree(request._replace(rev=before, staged=False), repository, after.config, known=after)
    return compare(earlier, after, cache)


def list_each(request: Request, span: str | None) -> Iterator[CommitChanges]:
    """Yield the comparison of each first-parent commit of a range with its parent, the oldest first.

    Args:
        request: The repository and the flavour.
        span: `A..B`, or `B` for all commits that it reaches.

    Raises:
        UsageError: There is no range.
        GitStateError: A commit does not exist, or the trees cannot be read.
    """
    if span is None or "..." in span or request.staged:
        raise UsageError("--each goes through the commits of a range.", "Write for example --each HEAD~10..HEAD.")
    from codecortex.operations.history.commit_walk import walk

    repository = open_repository(request.folder, lasting=request.lasting)
    wanted = resolve_range(repository, span)
    with open_cache(repository.shared_dir, warn=request.warn, keeps=request.caches) as cache:
        yield from walk(request, repository, wanted, cache)


def find_ends(repository: Repository, span: str | None) -> TreePair:
    """The two trees that a span names; None stands for HEAD, or for the empty tree before the first commit.

    Raises:
        GitStateError: The ends of `A...B` have no common ancestor, or one of them is no commit.
    """
    if span is None:
        return TreePair(find_commit(repository, "HEAD") or name_empty_tree(repository), None)
    if "..." in span:
        left, _, right = (each or "HEAD" for each in span.partition("..."))
        return TreePair(_find_base(repository, left, right), right)
    left, dots, right = span.partition("..")
    return TreePair(left or "HEAD", right or "HEAD") if dots else TreePair(span, None)


def _find_base(repository: Repository, left: str, right: str) -> str:
    base = find_merge_base(repository, resolve_commit(repository, left), resolve_commit(repository, right))
    if base is None:
        raise GitStateError(f"{left} and {right} have no commit in common.", f"Compare them directly: {left}..{right}.")
    return base
