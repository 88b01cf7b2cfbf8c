"""The change between two states of one type, and the change that a merge itself made."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from codecortex.analysis.changes.classify import (
    Side,
    align,
    classify,
    compare_sides,
    list_members,
    rename_within,
    take_graver,
)
from codecortex.analysis.changes.redirections import judge_bodies
from codecortex.analysis.types.canonical import canonicalize
from codecortex.analysis.types.fingerprints import fingerprint
from codecortex.model.code.changes import ChangeClass, MemberChange, MemberChanges, Reason, Status
from codecortex.model.code.facts import VISIBLE, MemberFacts
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from codecortex.analysis.types.fingerprints import Fingerprints, HashRules
    from codecortex.analysis.types.meanings import Meanings
    from codecortex.model.code.types import CSharpType

_SHALLOW = (None, ChangeClass.DOCS, ChangeClass.COSMETIC)
_PLACES = ("line", "end_line", "column", "end_column")
_told_of = attrgetter(*(name for name in MemberFacts._fields if name not in _PLACES))


class TypeAt:
    """A type in some tree, and the types directly nested in it.

    Args:
        merged: The type.
        nested: The types nested in it.
        rules: What fingerprints include.
        open_meanings: Returns what names mean in its tree; called when the type is to be compared.
    """

    def __init__(
        self,
        merged: CSharpType,
        nested: tuple[CSharpType, ...],
        rules: HashRules,
        open_meanings: Callable[[], Meanings],
    ) -> None:
        self.type = merged
        self.nested = nested
        self.rules = rules
        self._open_meanings = open_meanings

    def beside(self, other: TypeAt) -> TypeAt:
        """The same, where what names mean in its tree is what they mean in that of another state."""
        return TypeAt(self.type, self.nested, self.rules, lambda: other.meanings)

    @cached_property
    def meanings(self) -> Meanings:
        """What names mean in its tree."""
        return self._open_meanings()

    @cached_property
    def canonical(self) -> CSharpType:
        """The type with canonical texts."""
        return canonicalize(self.type, self.meanings)

    @cached_property
    def prints(self) -> Fingerprints:
        """Its fingerprints."""
        return fingerprint(self.canonical, self.nested, self.rules)

    @property
    def side(self) -> Side:
        """The type prepared for a comparison."""
        return Side(self.type, self.nested, self.canonical)

    def renamed_to(self, new: CSharpType) -> Side:
        """The same as if it had the name of another type."""
        canonical = canonicalize(self.type, self.meanings, {self.type.fqn: new.fqn})
        written = rename_within(self.type, new.simple_name)
        return Side(written, self.nested, rename_within(canonical, new.simple_name))

    def without(self, files: Callable[[str], bool]) -> TypeAt | None:
        """The same without what stands in some files, though with its fingerprints; None if nothing is left."""
        merged = self.type
        parts = tuple(part for part in merged.parts if not files(part.path))
        if not parts:
            return None
        members = tuple(member for member in merged.members if not files(member.path))
        nested = tuple(each for each in self.nested if not any(map(files, each.files)))
        cut = TypeAt(merged._replace(parts=parts, members=members), nested, self.rules, self._open_meanings)
        cut.__dict__["prints"] = self.prints
        return cut


class Change(NamedTuple):
    """The change that one commit made to one type.

    Attributes:
        status: Whether it was added, removed, changed or renamed.
        change_class: The class of the change; a type that only moved to other files is Cosmetic.
        fqn: Its FQN after; before for a removed type.
        old_fqn: Its FQN before; empty if it did not exist.
        reasons: Which parts of its structure differ.
        members: Its members that differ; for an added or removed type, all.
        files: The files that declare it after; before for a removed type.
        old_files: The files that declared it before.
    """

    status: Status
    change_class: ChangeClass
    fqn: str
    old_fqn: str
    reasons: tuple[Reason, ...]
    members: MemberChanges
    files: tuple[str, ...]
    old_files: tuple[str, ...]


def judge(before: TypeAt | None, after: TypeAt | None, rules: HashRules) -> Change | None:
    """The change between two states of a type, or None if they do not differ."""
    if before is None or after is None:
        return _tell_lone(before, after)
    old, new = before.type, after.type
    own = classify(before.prints, after.prints)
    sides = before.side, after.side
    if own not in _SHALLOW:
        sides = align(*sides, before.meanings, after.meanings)
        own = classify(*(fingerprint(side.canonical, side.nested, rules) for side in sides))
    if own is not ChangeClass.STRUCTURE:
        meanings = before.meanings.keep_only(after.meanings.knows), after.meanings.keep_only(before.meanings.knows)
        own = take_graver(own, judge_bodies(old, new, *meanings))
    renamed = old.fqn != new.fqn
    access = old.effective_accessibility, new.effective_accessibility
    # Other files may contain more of the enclosing types, and are not read.
    shown = old.files == new.files and (access[0] in VISIBLE) != (access[1] in VISIBLE)
    if own is None and not renamed and not shown and old.files == new.files:
        return None
    if renamed or shown:
        own = ChangeClass.STRUCTURE
    elif own is ChangeClass.STRUCTURE and old.degraded != new.degraded:
        own = ChangeClass.PUBLIC_BEHAVIOR  # what one side does not show may exist
    reasons: tuple[Reason, ...] = ()
    members = MemberChanges()
    if own not in _SHALLOW:
        left, right = _drop_same(*((before.renamed_to(new), sides[1]) if renamed else sides))
        reasons, members = compare_sides(left, right, rules)
        if shown and not reasons:
            reasons = (Reason.MODIFIERS_CHANGED,)  # the modifiers of an enclosing type
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


def _drop_same(old: Side, new: Side) -> tuple[Side, Side]:
    """Both types without the members that are equal; not for enums, whose values depend on preceding members."""
    if new.type.kind == "enum" or old.type.kind == "enum":
        return old, new
    ours, theirs = ([_told_of(member.facts) for member in side.canonical.members] for side in (old, new))
    same = Counter(ours) & Counter(theirs)
    return _keep_other(old, ours, same), _keep_other(new, theirs, same)


def _keep_other(side: Side, told: Sequence[tuple[Any, ...]], same: Counter[tuple[Any, ...]]) -> Side:
    left = same.copy()
    kept = []
    for place, key in enumerate(told):
        if left[key] > 0:
            left[key] -= 1
        else:
            kept.append(place)
    written, canonical = (
        merged._replace(members=tuple(merged.members[place] for place in kept))
        for merged in (side.type, side.canonical)
    )
    return Side(written, side.nested, canonical)


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


def judge_merge(befores: Sequence[TypeAt | None], after: TypeAt | None, rules: HashRules) -> Change | None:
    """The change that a merge itself made to a type: where it differs from every parent that has the type."""
    changes = [judge(before, after, rules) for before in befores if before is not None]
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
    """The members that are in every list, as in the first list."""
    keys = [{(each.kind, each.name, each.after or each.before) for each in members} for members in lists]
    return tuple(each for each in lists[0] if all((each.kind, each.name, each.after or each.before) in k for k in keys))
