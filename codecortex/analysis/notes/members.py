"""Lines on single members in notes: which members may have one, what each was made from, and which to ask for anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.types.fingerprints import implementation_of, structure_of
from codecortex.analysis.types.outline import name_member
from codecortex.model.code.facts import VISIBLE
from codecortex.model.hashing import digest
from codecortex.model.notes import BY_HAND, MemberLine, hash_line
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from codecortex.analysis.changes.states import TypeAt
    from codecortex.model.code.facts import MemberFacts
    from codecortex.model.code.types import Member
    from codecortex.model.notes import Note

LONGEST_LINE = 400
"""The most characters of a line on a member."""

_LONGEST_NAME = 200
_ALWAYS = frozenset({"method", "constructor", "operator", "conversion", "indexer"})


class MemberPlace(NamedTuple):
    """A member that may have a line, and the type that has it."""

    found: TypeAt
    member: Member
    digest: str


class MemberStates(NamedTuple):
    """The members of the types of a note.

    Attributes:
        members: Those that may have a line, by name, in the order of outlines.
        rest: A digest of what all others and the types themselves do.
    """

    members: Mapping[str, MemberPlace]
    rest: str


def list_members(types: Sequence[TypeAt]) -> MemberStates:
    """The members of types that may have a line: visible ones that are called, and properties with bodies.

    Of members that outlines name alike only the first may.
    """
    found: dict[str, MemberPlace] = {}
    rest: list[str] = []
    for each in types:
        rest += [part.facts.body for part in each.type.parts]
        for member, canonical in zip(each.type.members, each.canonical.members, strict=True):
            facts = member.facts
            if facts.accessibility not in VISIBLE or facts.implicit:
                continue
            told = digest(
                "noteMember", [structure_of(canonical.facts, each.rules), *implementation_of(canonical.facts)]
            )
            name = _name(each, facts, alone=len(types) == 1)
            if _may_have_line(facts) and name.isprintable() and name not in found:
                found[name] = MemberPlace(each, member, told)
            else:
                rest.append(told)
    return MemberStates(found, digest("noteRest", sorted(rest)))


def _may_have_line(facts: MemberFacts) -> bool:
    return not facts.primary and (facts.kind in _ALWAYS or (facts.kind == "property" and bool(facts.body)))


def _name(each: TypeAt, facts: MemberFacts, *, alone: bool) -> str:
    name = " ".join(name_member(each.type, facts).replace("`", "'").split())
    return (name if alone else f"{each.type.display_name}.{name}")[:_LONGEST_NAME].rstrip()


def list_missing(before: Iterable[MemberLine], today: MemberStates) -> tuple[str, ...]:
    """The members that no line was made for as they are now; where nothing was to be said of one, that is settled."""
    known = {each.name: each.digest for each in before}
    return tuple(name for name, place in today.members.items() if known.get(name) != place.digest)


def list_changed(note: Note, today: MemberStates) -> tuple[str, ...]:
    """The members that changed since their lines were made; none where anything else of the types changed as well.

    What type a member stands in, its signature and what is not visible is not looked at: their fingerprints tell.
    """
    if not note.members or note.rest != today.rest or [each.name for each in note.members] != [*today.members]:
        return ()
    return list_missing(note.members, today)


def join_lines(
    before: Iterable[MemberLine], given: Mapping[str, str], today: MemberStates, *, asked: bool, by_hand: bool
) -> tuple[MemberLine, ...]:
    """The lines of a new note.

    Args:
        before: Those of the old note; a line stays unless another one was given, and goes with its member.
        given: The new ones; an empty one takes the line away.
        today: The members as they are.
        asked: Whether lines are wanted. Else only those stay that still are about the same, or that a person wrote.
        by_hand: Whether a person wrote the new ones.
    """
    old = {each.name: each for each in before}
    out = []
    for name, place in today.members.items():
        line = old.get(name)
        if name in given:
            text = given[name]
            written = (BY_HAND if by_hand else hash_line(text)) if text else ""
        elif line is not None and (asked or line.by_hand or line.digest == place.digest):
            text, written = line.text, (BY_HAND if line.by_hand else line.written)
        else:
            text, written = "", ""
        if text or asked:
            out.append(MemberLine(name, place.digest, text, written))
    return tuple(out)
