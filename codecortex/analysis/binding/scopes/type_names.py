"""Writes types as sources have to name them at a place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.binding.scopes.scopes import FoundType
from codecortex.analysis.binding.types.inspect import is_tuple, nullable_of, tuple_elements
from codecortex.analysis.binding.types.symbols import DYNAMIC, Array, Named, Pointer, TypeKind, TypeParameter
from codecortex.analysis.binding.types.wellknown import KEYWORDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from codecortex.analysis.binding.scopes.names import Names
    from codecortex.analysis.binding.scopes.scopes import Scope
    from codecortex.analysis.binding.types.symbols import Type, TypeDefinition

_KEYWORDS = {name: keyword for keyword, name in KEYWORDS.items() if keyword not in ("nint", "nuint")}


def name_type(names: Names, scope: Scope, type_: Type) -> str | None:
    """A type as a place has to name it: as short as means the same; None of one that has no name.

    Args:
        names: Looks names up.
        scope: The place.
        type_: The type.
    """
    if isinstance(type_, TypeParameter):
        return type_.name
    if isinstance(type_, Array):
        return _name_array(names, scope, type_)
    if isinstance(type_, Named):
        return _name_named(names, scope, type_)
    return "dynamic" if type_ is DYNAMIC else None


def _name_array(names: Names, scope: Scope, type_: Array) -> str | None:
    ranks = ""
    element: Type = type_
    while isinstance(element, Array):
        ranks += f"[{',' * (element.rank - 1)}]"
        element = element.element
    written = name_type(names, scope, element)
    return written + ranks if written is not None else None


def _name_named(names: Names, scope: Scope, type_: Named) -> str | None:
    definition = type_.definition
    if definition.kind in (TypeKind.OPAQUE, TypeKind.EXTENSION):
        return None
    if not type_.arguments and definition.id in _KEYWORDS:
        return _KEYWORDS[definition.id]
    inner = nullable_of(type_)
    if inner is not None:
        written = name_type(names, scope, inner)
        return f"{written}?" if written is not None else None
    if is_tuple(type_) and len(tuple_elements(type_)) > 1:
        return _name_tuple(names, scope, type_)
    arguments = [name_type(names, scope, each) for each in type_.arguments]
    if any(each is None for each in arguments):
        return None
    return _name_definition(names, scope, definition, [each for each in arguments if each is not None])


def _name_tuple(names: Names, scope: Scope, type_: Named) -> str | None:
    elements = tuple_elements(type_)
    written = [name_type(names, scope, each) for each in elements]
    called = type_.names if type_.names is not None and len(type_.names) == len(elements) else (None,) * len(elements)
    parts = [f"{each} {name}" if name else each for each, name in zip(written, called, strict=True) if each is not None]
    return f"({', '.join(parts)})" if len(parts) == len(elements) else None


def _name_definition(names: Names, scope: Scope, definition: TypeDefinition, arguments: Sequence[str]) -> str:
    around = len(arguments) - definition.arity
    own = f"<{', '.join(arguments[around:])}>" if definition.arity else ""
    found = names.find(scope, definition.name, definition.arity)
    if isinstance(found, FoundType) and found.definition is definition and not around:  # nested in no generic type
        return definition.name + own
    if definition.container is not None:
        return f"{_name_definition(names, scope, definition.container, arguments[:around])}.{definition.name}{own}"
    front = f"global::{definition.namespace}." if definition.namespace else "global::"
    return front + definition.name + own


def is_pointer(type_: Type) -> bool:
    """Whether a type needs an unsafe context."""
    while isinstance(type_, Array):
        type_ = type_.element
    return isinstance(type_, Pointer)
