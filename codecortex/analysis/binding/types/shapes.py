"""What tells the overloads of one name apart, in a type and in those that it inherits from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.binding.types.ancestors import ancestors_of
from codecortex.analysis.binding.types.inspect import is_opaque
from codecortex.analysis.binding.types.substitution import substitute, substitution_of
from codecortex.analysis.binding.types.symbols import UNKNOWN, Array, Named, TypeKind, TypeParameter

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from codecortex.analysis.binding.types.symbols import Member, Substitution, Type


def key_of(member: Member, given: Substitution) -> object:
    """What tells overloads apart: the number of type parameters, the types and references of the parameters.

    Args:
        member: The member.
        given: The type arguments of the type that declares it.
    """
    shapes = tuple((bool(each.mode), shape_of(substitute(each.type, given))) for each in member.parameters)
    return len(member.type_parameters), shapes


def shape_of(type_: Type) -> object:
    """A type with a method's type parameters by their places, so that those of two methods compare."""
    if isinstance(type_, TypeParameter):
        return ("``", type_.index) if type_.of_method else type_
    if isinstance(type_, Named):
        return (type_.definition, *map(shape_of, type_.arguments)) if type_.arguments else type_.definition
    if isinstance(type_, Array):
        return "[]", type_.rank, shape_of(type_.element)
    return type_


def find_alike(
    member: Member, name: str, types: Iterable[Type], *, interfaces: bool
) -> tuple[Member, Substitution] | None:
    """The first member of a name, of the kind and with the parameters of another one, and its type's arguments.

    Args:
        member: The other one.
        name: The name.
        types: Where it is looked for, in order.
        interfaces: Whether interfaces are looked at; else all other types are.
    """
    key = key_of(member, {})
    for base in types:
        if isinstance(base, Named) and (base.definition.kind is TypeKind.INTERFACE) == interfaces:
            given = substitution_of(base)
            for other in base.definition.members(name):
                if other.kind is member.kind and key_of(other, given) == key:
                    return other, given
    return None


def inherit_constraint(member: Member, place: int) -> tuple[set[str], Sequence[Type]]:
    """The flags and constraints that a method's type parameter has from the method that is overridden or implemented.

    Args:
        member: A method that overrides, or implements explicitly.
        place: The place of the type parameter.
    """
    interface, _, name = member.name.rpartition(".")
    owner = member.owner
    told = owner.find_explicit_interface(member) if owner is not None and interface else None
    bases = [told] if told is not None else ancestors_of(owner).types if owner is not None else ()
    found = find_alike(member, name, bases, interfaces=told is not None)
    if found is None:
        known = ancestors_of(owner).known if owner is not None else True
        return set(), () if known and not (told is not None and is_opaque(told)) else (UNKNOWN,)
    other, given = found
    inner = {**given, **dict(zip(other.type_parameters, member.type_parameters, strict=True))}
    parameter = other.type_parameters[place]
    return parameter.flags, [substitute(each, inner) for each in parameter.constraints]
