"""Replaces type parameters by types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.binding.types.symbols import Anonymous, Array, Named, Pointer, TypeParameter, bound_weight

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from codecortex.analysis.binding.types.symbols import Parameter, Substitution, Type


def substitution_of(constructed: Named) -> Substitution:
    """The arguments of a constructed type by the parameters of its definition."""
    if not constructed.arguments:
        return {}
    return dict(zip(constructed.definition.parameters, constructed.arguments, strict=False))


def inline_element_of(type_: Type) -> Type | None:
    """The type of the elements of an inline array of the sources; None of every other type."""
    if not isinstance(type_, Named) or not type_.definition.is_inline:
        return None
    element = type_.definition.find_inline_element()
    return substitute(element, substitution_of(type_)) if element is not None else None


def substitute(type_: Type, given: Mapping[TypeParameter, Type]) -> Type:
    """A type with type parameters replaced."""
    if not given:
        return type_
    if type_.__class__ is Named:
        if not type_.is_open:
            return type_
        arguments = tuple([substitute(each, given) for each in type_.arguments])
        same = arguments == type_.arguments and type_.names is None
        return type_ if same else bound_weight(Named(type_.definition, arguments, type_.names))
    if type_.__class__ is TypeParameter:
        return given.get(type_, type_)
    return _substitute_within(type_, given)


def substitute_parameters(
    parameters: Iterable[Parameter], given: Mapping[TypeParameter, Type]
) -> tuple[Parameter, ...]:
    """Parameters with the type parameters in their types replaced."""
    if not given:
        return tuple(parameters)
    return tuple([each._replace(type=substitute(each.type, given)) for each in parameters])


def _substitute_within(type_: Type, given: Mapping[TypeParameter, Type]) -> Type:
    if isinstance(type_, Array):
        return Array(substitute(type_.element, given), type_.rank)
    if isinstance(type_, Pointer):
        return type_._replace(element=substitute(type_.element, given))
    if isinstance(type_, Anonymous):
        return Anonymous(tuple((name, substitute(each, given)) for name, each in type_.properties))
    return type_
