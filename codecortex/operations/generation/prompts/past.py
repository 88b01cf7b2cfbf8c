"""Finds, along git history, the state of a type that has the fingerprints in a note's header.

A note does not record the commit it was made at: any state of the type with the same fingerprints serves as well. So
the states of the type's files are searched along first parents, newest first, across renames of files and of the type,
back to the commit that added the note.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.git.history import find_blobs, list_commits
from codecortex.model.errors import GitStateError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.history.lineage import Ancestry, LineageSegment
from codecortex.operations.history.succession import group_names
from codecortex.operations.reading.alias_table import list_aliases
from codecortex.operations.reading.past_types import PastTypes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from codecortex.analysis.changes.states import TypeAt
    from codecortex.analysis.types.fingerprints import Fingerprints
    from codecortex.git.history import Commit
    from codecortex.model.notes import Base
    from codecortex.operations.catalog.workspace import Workspace

_MOST_STATES = 60
_MOST_LINES = 5
"""Maximum number of moves or renames of a type that are followed."""


class PastType(NamedTuple):
    """A type in a past state.

    Attributes:
        found: The type.
        blobs: Path to blob id of the files that declared it.
    """

    found: TypeAt
    blobs: Mapping[str, str]


def fits_base(base: Base) -> Callable[[Fingerprints], bool]:
    """A predicate: whether fingerprints equal those in a note's header."""

    def fits(prints: Fingerprints) -> bool:
        told = (prints.structure, prints.public_impl, prints.internal_impl)
        same = told == (base.structure, base.public_impl, base.internal_impl)
        return same and base.xml_doc in (None, prints.xml_doc)

    return fits


def find_then(workspace: Workspace, now: TypeAt, fits: Callable[[Fingerprints], bool], note: str) -> PastType | None:
    """The newest past state of a type whose fingerprints fit; None if there is none, or if git fails.

    Args:
        workspace: The tree to search back from.
        now: The type as it is now.
        fits: Predicate for the fingerprints.
        note: Path of the note; states older than the commit that added it are not searched.
    """
    head = workspace.tree.listing.head
    if head is None:
        return None
    past = PastTypes(workspace.tree, workspace.projects, workspace.cache)
    line = LineageSegment(head, now.type.fqn, now.type.project, now.type.files)
    seen: set[object] = set()
    try:
        for then, files in _list_states(workspace, past, line, note):
            key = (then.fqn, *sorted(files.items()))
            found = past.read(then.fqn, then.project, files) if key not in seen else None
            seen.add(key)
            if found is not None and fits(found.prints):
                return PastType(found, {path: files[path] for path in found.type.files})
            if len(seen) > _MOST_STATES:
                break
    except GitStateError as problem:
        workspace.request.warn(
            f"{now.type.fqn}: {problem.message} Its members are shown as they are, not as they changed."
        )
    return None


def _list_states(
    workspace: Workspace, past: PastTypes, line: LineageSegment, note: str
) -> Iterator[tuple[LineageSegment, Mapping[str, str]]]:
    """Each past state of a type, newest first: its name, and path to blob id of its files."""
    repository = workspace.repository
    ancestry = Ancestry(workspace.tree, past, group_names(list_aliases(workspace.tree)))
    for _ in range(_MOST_LINES):
        held = find_blobs(repository, [(line.tip, path) for path in line.paths])
        files = {path: blob for (_, path), blob in held.items()}
        yield line, files
        older = None
        for commit in list_commits(
            repository, tip=line.tip, paths=(*line.paths, *([note] if note else [])), first_parent=True
        ):
            before = _undo(files, commit, line)
            older = _find_origin(past, ancestry, line, commit, (files, before))
            if older is not None:
                break
            yield line, before
            if any(change.path == note and not change.old_blob for change in commit.changes):
                return
            files = before
        if older is None:
            return
        line, note = older, note if older.fqn == line.fqn else ""


def _undo(files: Mapping[str, str], commit: Commit, line: LineageSegment) -> dict[str, str]:
    """Path to blob id of the type's files before a commit."""
    before = dict(files)
    for change in commit.changes:
        before.pop(change.path, None)
    for change in commit.changes:
        if change.old_blob and change.old_path in line.paths:
            before[change.old_path] = change.old_blob
    return before


def _find_origin(
    past: PastTypes,
    ancestry: Ancestry,
    line: LineageSegment,
    commit: Commit,
    ends: tuple[Mapping[str, str], Mapping[str, str]],
) -> LineageSegment | None:
    """Where to continue if the type was elsewhere before a commit; `ends` are its files after and before the commit."""
    after, before = (past.read(line.fqn, line.project, files) if files else None for files in ends)
    if after is None or not commit.parents:
        return None
    if before is not None and set(after.type.files) <= set(before.type.files):
        return None
    origin = ancestry.find(commit, line, before, after)
    if origin is None:
        return None
    kept = line.paths if origin.fqn == line.fqn else ()
    return LineageSegment(commit.parents[0], origin.fqn, line.project, tuple(sorted({*kept, *origin.files})))
