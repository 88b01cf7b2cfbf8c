"""What can be told of a type without converting it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.binding.types.symbols import (
    BY_REFERENCE,
    DYNAMIC,
    NULL,
    UNKNOWN,
    Anonymous,
    Array,
    Named,
    Pointer,
    TypeKind,
    TypeParameter,
)

if TYPE_CHECKING:
    from collections.abc import Collection

    from codecortex.analysis.binding.types.symbols import Type

_TUPLE = "System.ValueTuple`"
_ABSTRACT_CLASSES = frozenset(("System.Enum", "System.ValueType"))
LONG_TUPLE = 8


def has_unknown(type_: Type) -> bool:
    """Whether the unknown stands somewhere in a type."""
    if type_.__class__ is Named:
        return any(map(has_unknown, type_.arguments))
    if type_.__class__ is Array or type_.__class__ is Pointer:
        return has_unknown(type_.element)
    if type_.__class__ is Anonymous:
        return any(has_unknown(each) for _, each in type_.properties)
    return type_ is UNKNOWN


def mentions(type_: Type, parameters: Collection[TypeParameter]) -> bool:
    """Whether one of some type parameters stands somewhere in a type."""
    if type_.__class__ is TypeParameter:
        return type_ in parameters
    if type_.__class__ is Named:
        return type_.is_open and any(mentions(each, parameters) for each in type_.arguments)
    if type_.__class__ is Array or type_.__class__ is Pointer:
        return mentions(type_.element, parameters)
    if type_.__class__ is Anonymous:
        return any(mentions(each, parameters) for _, each in type_.properties)
    return False


def id_of(type_: Type | None) -> str:
    """The id of a type's definition, without `T:`; empty of a type without one."""
    return type_.definition.id if type_.__class__ is Named else ""


def is_kind(type_: Type, *kinds: TypeKind) -> bool:
    """Whether a type's definition is of one of some kinds."""
    return isinstance(type_, Named) and type_.definition.kind in kinds


def is_opaque(type_: Type) -> bool:
    """Whether no known assembly declares a type's definition."""
    return type_.__class__ is Named and type_.definition.kind is TypeKind.OPAQUE


def names_opaque(type_: Type) -> bool:
    """Whether a type that nothing known declares stands somewhere in a type."""
    if isinstance(type_, (Array, Pointer)):
        return names_opaque(type_.element)
    return isinstance(type_, Named) and (is_opaque(type_) or any(map(names_opaque, type_.arguments)))


def is_reference(type_: Type) -> bool | None:
    """Whether a type's values are references; None where that is not known."""
    if type_.__class__ is Named:
        definition = type_.definition
        return None if definition.kind is TypeKind.OPAQUE else not definition.is_value
    if type_.__class__ is TypeParameter:
        return _is_reference_parameter(type_)
    if type_.__class__ is Array or type_.__class__ is Anonymous or type_ is DYNAMIC or type_ is NULL:
        return True
    return None


def _is_reference_parameter(parameter: TypeParameter) -> bool | None:
    if "struct" in parameter.flags or "unmanaged" in parameter.flags:
        return False
    if "class" in parameter.flags:
        return True
    for constraint in parameter.constraints:
        by_class = is_kind(constraint, TypeKind.CLASS) and id_of(constraint) not in _ABSTRACT_CLASSES
        if by_class or (isinstance(constraint, TypeParameter) and is_reference(constraint)):
            return True
    return None


def is_by_reference(type_: Type) -> bool:
    """Whether values of a type live on the stack alone, or may."""
    if type_.__class__ is TypeParameter:
        return BY_REFERENCE in type_.flags
    return type_.__class__ is Named and type_.definition.is_ref


def nullable_of(type_: Type) -> Type | None:
    """The `T` of a `Nullable<T>`; None of every other type."""
    if type_.__class__ is Named and type_.definition.id == "System.Nullable`1":
        return type_.arguments[0]
    return None


def strip_nullable(type_: Type) -> Type:
    """The `T` of a `Nullable<T>`, every other type itself."""
    inner = nullable_of(type_)
    return type_ if inner is None else inner


def is_tuple(type_: Type) -> bool:
    """Whether a type is a tuple."""
    return type_.__class__ is Named and type_.definition.id.startswith(_TUPLE)


def tuple_elements(type_: Type) -> tuple[Type, ...]:
    """The elements of a tuple, those of its nested rest included; none of every other type."""
    elements: tuple[Type, ...] = ()
    while isinstance(type_, Named) and is_tuple(type_):
        if len(type_.arguments) < LONG_TUPLE:
            return elements + type_.arguments
        elements += type_.arguments[:-1]
        type_ = type_.arguments[-1]
    return elements
