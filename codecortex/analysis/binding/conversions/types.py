"""Implicit conversions between types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.binding.conversions.answers import NO, PERHAPS, YES
from codecortex.analysis.binding.conversions.numbers import RANGES, SIGNED, UNSIGNED, WIDENING
from codecortex.analysis.binding.conversions.operands import NUMBER
from codecortex.analysis.binding.types.inspect import (
    has_unknown,
    id_of,
    is_by_reference,
    is_kind,
    is_opaque,
    is_reference,
    is_tuple,
    nullable_of,
    strip_nullable,
)
from codecortex.analysis.binding.types.substitution import inline_element_of, substitute, substitution_of
from codecortex.analysis.binding.types.symbols import (
    DYNAMIC,
    NULL,
    UNKNOWN,
    Array,
    Named,
    Pointer,
    TypeKind,
    TypeParameter,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codecortex.analysis.binding.conversions.answers import Answer
    from codecortex.analysis.binding.types.ancestors import BaseTypes
    from codecortex.analysis.binding.types.symbols import Type
    from codecortex.analysis.binding.types.wellknown import WellKnown

SPAN, READ_ONLY_SPAN = "System.Span`1", "System.ReadOnlySpan`1"
SPANS = frozenset((SPAN, READ_ONLY_SPAN))
OF_ARRAYS = frozenset(
    f"System.Collections.Generic.{name}`1"
    for name in ("ICollection", "IEnumerable", "IList", "IReadOnlyCollection", "IReadOnlyList")
)
"""The interfaces of arrays of one dimension, which are those of collection expressions, too."""
TASKS = frozenset(("System.Threading.Tasks.Task`1", "System.Threading.Tasks.ValueTask`1"))

_ROOTS = frozenset(("System.Object", "System.ValueType", "System.Enum"))
"""The base classes of the framework that no operator of a package is taken to convert from."""
_ZEROS = WIDENING.keys() - {"System.Char"}
"""The types of which zero converts to an enum."""


class TypeConversions:
    """Implicit conversions between types, remembered.

    Attributes:
        spans: Whether the language itself converts to spans: from C# 14 on.
        ranks: Whether it knows priorities of overloads, and `params` of other collections than arrays: from C# 13 on.
    """

    def __init__(self, bases: BaseTypes, types: WellKnown) -> None:
        self.bases = bases
        self.types = types
        self.spans = True
        self.ranks = True
        self._known: dict[tuple[Type, Type, bool, bool], Answer] = {}

    def convert(
        self, source: Type, target: Type, constant: int | str | None = None, *, user_defined: bool = True
    ) -> Answer:
        """Whether a value of a type, maybe a constant, converts implicitly to another."""
        if source is target or source == target:
            return YES
        if source is UNKNOWN or target is UNKNOWN:
            return YES if target == self.types.object else PERHAPS
        if constant is not None and self._convert_constant(source, target, constant):
            return YES
        if constant == NUMBER and self._may_convert_constant(source, target):
            return max(PERHAPS, self.convert(source, target, user_defined=user_defined))
        key = (source, target, user_defined, self.spans)
        known = self._known.get(key)
        if known is None:
            self._known[key] = PERHAPS
            known = self._known[key] = self._convert(source, target, user_defined=user_defined)
        if known == NO and constant is not None and user_defined:
            return self._convert_by_operator(source, target, constant)
        return known

    def _convert_constant(self, source: Type, target: Type, constant: int | str) -> bool:
        if not isinstance(constant, int) or isinstance(constant, bool):
            return False
        target, source_id = strip_nullable(target), id_of(source)
        target_id = id_of(target)
        if source_id == "System.Int32" and target_id in RANGES:
            least, most = RANGES[target_id]
            return least <= constant <= most
        if source_id == "System.Int64" and target_id == "System.UInt64":
            return constant >= 0
        return constant == 0 and is_kind(target, TypeKind.ENUM) and source_id in _ZEROS

    def _may_convert_constant(self, source: Type, target: Type) -> bool:
        """Whether some constants of a type convert to another one."""
        target = strip_nullable(target)
        return any(self._convert_constant(source, target, each) for each in (0, 1))

    def _convert(  # noqa: PLR0911 - one exit for each kind of conversion
        self, source: Type, target: Type, *, user_defined: bool
    ) -> Answer:
        if target == self.types.object:
            return NO if isinstance(source, Pointer) or is_by_reference(source) else YES
        if target is DYNAMIC or source is DYNAMIC:
            return YES
        if is_opaque(source) or is_opaque(target):
            return self._convert_opaque(source, target, user_defined=user_defined)
        if isinstance(source, Pointer) and isinstance(target, (Named, Array)):
            return self._convert_by_operator(source, target) if user_defined else NO
        held = nullable_of(source)
        if held is not None and is_reference(target):
            source = held  # it is boxed
        if source is NULL:
            if is_reference(target) or nullable_of(target) is not None or isinstance(target, Pointer):
                return YES
            return self._convert_by_operator(source, target) if user_defined else NO
        answer = self._convert_by_shape(source, target, user_defined=user_defined)
        return answer if answer is not None else self._convert_to_base(source, target, user_defined=user_defined)

    def _convert_opaque(self, source: Type, target: Type, *, user_defined: bool) -> Answer:
        """Conversion from or to a type that nothing known declares: none that is known derives from it.

        An operator of it may take what its assembly sees: no interface, and no type of the sources.
        """
        bases, known = self.bases.of(source)
        if is_opaque(source) or not known or isinstance(source, TypeParameter) or nullable_of(source) == target:
            return PERHAPS
        if not user_defined:
            return NO
        if not isinstance(source, Named) or not isinstance(target, Named):
            return PERHAPS
        classes = [
            each.definition for each in bases if isinstance(each, Named) and not is_kind(each, TypeKind.INTERFACE)
        ]
        if target.arguments or any(each.project is None and each.id not in _ROOTS for each in classes):
            return PERHAPS
        return self._convert_by_operator(source, target)

    def _convert_by_shape(self, source: Type, target: Type, *, user_defined: bool) -> Answer | None:
        """Conversions that only some kinds of types have; None where other conversions decide."""
        if id_of(target) in WIDENING.get(id_of(source), ()):
            return YES
        inner = nullable_of(target)
        if inner is not None:
            answer = self.convert(strip_nullable(source), inner, user_defined=user_defined)
            return answer or (self._convert_by_operator(source, target) if user_defined else NO)
        if isinstance(source, (Array, Pointer)) and source.__class__ is target.__class__:
            return self._convert_elements(source, target)
        if isinstance(source, Named) and isinstance(target, Named) and source.definition is target.definition:
            if is_tuple(source):
                pairs = zip(source.arguments, target.arguments, strict=True)
                return min(self.convert(a, b, user_defined=user_defined) for a, b in pairs)
            if has_unknown(source) or has_unknown(target):
                return PERHAPS
        return None

    def _convert_elements(self, source: Array | Pointer, target: Array | Pointer) -> Answer:
        if isinstance(source, Pointer) or isinstance(target, Pointer):
            return YES if target.element == self.types.void else NO
        if source.rank != target.rank:
            return NO
        if source.element is UNKNOWN or target.element is UNKNOWN or _may_be_same(source.element, target.element):
            return PERHAPS
        reference = is_reference(source.element)
        if reference is False:
            return NO
        answer = self.convert(source.element, target.element, user_defined=False)
        return answer if reference else min(answer, PERHAPS)

    def _convert_to_base(self, source: Type, target: Type, *, user_defined: bool) -> Answer:
        bases, known = self.bases.of(source)
        best = NO if known else PERHAPS
        for base in bases if not is_by_reference(source) else (source,):  # which is never boxed
            if base == target:
                return YES
            if isinstance(base, Named) and isinstance(target, Named) and base.definition is target.definition:
                answer = self._convert_variant(base, target, of_array=isinstance(source, Array))
                if answer == YES:
                    return YES
                best = max(best, answer)
        if best == NO and user_defined and not self._is_of_spans(source, target):
            best = self._convert_by_operator(source, target)
        if best == NO and id_of(target) in SPANS and isinstance(target, Named):
            element = inline_element_of(source)
            if element is not None:
                return YES if element == target.arguments[0] else NO
        return self._convert_to_span(source, target) if best == NO and self.spans else best

    def _convert_variant(self, source: Named, target: Named, *, of_array: bool = False) -> Answer:
        """Conversion to the same definition with other arguments, by the variance of its type parameters.

        What an array implements varies with its elements, be it `IList<T>`.
        """
        answer = YES
        triples = zip(source.definition.parameters, source.arguments, target.arguments, strict=False)
        for parameter, given, wanted in triples:
            if given != wanted:
                variance = "out" if of_array else parameter.variance
                answer = min(answer, self._convert_argument(variance, given, wanted))
        return answer

    def is_same(self, one: Type, other: Type) -> bool:
        """Whether two types differ in nothing but that `dynamic` stands for `object`."""
        if isinstance(one, Named) and isinstance(other, Named) and one.definition is other.definition:
            return all(map(self.is_same, one.arguments, other.arguments))
        if isinstance(one, Array) and isinstance(other, Array):
            return one.rank == other.rank and self.is_same(one.element, other.element)
        return one == other or {one, other} == {DYNAMIC, self.types.object}

    def _convert_argument(self, variance: str, given: Type, wanted: Type) -> Answer:
        if self.is_same(given, wanted):
            return YES
        if has_unknown(given) or has_unknown(wanted) or _may_be_same(given, wanted):
            return PERHAPS
        if variance == "out":
            return self.convert(given, wanted, user_defined=False) if is_reference(given) else NO
        if variance == "in":
            return self.convert(wanted, given, user_defined=False) if is_reference(wanted) else NO
        return NO

    def _convert_by_operator(self, source: Type, target: Type, constant: int | str | None = None) -> Answer:
        if _is_interface(source) or _is_interface(target):
            return NO  # which no type encompasses, nor is encompassed by
        best, inner = NO, nullable_of(source)
        for base in self._operator_owners(source, target):
            given = substitution_of(base)
            for member in base.definition.members("op_Implicit"):
                if len(member.parameters) == 1:
                    taken = substitute(member.parameters[0].type, given)
                    made = substitute(member.type, given)
                    takes = self.convert(source, taken, constant, user_defined=False)
                    if not takes and inner is not None and is_reference(taken) is False:
                        takes = self.convert(inner, taken, user_defined=False)  # null makes null
                        made = self.types.nullable(made) if is_reference(made) is False else made
                    answer = min(takes, self.convert(made, target, user_defined=False)) if takes else NO
                    if answer == YES:
                        return YES
                    best = max(best, answer)
        return best

    def list_taken(self, target: Type) -> Iterator[Type]:
        """What the operators of a type convert to it."""
        given = substitution_of(target) if isinstance(target, Named) else {}
        for member in target.definition.members("op_Implicit") if isinstance(target, Named) else ():
            if len(member.parameters) == 1 and substitute(member.type, given) == target:
                yield substitute(member.parameters[0].type, given)

    def _operator_owners(self, source: Type, target: Type) -> Iterator[Named]:
        """The types whose operators count: the source's with its bases, and the target; of parameters, constraints."""
        constrained = isinstance(source, TypeParameter)
        for base in self.bases.of(strip_nullable(source))[0]:
            if isinstance(base, Named) and (constrained or base.definition.kind is not TypeKind.INTERFACE):
                yield base
        made = strip_nullable(target)
        if isinstance(made, Named):
            yield made
        elif isinstance(made, TypeParameter):
            yield from (each for each in self.bases.of(made)[0] if isinstance(each, Named))

    def is_to_span(self, source: Type, target: Type) -> bool:
        """Whether the language itself converts a type to a span."""
        return self.spans and source != target and self._convert_to_span(source, target) == YES

    def _is_of_spans(self, source: Type, target: Type) -> bool:
        """Whether the language alone says if a type converts to another: operators of spans do not count."""
        listed = (isinstance(source, Array) and source.rank == 1) or id_of(source) in SPANS
        return self.spans and id_of(target) in SPANS and listed

    def _convert_to_span(self, source: Type, target: Type) -> Answer:
        wanted = id_of(target)
        if wanted not in SPANS or not isinstance(target, Named):
            return NO
        element = target.arguments[0]
        if source == self.types.string:
            return YES if wanted == READ_ONLY_SPAN and id_of(element) == "System.Char" else NO
        if isinstance(source, Named) and wanted == READ_ONLY_SPAN and id_of(source) in SPANS:
            own = source.arguments[0]
            covariant = bool(is_reference(own)) and self.convert(own, element, user_defined=False) == YES
            return YES if own == element or covariant else NO
        if not isinstance(source, Array) or source.rank != 1:
            return NO
        if source.element == element:
            return YES
        covariant = wanted == READ_ONLY_SPAN and bool(is_reference(source.element))
        return self.convert(source.element, element, user_defined=False) if covariant else NO

    # -- the better target

    def compare(self, first: Type, second: Type) -> int:
        """1 if the first is the better conversion target, -1 if the second is, 0 if neither."""
        if first == second:
            return 0
        there, back = self.convert(first, second), self.convert(second, first)
        if (there == YES and back == NO) or (back == YES and there == NO):
            return 1 if (there == YES) != (self.spans and _are_spans(first, second)) else -1
        one, other = id_of(strip_nullable(first)), id_of(strip_nullable(second))
        if (one in SIGNED and other in UNSIGNED) or (one in UNSIGNED and other in SIGNED):
            return 1 if one in SIGNED else -1
        if one == other and one in TASKS and isinstance(first, Named) and isinstance(second, Named):
            return self.compare(first.arguments[0], second.arguments[0])
        if isinstance(first, Array) and isinstance(second, Array) and first.rank == second.rank:
            return self.compare(first.element, second.element)
        return 0


def _may_be_same(one: Type, other: Type) -> bool:
    """Whether two types differ in nothing but `E?` where nothing tells whether `E` is a value type."""
    if isinstance(one, Array) and isinstance(other, Array):
        return one.rank == other.rank and _may_be_same(one.element, other.element)
    if isinstance(one, Named) and isinstance(other, Named) and one.definition is other.definition:
        return all(map(_may_be_same, one.arguments, other.arguments))
    return (
        one == other
        or (is_opaque(one) and nullable_of(other) == one)
        or (is_opaque(other) and nullable_of(one) == other)
    )


def _is_interface(type_: Type) -> bool:
    return isinstance(type_, Named) and type_.definition.kind is TypeKind.INTERFACE


def _are_spans(one: Type, other: Type) -> bool:
    """Whether types are a span and a read-only one of the same elements: there the latter is the better target."""
    spans = isinstance(one, Named) and isinstance(other, Named) and one.arguments == other.arguments
    return spans and {id_of(one), id_of(other)} == SPANS
