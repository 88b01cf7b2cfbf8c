"""Classifies the change of a type, and lists the members that differ and the reasons."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from codecortex.analysis.types.canonical import canonicalize, find_half_known
from codecortex.analysis.types.fingerprints import (
    describe_header,
    enum_values,
    implementation_of,
    is_seen,
    is_told,
    structure_of,
)
from codecortex.analysis.types.signatures import member_key
from codecortex.model.code.changes import ChangeClass, MemberChange, MemberChanges, Reason
from codecortex.model.code.facts import VISIBLE
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from codecortex.analysis.types.fingerprints import Fingerprints, HashRules
    from codecortex.analysis.types.meanings import Meanings
    from codecortex.model.code.facts import MemberFacts
    from codecortex.model.code.types import CSharpType, Member

__all__ = ["ChangeClass", "Side", "classify", "compare_sides", "list_members", "rename_within"]

_HEADERS = (
    ("type_parameters", Reason.TYPE_PARAMETERS_CHANGED),
    ("constraints", Reason.CONSTRAINTS_CHANGED),
    ("bases", Reason.BASE_LIST_CHANGED),
    ("attributes", Reason.ATTRIBUTES_CHANGED),
    ("kind", Reason.MODIFIERS_CHANGED),
    ("accessibility", Reason.MODIFIERS_CHANGED),
    ("modifiers", Reason.MODIFIERS_CHANGED),
)


_TWO_WORDS = frozenset({"protected internal", "private protected"})


class Side(NamedTuple):
    """A type in one of two compared states.

    Attributes:
        type: The type as written, to be shown.
        nested: The types directly nested in it.
        canonical: The type with canonical texts, to be compared.
    """

    type: CSharpType
    nested: Sequence[CSharpType]
    canonical: CSharpType


def align(before: Side, after: Side, befores: Meanings, afters: Meanings) -> tuple[Side, Side]:
    """Two states of a type, with the names that only one of them knows compared as written in both.

    Such a name is hardly ever another type: what a directive brings from where is not always known, for instance from
    a package or from a property that only a build can tell.
    """
    blind = find_half_known(before.type, after.type, befores, afters)
    if not blind:
        return before, after
    return (
        before._replace(canonical=canonicalize(before.type, befores, blind=blind)),
        after._replace(canonical=canonicalize(after.type, afters, blind=blind)),
    )


class _Shown(NamedTuple):
    """A member prepared for comparison.

    Attributes:
        place: Its position in the type.
        member: The member as written.
        facts: Its facts with canonical texts.
        structure: Its structure as text.
        bare: The same without attributes.
    """

    place: int
    member: Member
    facts: MemberFacts
    structure: str
    bare: str


def take_graver(own: ChangeClass | None, other: ChangeClass | None) -> ChangeClass | None:
    """The graver of two classes; None is no change."""
    order = list(ChangeClass)
    return min(filter(None, (own, other)), key=order.index, default=None)


def classify(before: Fingerprints | None, after: Fingerprints) -> ChangeClass | None:
    """The most severe change, or None if nothing differs; a new type counts as a change of structure."""
    if before is None or before.structure != after.structure:
        return ChangeClass.STRUCTURE
    if before.public_impl != after.public_impl:
        return ChangeClass.PUBLIC_BEHAVIOR
    if before.internal_impl != after.internal_impl:
        return ChangeClass.INTERNAL
    if before.xml_doc != after.xml_doc:
        return ChangeClass.DOCS
    return None if before.cosmetic == after.cosmetic else ChangeClass.COSMETIC


def compare_sides(before: Side, after: Side, rules: HashRules) -> tuple[tuple[Reason, ...], MemberChanges]:
    """The reasons why the structure of a type differs, and the members that differ."""
    members = _compare_members(before, after, rules)
    old = describe_header(before.canonical, before.nested, rules)
    new = describe_header(after.canonical, after.nested, rules)
    reasons = {reason for field, reason in _HEADERS if getattr(old, field) != getattr(new, field)}
    reasons.update(_judge_members(members, before.type, after.type, rules))
    return tuple(reason for reason in Reason if reason in reasons), members


def list_members(merged: CSharpType, *, came: bool) -> MemberChanges:
    """All members of an added or removed type, except those that the compiler adds."""
    members = [member for member in merged.members if not member.facts.implicit]
    if came:
        return MemberChanges(added=tuple(_tell(None, member) for member in members))
    return MemberChanges(removed=tuple(_tell(member, None) for member in members))


def rename_within(merged: CSharpType, name: str) -> CSharpType:
    """A type with its simple name replaced by another one throughout its declaration and signatures."""
    own = merged.simple_name
    if own == name:
        return merged
    word = re.compile(rf"\b{re.escape(own)}\b")

    def mend(texts: Iterable[str]) -> tuple[str, ...]:
        return tuple(word.sub(name, text) for text in texts)

    parts = tuple(
        part._replace(facts=part.facts._replace(bases=mend(part.facts.bases), constraints=mend(part.facts.constraints)))
        for part in merged.parts
    )
    members = tuple(member._replace(facts=_rename_member(member.facts, word, name)) for member in merged.members)
    return merged._replace(parts=parts, members=members)


def _rename_member(facts: MemberFacts, word: re.Pattern[str], name: str) -> MemberFacts:
    own = facts.kind in ("constructor", "destructor")
    return facts._replace(
        name=word.sub(name, facts.name) if own else facts.name,
        type=word.sub(name, facts.type),
        explicit_interface=word.sub(name, facts.explicit_interface),
        receiver=word.sub(name, facts.receiver),
        constraints=tuple(word.sub(name, clause) for clause in facts.constraints),
        parameters=tuple(each._replace(type=word.sub(name, each.type)) for each in facts.parameters),
    )


# -- members


def _compare_members(before: Side, after: Side, rules: HashRules) -> MemberChanges:
    added: list[tuple[int, MemberChange]] = []
    removed: list[tuple[int, MemberChange]] = []
    changed: list[tuple[int, MemberChange]] = []
    for left, right in _pair_members(_show(before, rules), _show(after, rules)):
        if left is not None and right is not None:
            change = _tell_difference(left, right)
            if change.signature_changed or change.body_changed:
                changed.append((right.place, change))
        elif right is not None:
            added.append((right.place, _tell(None, right.member)))
        elif left is not None:
            removed.append((left.place, _tell(left.member, None)))
    come = [_tell_nested(inner, came=True) for inner in _list_nested(after.nested, before.nested)]
    gone = [_tell_nested(inner, came=False) for inner in _list_nested(before.nested, after.nested)]
    return MemberChanges((*come, *_in_order(added)), (*gone, *_in_order(removed)), _in_order(changed))


def _in_order(changes: Iterable[tuple[int, MemberChange]]) -> tuple[MemberChange, ...]:
    return tuple(change for _, change in sorted(changes))


def _show(side: Side, rules: HashRules) -> list[_Shown]:
    """The members that take part in comparisons; those of an enum with their computed values."""
    both = zip(side.type.members, side.canonical.members, strict=True)
    held = [(member, canonical.facts) for member, canonical in both if is_told(member.facts)]
    facts = [each for _, each in held]
    bare = [_strip(each) for each in facts]
    if side.type.kind == "enum":
        texts = list(zip(enum_values(facts, rules), enum_values(bare, rules), strict=True))
    else:
        texts = [(structure_of(one, rules), structure_of(other, rules)) for one, other in zip(facts, bare, strict=True)]
    return [_Shown(place, *each, *pair) for place, (each, pair) in enumerate(zip(held, texts, strict=True))]


def _strip(facts: MemberFacts) -> MemberFacts:
    """A member without attributes; `readonly` on anything but a field is compiled to an attribute."""
    readonly = "readonly" in facts.modifiers and facts.kind != "field"
    words = tuple(word for word in facts.modifiers if word != "readonly") if readonly else facts.modifiers
    extension = facts.extension
    if extension is not None:
        extension = extension._replace(type_parameter_attributes=())
    return facts._replace(
        attributes=(),
        modifiers=words,
        parameters=tuple(each._replace(attributes=()) if each.attributes else each for each in facts.parameters),
        type_parameter_attributes=(),
        accessor_attributes=(),
        accessor_modifiers=(),
        extension=extension,
    )


def _pair_members(old: Sequence[_Shown], new: Sequence[_Shown]) -> Iterator[tuple[_Shown | None, _Shown | None]]:
    """Pair old and new members: with the same identity first, then the most similar of the same kind and name."""
    gone: list[_Shown] = []
    come: list[_Shown] = []
    for ours, theirs in _group(old, new, lambda facts: (facts.kind, *member_key(facts))):
        both = min(len(ours), len(theirs))
        yield from zip(ours[:both], theirs[:both], strict=True)
        gone += ours[both:]
        come += theirs[both:]
    for ours, theirs in _group(gone, come, lambda facts: (facts.kind, facts.name, facts.explicit_interface)):
        yield from _pair_overloads(ours, theirs)


def _group(
    old: Iterable[_Shown], new: Iterable[_Shown], key: Callable[[MemberFacts], object]
) -> Iterable[tuple[list[_Shown], list[_Shown]]]:
    out: dict[object, tuple[list[_Shown], list[_Shown]]] = defaultdict(lambda: ([], []))
    for side, members in enumerate((old, new)):
        for shown in members:
            out[key(shown.facts)][side].append(shown)
    return out.values()


def _pair_overloads(ours: Sequence[_Shown], theirs: Sequence[_Shown]) -> Iterator[tuple[_Shown | None, _Shown | None]]:
    left, right = {one.place: one for one in ours}, {other.place: other for other in theirs}
    likeness = [(-_liken(one.facts, other.facts), one.place, other.place) for one in ours for other in theirs]
    for _, one, other in sorted(likeness):
        if one in left and other in right:
            yield left.pop(one), right.pop(other)
    yield from ((one, None) for one in left.values())
    yield from ((None, other) for other in right.values())


def _liken(one: MemberFacts, other: MemberFacts) -> float:
    """How similar two overloads are: by parameters in order, then their number, then arity."""
    size = max(len(one.parameters), len(other.parameters), 1)
    pairs = zip(one.parameters, other.parameters, strict=False)
    same = sum((a.type == b.type) + (a.name == b.name) for a, b in pairs) / size
    return same + (len(one.parameters) == len(other.parameters)) + (one.arity == other.arity) / 2


def _tell_difference(before: _Shown, after: _Shown) -> MemberChange:
    return _tell(before.member, after.member)._replace(
        signature_changed=before.structure != after.structure,
        body_changed=implementation_of(before.facts) != implementation_of(after.facts),
        attributes_only=before.structure != after.structure and before.bare == after.bare,
    )


def _tell(before: Member | None, after: Member | None) -> MemberChange:
    known = [member for member in (before, after) if member is not None]
    facts = known[-1].facts
    return MemberChange(
        kind=facts.kind,
        name=facts.name,
        before=before.signature if before is not None else "",
        after=after.signature if after is not None else "",
        visible=any(member.facts.accessibility in VISIBLE for member in known),
        signature_changed=True,
        body_changed=True,
    )


def _list_nested(these: Sequence[CSharpType], others: Sequence[CSharpType]) -> list[CSharpType]:
    """The nested types that have no equal on the other side."""
    held = {_sign_nested(inner) for inner in others}
    return [inner for inner in these if _sign_nested(inner) not in held]


def _sign_nested(inner: CSharpType) -> str:
    return f"{inner.accessibility} {inner.kind} {inner.own_name if not inner.arity else inner.fqn.rpartition('+')[2]}"


def _tell_nested(inner: CSharpType, *, came: bool) -> MemberChange:
    text, visible = _sign_nested(inner), inner.accessibility in VISIBLE
    before, after = ("", text) if came else (text, "")
    return MemberChange("type", inner.simple_name, before, after, visible, signature_changed=True, body_changed=False)


def _judge_members(members: MemberChanges, before: CSharpType, after: CSharpType, rules: HashRules) -> Iterator[Reason]:
    if any(_counts(member.after, after, rules) for member in members.added):
        yield Reason.MEMBER_ADDED
    if any(_counts(member.before, before, rules) for member in members.removed):
        yield Reason.MEMBER_REMOVED
    for member in members.changed:
        counts = _counts(member.before, before, rules) or _counts(member.after, after, rules)
        if not member.signature_changed or not counts:
            continue
        if member.attributes_only:
            yield Reason.ATTRIBUTES_CHANGED
        else:
            yield Reason.ENUM_VALUE_CHANGED if after.kind == "enum" else Reason.MEMBER_CHANGED


def _counts(signature: str, merged: CSharpType, rules: HashRules) -> bool:
    """Whether a member with this canonical signature is part of the structure; it begins with the accessibility."""
    words = signature.split(" ", 2)
    two = " ".join(words[:2])
    return is_seen(two if two in _TWO_WORDS else words[0], merged, rules)
