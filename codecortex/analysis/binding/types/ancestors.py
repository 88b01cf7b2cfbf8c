"""What types inherit from: base classes, then interfaces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.binding.types.substitution import substitute, substitution_of
from codecortex.analysis.binding.types.symbols import (
    Anonymous,
    Array,
    Named,
    TypeKind,
    TypeParameter,
    Unfinished,
    has_names,
)
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from codecortex.analysis.binding.types.symbols import Type, TypeDefinition
    from codecortex.analysis.binding.types.wellknown import WellKnown


class Ancestors(NamedTuple):
    """All that a definition inherits from, in terms of its own type parameters.

    Attributes:
        types: Base classes, the nearest first, then interfaces.
        known: Whether that is all.
        classes_known: Whether all base classes are known.
    """

    types: tuple[Named, ...]
    known: bool
    classes_known: bool


_NOT_YET = Ancestors((), known=True, classes_known=True)
_MOST_ANCESTORS = 400
"""How many ancestors are followed: generic bases that grow at every step have no end."""


def ancestors_of(definition: TypeDefinition) -> Ancestors:
    """All that a definition inherits from; remembered with it."""
    known = definition.ancestors
    if isinstance(known, Ancestors):
        Unfinished.reads += known is _NOT_YET
        return known
    definition.ancestors, reads = _NOT_YET, Unfinished.reads
    found = _find_ancestors(definition)
    definition.ancestors = found if reads == Unfinished.reads else None
    return found


def derives_from(definition: TypeDefinition, other: TypeDefinition) -> bool:
    """Whether a definition is among the ancestors of another, the first given."""
    return any(each.definition is other for each in ancestors_of(definition).types)


def _find_ancestors(definition: TypeDefinition) -> Ancestors:
    classes: list[Named] = []
    todo = list(definition.bases.interfaces)
    base, classes_known = definition.bases.base, True
    seen = {definition}
    while base is not None:
        if not isinstance(base, Named) or base.definition.kind is TypeKind.OPAQUE:
            classes_known = False
            break
        if base.definition in seen:
            break
        seen.add(base.definition)
        classes.append(base)
        given = substitution_of(base)
        todo += [substitute(each, given) for each in base.definition.bases.interfaces]
        following = base.definition.bases.base
        base = substitute(following, given) if following is not None else None
    interfaces, known = close_interfaces(todo)
    return Ancestors((*classes, *interfaces), known and classes_known, classes_known)


def close_interfaces(todo: list[Type]) -> tuple[dict[Named, None], bool]:
    """All interfaces that interfaces inherit, themselves included; and whether that is all."""
    found: dict[Named, None] = {}
    known, at = True, 0
    while at < len(todo):
        each, at = todo[at], at + 1
        if not isinstance(each, Named) or each.definition.kind is TypeKind.OPAQUE or at > _MOST_ANCESTORS:
            known = False
        elif each not in found:
            found[each] = None
            given = substitution_of(each)
            todo += [substitute(other, given) for other in each.definition.bases.interfaces]
    return found, known


class BaseTypes:
    """The base types of all types, remembered."""

    def __init__(self, types: WellKnown) -> None:
        self._types = types
        self._known: dict[Type, tuple[tuple[Type, ...], bool]] = {}
        self._making: set[Type] = set()

    def of(self, type_: Type) -> tuple[tuple[Type, ...], bool]:
        """A type and all its base types, and whether that is all."""
        if has_names(type_):
            return self._find(type_)
        known = self._known.get(type_)
        if known is None:
            reads = Unfinished.reads
            self._making.add(type_)
            self._known[type_] = ((type_,), False)
            known = self._known[type_] = self._find(type_)
            self._making.discard(type_)
            if reads != Unfinished.reads:
                del self._known[type_]
        elif type_ in self._making:
            Unfinished.reads += 1
        return known

    def _find(self, type_: Type) -> tuple[tuple[Type, ...], bool]:
        from_object = (self._types.object,)
        if isinstance(type_, Named):
            ancestors = ancestors_of(type_.definition)
            if not type_.arguments:
                return (type_, *ancestors.types), ancestors.known
            return (type_, *_substitute_all(ancestors.types, type_)), ancestors.known
        if isinstance(type_, TypeParameter):
            return self._find_of_parameter(type_)
        if isinstance(type_, Array):
            return self._find_of_array(type_), True
        if isinstance(type_, Anonymous):
            return (type_, *from_object), True
        return (), False

    def _find_of_parameter(self, parameter: TypeParameter) -> tuple[tuple[Type, ...], bool]:
        found: dict[Type, None] = {parameter: None}
        all_known = True
        for constraint in parameter.constraints:
            types, known = self.of(constraint)
            found |= dict.fromkeys(types)
            all_known = all_known and known
        if self._types.object not in found:
            if "struct" in parameter.flags or "unmanaged" in parameter.flags:
                found[self._types.value_type] = None
            found[self._types.object] = None
        return tuple(found), all_known

    def _find_of_array(self, array: Array) -> tuple[Type, ...]:
        found: dict[Type, None] = {array: None}
        if array.rank == 1:
            for name in ("IList", "IReadOnlyList"):
                listed = self._types.get(f"System.Collections.Generic.{name}`1", array.element)
                found |= dict.fromkeys(self.of(listed)[0])
        return tuple(found | dict.fromkeys(self.of(self._types.array)[0]))


def _substitute_all(types: Sequence[Named], constructed: Named) -> Sequence[Type]:
    given = substitution_of(constructed)
    return [substitute(each, given) for each in types]
