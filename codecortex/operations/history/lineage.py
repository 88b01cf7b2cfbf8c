"""A type, a commit and its parents in; what the commit did to the type, and where the type stood before it, out."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields, replace
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from codecortex.analysis.changes.classify import Side, classify, compare_sides, list_members, rename_within
from codecortex.analysis.changes.renames import detect_renames
from codecortex.git.history import FileChange, find_files, list_changes
from codecortex.model.code.changes import ChangeClass, MemberChange, MemberChanges, Reason, Status
from codecortex.model.code.facts import VISIBLE, MemberFacts
from codecortex.model.code.types import cut_simple_name
from codecortex.operations.reading.hashes import rules_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from codecortex.git.history import Commit
    from codecortex.model.code.types import CSharpType
    from codecortex.operations.reading.past_types import PastTypes, TypeAt
    from codecortex.operations.reading.tree import Tree

_SHALLOW = (None, ChangeClass.DOCS, ChangeClass.COSMETIC)
_told_of = attrgetter(*(field.name for field in fields(MemberFacts) if field.name not in ("line", "end_line")))
_KEYWORDS = "(class|struct|interface|enum|record|delegate)"
_MOST_READ = 60
"""Changed files of one commit that are read in search of where a type came from."""


class LineageSegment(NamedTuple):
    """A type as it was called for a while, and the files it may have stood in.

    Attributes:
        tip: The newest commit of that while.
        fqn: What it was called.
        project: Path of the project whose symbols its files are read under.
        paths: Sorted.
    """

    tip: str
    fqn: str
    project: str
    paths: tuple[str, ...]


class Change(NamedTuple):
    """What one commit did to one type.

    Attributes:
        status: What became of it.
        change_class: The class of the change; a type that only moved to other files is Cosmetic.
        fqn: Its metadata name after; of a removed type, before.
        old_fqn: Its metadata name before; empty where it was not there.
        reasons: Which parts of its structure differ.
        members: Its members that differ; of an added or a removed type, all.
        files: Where it is declared after; of a removed type, before.
        old_files: Where it was declared before.
    """

    status: Status
    change_class: ChangeClass
    fqn: str
    old_fqn: str
    reasons: tuple[Reason, ...]
    members: MemberChanges
    files: tuple[str, ...]
    old_files: tuple[str, ...]


class Origin(NamedTuple):
    """Where a type stood before a commit: its name, and the blob of each file that declared it."""

    fqn: str
    files: Mapping[str, str]


def judge(before: TypeAt | None, after: TypeAt | None, tree: Tree) -> Change | None:
    """What became of a type, or None where nothing did."""
    if before is None or after is None:
        return _tell_lone(before, after)
    old, new = before.type, after.type
    own = classify(before.prints, after.prints)
    renamed = old.fqn != new.fqn
    access = old.effective_accessibility, new.effective_accessibility
    # Other files may hold more of what is around a type, and are not read.
    shown = old.files == new.files and (access[0] in VISIBLE) != (access[1] in VISIBLE)
    if own is None and not renamed and not shown and old.files == new.files:
        return None
    if renamed or shown:
        own = ChangeClass.STRUCTURE
    elif own is ChangeClass.STRUCTURE and old.degraded != new.degraded:
        own = ChangeClass.PUBLIC_BEHAVIOR  # what one side does not show may be there
    reasons: tuple[Reason, ...] = ()
    members = MemberChanges()
    if own not in _SHALLOW:
        left, right = _drop_same(rename_within(old, new.simple_name) if renamed else old, new)
        reasons, members = compare_sides(Side(left, before.nested), Side(right, after.nested), rules_of(tree.config))
        if shown and not reasons:
            reasons = (Reason.MODIFIERS_CHANGED,)  # those of a type around it
    return Change(
        status=Status.RENAMED if renamed else Status.CHANGED,
        change_class=own or ChangeClass.COSMETIC,
        fqn=new.fqn,
        old_fqn=old.fqn,
        reasons=reasons if own is ChangeClass.STRUCTURE else (),
        members=members,
        files=new.files,
        old_files=old.files,
    )


def _drop_same(old: CSharpType, new: CSharpType) -> tuple[CSharpType, CSharpType]:
    """Both without the members that are the same, which are most; an enum's count on from each other."""
    if new.kind == "enum" or old.kind == "enum":
        return old, new
    ours, theirs = ([_told_of(member.facts) for member in merged.members] for merged in (old, new))
    same = Counter(ours) & Counter(theirs)
    return _keep_other(old, ours, same), _keep_other(new, theirs, same)


def _keep_other(merged: CSharpType, told: Sequence[tuple[Any, ...]], same: Counter[tuple[Any, ...]]) -> CSharpType:
    left = same.copy()
    kept = []
    for member, key in zip(merged.members, told, strict=True):
        if left[key] > 0:
            left[key] -= 1
        else:
            kept.append(member)
    return replace(merged, members=tuple(kept))


def _tell_lone(before: TypeAt | None, after: TypeAt | None) -> Change | None:
    known = after or before
    if known is None:
        return None
    came, merged = after is not None, known.type
    return Change(
        status=Status.ADDED if came else Status.REMOVED,
        change_class=ChangeClass.STRUCTURE,
        fqn=merged.fqn,
        old_fqn="" if came else merged.fqn,
        reasons=(),
        members=list_members(merged, came=came),
        files=merged.files,
        old_files=() if came else merged.files,
    )


def judge_merge(befores: Sequence[TypeAt | None], after: TypeAt | None, tree: Tree) -> Change | None:
    """What a merge itself did to a type: that in which it differs from every parent that has the type."""
    changes = [judge(before, after, tree) for before in befores if before is not None]
    told = [change for change in changes if change is not None]
    if after is None or not told or len(told) < len(changes):
        return None
    first, *others = told
    kept = [_common([change.members[at] for change in told]) for at in range(len(MemberChanges._fields))]
    reasons = tuple(reason for reason in first.reasons if all(reason in each.reasons for each in others))
    headed = [reason for reason in reasons if reason not in _OF_MEMBERS]
    if not any(kept) and not headed:
        return None
    order = list(ChangeClass)
    mildest = max((change.change_class for change in told), key=order.index)
    return first._replace(members=MemberChanges(*kept), reasons=reasons, change_class=mildest)


_OF_MEMBERS = (Reason.MEMBER_ADDED, Reason.MEMBER_REMOVED, Reason.MEMBER_CHANGED)


def _common(lists: Sequence[tuple[MemberChange, ...]]) -> tuple[MemberChange, ...]:
    """The members that stand in every list, as the first tells them."""
    keys = [{(each.kind, each.name, each.after or each.before) for each in members} for members in lists]
    return tuple(each for each in lists[0] if all((each.kind, each.name, each.after or each.before) in k for k in keys))


class Ancestry:
    """Looks for where a type came from when a commit first shows it in the files that were followed.

    Args:
        tree: The repository and how to read it.
        past: Facts of other commits.
        old_names: Metadata name to what aliases say it was called before.
    """

    def __init__(self, tree: Tree, past: PastTypes, old_names: Mapping[str, frozenset[str]]) -> None:
        self._tree = tree
        self._past = past
        self._old_names = old_names

    def find(self, commit: Commit, line: LineageSegment, before: TypeAt | None, after: TypeAt) -> Origin | None:
        """Where the type stood in the commit's first parent, if not only where it was looked for.

        Args:
            commit: The newest that shows it there.
            line: What it is called, and the files that are followed.
            before: What the followed files showed of it in the parent.
            after: What they show of it in the commit.
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
        """What a type is called, and where it stands, after the commit `line.tip` that removed its file, if at all."""
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
        """The type under its own name, or one that aliases give it, in what files were before."""
        files = {change.old_path: change.old_blob for change in changes if change.old_blob}
        if not files:
            return None
        for fqn in (line.fqn, *sorted(self._old_names.get(line.fqn, ()))):
            found = self._past.read(fqn, line.project, files)
            if found is not None:
                return Origin(fqn, {path: files[path] for path in found.type.files})
        return None

    def _find_renamed(self, changes: Sequence[FileChange], line: LineageSegment, after: TypeAt) -> Origin | None:
        """The vanished type that the changed files show to be this one under another name."""
        for fqn, heir in self._list_renamed(changes, line):
            if heir.fqn == after.type.fqn:
                old = {change.old_path: change.old_blob for change in changes if change.old_blob}
                found = self._past.read(fqn, line.project, old)
                return Origin(fqn, {path: old[path] for path in found.type.files}) if found is not None else None
        return None

    def _list_renamed(self, changes: Sequence[FileChange], line: LineageSegment) -> list[tuple[str, CSharpType]]:
        """The types that changed files show to be renamed, by their old names."""
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
        """Of very many, those that name the type at all."""
        if len(changes) <= _MOST_READ:
            return changes
        names = {line.fqn, *self._old_names.get(line.fqn, ())}
        words = {cut_simple_name(name) for name in names}
        found = {path for word in words for path in find_files(self._tree.repository, parent, word, (_KEYWORDS,))}
        return [change for change in changes if change.old_path in found]
