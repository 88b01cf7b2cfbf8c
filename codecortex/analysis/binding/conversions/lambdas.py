"""Conversions of lambdas: to delegate types, by binding their bodies for the delegates' parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.binding.conversions.answers import NO, PERHAPS, YES
from codecortex.analysis.binding.conversions.delegates import ANY_DELEGATE, ANY_EXPRESSION, Delegate
from codecortex.analysis.binding.conversions.operands import (
    Bare,
    Branches,
    CollectionLiteral,
    Lambda,
    MethodGroup,
    TargetTypedNew,
    TupleLiteral,
)
from codecortex.analysis.binding.types.inspect import has_unknown, id_of, is_opaque, strip_nullable
from codecortex.analysis.binding.types.symbols import UNKNOWN, Array, Named, Parameter, TypeKind, TypeParameter

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol

    from codecortex.analysis.binding.conversions.answers import Answer
    from codecortex.analysis.binding.conversions.operands import Expression, LambdaBody
    from codecortex.analysis.binding.conversions.resolver import Resolver
    from codecortex.analysis.binding.types.symbols import Type
    from codecortex.analysis.binding.types.wellknown import WellKnown

    class Conversions(Protocol):
        """The conversions of the results of bodies."""

        known: WellKnown
        resolver: Resolver

        def convert(self, expression: Expression, target: Type) -> Answer:
            """Whether an expression converts."""

        def common(self, expressions: Sequence[Expression]) -> Type:
            """The best common type."""

        def delegate(self, type_: Type) -> Delegate | None:
            """What a delegate type takes and returns."""


_TASK, _VALUE_TASK = "System.Threading.Tasks.Task", "System.Threading.Tasks.ValueTask"
_TASKS = frozenset((_TASK, _VALUE_TASK))
_REFERENCES = frozenset(("ref", "out"))
_TELLS_NOTHING = (Bare.NULL, Bare.DEFAULT, Bare.THROW)
_WITHOUT_TYPE = (Lambda, MethodGroup, TargetTypedNew, CollectionLiteral)
"""What tells no type where it is returned, functions included that have one of themselves."""


class LambdaConversions:
    """Conversions of lambdas."""

    def __init__(self, conversions: Conversions) -> None:
        self._conversions = conversions

    def convert(self, expression: Lambda, target: Type) -> Answer:
        """Whether a lambda converts to a type."""
        delegate = self._conversions.delegate(target)
        if delegate is None:
            if id_of(target) in ANY_DELEGATE or id_of(target) in ANY_EXPRESSION:
                return YES if expression.written_types() is not None else NO
            return NO if isinstance(target, (Named, Array, TypeParameter)) else PERHAPS
        types = parameter_types(expression, delegate.parameters)
        if types is None or (expression.is_async and not self._returns_task(delegate.returns)):
            return NO
        returned = expression.returns
        if returned not in (None, delegate.returns) and not any(map(has_unknown, (returned, delegate.returns))):
            return NO
        body = expression.bind(types)
        answer = PERHAPS if any(map(has_unknown, types)) else YES
        return NO if body.errors else min(answer, self._convert_results(expression, body, delegate.returns))

    def _convert_results(  # noqa: PLR0911 - one exit for each kind of result
        self, expression: Lambda, body: LambdaBody, wanted: Type
    ) -> Answer:
        """Whether what a body returns converts to a delegate's return type."""
        if wanted == self._conversions.known.void or (expression.is_async and id_of(wanted) in _TASKS):
            return YES if _returns_nothing(body) else NO
        if expression.is_async and is_opaque(wanted) and isinstance(wanted, Named) and not wanted.arguments:
            return PERHAPS  # it may be like a task
        ends = body.ends if body.is_block else body.is_void
        if ends:
            return NO
        if expression.is_async:
            if isinstance(wanted, Named) and wanted.arguments:
                wanted = wanted.arguments[0]
            elif wanted is not UNKNOWN:
                return NO
        if has_unknown(wanted) or ends is None:
            return PERHAPS if body.results or ends is None else YES
        created = [each for each in body.results if isinstance(each, TargetTypedNew)]
        if not all(self._conversions.resolver.can_create(each, strip_nullable(wanted)) for each in created):
            return NO
        return min((self._conversions.convert(each, wanted) for each in body.results), default=YES)

    def _returns_task(self, returns: Type) -> bool:
        """Whether an asynchronous lambda can return a type."""
        if returns == self._conversions.known.void or returns is UNKNOWN or isinstance(returns, TypeParameter):
            return True
        if not isinstance(returns, Named) or is_opaque(returns):
            return isinstance(returns, Named)
        definition = returns.definition
        threading = definition.namespace == "System.Threading.Tasks" and definition.kind is not TypeKind.INTERFACE
        return definition.name.endswith("Task") or threading

    def natural(self, expression: Lambda) -> Type:
        """The delegate type that a lambda has whose parameters have written types."""
        types = expression.written_types()
        if types is None:
            return UNKNOWN
        returned = self.output(expression, types, None)
        if returned is None:
            body = expression.bind(types)
            nothing = not body.results and (body.is_block or (body.is_void and not body.unknowns))
            returned = self._conversions.known.void if nothing else self._natural_of_functions(expression, body)
        if returned is UNKNOWN:
            return UNKNOWN
        own = expression.parameters or ()
        parameters = [Parameter(each.name, type_, each.mode) for each, type_ in zip(own, types, strict=True)]
        return self._conversions.known.function_of(parameters, returned)

    def _natural_of_functions(self, expression: Lambda, body: LambdaBody) -> Type:
        """The type of what a body returns that tells none where types are inferred: of functions that have one."""
        functions = all(isinstance(each, (Lambda, MethodGroup)) for each in body.results)
        told = functions and not expression.is_async
        return self._conversions.common(body.results) if told else UNKNOWN

    def output(self, expression: Lambda, types: tuple[Type, ...], target: Delegate | None) -> Type | None:
        """What a lambda returns for parameters of some types; None if nothing tells, unknown if that is unknown."""
        if expression.returns is not None:
            return expression.returns
        body, known = expression.bind(types), self._conversions.known
        if not body.results and body.ends is not None:
            return known.get(_TASK) if expression.is_async and (body.ends or body.is_void) else None
        if body.results and all(map(_tells_nothing, body.results)):
            return None
        common = self._conversions.common(body.results)
        if not expression.is_async or common is UNKNOWN:
            return common
        wanted = target.returns if target is not None else None
        if isinstance(wanted, Named) and len(wanted.arguments) == 1:
            return Named(wanted.definition, (common,))
        return known.get(f"{_TASK}`1", common)


def parameter_types(expression: Lambda, parameters: Sequence[Parameter]) -> tuple[Type, ...] | None:
    """The types of a lambda's parameters for a delegate's; None if they do not fit."""
    own = expression.parameters
    if own is None:
        return None if any(each.mode == "out" for each in parameters) else tuple(each.type for each in parameters)
    if len(own) != len(parameters):
        return None
    types = []
    for (_, written, mode, _), parameter in zip(own, parameters, strict=True):
        if mode != parameter.mode and (written is None or not _REFERENCES.isdisjoint((mode, parameter.mode))):
            return None
        if written not in (None, UNKNOWN, parameter.type) and not has_unknown(parameter.type):
            return None
        types.append(parameter.type if written is None else written)
    return tuple(types)


def _tells_nothing(expression: Expression) -> bool:
    """Whether an expression has no type of its own, whatever the names in it mean."""
    if isinstance(expression, Branches):
        return all(map(_tells_nothing, expression.parts))
    if isinstance(expression, TupleLiteral):
        return any(map(_tells_nothing, expression.parts))
    return expression in _TELLS_NOTHING or isinstance(expression, _WITHOUT_TYPE)


def _returns_nothing(body: LambdaBody) -> bool:
    """Whether a body fits a delegate that returns nothing."""
    if body.is_block:
        return not body.results
    return not body.results or body.is_statement
