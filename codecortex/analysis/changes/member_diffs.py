"""Finds the members of a type that changed, and diffs their texts."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from codecortex.analysis.changes.classify import compare_sides
from codecortex.analysis.types.signatures import member_key
from codecortex.model.code.facts import VISIBLE
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from codecortex.analysis.changes.classify import Side
    from codecortex.analysis.types.fingerprints import HashRules
    from codecortex.model.code.changes import MemberChange, Reason
    from codecortex.model.code.types import CSharpType, Member

_AROUND = 2
"""Lines of context around a change."""

_MOST_LINES = 1500
"""Longer texts are shown as completely removed and added: comparing them would be slow and useless."""


class MemberPair(NamedTuple):
    """A member that changed, or a nested type that was added or removed.

    Attributes:
        before: The member before; None if it was added.
        after: The member after; None if it was removed.
        visible: Whether another assembly sees it, before or after.
        nested: The signature of an added or removed nested type; then `before` and `after` are None.
        came: Whether the nested type was added.
        docs_only: Whether only its documentation differs.
    """

    before: Member | None
    after: Member | None
    visible: bool
    nested: str = ""
    came: bool = True
    docs_only: bool = False


class Differences(NamedTuple):
    """The differences between two states of a type.

    Attributes:
        reasons: Which parts of its structure differ.
        members: Its members that differ: changed, added, removed; then those with only other documentation.
        docs: Whether the documentation of the type itself differs.
    """

    reasons: tuple[Reason, ...]
    members: tuple[MemberPair, ...]
    docs: bool


def list_differences(before: Side, after: Side, rules: HashRules) -> Differences:
    """Find the differences between two states of a type."""
    reasons, members = compare_sides(before, after, rules)
    olds, news = _MemberPool(before.type), _MemberPool(after.type)
    pairs = []
    for each in (*members.changed, *members.added, *members.removed):
        if each.kind == "type":
            pairs.append(MemberPair(None, None, each.visible, each.after or each.before, came=bool(each.after)))
        else:
            pairs.append(MemberPair(olds.take(each, each.before), news.take(each, each.after), each.visible))
    known = {id(member) for pair in pairs for member in (pair.before, pair.after)}
    pairs += (pair for pair in _pair_documented(before, after) if id(pair.after) not in known)
    found = tuple(pair for pair in pairs if pair.before or pair.after or pair.nested)
    return Differences(reasons, found, _list_docs(before.type) != _list_docs(after.type))


class _MemberPool:
    """The members of a type by kind, name and signature; each is given out once."""

    def __init__(self, merged: CSharpType) -> None:
        self._members: dict[tuple[str, str, str], list[Member]] = {}
        for member in reversed(merged.members):
            self._members.setdefault((member.facts.kind, member.facts.name, member.signature), []).append(member)

    def take(self, change: MemberChange, signature: str) -> Member | None:
        """The member on this side of a change; None if there is none."""
        found = self._members.get((change.kind, change.name, signature)) if signature else None
        return found.pop() if found else None


def _pair_documented(before: Side, after: Side) -> Iterator[MemberPair]:
    """Yield the members whose documentation differs."""
    olds = dict(_key_members(before))
    for key, member in _key_members(after):
        old = olds.get(key)
        if old is not None and old.facts.doc_hash != member.facts.doc_hash:
            yield MemberPair(old, member, member.facts.accessibility in VISIBLE, docs_only=True)


def _key_members(side: Side) -> Iterator[tuple[object, Member]]:
    """Each member as written, with what tells it from others."""
    for member, canonical in zip(side.type.members, side.canonical.members, strict=True):
        yield (member.facts.kind, *member_key(canonical.facts)), member


def _list_docs(merged: CSharpType) -> list[str]:
    return [part.facts.doc_hash for part in merged.parts if part.facts.doc_hash]


def diff_lines(before: Sequence[str], after: Sequence[str]) -> tuple[str, ...]:
    """The lines that differ, marked `-` and `+`, with context lines; `...` stands for omitted lines."""
    if len(before) > _MOST_LINES or len(after) > _MOST_LINES:
        return (*(f"-{line}" for line in before), *(f"+{line}" for line in after))
    out: list[str] = []
    end = 0
    for group in SequenceMatcher(None, before, after, autojunk=False).get_grouped_opcodes(_AROUND):
        if group[0][3] > end:
            out.append("...")
        end = group[-1][4]
        for tag, old_start, old_end, new_start, new_end in group:
            if tag == "equal":
                out += _mark(" ", before[old_start:old_end])
            else:
                out += [*_mark("-", before[old_start:old_end]), *_mark("+", after[new_start:new_end])]
    return (*out, "...") if out and end < len(after) else tuple(out)


def _mark(sign: str, lines: Iterable[str]) -> list[str]:
    return [f"{sign}{line}" for line in lines]
