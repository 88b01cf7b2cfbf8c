"""Measures drift: counts, along git history, the internal changes of types since their notes were written."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Protocol

from codecortex.analysis.notes.staleness import Drift
from codecortex.git.history import find_blobs, list_commits
from codecortex.git.revisions import read_shallow
from codecortex.git.worktree.disk import fold_line_ends, hash_blob
from codecortex.model.errors import GitStateError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.reading.past_types import PastTypes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from codecortex.git.history import Commit, FileChange
    from codecortex.git.repository import Repository
    from codecortex.model.code.projects import Project
    from codecortex.model.code.types import TypeId
    from codecortex.model.hashing import Digest
    from codecortex.operations.reading.tree import Tree
    from codecortex.store.cache.cache import Cache

_HOUR = 3600
_TOGETHER = 600
"""Seconds after a change within which further ones count as the same piece of work."""

_MOST_PATHS = 2000  # more may exceed the limit of a command line: git then lists all commits


class NotedType(Protocol):
    """What drift needs to know of a type with a note."""

    @property
    def id(self) -> TypeId:
        """TypeId."""

    @property
    def fqn(self) -> str:
        """FQN."""

    @property
    def project(self) -> str:
        """Path of the project file."""

    @property
    def files(self) -> tuple[str, ...]:
        """Paths of the files that declare its parts."""


class DriftingType(NamedTuple):
    """A type whose internal implementation differs from what its note was made from.

    Attributes:
        path: Path of the note.
        data: Bytes of the note.
        merged: The type as it is now.
        base: The internalImplHash in the note's header.
        now: The internalImplHash as it is now.
    """

    path: str
    data: bytes
    merged: NotedType
    base: Digest
    now: Digest


class _CommitFiles(NamedTuple):
    """A commit that may have changed a type, with the type's files after it, path to blob id."""

    commit: str
    time: int
    files: Mapping[str, str]


def measure_drift(
    tree: Tree, projects: Sequence[Project], drifting: Sequence[DriftingType], cache: Cache
) -> list[Drift]:
    """Count the internal changes of each type since the commit that last wrote its note, along first parents.

    A commit counts if it leaves the type with an internalImplHash that differs from both the previous one and the
    note's; an uncommitted change counts likewise. Commits within ten minutes of the first of them count as one.
    Counting stops at `semantics.drift_limit`. Hours run from the first counted commit to HEAD; commit times are clamped
    to between the note's commit and HEAD, so that a wrong clock makes no note old.
    """
    head = tree.listing.head
    if head is None:
        # Before the first commit there is no history; a tree that is no commit has none to walk.
        return [Drift(1, 0, exact=tree.request.rev is None)] * len(drifting)
    try:
        return _measure(PastTypes(tree, projects, cache), tree, drifting, head)
    except GitStateError as problem:
        tree.request.warn(f"drift of notes: {problem.message} It is taken for one change.")
        return [Drift(1, 0, exact=False)] * len(drifting)


def _measure(past: PastTypes, tree: Tree, drifting: Sequence[DriftingType], head: str) -> list[Drift]:
    repository = tree.repository
    wanted = {path for each in drifting for path in (each.path, *each.merged.files)}
    held = {path: blob for (_, path), blob in find_blobs(repository, [(head, path) for path in sorted(wanted)]).items()}
    committed = {
        each.path for each in drifting if held.get(each.path) in _name_blobs(each.data, repository.object_format)
    }
    walk = _walk(repository, head, committed, wanted)
    histories = [list(_retrace(each, walk, held)) if each.path in committed else [] for each in drifting]
    blobs: dict[str, set[str]] = defaultdict(set)
    for each, steps in zip(drifting, histories, strict=True):
        blobs[each.merged.project].update(blob for step in steps for blob in step.files.values())
    for project, found in blobs.items():
        past.load(project, sorted(found))
    shallow, now = read_shallow(repository), _read_time(repository, head)
    out = []
    for each, steps in zip(drifting, histories, strict=True):
        exact = each.path not in committed or not steps or steps[0].commit not in shallow
        drift = _count(each, steps, past, tree.config.semantics.drift_limit, now)
        out.append(drift._replace(exact=drift.exact and exact))
    return out


def _name_blobs(data: bytes, object_format: str) -> tuple[str, str]:
    """The blob ids that git may have stored a work tree file under: as it is, and with line ends folded."""
    return hash_blob(data, object_format), hash_blob(fold_line_ends(data), object_format)


def _read_time(repository: Repository, head: str) -> int:
    options = ("-1", "--no-show-signature", "--format=%ct")
    answer = repository.ask("read the time of a commit", "log", *options, head)
    return int(answer.strip() or 0)


def _walk(repository: Repository, head: str, notes: set[str], wanted: set[str]) -> list[Commit]:
    """Commits that touched notes or sources, newest first, back to the oldest that last wrote one of the notes."""
    walk: list[Commit] = []
    missing = set(notes)
    if not missing:
        return walk
    paths = sorted(wanted) if len(wanted) <= _MOST_PATHS else ()
    for commit in list_commits(repository, tip=head, paths=paths, first_parent=True):
        walk.append(commit)
        missing.difference_update([change.path for change in commit.changes])
        if not missing:
            break
    return walk


def _retrace(each: DriftingType, walk: Sequence[Commit], held: Mapping[str, str]) -> Iterator[_CommitFiles]:
    """The commit that last wrote the note, and later ones that touched the type's files, oldest first."""
    files = {path: held[path] for path in each.merged.files if path in held}
    own = set(each.merged.files)
    steps = []
    for commit in walk:
        changes = [change for change in commit.changes if change.path in own or change.old_path in own]
        wrote = any(change.path == each.path for change in commit.changes)
        if changes or wrote:
            steps.append(_CommitFiles(commit.id, commit.time, files))
        if wrote:
            break
        if changes:
            files = _undo(files, changes, own)
    yield from reversed(steps)


def _undo(files: Mapping[str, str], changes: Sequence[FileChange], own: set[str]) -> dict[str, str]:
    before = dict(files)
    for change in changes:
        before.pop(change.path, None)
    for change in changes:
        if change.old_blob and change.old_path in own and (change.old_path == change.path or change.status == "R"):
            before[change.old_path] = change.old_blob
    return before


def _count(each: DriftingType, steps: Sequence[_CommitFiles], past: PastTypes, limit: int, now: int) -> Drift:
    changes, hours, exact = 0, 0, True
    last, time, counted = each.base, 0, -_TOGETHER - 1
    for step in steps:
        time = min(max(time, step.time), now)
        found = past.read(each.merged.fqn, each.merged.project, step.files)
        if found is None:
            exact = False  # the type was declared in another file, or the file cannot be read
            continue
        internal = found.prints.internal_impl
        if internal not in (last, each.base):
            hours = hours if changes else (now - time) // _HOUR
            if time - counted > _TOGETHER:
                changes, counted = changes + 1, time
            if changes == limit:
                return Drift(changes, hours, exact)
        last = internal
    if each.now not in (last, each.base):
        changes += 1
    return Drift(changes, hours, exact)
