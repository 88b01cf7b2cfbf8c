"""Finds the commits that changed a type, newest first."""

from __future__ import annotations

from heapq import merge
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from codecortex.analysis.changes.states import Change, judge, judge_merge
from codecortex.git.history import escape_glob, find_blobs, list_commits, list_vanished
from codecortex.git.repository import open_repository
from codecortex.git.revisions import read_shallow, resolve_range
from codecortex.model.code.changes import ChangeClass
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.history.lineage import Ancestry, LineageSegment
from codecortex.operations.history.locate import read_symbol
from codecortex.operations.history.succession import SuccessionInputs, find_line, group_names
from codecortex.operations.history.type_text import describe_entry, tell_redirection, write_log
from codecortex.operations.reading.alias_table import list_aliases
from codecortex.operations.reading.hashes import rules_of
from codecortex.operations.reading.past_types import PastTypes
from codecortex.operations.reading.tree import open_tree, read_projects
from codecortex.operations.wording import tell_unread
from codecortex.store.cache.cache import open_cache

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from codecortex.analysis.changes.states import TypeAt
    from codecortex.git.history import Commit, FileChange
    from codecortex.git.revisions import Range
    from codecortex.operations.reading.tree import Tree
    from codecortex.operations.request import Request

_BATCH = 128


class LogEntry(NamedTuple):
    """A commit that changed the type, and the change."""

    commit: Commit
    change: Change


class LogResult(NamedTuple):
    """The history of a type.

    Attributes:
        fqn: Its FQN at the newest commit, or its last one.
        redirected_from: The old name that led here; empty if the symbol is its current name.
        entries: The commits, newest first.
        shallow: Whether older commits may be missing because the clone is shallow.
    """

    fqn: str
    redirected_from: str
    entries: tuple[LogEntry, ...]
    shallow: bool

    @property
    def note(self) -> list[str]:
        """A line that tells what an old name became; else none."""
        return tell_redirection(self.redirected_from, self.fqn)

    @property
    def ending(self) -> list[str]:
        """A line that tells why there is nothing, or nothing older; else none."""
        if self.shallow:
            return ["History ends here: the clone is shallow. `git fetch --unshallow` brings the rest."]
        return [] if self.entries else ["No commit changed it in that range."]

    def as_json(self) -> dict[str, Any]:
        """The commits as JSON values."""
        return {
            "fqn": self.fqn,
            "redirectedFrom": self.redirected_from or None,
            "shallow": self.shallow,
            "commits": [describe_entry(each) for each in self.entries],
        }

    def as_text(self) -> str:
        """The commits, each with what it changed."""
        return "\n".join([*self.note, *write_log(self.entries), *self.ending])


class LogFilter(NamedTuple):
    """Which commits are wanted.

    Attributes:
        commits: `A..B`, or the commit to start from; None for HEAD.
        most: The largest number of entries; None for all.
        least: The least severe change class to include.
    """

    commits: str | None = None
    most: int | None = None
    least: ChangeClass = ChangeClass.COSMETIC


def log(request: Request, symbol: str, wanted: LogFilter) -> LogResult:
    """Find the commits that changed the type that a symbol means, across renames of files and of the type.

    Raises:
        GitStateError: There is no commit, or the range is not valid.
        SymbolNotFoundError: The newest commit has no such type, and no removed file was named after it.
        AmbiguousSymbolError: There are several.
    """
    repository = open_repository(request.folder, lasting=request.lasting)
    span = resolve_range(repository, wanted.commits)
    with open_cache(repository.shared_dir, warn=request.warn, keeps=request.caches) as cache:
        tree = open_tree(request._replace(rev=span.tip, staged=False), repository, cache=cache)
        projects = read_projects(tree, cache)
        past = PastTypes(tree, projects, cache)
        aliases = list_aliases(tree)
        line, redirected_from = find_line(SuccessionInputs(tree, projects, past, aliases), read_symbol(symbol))
        walk = _Walk(tree, past, span, group_names(aliases))
        order = list(ChangeClass)
        grave = (e for e in walk.follow(line) if order.index(e.change.change_class) <= order.index(wanted.least))
        entries = tuple(islice(grave, wanted.most))
        for told in tell_unread((f"blob {blob}", reason) for blob, reason in past.unread.items()):
            request.warn(told)
    return LogResult(line.fqn, redirected_from, entries, walk.shallow)


class _Walk:
    """One walk back through history."""

    def __init__(self, tree: Tree, past: PastTypes, span: Range, old_names: Mapping[str, frozenset[str]]) -> None:
        self._tree = tree
        self._past = past
        self._since = span.since
        self._boundary = read_shallow(tree.repository)
        self._ancestry = Ancestry(tree, past, old_names)
        self._seen: set[str] = set()
        self.shallow = False

    def follow(self, line: LineageSegment) -> Iterator[LogEntry]:
        """Yield the commits that changed the type, newest first."""
        line = line._replace(paths=self._add_lost_parts(line))
        commits = list_commits(self._tree.repository, tip=line.tip, since=self._since, paths=line.paths)
        return self._follow(line, commits)

    def _follow(self, line: LineageSegment, commits: Iterator[Commit]) -> Iterator[LogEntry]:
        while read := list(islice(commits, _BATCH)):
            batch = [commit for commit in read if commit.changes and commit.id not in self._seen]
            states = _States(self._tree, line, batch)
            self._past.load(line.project, states.list_blobs())
            for at, commit in enumerate(batch):
                self._seen.add(commit.id)
                change, origin = self._judge(line, commit, states)
                if change is not None:
                    yield LogEntry(commit, change)
                if origin is not None:
                    beside = self._list_beside(line, commit, chain(batch[at + 1 :], commits))
                    yield from merge(self._follow(line, beside), self.follow(origin), key=_newest_first)
                    return

    def _judge(
        self, line: LineageSegment, commit: Commit, states: _States
    ) -> tuple[Change | None, LineageSegment | None]:
        """The change that a commit made to the type, and where to continue if the type was elsewhere before it."""
        if commit.id in self._boundary:  # git shows everything in it as new
            self.shallow = True
            return None, None
        after = self._read(line, states.at(commit.id))
        befores = [self._read(line, states.at(parent)) for parent in commit.parents]
        if len(befores) > 1:
            return judge_merge(befores, after, rules_of(self._tree.config)), None
        before = befores[0] if befores else None
        if after is None or not commit.parents or _stood_there(before, after):
            return judge(before, after, rules_of(self._tree.config)), None
        origin = self._ancestry.find(commit, line, before, after)
        if origin is None:
            return judge(before, after, rules_of(self._tree.config)), None
        files = {**states.at(commit.parents[0]), **origin.files}
        before = self._past.read(origin.fqn, line.project, files)
        kept = line.paths if origin.fqn == line.fqn else ()
        paths = tuple(sorted({*kept, *origin.files}))
        return judge(before, after, rules_of(self._tree.config)), LineageSegment(
            commit.parents[0], origin.fqn, line.project, paths
        )

    def _read(self, line: LineageSegment, files: Mapping[str, str]) -> TypeAt | None:
        return self._past.read(line.fqn, line.project, files) if files else None

    def _list_beside(self, line: LineageSegment, commit: Commit, commits: Iterable[Commit]) -> Iterator[Commit]:
        """The commits that `commit` does not reach: side branches with the type in its new place."""
        beside = list_commits(self._tree.repository, tip=line.tip, since=commit.id, paths=line.paths)
        ids = {each.id for each in beside}
        return (each for each in commits if each.id in ids)

    def _add_lost_parts(self, line: LineageSegment) -> tuple[str, ...]:
        """The files to follow; for a partial type also removed files in the same folders that were named after it."""
        repository = self._tree.repository
        blobs = find_blobs(repository, [(line.tip, path) for path in line.paths])
        found = self._read(line, {path: blob for (_, path), blob in blobs.items()})
        if found is None or not any("partial" in part.facts.modifiers for part in found.type.parts):
            return line.paths
        folders = {path.rpartition("/")[0] for path in found.type.files}
        name = found.type.simple_name
        globs = [f"{escape_glob(folder)}/{name}*.cs".lstrip("/") for folder in sorted(folders)]
        lost = {change.old_path for _, change in list_vanished(repository, line.tip, globs)}
        return tuple(sorted({*line.paths, *lost}))


class _States:
    """The blobs of the followed files at some commits and their parents."""

    def __init__(self, tree: Tree, line: LineageSegment, commits: Sequence[Commit]) -> None:
        self._line = line
        self._blobs: dict[tuple[str, str], str] = {}
        for commit in commits:
            for change in commit.changes:
                self._note(commit, change)
        if len(line.paths) > 1:
            places = {place for commit in commits for place in (commit.id, *commit.parents)}
            asked = [(place, path) for place in sorted(places) for path in line.paths]
            self._blobs |= find_blobs(tree.repository, [key for key in asked if key not in self._blobs])

    def _note(self, commit: Commit, change: FileChange) -> None:
        self._blobs[commit.id, change.path] = change.new_blob
        olds = [(change.old_path, change.old_blob), *change.others]
        for parent, (path, blob) in zip(commit.parents, olds, strict=False):
            self._blobs[parent, path] = blob

    def at(self, commit: str) -> dict[str, str]:
        """Path to blob of the files that exist at a commit."""
        found = ((path, self._blobs.get((commit, path))) for path in self._line.paths)
        return {path: blob for path, blob in found if blob}

    def list_blobs(self) -> set[str]:
        """Every blob that may be read."""
        return {blob for blob in self._blobs.values() if blob}


def _stood_there(before: TypeAt | None, after: TypeAt) -> bool:
    """Whether all files that declare the type now declared it before; a new file may have brought a part along."""
    return before is not None and set(after.type.files) <= set(before.type.files)


def _newest_first(entry: LogEntry) -> int:
    return -entry.commit.time
