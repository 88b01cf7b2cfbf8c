"""Which of two applicable function members is the better one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.binding.conversions.expressions import is_handler
from codecortex.analysis.binding.conversions.operands import (
    Bare,
    Branches,
    CollectionLiteral,
    Lambda,
    MethodGroup,
    TupleLiteral,
    Value,
)
from codecortex.analysis.binding.conversions.types import TASKS
from codecortex.analysis.binding.overloads.applicability import type_parameters_of
from codecortex.analysis.binding.types.inspect import has_unknown, id_of, is_opaque, tuple_elements
from codecortex.analysis.binding.types.substitution import substitute
from codecortex.analysis.binding.types.symbols import UNKNOWN, Array, Named, TypeParameter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from codecortex.analysis.binding.conversions.delegates import Delegate
    from codecortex.analysis.binding.conversions.expressions import ExpressionConversions
    from codecortex.analysis.binding.conversions.operands import Argument, Expression, Item
    from codecortex.analysis.binding.conversions.resolver import Applicable
    from codecortex.analysis.binding.types.symbols import Type

_SPAN, _READ_ONLY_SPAN = "System.Span`1", "System.ReadOnlySpan`1"
_SPANS = frozenset((_SPAN, _READ_ONLY_SPAN))
_TASKS = (frozenset(("System.Threading.Tasks.Task", "System.Threading.Tasks.ValueTask")), TASKS)
"""The tasks without a result, and those with one."""


class Betterness:
    """Compares applicable function members: 1 if the first is better, -1 if the second is, 0 if neither."""

    def __init__(self, conversions: ExpressionConversions) -> None:
        self._conversions = conversions
        self._kinds: dict[type, Callable[..., int]] = {
            Value: self._compare_for_value,
            Lambda: self._compare_for_lambda,
            MethodGroup: self._compare_for_group,
            TupleLiteral: self._compare_for_tuple,
            CollectionLiteral: self._compare_for_collection,
            Branches: self._compare_for_branches,
        }

    def compare(self, first: Applicable, second: Applicable, arguments: Sequence[Argument]) -> int:
        """Compare two candidates for the arguments of a call."""
        is_same = self._conversions.types.is_same
        differing = [
            (argument.expression, one, other)
            for argument, one, other in zip(arguments, first.types, second.types, strict=False)
            if one != other and not is_same(one, other)
        ]
        results = [self.compare_targets(*each) for each in differing]
        if any(results):
            better = _join(results) or self._join_without_lambdas(differing, results)
            return better or _compare_used(first, second, len(arguments))
        if not all(has_unknown(a) or has_unknown(b) or _are_tasks_alike(a, b) for _, a, b in differing):
            # The compiler goes beyond the specification here.
            return _compare_used(first, second, len(arguments)) or _prefer_values(first, second)
        return _break_tie(first, second) or self._compare_expanded(first, second)

    def _join_without_lambdas(self, differing: Sequence[tuple[Expression, Type, Type]], results: Sequence[int]) -> int:
        """What arguments that disagree say without the lambdas whose delegates take different types."""
        kept = (result for each, result in zip(differing, results, strict=True) if not self._takes_others(*each))
        return _join(kept)

    def _takes_others(self, expression: Expression, one: Type, other: Type) -> bool:
        """Whether a lambda's parameters differ in type between two targets."""
        if not isinstance(expression, Lambda):
            return False
        first, second = self._conversions.delegate(one), self._conversions.delegate(other)
        return first is not None and second is not None and first.types != second.types

    def _compare_expanded(self, first: Applicable, second: Applicable) -> int:
        """Which of two collections is better that are made of the rest of the arguments."""
        if not (first.expanded and second.expanded):
            return 0
        one, other = (substitute(each.parameters[-1].type, each.given) for each in (first, second))
        return self._conversions.types.compare(one, other)

    def is_doubtful(self, best: Applicable, other: Applicable, arguments: Sequence[Argument]) -> bool:
        """Whether what is unknown could make the other candidate the better one."""
        for argument, one, two in zip(arguments, best.types, other.types, strict=False):
            if one == two:
                continue
            if has_unknown(one) or has_unknown(two) or self._is_unsure(argument.expression, one, two):
                return True
        return False

    def _is_unsure(self, expression: Expression, one: Type, two: Type) -> bool:
        if isinstance(expression, Value):
            may_handle = expression.interpolated and expression.constant is None and is_opaque(two)
            return has_unknown(expression.type) or not expression.certain or may_handle
        if isinstance(expression, Lambda):
            first, second = self._conversions.delegate(one), self._conversions.delegate(two)
            if first is None or second is None or first.types == second.types:
                return False
            return any(self.names_unknown(expression, each) for each in (first, second))
        return expression is Bare.UNKNOWN

    def names_unknown(self, expression: Lambda, delegate: Delegate) -> bool:
        """Whether a lambda's body, for a delegate's parameters, has names that cannot be bound."""
        fits = len(delegate.parameters) == len(expression.parameters or ())
        return fits and bool(expression.bind(delegate.types).unknowns)

    # -- conversions from expressions

    def compare_targets(self, expression: Expression, one: Type, other: Type) -> int:
        """Which of two types an expression converts to better."""
        if one == other:
            return 0
        compare = self._kinds.get(expression.__class__)
        return compare(expression, one, other) if compare is not None else self._compare_alone(one, other)

    def _compare_alone(self, one: Type, other: Type) -> int:
        """Which of two types is the better target of any conversion; of delegates, one that returns something."""
        first, second = self._conversions.delegate(one), self._conversions.delegate(other)
        if first is None or second is None or first.types != second.types or first.returns == second.returns:
            return self._conversions.types.compare(one, other)
        return self._compare_void(first, second) or self._compare_alone(first.returns, second.returns)

    def _compare_void(self, first: Delegate, second: Delegate) -> int:
        """Which of two delegates alone returns something."""
        void = self._conversions.known.void
        return (second.returns == void) - (first.returns == void)

    def _compare_for_tuple(self, literal: TupleLiteral, one: Type, other: Type) -> int:
        triples = zip(literal.parts, tuple_elements(one), tuple_elements(other), strict=False)
        return _join(self.compare_targets(*each) for each in triples) or self._conversions.types.compare(one, other)

    def _find_element(self, item: Item) -> Expression:
        """What an item of a collection gives to it."""
        if not item.spread:
            return item.expression
        type_ = self._conversions.natural(item.expression)
        element = self._conversions.resolver.element_of(type_) if type_ is not UNKNOWN else UNKNOWN
        return Value(element, element is not UNKNOWN)

    def _compare_for_branches(self, branches: Branches, one: Type, other: Type) -> int:
        natural = self._conversions.natural(branches)
        if natural in (one, other):
            return 1 if natural == one else -1
        return _join(self.compare_targets(part, one, other) for part in branches.parts)

    def _compare_for_value(self, value: Value, one: Type, other: Type) -> int:
        if value.interpolated and value.constant is None and is_handler(one) != is_handler(other):
            return 1 if is_handler(one) else -1
        if value.type in (one, other):
            return 1 if value.type == one else -1
        first, second = (self._conversions.types.is_to_span(value.type, each) for each in (one, other))
        if first != second:
            return 1 if first else -1
        if isinstance(value.type, Array) and {id_of(one), id_of(other)} == _SPANS:
            return 1 if id_of(one) == _READ_ONLY_SPAN else -1
        return self._conversions.types.compare(one, other)

    def _compare_for_lambda(self, expression: Lambda, one: Type, other: Type) -> int:
        first, second = self._conversions.delegate(one), self._conversions.delegate(other)
        if first is None and second is None:
            return self._conversions.types.compare(one, other)
        if first is None or second is None:
            return (first is not None) - (second is not None)
        if first.types != second.types:
            return self._conversions.types.compare(one, other)
        if first.returns == second.returns:
            return 0
        return self._compare_void(first, second) or self._compare_results(expression, first, second)

    def _compare_results(self, expression: Lambda, first: Delegate, second: Delegate) -> int:
        """Which of two return types suits what a lambda returns."""
        one, other = first.returns, second.returns
        body = expression.bind(first.types)
        if expression.is_async and _are_of_one_kind(one, other):
            pair = [each.arguments[0] for each in (one, other) if isinstance(each, Named) and each.arguments]
            return _join(self.compare_targets(each, *pair) for each in body.results) if pair else 0
        inferred = self._conversions.output(expression, first.types, None)
        if inferred is not None and inferred is not UNKNOWN and inferred in (one, other):
            return 1 if inferred == one else -1
        joined = _join(self.compare_targets(each, one, other) for each in body.results)
        return joined or self._conversions.types.compare(one, other)

    def _compare_for_group(self, group: MethodGroup, one: Type, other: Type) -> int:
        first, second = self._conversions.delegate(one), self._conversions.delegate(other)
        if first is not None and second is not None and first.types == second.types:
            if decided := self._compare_void(first, second):
                return decided
            returned = self._conversions.output(group, first.types, first)
            if returned is not None and returned in (first.returns, second.returns):
                return (returned == first.returns) - (returned == second.returns)
        return self._conversions.types.compare(one, other)

    def _compare_for_collection(self, literal: CollectionLiteral, one: Type, other: Type) -> int:
        first, second = (self._conversions.element_of_collection(each) for each in (one, other))
        if first is not None and second is not None and first != second:
            joined = _join(self.compare_targets(self._find_element(each), first, second) for each in literal.items)
            if joined:
                return joined
        spans = id_of(one) in _SPANS, id_of(other) in _SPANS
        if all(spans):
            return 1 if id_of(one) == _READ_ONLY_SPAN else -1
        if any(spans):
            return 1 if spans[0] else -1
        return self._conversions.types.compare(one, other)


def _are_of_one_kind(one: Type, other: Type) -> bool:
    """Whether types are of one definition, or `Task` and `ValueTask`."""
    if not isinstance(one, Named) or not isinstance(other, Named):
        return False
    return one.definition is other.definition or {id_of(one), id_of(other)} in _TASKS


def _are_tasks_alike(one: Type, other: Type) -> bool:
    """Whether types are the same but for `Task` and `ValueTask` in the same places."""
    if not isinstance(one, Named) or not isinstance(other, Named) or not _are_of_one_kind(one, other):
        return one == other
    return all(map(_are_tasks_alike, one.arguments, other.arguments))


def _compare_used(first: Applicable, second: Applicable, count: int) -> int:
    """Compare candidates that use different numbers of parameters for so many arguments."""
    used = [_count_used(each, count) for each in (first, second)]
    if used[0] == used[1]:
        return 0
    if first.expanded != second.expanded:
        return 1 if second.expanded else -1
    return (used[0] == count) - (used[1] == count)


def _count_used(candidate: Applicable, count: int) -> int:
    """How many parameters of a candidate so many arguments use, those that have defaults included."""
    declared = len(candidate.parameters)
    if not candidate.expanded:
        return declared
    return declared - 1 if count < declared else count


def _break_tie(first: Applicable, second: Applicable) -> int:
    """Compare candidates to which the arguments convert alike."""
    if first.expanded != second.expanded and (first.omitted or second.omitted):
        return 1 if second.expanded else -1
    generic = [bool(type_parameters_of(each.member, extension=True)) for each in (first, second)]
    for better, worse in (
        (second.omitted, first.omitted),
        (generic[1], generic[0]),
        (second.expanded, first.expanded),
    ):
        if better != worse:
            return 1 if better else -1
    if first.expanded:
        spans = [_rank_collection(each.parameters[-1].type) for each in (first, second)]
        if spans[0] != spans[1]:
            return 1 if spans[0] > spans[1] else -1
    if first.expanded and len(first.parameters) != len(second.parameters):
        return 1 if len(first.parameters) > len(second.parameters) else -1
    pairs = zip(first.written, second.written, strict=False)
    specific = _join(_compare_specific(one, other) for one, other in pairs)
    return specific or _prefer_values(first, second)


def _prefer_values(first: Applicable, second: Applicable) -> int:
    """A candidate that takes values is better than one that takes them by reference."""
    one, other = (sum(each.mode == "in" for each in candidate.parameters) for candidate in (first, second))
    return (other > one) - (one > other)


def _rank_collection(type_: Type) -> int:
    """How good a collection is as the type of a `params` parameter: spans are better."""
    return {_READ_ONLY_SPAN: 2, _SPAN: 1}.get(id_of(type_), 0)


def _compare_specific(one: Type, other: Type) -> int:
    """Which of two types, their type parameters open, is the more specific one."""
    if one == other:
        return 0
    if isinstance(one, TypeParameter) or isinstance(other, TypeParameter):
        return isinstance(other, TypeParameter) - isinstance(one, TypeParameter)
    if isinstance(one, Array) and isinstance(other, Array):
        return _compare_specific(one.element, other.element)
    if isinstance(one, Named) and isinstance(other, Named) and one.definition is other.definition:
        return _join(map(_compare_specific, one.arguments, other.arguments))
    return 0


def _join(results: Iterable[int]) -> int:
    """1 or -1 if all that decide agree, else 0."""
    decided = {each for each in results if each}
    return decided.pop() if len(decided) == 1 else 0
