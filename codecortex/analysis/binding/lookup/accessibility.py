"""Whether a member may be named at a place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.binding.types.ancestors import derives_from
from codecortex.analysis.binding.types.symbols import Named, TypeParameter
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Set as AbstractSet

    from codecortex.analysis.binding.types.symbols import Member, Type, TypeDefinition

EVERYWHERE = frozenset(("public", "internal", ""))
"""Accesses by which a member can be named at every place that sees the internals of its project."""


class Place(NamedTuple):
    """Where a member is named.

    Attributes:
        inside: The innermost definition around.
        project: The project of the file.
        shown: The projects whose internals can be named there; None for all.
    """

    inside: TypeDefinition | None
    project: str
    shown: AbstractSet[str] | None = None

    def definitions(self) -> Iterator[TypeDefinition]:
        """The definitions around, the innermost first."""
        each = self.inside
        while each is not None:
            yield each
            each = each.container


def is_accessible(member: Member, place: Place, receiver: Type | None = None) -> bool:
    """Whether a member can be named at a place, as a member of a receiver."""
    owner = member.container or member.owner
    if owner is None:
        return True
    shown = place.shown is None or owner.project is None or owner.project in place.shown
    if member.access in EVERYWHERE:
        return shown or member.access != "internal"
    if member.access == "protected internal" and owner.project is not None and shown:
        return True
    return (shown or member.access != "private protected") and _is_within(member, owner, place, receiver)


def _is_within(member: Member, owner: TypeDefinition, place: Place, receiver: Type | None) -> bool:
    """Whether a place lies in the type of a member, or in one that inherits it where that counts."""
    for inside in place.definitions():
        if inside is owner:
            return True
        if member.access != "private" and derives_from(inside, owner) and _reaches(member, inside, receiver):
            return True
    return False


def _reaches(member: Member, inside: TypeDefinition, receiver: Type | None) -> bool:
    """Whether a protected member can be named through a receiver: only one of the class around, or derived from it."""
    if receiver is None or member.is_static:
        return True
    if isinstance(receiver, TypeParameter):
        return any(_reaches(member, inside, each) for each in receiver.constraints)
    if not isinstance(receiver, Named):
        return True
    return receiver.definition is inside or derives_from(receiver.definition, inside)
