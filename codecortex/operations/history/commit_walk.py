"""Finds what each commit of a range changed about types, compared with its first parent."""

from __future__ import annotations

from collections import defaultdict
from stat import S_ISREG
from typing import TYPE_CHECKING

from codecortex.git.history import list_changing, list_commits
from codecortex.git.listing import Entry, Listing
from codecortex.git.revisions import name_empty_tree, read_shallow
from codecortex.model.code.changes import Comparison
from codecortex.model.config import Config
from codecortex.model.errors import ConfigError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.history.compare import compare_tables
from codecortex.operations.reading.facts_library import FactsLibrary
from codecortex.operations.reading.sources import LISTED, select_sources
from codecortex.operations.reading.tree import digest_projects, open_tree, read_projects
from codecortex.operations.reading.type_table import TypeTable, build_type_table
from codecortex.store.paths import CONFIG

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from codecortex.git.history import Commit, FileChange
    from codecortex.git.repository import Repository
    from codecortex.git.revisions import Range
    from codecortex.model.code.projects import Project
    from codecortex.operations.reading.tree import Tree
    from codecortex.operations.request import Request
    from codecortex.store.cache.cache import Cache

_AT_ONCE = 1500
"""How many files are parsed ahead at a time."""


class CommitChanges(NamedTuple):
    """One commit compared with its first parent.

    Attributes:
        commit: The commit.
        parent: The id of its first parent; empty if it has none.
        comparison: The differences.
        problem: Why an earlier configuration is used instead of the commit's own; empty if it is its own.
    """

    commit: Commit
    parent: str
    comparison: Comparison
    problem: str = ""


def walk(request: Request, repository: Repository, wanted: Range, cache: Cache) -> Iterator[CommitChanges]:
    """Yield the comparison of each first-parent commit of a range with its parent, the oldest first.

    Only what a commit changed is read: listing, projects and types are updated from those of its parent.
    """
    commits = list(list_commits(repository, tip=wanted.tip, since=wanted.since, first_parent=True))[::-1]
    if commits and commits[0].id in read_shallow(repository):
        request.warn(f"{commits[0].id}: left out: this clone is shallow and does not hold its parent")
        del commits[0]
    walker = _Walker(request, repository, cache)
    for chunk in _chunk(commits):
        walker.fetch(chunk)
        for commit in chunk:
            yield walker.step(commit)


def _chunk(commits: Iterable[Commit]) -> Iterator[list[Commit]]:
    chunk: list[Commit] = []
    size = 0
    for commit in commits:
        chunk.append(commit)
        size += len(commit.changes)
        if size >= _AT_ONCE:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


class _Walker:
    """Steps from commit to commit."""

    def __init__(self, request: Request, repository: Repository, cache: Cache) -> None:
        self._request = request
        self._repository = repository
        self._cache = cache
        self._library = FactsLibrary(request, repository, cache)
        self._last: TypeTable | None = None
        self._entries: dict[str, Entry] = {}
        self._projects: tuple[str, tuple[Project, ...]] = ("", ())
        self._problems: dict[str, str] = {}

    def step(self, commit: Commit) -> CommitChanges:
        """Compare one commit with its first parent."""
        parent = commit.parents[0] if commit.parents else ""
        before = self._last = self._open_parent(commit, parent)
        changes = [change for change in commit.changes if _concerns(change)]
        self._update(changes)
        request = self._request._replace(rev=commit.id, staged=False)
        tree = before.tree._replace(request=request, listing=self._list(commit.id))
        if changes:
            entries = [entry for entry in tree.listing.entries if entry.path != CONFIG]
            tree = tree._replace(sources=select_sources(entries, tree.config))
        after = self._last = build_type_table(tree, self._read_projects(tree), self._library, before)
        comparison = compare_tables(before, after) if changes else Comparison((), (), ())
        return CommitChanges(commit, parent, comparison, self._problems.get(commit.id, ""))

    def _open_parent(self, commit: Commit, parent: str) -> TypeTable:
        """The type table of the parent, under the configuration of the commit."""
        if self._last is not None and not any(CONFIG in (each.path, each.old_path) for each in commit.changes):
            return self._last
        config = self._read_config(commit.id)
        rev = parent or name_empty_tree(self._repository)
        tree = open_tree(self._request._replace(rev=rev, staged=False), self._repository, config, cache=self._cache)
        self._entries = {entry.path: entry for entry in tree.listing.entries}
        return build_type_table(tree, self._read_projects(tree), self._library, self._last)

    def _read_config(self, commit: str) -> Config:
        """The configuration of a commit; if it is not valid, the last valid one before it.

        One broken commit that was fixed later must not prevent the comparison of all others.
        """
        for each in (commit, *list_changing(self._repository, commit, CONFIG)):
            try:
                return open_tree(self._request._replace(rev=each, staged=False), self._repository).config
            except ConfigError as problem:
                self._problems.setdefault(commit, problem.message)
        return Config()

    def _update(self, changes: Iterable[FileChange]) -> None:
        for change in changes:
            self._entries.pop(change.old_path, None)
        for change in changes:
            if change.new_blob and S_ISREG(change.mode) and _is_wanted(change.path):
                entry = Entry(change.path, change.new_blob, change.mode)
                self._entries[change.path] = entry

    def _list(self, head: str) -> Listing:
        return Listing(tuple(sorted(self._entries.values())), (), head)

    def _read_projects(self, tree: Tree) -> tuple[Project, ...]:
        digest, projects = digest_projects(tree), self._projects[1]
        if digest != self._projects[0]:
            projects = read_projects(tree, self._cache)
            self._projects = digest, projects
        return projects

    def fetch(self, commits: Sequence[Commit]) -> None:
        """Parse the new files of these commits in parallel, under the symbols that they are likely read under."""
        if self._last is None:
            self._last = self._open_parent(commits[0], commits[0].parents[0] if commits[0].parents else "")
        guess = _Guess(self._last)
        wanted: dict[str, set[frozenset[str]]] = defaultdict(set)
        for commit in commits:
            for change in commit.changes:
                if change.new_blob and change.path.lower().endswith(".cs") and S_ISREG(change.mode):
                    wanted[change.new_blob] |= guess.symbols_of(change.path)
        self._library.prefetch({blob: sorted(sets, key=sorted) for blob, sets in wanted.items() if sets})


class _Guess:
    """Guesses the symbols for reading a file: those of the files in its folder or the nearest one above."""

    def __init__(self, type_table: TypeTable) -> None:
        self._known: dict[str, set[frozenset[str]]] = defaultdict(set)
        for project, path in type_table.state.keys:
            symbols = type_table.projects[project].symbols
            for place in (path, path.rpartition("/")[0]):
                self._known[place].add(symbols)

    def symbols_of(self, path: str) -> set[frozenset[str]]:
        """The symbol sets; empty if there is no file near."""
        while path and path not in self._known:
            path = path.rpartition("/")[0]
        return self._known.get(path, set())


def _concerns(change: FileChange) -> bool:
    return _is_wanted(change.path) or _is_wanted(change.old_path)


def _is_wanted(path: str) -> bool:
    return path.lower().endswith(LISTED)
