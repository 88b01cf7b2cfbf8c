"""Tells what a commit did to a type, and where the type was before it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.changes.renames import detect_renames
from codecortex.analysis.changes.states import TypeAt
from codecortex.git.history import FileChange, find_files, list_changes
from codecortex.model.code.types import cut_simple_name
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from codecortex.analysis.changes.states import TypeAt
    from codecortex.git.history import Commit
    from codecortex.model.code.types import CSharpType
    from codecortex.operations.reading.past_types import PastTypes
    from codecortex.operations.reading.tree import Tree

_KEYWORDS = "(class|struct|interface|enum|record|delegate)"
_MOST_READ = 60
"""The most changed files of one commit that are read to find where a type came from."""


class LineageSegment(NamedTuple):
    """A stretch of a type's history in which it had one name, and the files it may have been in.

    Attributes:
        tip: The newest commit of the stretch.
        fqn: Its FQN during it.
        project: Path of the project under whose symbols its files are read.
        paths: The files, sorted.
    """

    tip: str
    fqn: str
    project: str
    paths: tuple[str, ...]


class Origin(NamedTuple):
    """Where a type was before a commit: its FQN, and the blob of each file that declared it."""

    fqn: str
    files: Mapping[str, str]


class Ancestry:
    """Finds where a type came from when a commit is the first to have it in the followed files.

    Args:
        tree: The repository and the settings for reading.
        past: Facts of other commits.
        old_names: FQN to its earlier FQNs by aliases.
    """

    def __init__(self, tree: Tree, past: PastTypes, old_names: Mapping[str, frozenset[str]]) -> None:
        self._tree = tree
        self._past = past
        self._old_names = old_names

    def find(self, commit: Commit, line: LineageSegment, before: TypeAt | None, after: TypeAt) -> Origin | None:
        """Where the type was in the commit's first parent, if it was outside of the followed files or had another name.

        Args:
            commit: The newest commit that has the type there.
            line: Its name, and the files that are followed.
            before: The type in the followed files of the parent.
            after: The type in the followed files of the commit.
        """
        if not commit.parents:
            return None
        changes = [
            change
            for change in list_changes(self._tree.repository, commit.parents[0], commit.id)
            if change.path.lower().endswith(".cs") or change.old_path.lower().endswith(".cs")
        ]
        if before is not None:
            changes = [change for change in changes if change.old_path not in line.paths]
            return self._find_named(self._narrow(changes, commit.parents[0], line), line)
        kin = [change for change in changes if change.path in after.type.files]
        near = self._find_named(kin, line) or self._find_renamed(kin, line, after)
        if near is not None:
            return near
        others = self._narrow(changes, commit.parents[0], line)
        wide = changes if len(changes) <= _MOST_READ else ()
        return self._find_named(others, line) or self._find_renamed(wide, line, after)

    def find_heir(self, line: LineageSegment) -> LineageSegment | None:
        """The type's name and files after the commit `line.tip` removed its file; None if it is gone."""
        changes = list_changes(self._tree.repository, f"{line.tip}^", line.tip)
        kin = [change for change in changes if change.old_path in line.paths]
        for each in (kin, changes if len(changes) <= _MOST_READ else ()):
            files = {c.path: c.new_blob for c in each if c.new_blob and c.path.lower().endswith(".cs")}
            moved = self._past.read(line.fqn, line.project, files)
            heirs = [moved.type] if moved is not None else []
            heirs += [new for old, new in self._list_renamed(each, line) if old == line.fqn]
            if heirs:
                return LineageSegment(line.tip, heirs[0].fqn, line.project, heirs[0].files)
        return None

    def _find_named(self, changes: Iterable[FileChange], line: LineageSegment) -> Origin | None:
        """The type under its own name, or an earlier name by aliases, in the previous versions of changed files."""
        files = {change.old_path: change.old_blob for change in changes if change.old_blob}
        if not files:
            return None
        for fqn in (line.fqn, *sorted(self._old_names.get(line.fqn, ()))):
            found = self._past.read(fqn, line.project, files)
            if found is not None:
                return Origin(fqn, {path: files[path] for path in found.type.files})
        return None

    def _find_renamed(self, changes: Sequence[FileChange], line: LineageSegment, after: TypeAt) -> Origin | None:
        """The removed type that was renamed to this one, according to the changed files."""
        for fqn, heir in self._list_renamed(changes, line):
            if heir.fqn == after.type.fqn:
                old = {change.old_path: change.old_blob for change in changes if change.old_blob}
                found = self._past.read(fqn, line.project, old)
                return Origin(fqn, {path: old[path] for path in found.type.files}) if found is not None else None
        return None

    def _list_renamed(self, changes: Sequence[FileChange], line: LineageSegment) -> list[tuple[str, CSharpType]]:
        """The renamed types in changed files, with their old FQNs."""
        changes = [change for change in changes if change.path.lower().endswith(".cs")]
        before = self._list(line, {c.old_path: c.old_blob for c in changes if c.old_blob and c.status != "C"})
        now = self._list(line, {change.path: change.new_blob for change in changes if change.new_blob})
        gone = [merged for key, merged in before.items() if key not in now]
        come = [merged for key, merged in now.items() if key not in before]
        lineage = {change.path: frozenset({change.path, change.old_path}) for change in changes}
        news = {merged.id: merged for merged in come}
        found = detect_renames(gone, come, lineage).aliases
        return [(alias.old_fqn, news[alias.new_id]) for alias in found]  # type: ignore[index]  # a TypeId

    def _list(self, line: LineageSegment, files: Mapping[str, str]) -> dict[tuple[str, str], CSharpType]:
        return {(merged.fqn, merged.owner): merged for merged in self._past.list_types(line.project, files)}

    def _narrow(self, changes: Sequence[FileChange], parent: str, line: LineageSegment) -> Sequence[FileChange]:
        """The changes to examine; if there are very many, only files that contain the type's simple name."""
        if len(changes) <= _MOST_READ:
            return changes
        names = {line.fqn, *self._old_names.get(line.fqn, ())}
        words = {cut_simple_name(name) for name in names}
        found = {path for word in words for path in find_files(self._tree.repository, parent, word, (_KEYWORDS,))}
        return [change for change in changes if change.old_path in found]
