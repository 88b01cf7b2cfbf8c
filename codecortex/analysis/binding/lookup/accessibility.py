"""Whether a member may be named at a place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.binding.types.ancestors import derives_from
from codecortex.analysis.binding.types.symbols import Named
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codecortex.analysis.binding.types.symbols import Member, Type, TypeDefinition

EVERYWHERE = frozenset(("public", "internal", ""))
"""Accesses by which a member can be named at every place."""


class Place(NamedTuple):
    """Where a member is named.

    Attributes:
        inside: The innermost definition around.
        project: The project of the file.
    """

    inside: TypeDefinition | None
    project: str

    def definitions(self) -> Iterator[TypeDefinition]:
        """The definitions around, the innermost first."""
        each = self.inside
        while each is not None:
            yield each
            each = each.container


def is_accessible(member: Member, place: Place, receiver: Type | None = None) -> bool:
    """Whether a member can be named at a place, as a member of a receiver.

    Internal members count as accessible: which assemblies are friends is told by their sources.
    """
    if member.access in EVERYWHERE or member.owner is None:
        return True
    owner = member.container or member.owner
    if member.access == "protected internal" and owner.project is not None:
        return True
    for inside in place.definitions():
        if inside is owner:
            return True
        if member.access != "private" and derives_from(inside, owner) and _reaches(member, inside, receiver):
            return True
    return False


def _reaches(member: Member, inside: TypeDefinition, receiver: Type | None) -> bool:
    """Whether a protected member can be named through a receiver: only one of the class around, or derived from it."""
    if receiver is None or member.is_static or not isinstance(receiver, Named):
        return True
    return receiver.definition is inside or derives_from(receiver.definition, inside)
