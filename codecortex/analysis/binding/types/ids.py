"""Documentation ids of members and types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.binding.types.symbols import (
    DYNAMIC,
    Array,
    Member,
    MemberKind,
    Named,
    Pointer,
    TypeKind,
    TypeParameter,
)

if TYPE_CHECKING:
    from codecortex.analysis.binding.types.symbols import Type, TypeDefinition

_LETTERS = {
    **dict.fromkeys((MemberKind.METHOD, MemberKind.CONSTRUCTOR, MemberKind.OPERATOR, MemberKind.DESTRUCTOR), "M"),
    **dict.fromkeys((MemberKind.PROPERTY, MemberKind.INDEXER), "P"),
    MemberKind.FIELD: "F",
    MemberKind.EVENT: "E",
}
_WITH_PARAMETERS = frozenset(
    (MemberKind.METHOD, MemberKind.CONSTRUCTOR, MemberKind.OPERATOR, MemberKind.INDEXER)
)  # fmt: skip
_CONVERSIONS = frozenset(("op_Implicit", "op_Explicit", "op_CheckedExplicit"))


def id_of_symbol(symbol: Member | TypeDefinition) -> str:
    """The documentation id of a member or a type; empty of what has none."""
    if not isinstance(symbol, Member):
        return f"T:{symbol.id}"
    if symbol.id is None:
        symbol.id = _make_id(symbol)
    return symbol.id


def _make_id(member: Member) -> str:
    owner = member.container or member.owner
    if owner is None or member.metadata_name == "":
        return ""
    written = f"{_LETTERS[member.kind]}:{owner.id}.{_name_in_id(member)}"
    if member.kind is MemberKind.METHOD and member.type_parameters:
        written += f"``{len(member.type_parameters)}"
    if member.kind in _WITH_PARAMETERS and member.parameters:
        parameters = (write_type(each.type) + ("@" if each.mode else "") for each in member.parameters)
        written += f"({','.join(parameters)})"
    if member.name in _CONVERSIONS:
        written += f"~{write_type(member.type)}"
    return written


def _name_in_id(member: Member) -> str:
    interface, dot, name = member.name.rpartition(".")
    if interface and dot and member.owner is not None:
        told = member.owner.find_explicit_interface(member)
        written = write_type(told, by_name=True) if told is not None else interface
        return f"{written.replace('.', '#')}#{_plain_name(member, name)}"
    return _plain_name(member, member.name)


def _plain_name(member: Member, name: str) -> str:
    if member.kind is MemberKind.CONSTRUCTOR:
        return "#cctor" if member.is_static else "#ctor"
    if member.kind is MemberKind.DESTRUCTOR:
        return "Finalize"
    if member.kind is MemberKind.INDEXER:
        return "Item" if member.metadata_name is None else member.metadata_name
    return name


def id_of_element(type_: Named, name: str) -> str:
    """The documentation id of a tuple's element, as the compiler writes it."""
    return f"F:{_write_named(type_, by_name=False, within=True)}.{name}"


def write_type(type_: Type, *, by_name: bool = False, within: bool = False, whole: bool = False) -> str:
    """A type as ids write it; `?` where it is not known.

    Args:
        type_: The type.
        by_name: Whether type parameters are written by name, else by place.
        within: Whether a definition that is given its own type parameters is written by their number.
        whole: Whether pointers to functions are written, which ids leave out.
    """
    if isinstance(type_, TypeParameter):
        if by_name:
            return type_.name
        return f"``{type_.index}" if type_.of_method else f"`{type_.index}"
    if isinstance(type_, Named):
        return _write_named(type_, by_name=by_name, within=within, whole=whole)
    if isinstance(type_, Array):
        dimensions = ",".join(["0:"] * type_.rank) if type_.rank > 1 else ""
        return f"{write_type(type_.element, by_name=by_name, within=within, whole=whole)}[{dimensions}]"
    if isinstance(type_, Pointer):  # of one to a function the compiler writes nothing
        omitted = type_.is_function and not whole
        return "" if omitted else write_type(type_.element, by_name=by_name, within=within, whole=whole) + "*"
    return "System.Object" if type_ is DYNAMIC else "?"


def _write_named(type_: Named, *, by_name: bool, within: bool, whole: bool = False) -> str:
    guessed = type_.names[0] if type_.names is not None and type_.definition.kind is TypeKind.OPAQUE else None
    if not type_.arguments:
        return f"{guessed}.{type_.definition.name}" if guessed is not None else type_.definition.id
    around: list[TypeDefinition] = []
    each: TypeDefinition | None = type_.definition
    while each is not None:
        around.append(each)
        each = each.container
    parts, at = [], 0
    for definition in reversed(around):
        own = type_.arguments[at : at + definition.arity]
        at += definition.arity
        namespace = guessed if guessed is not None else definition.namespace
        front = f"{namespace}." if definition.container is None and namespace else ""
        if own and within and own == definition.own_parameters:
            parts.append(f"{front}{definition.name}`{len(own)}")
            continue
        written = ",".join(write_type(each, by_name=by_name, within=within, whole=whole) for each in own)
        parts.append(front + definition.name + (f"{{{written}}}" if own else ""))
    return ".".join(parts)
