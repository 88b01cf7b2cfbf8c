"""Symbols and a new name in; what already bears that name where they are declared, above or below, out."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

from codecortex.analysis.binding.declarations.definitions import SourceDefinition
from codecortex.analysis.binding.types.ancestors import ancestors_of
from codecortex.analysis.binding.types.ids import id_of_symbol
from codecortex.analysis.binding.types.shapes import key_of
from codecortex.analysis.binding.types.substitution import substitution_of
from codecortex.analysis.binding.types.symbols import Member, MemberKind
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from codecortex.analysis.binding.bind import Program
    from codecortex.analysis.binding.types.symbols import Named, TypeDefinition


_MEMBER_AS_TYPE = "is its member, which cannot be called as its type"


class Collision(NamedTuple):
    """What bears a name already: what it is for people, and why both cannot."""

    symbol: str
    why: str


def find_type_collisions(program: Program, types: Sequence[SourceDefinition], name: str) -> Iterator[Collision]:
    """What would be in the way of types of a new name."""
    for type_ in types:
        around = type_.container
        for other in program.find_named(name):
            beside = (other.container is around) and (around is not None or other.namespace == type_.namespace)
            if beside and other.arity == type_.arity and other not in types:
                yield Collision(id_of_symbol(other), "is declared already")
        full = f"{type_.namespace}.{name}".lstrip(".")
        if around is None and program.is_namespace(full):
            yield Collision(f"N:{full}", "is a namespace")
        if around is not None:
            yield from _list_owned(around, name, "is a member of the type around it")
            if around.name == name:
                yield Collision(id_of_symbol(around), "is the type around it")
        yield from _list_owned(type_, name, _MEMBER_AS_TYPE)
        if any(each.name == name for each in type_.own_parameters):
            yield Collision(name, "is its type parameter")


def _list_owned(type_: TypeDefinition, name: str, why: str) -> Iterator[Collision]:
    for member in type_.members(name):
        yield Collision(id_of_symbol(member), why)
    for nested in type_.nested(name) if why == _MEMBER_AS_TYPE else ():
        yield Collision(id_of_symbol(nested), why)


def find_member_collisions(program: Program, members: Sequence[Member], name: str) -> Iterator[Collision]:
    """What would be in the way of members of a new name: in their types, in what these derive from, and below."""
    owners: dict[TypeDefinition, list[Member]] = {}
    for member in members:
        owner = member.container or member.owner
        if owner is not None and "." not in member.name:
            owners.setdefault(owner, []).append(member)
    for owner, own in owners.items():
        yield from _find_beside(owner, own, name)
        for base in ancestors_of(owner).types:
            for member in own if base.definition not in owners else ():
                yield from _list_alike(base, member, name, "would be hidden by it")
    for definition in program.list_below(owners):
        bases = () if definition in owners else ancestors_of(definition).types
        for member in (member for base in bases for member in owners.get(base.definition, ())):
            if member.access != "private":
                yield from _list_alike(definition.this, member, name, "would hide it")


def _find_beside(owner: TypeDefinition, own: Sequence[Member], name: str) -> Iterator[Collision]:
    """What would be in the way of members in their own type."""
    if owner.name == name:
        yield Collision(id_of_symbol(owner), "is the type itself")
    if any(each.name == name for each in owner.own_parameters):
        yield Collision(name, "is a type parameter of the type")
    for nested in owner.nested(name):
        yield Collision(id_of_symbol(nested), "is declared already")
    for member in own:
        yield from _list_alike(owner.this, member, name, "is declared already")


def _list_alike(type_: Named, member: Member, name: str, why: str) -> Iterator[Collision]:
    """The members of a name that cannot stand beside another one, which is declared elsewhere: all but overloads."""
    own = key_of(member, {})
    inherited = type_.definition is not (member.container or member.owner)
    for each in type_.definition.members(name):
        if inherited and (each.access == "private" or each.kind is MemberKind.CONSTRUCTOR):
            continue
        overload = each.kind is member.kind is MemberKind.METHOD
        if not overload or key_of(each, substitution_of(type_)) == own:
            yield Collision(id_of_symbol(each), why)


def list_unknown(members: Sequence[Member]) -> Iterator[SourceDefinition]:
    """The types of members that may override or implement something that is not known."""
    owners = dict.fromkeys(each.owner for each in members if not each.is_static)
    declared = (each for each in owners if isinstance(each, SourceDefinition))
    for definition in sorted(declared, key=attrgetter("order")):
        if not ancestors_of(definition).known:
            named = [each for each in members if each.owner is definition]
            if any(each.access == "public" or "override" in each.modifiers for each in named):
                yield definition
