"""Implicit conversions of expressions, and the types that they have by nature."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.binding.conversions.answers import NO, PERHAPS, YES
from codecortex.analysis.binding.conversions.delegates import ANY_DELEGATE, Delegate, delegate_of
from codecortex.analysis.binding.conversions.lambdas import LambdaConversions
from codecortex.analysis.binding.conversions.operands import (
    ArrayLiteral,
    Bare,
    Branches,
    CollectionLiteral,
    Item,
    Lambda,
    MethodGroup,
    NamespaceName,
    OutVariable,
    TargetTypedNew,
    TupleLiteral,
    TypeName,
    Value,
    is_unknown,
)
from codecortex.analysis.binding.conversions.types import OF_ARRAYS
from codecortex.analysis.binding.types.inspect import (
    has_unknown,
    id_of,
    is_opaque,
    is_reference,
    is_tuple,
    nullable_of,
    strip_nullable,
    tuple_elements,
)
from codecortex.analysis.binding.types.substitution import substitute, substitute_parameters
from codecortex.analysis.binding.types.symbols import (
    DYNAMIC,
    NULL,
    UNKNOWN,
    Array,
    Named,
    Parameter,
    Pointer,
    TypeKind,
    TypeParameter,
    has_names,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from codecortex.analysis.binding.conversions.answers import Answer
    from codecortex.analysis.binding.conversions.operands import Expression
    from codecortex.analysis.binding.conversions.resolver import Resolver
    from codecortex.analysis.binding.conversions.types import TypeConversions
    from codecortex.analysis.binding.types.symbols import Type

_INTERPOLATED = frozenset(
    (
        *("System.FormattableString", "System.IFormattable"),
        "System.Runtime.CompilerServices.DefaultInterpolatedStringHandler",
    )
)
_LISTED = "System.Collections.IEnumerable"
_ENUMERABLE = "System.Collections.Generic.IEnumerable`1"
_SPANS = frozenset(("System.Span`1", "System.ReadOnlySpan`1"))


class ExpressionConversions:
    """Implicit conversions of expressions.

    Attributes:
        types: The conversions between types.
        known: The well-known types.
        resolver: What resolves groups and creations; set by who makes both.
    """

    def __init__(self, types: TypeConversions) -> None:
        self.types = types
        self.known = types.types
        self.resolver: Resolver
        self.lambdas = LambdaConversions(self)
        self._delegates: dict[Type, Delegate | None] = {}
        self._kinds: dict[type, Callable[..., Answer]] = {
            Value: self._convert_value,
            Bare: self._convert_bare,
            OutVariable: self.convert_out_variable,
            Lambda: self.lambdas.convert,
            MethodGroup: self._convert_group,
            TargetTypedNew: self._convert_new,
            TupleLiteral: self._convert_tuple,
            Branches: self._convert_branches,
            ArrayLiteral: self._convert_array_literal,
            CollectionLiteral: self._convert_collection,
        }

    def convert(self, expression: Expression, target: Type) -> Answer:
        """Whether an expression converts implicitly to a type."""
        if isinstance(expression, Value):
            return self._convert_value(expression, target)
        if isinstance(expression, (TypeName, NamespaceName)):
            return NO
        waits = isinstance(expression, (Bare, OutVariable))
        if target is UNKNOWN or (is_opaque(target) and not waits):
            return PERHAPS
        return self._kinds[expression.__class__](expression, target)

    def delegate(self, type_: Type) -> Delegate | None:
        """What a delegate type takes and returns."""
        if has_names(type_):
            return delegate_of(type_)
        if type_ not in self._delegates:
            self._delegates[type_] = delegate_of(type_)
        return self._delegates[type_]

    # -- kinds of expressions

    def _convert_value(self, value: Value, target: Type) -> Answer:
        answer = self.types.convert(value.type, target, value.constant)
        if answer == NO and value.interpolated:
            if id_of(target) in _INTERPOLATED or is_handler(target):
                return YES
            if is_opaque(target):
                return PERHAPS
        return answer if value.certain or not answer else PERHAPS

    def _convert_bare(self, bare: Bare, target: Type) -> Answer:
        if bare is Bare.UNKNOWN or bare is Bare.NAMEOF:
            return PERHAPS
        if bare is not Bare.NULL:
            return YES
        reference = is_reference(target)
        if reference or nullable_of(target) is not None or isinstance(target, Pointer):
            return YES
        if reference is False:
            return self.types.convert(NULL, target)
        return NO if isinstance(target, TypeParameter) else PERHAPS

    def convert_out_variable(self, variable: OutVariable, target: Type) -> Answer:
        """Whether a variable that an argument declares is of the type of the parameter."""
        same = variable.type is UNKNOWN or has_unknown(target) or self.types.is_same(variable.type, target)
        return YES if same else NO

    def _convert_group(self, group: MethodGroup, target: Type) -> Answer:
        if group.is_address is not isinstance(target, Pointer) and isinstance(target, (Named, Array, Pointer)):
            return NO
        delegate = self.delegate(target)
        if delegate is None:
            if id_of(target) in ANY_DELEGATE:
                return YES if self.natural_of_group(group) is not UNKNOWN else PERHAPS
            return NO if isinstance(target, (Named, Array, TypeParameter, Pointer)) else PERHAPS
        if any(has_unknown(each) for each in delegate.types):
            return PERHAPS if _could_take(group, len(delegate.parameters)) else NO
        resolution = self.resolver.resolve_group(group, delegate.parameters, delegate.returns)
        if resolution.best is None or delegate.returns == self.known.void:
            return resolution.answer
        return min(resolution.answer, self.convert_returned(resolution.best.returns, delegate.returns))

    def convert_returned(self, returned: Type, wanted: Type) -> Answer:
        """Whether what a method returns converts to what a delegate returns: by identity or reference alone."""
        if has_unknown(wanted) or has_unknown(returned):
            return PERHAPS
        if returned == wanted:
            return YES
        if self.known.void in (returned, wanted) or is_reference(returned) is False:
            return NO
        return self.types.convert(returned, wanted, user_defined=False)

    def _convert_new(self, creation: TargetTypedNew, target: Type) -> Answer:
        """`new(...)` converts to every type that a declaration names, whether that can be created so or not."""
        del creation
        return YES if isinstance(strip_nullable(target), (Named, TypeParameter)) else NO

    def _convert_tuple(self, literal: TupleLiteral, target: Type) -> Answer:
        if target == self.known.object or target is DYNAMIC:
            return YES
        target = strip_nullable(target)
        if is_tuple(target):
            elements = tuple_elements(target)
            if len(elements) != len(literal.parts):
                return NO
            return min(self.convert(part, each) for part, each in zip(literal.parts, elements, strict=True))
        natural = self.natural(literal)
        if natural is not UNKNOWN:
            return self.types.convert(natural, target)
        tuples = (each for each in self.types.list_taken(target) if is_tuple(each))
        return max((self._convert_tuple(literal, each) for each in tuples), default=NO)

    def _convert_branches(self, branches: Branches, target: Type) -> Answer:
        return min((self.convert(part, target) for part in branches.parts), default=PERHAPS)

    def _convert_array_literal(self, literal: ArrayLiteral, target: Type) -> Answer:
        natural = self.natural(literal)
        return self.types.convert(natural, target) if natural is not UNKNOWN else PERHAPS

    def _convert_collection(self, literal: CollectionLiteral, target: Type) -> Answer:
        target = strip_nullable(target)
        element = self.element_of_collection(target, empty=not literal.items)
        if element is None:
            return NO
        return min((self._convert_item(each, element) for each in literal.items), default=YES)

    def _convert_item(self, item: Item, element: Type) -> Answer:
        if not item.spread:
            return self.convert(item.expression, element)
        spread = item.expression
        return self.types.convert(self.resolver.element_of(spread.type), element) if isinstance(spread, Value) else YES

    def element_of_collection(self, target: Type, *, empty: bool = False) -> Type | None:
        """The element type of a type that a collection expression can become, an empty one; None of every other."""
        if isinstance(target, Array):
            return target.element
        if not isinstance(target, Named) or target == self.known.string:
            return None
        if id_of(target) in _SPANS or id_of(target) in OF_ARRAYS:
            return target.arguments[0]
        found = self._element_of_bases(target)
        if target.definition.builder:
            return found or self.resolver.element_of(target)
        if found is None or target.definition.kind is TypeKind.INTERFACE:
            return None
        return found if self.resolver.can_fill(target, empty=empty) else None

    def _element_of_bases(self, target: Named) -> Type | None:
        """What `foreach` takes from a type, as the interfaces tell it that it implements; None if none do."""
        bases, _ = self.types.bases.of(target)
        found = [base.arguments[0] for base in bases if isinstance(base, Named) and base.definition.id == _ENUMERABLE]
        if not found and any(id_of(base) == _LISTED for base in bases):
            return self.known.object
        return found[0] if found else None

    # -- types by nature

    def natural(self, expression: Expression) -> Type:
        """The type that an expression has without a target; unknown if it has none."""
        if isinstance(expression, Value):
            return expression.type if expression.type is not NULL else UNKNOWN
        if isinstance(expression, TupleLiteral):
            types = [self.natural(part) for part in expression.parts]
            return UNKNOWN if UNKNOWN in types else self.known.tuple(types, expression.names)
        if isinstance(expression, Lambda):
            return self.lambdas.natural(expression)
        return self._natural_of_parts(expression)

    def _natural_of_parts(self, expression: Expression) -> Type:
        if isinstance(expression, MethodGroup):
            return self.natural_of_group(expression)
        if isinstance(expression, Branches):
            return self.common(expression.parts)
        if isinstance(expression, ArrayLiteral):
            element = self.common([item.expression for item in expression.items])
            return Array(element) if element is not UNKNOWN else UNKNOWN
        return UNKNOWN

    def natural_of_group(self, group: MethodGroup) -> Type:
        """The delegate type that a group of a single method has."""
        if not group.methods:
            extension = self.resolver.single_extension(group)
            if extension is None:
                return UNKNOWN
            taken = substitute_parameters(extension.member.parameters_after_receiver, extension.given)
            return self.known.function_of(taken, extension.type)
        if len(group.methods) != 1 or len(group.methods[0].member.type_parameters) != len(group.type_arguments):
            return UNKNOWN
        found = group.methods[0]
        given = found.given | dict(zip(found.member.type_parameters, group.type_arguments, strict=True))
        taken = substitute_parameters(found.member.parameters, given)
        return self.known.function_of(taken, substitute(found.member.type, given))

    def common(self, expressions: Iterable[Expression]) -> Type:
        """The best common type of expressions; unknown if there is none, or if one of them is unknown."""
        parts = tuple(expressions)
        if any(map(is_unknown, parts)):
            return UNKNOWN
        natural = (self.natural(part) for part in parts)
        candidates = [each for each in dict.fromkeys(natural) if each is not UNKNOWN]
        if len(candidates) == 1 and all(isinstance(part, Value) or part is Bare.THROW for part in parts):
            return candidates[0]
        fit = [each for each in candidates if all(self.convert(part, each) == YES for part in parts)]
        if len(fit) > 1:
            best = [each for each in fit if all(self.types.convert(other, each) == YES for other in fit)]
            if len(best) > 1:
                return DYNAMIC if DYNAMIC in best else UNKNOWN  # each converts to the other: none is better
            fit = best or fit
        return fit[0] if fit else UNKNOWN

    def output(self, expression: Lambda | MethodGroup, types: Sequence[Type], target: Delegate | None) -> Type | None:
        """What a function returns for parameters of some types; None if nothing tells, unknown if that is unknown."""
        if isinstance(expression, Lambda):
            return self.lambdas.output(expression, tuple(types), target)
        if any(has_unknown(each) for each in types):
            returned = {each.type for each in expression.methods}
            generic = any(each.member.type_parameters for each in expression.methods)
            return returned.pop() if len(returned) == 1 and not generic else UNKNOWN
        modes = [each.mode for each in target.parameters] if target is not None else [""] * len(types)
        parameters = [Parameter("", each, mode) for each, mode in zip(types, modes, strict=False)]
        resolution = self.resolver.resolve_group(expression, parameters)
        if resolution.best is None:
            return None if resolution.known else UNKNOWN
        return resolution.best.returns


def _could_take(group: MethodGroup, count: int) -> bool:
    """Whether one of the methods could take so many arguments."""
    if not group.methods or group.receiver is not None:
        return True
    return any(
        len(each.member.parameters) == count or any(p.is_params or p.optional for p in each.member.parameters)
        for each in group.methods
    )


def is_handler(type_: Type) -> bool:
    """Whether a type takes interpolated strings in parts."""
    return isinstance(type_, Named) and type_.definition.is_handler
