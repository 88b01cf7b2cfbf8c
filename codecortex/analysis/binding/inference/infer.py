"""Infers the type arguments of a call from its arguments, in the two phases of the language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.binding.conversions.operands import (
    ArrayLiteral,
    Bare,
    Branches,
    CollectionLiteral,
    Lambda,
    MethodGroup,
    OutVariable,
    TupleLiteral,
    Value,
    is_unknown,
)
from codecortex.analysis.binding.inference.bounds import Bounds
from codecortex.analysis.binding.types.inspect import is_tuple, tuple_elements
from codecortex.analysis.binding.types.substitution import substitute
from codecortex.analysis.binding.types.symbols import UNKNOWN, TypeParameter
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from codecortex.analysis.binding.conversions.delegates import Delegate
    from codecortex.analysis.binding.conversions.expressions import ExpressionConversions
    from codecortex.analysis.binding.conversions.operands import Argument, Expression, Item
    from codecortex.analysis.binding.types.symbols import Substitution, Type


class _Function(NamedTuple):
    """A lambda or a method group that is given to a parameter of a delegate type.

    Attributes:
        expression: The lambda or the group.
        delegate: What the delegate takes and returns.
        inputs: The type parameters that must be fixed before it can be bound.
        outputs: Those of which it tells.
    """

    expression: Lambda | MethodGroup
    delegate: Delegate
    inputs: Sequence[TypeParameter]
    outputs: Sequence[TypeParameter]


class Inferred(NamedTuple):
    """What inference found.

    Attributes:
        given: The type arguments.
        by_function: Whether one of them is known from nothing but the delegate type that a function has of itself.
    """

    given: Substitution
    by_function: bool


class TypeInference:
    """Infers type arguments."""

    def __init__(self, conversions: ExpressionConversions) -> None:
        self._conversions = conversions

    def infer(
        self, parameters: Sequence[TypeParameter], types: Sequence[Type], arguments: Sequence[Argument]
    ) -> Inferred | None:
        """The type arguments of a call; None if inference fails.

        Args:
            parameters: The type parameters.
            types: For each argument the type of its parameter.
            arguments: The arguments.
        """
        bounds = Bounds(self._conversions.types, parameters)
        functions: list[_Function] = []
        for argument, target in zip(arguments, types, strict=True):
            if bounds.mentioned_in(target):
                self._infer_argument(bounds, functions, argument, target)
        if bounds.failed:
            return None
        while len(bounds.fixed) < len(bounds.parameters):
            waiting = self._infer_outputs(bounds, functions)
            if waiting is functions:
                ready = _list_ready(bounds, functions)
                for each in ready:
                    bounds.fix(each)
                if not ready or bounds.failed:
                    return None
            functions = waiting
        return Inferred(bounds.fixed, bounds.by_function)

    # -- the first phase

    def _infer_argument(self, bounds: Bounds, functions: list[_Function], argument: Argument, target: Type) -> None:
        expression = argument.expression
        if isinstance(expression, Value) and argument.mode in ("ref", "out"):
            bounds.infer_exact(expression.type, target)
        else:
            self._infer_expression(bounds, functions, expression, target)

    def _infer_function(
        self, bounds: Bounds, functions: list[_Function], expression: Lambda | MethodGroup, target: Type
    ) -> None:
        delegate = self._conversions.delegate(target)
        written = expression.written_types() if isinstance(expression, Lambda) else None
        if delegate is not None:
            if isinstance(expression, Lambda) and expression.parameters is not None:
                bounds.failed |= len(expression.parameters) != len(delegate.types)  # its body need not be bound for it
            for given, parameter in zip(written or (), delegate.types, strict=False):
                bounds.infer_exact(given, parameter)
            inputs = bounds.list_mentioned(*delegate.types) if written is None else ()
            functions.append(_Function(expression, delegate, inputs, bounds.list_mentioned(delegate.returns)))
        elif isinstance(target, TypeParameter):
            if isinstance(expression, MethodGroup):
                bounds.infer_function(self._conversions.natural_of_group(expression), target)
            elif written is not None:
                bounds.infer_function(self._conversions.natural(expression), target)

    def _infer_expression(
        self, bounds: Bounds, functions: list[_Function], expression: Expression, target: Type
    ) -> None:
        if isinstance(expression, Value):
            bounds.infer_lower(expression.type, target)
        elif isinstance(expression, (Lambda, MethodGroup)):
            self._infer_function(bounds, functions, expression, target)
        elif isinstance(expression, TupleLiteral):
            self._infer_tuple(bounds, functions, expression, target)
        elif isinstance(expression, ArrayLiteral) and (array := self._conversions.natural(expression)) is not UNKNOWN:
            bounds.infer_lower(array, target)
        elif isinstance(expression, (CollectionLiteral, ArrayLiteral)):
            element = self._conversions.element_of_collection(target)
            for item in expression.items if element is not None else ():
                self._infer_item(bounds, functions, item, element or UNKNOWN)
        elif isinstance(expression, Branches):
            natural = self._conversions.natural(expression)
            if natural is not UNKNOWN or any(map(is_unknown, expression.parts)):
                bounds.infer_lower(natural, target)
        elif isinstance(expression, OutVariable):
            if expression.type is not UNKNOWN:
                bounds.infer_exact(expression.type, target)
        elif expression is Bare.UNKNOWN:
            bounds.doubt(target)

    def _infer_item(self, bounds: Bounds, functions: list[_Function], item: Item, element: Type) -> None:
        if item.spread:
            spread = item.expression
            given = self._conversions.resolver.element_of(spread.type) if isinstance(spread, Value) else UNKNOWN
            bounds.infer_lower(given, element)
        else:
            self._infer_expression(bounds, functions, item.expression, element)

    def _infer_tuple(self, bounds: Bounds, functions: list[_Function], literal: TupleLiteral, target: Type) -> None:
        elements = tuple_elements(target)
        if is_tuple(target) and len(elements) == len(literal.parts):
            for part, element in zip(literal.parts, elements, strict=True):
                self._infer_expression(bounds, functions, part, element)
        else:
            natural = self._conversions.natural(literal)
            if natural is not UNKNOWN:
                bounds.infer_lower(natural, target)

    # -- the second phase

    def _infer_outputs(self, bounds: Bounds, functions: list[_Function]) -> list[_Function]:
        """Infer from what functions return whose parameters are all fixed; the functions that still wait."""
        waiting = []
        for function in functions:
            if _are_open(function.inputs, bounds) or not _are_open(function.outputs, bounds):
                waiting.append(function)
                continue
            types = [substitute(each, bounds.fixed) for each in function.delegate.types]
            returned = self._conversions.output(function.expression, types, function.delegate)
            if returned is UNKNOWN:
                bounds.doubt(function.delegate.returns)
            elif returned is not None and returned != self._conversions.known.void:
                bounds.infer_lower(returned, function.delegate.returns)
        return waiting if len(waiting) < len(functions) else functions


def _are_open(parameters: Iterable[TypeParameter], bounds: Bounds) -> bool:
    """Whether one of some type parameters is not fixed."""
    return any(each not in bounds.fixed for each in parameters)


def _list_ready(bounds: Bounds, functions: Sequence[_Function]) -> list[TypeParameter]:
    """The type parameters to fix next: those that depend on no others, else those that functions wait for."""
    open_ = [each for each in bounds.parameters if each not in bounds.fixed and bounds.is_bounded(each)]
    waiting = [each for each in functions if _are_open(each.inputs, bounds)]
    free = [each for each in open_ if not any(each in function.outputs for function in waiting)]
    if free:
        return free
    return [each for each in open_ if any(each in function.inputs for function in waiting)]
