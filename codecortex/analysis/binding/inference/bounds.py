"""The bounds of type parameters that inference collects, and how they are fixed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.binding.conversions.answers import YES
from codecortex.analysis.binding.conversions.types import OF_ARRAYS, READ_ONLY_SPAN, SPAN, SPANS
from codecortex.analysis.binding.types.inspect import (
    has_unknown,
    id_of,
    is_opaque,
    is_reference,
    is_tuple,
    mentions,
    names_opaque,
    nullable_of,
)
from codecortex.analysis.binding.types.symbols import DYNAMIC, NULL, UNKNOWN, Array, Named, Pointer, TypeParameter

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from codecortex.analysis.binding.conversions.types import TypeConversions
    from codecortex.analysis.binding.types.symbols import Substitution, Type, TypeDefinition


def _element_of(type_: Type, rank: int) -> Type | None:
    """The type of the elements of arrays that convert to a type; None if none do."""
    if isinstance(type_, Array):
        return type_.element if type_.rank == rank else None
    return type_.arguments[0] if isinstance(type_, Named) and rank == 1 and id_of(type_) in OF_ARRAYS else None


class Bounds:
    """The bounds of the type parameters of one call.

    Attributes:
        fixed: The type parameters that are inferred, and to what; the unknown where an unknown argument tells.
        unknown: Those of which an unknown argument speaks.
        failed: Whether the bounds of one contradict each other.
        by_function: Whether one is inferred from nothing but the delegate type that a function has of itself.
    """

    def __init__(self, conversions: TypeConversions, parameters: Sequence[TypeParameter]) -> None:
        self._conversions = conversions
        self.parameters = list(parameters)
        self._set = set(parameters)
        self._exact: dict[TypeParameter, list[Type]] = {each: [] for each in parameters}
        self._lower: dict[TypeParameter, list[Type]] = {each: [] for each in parameters}
        self._upper: dict[TypeParameter, list[Type]] = {each: [] for each in parameters}
        self._functions: dict[TypeParameter, list[Type]] = {each: [] for each in parameters}
        self.fixed: Substitution = {}
        self.unknown: set[TypeParameter] = set()
        self.failed = False
        self.by_function = False

    def mentioned_in(self, type_: Type) -> bool:
        """Whether a type speaks of one of the type parameters."""
        return mentions(type_, self._set)

    def list_mentioned(self, *types: Type) -> list[TypeParameter]:
        """The type parameters of which types speak."""
        return [each for each in self.parameters if any(mentions(type_, (each,)) for type_ in types)]

    def is_bounded(self, parameter: TypeParameter) -> bool:
        """Whether anything is known of a type parameter."""
        bounds = (self._exact, self._lower, self._upper, self._functions)
        return parameter in self.unknown or any(each[parameter] for each in bounds)

    def doubt(self, target: Type) -> None:
        """Note that something unknown is given to a parameter of a type."""
        self.unknown.update(self.list_mentioned(target))

    # -- inferences

    def _add(self, bounds: dict[TypeParameter, list[Type]], parameter: TypeParameter, type_: Type) -> None:
        if parameter in self._set and parameter not in self.fixed and type_ not in bounds[parameter]:
            bounds[parameter].append(type_)

    def infer_exact(self, given: Type, target: Type) -> None:
        """What is given is exactly of the target's type."""
        if given is UNKNOWN:
            self.doubt(target)
        elif isinstance(target, TypeParameter):
            self._add(self._exact, target, given)
        elif isinstance(target, Array):
            if isinstance(given, Array) and given.rank == target.rank:
                self.infer_exact(given.element, target.element)
        elif isinstance(target, Pointer):
            if isinstance(given, Pointer):
                self.infer_exact(given.element, target.element)
        elif isinstance(target, Named) and isinstance(given, Named):
            inner = nullable_of(target)
            if given.definition is target.definition:
                for one, other in zip(given.arguments, target.arguments, strict=False):
                    self.infer_exact(one, other)
            elif inner is not None and is_opaque(given):
                self.infer_exact(given, inner)  # `E?` is written as `E` is, as long as nothing tells what `E` is

    def infer_lower(self, given: Type, target: Type) -> None:
        """What is given converts to the target's type."""
        if given is UNKNOWN:
            self.doubt(target)
        elif isinstance(target, TypeParameter):
            self._add(self._lower, target, given)
        elif given is not NULL and given is not DYNAMIC and self.mentioned_in(target):
            inner = nullable_of(target)
            if inner is not None:
                own = given if is_opaque(given) else nullable_of(given)
                if own is not None:
                    self.infer_lower(own, inner)
            elif isinstance(target, Array):
                if isinstance(given, Array) and given.rank == target.rank:
                    self._infer_element(given.element, target.element)
            elif isinstance(target, Pointer):
                self.infer_exact(given, target)
            elif isinstance(target, Named):
                self._infer_lower_named(given, target)

    def infer_function(self, given: Type, target: TypeParameter) -> None:
        """A function is given of which this is the delegate type that it has of itself."""
        if given is UNKNOWN:
            self.doubt(target)
        else:
            self._add(self._functions, target, given)

    def infer_upper(self, given: Type, target: Type) -> None:
        """The target's type converts to what is given."""
        if given is UNKNOWN:
            self.doubt(target)
        elif isinstance(target, TypeParameter):
            self._add(self._upper, target, given)
        elif isinstance(target, Array):
            element = _element_of(given, target.rank)
            if element is not None:
                (self.infer_upper if is_reference(element) else self.infer_exact)(element, target.element)
        elif isinstance(target, Named) and isinstance(given, Named):
            same, _ = self._list_alike(target, given.definition)
            if len(same) == 1:
                self._infer_arguments(given, same.pop(), self.infer_upper, self.infer_lower)

    def _infer_element(self, given: Type, target: Type) -> None:
        (self.infer_lower if is_reference(given) else self.infer_exact)(given, target)

    def _infer_lower_named(self, given: Type, target: Named) -> None:
        if self._conversions.spans and id_of(target) in SPANS and self._infer_span(given, target):
            return
        if isinstance(given, Named) and given.definition is target.definition:
            if is_tuple(given):
                for one, other in zip(given.arguments, target.arguments, strict=False):
                    self.infer_lower(one, other)
            else:
                self._infer_arguments(given, target, self.infer_lower, self.infer_upper)
            return
        if isinstance(given, Pointer):
            return
        same, known = self._list_alike(given, target.definition)
        if len(same) == 1 and isinstance(given, Array) and target.arguments:
            self._infer_element(given.element, target.arguments[0])
        elif len(same) == 1:
            self._infer_arguments(same.pop(), target, self.infer_lower, self.infer_upper)
        elif not known and not same:
            self.doubt(target)

    def _list_alike(self, type_: Type, definition: TypeDefinition) -> tuple[set[Named], bool]:
        """Of a type and its base types those of a definition, and whether all base types are known."""
        bases, known = self._conversions.bases.of(type_)
        return {each for each in bases if isinstance(each, Named) and each.definition is definition}, known

    def _infer_span(self, given: Type, target: Named) -> bool:
        element, wanted = target.arguments[0], id_of(target)
        if isinstance(given, Array) and given.rank == 1:
            (self._infer_element if wanted == READ_ONLY_SPAN else self.infer_exact)(given.element, element)
            return True
        if wanted == READ_ONLY_SPAN and isinstance(given, Named) and id_of(given) == SPAN:
            self._infer_element(given.arguments[0], element)
            return True
        return False  # nor from a string: the compiler infers nothing from it

    def _infer_arguments(
        self,
        given: Named,
        target: Named,
        along: Callable[[Type, Type], None],
        against: Callable[[Type, Type], None],
    ) -> None:
        triples = zip(target.definition.parameters, given.arguments, target.arguments, strict=False)
        for parameter, one, other in triples:
            if one is UNKNOWN:
                self.doubt(other)
            elif parameter.variance == "out" and is_reference(one):
                along(one, other)
            elif parameter.variance == "in" and is_reference(one):
                against(one, other)
            else:
                self.infer_exact(one, other)

    # -- fixing

    def fix(self, parameter: TypeParameter) -> None:
        """Fix a type parameter to the best of its bounds."""
        exact, lower, upper = self._exact[parameter], self._lower[parameter], self._upper[parameter]
        functions = self._functions[parameter]
        if functions and not (exact or lower or upper) and parameter not in self.unknown:
            lower, self.by_function = functions, True
        if parameter in self.unknown:
            self.fixed[parameter] = exact[0] if exact else UNKNOWN
            return
        candidates = [each for each in dict.fromkeys([*exact, *lower, *upper]) if each is not NULL]
        candidates = [each for each in candidates if not has_unknown(each)] or candidates
        convert = self._conversions.convert
        fit = [
            each
            for each in candidates
            if all(each == bound for bound in exact if not has_unknown(bound))
            and all(convert(bound, each) for bound in lower)
            and all(convert(each, bound) for bound in upper)
        ]
        if len(fit) > 1:
            best = [each for each in fit if all(convert(other, each) == YES for other in fit)]
            fit = best if len(best) == 1 else [each for each in fit if each is DYNAMIC]
        self.failed |= len(fit) != 1 and not any(map(names_opaque, candidates))
        self.fixed[parameter] = fit[0] if len(fit) == 1 else UNKNOWN
