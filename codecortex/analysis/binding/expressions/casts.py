"""Binds casts and tests of types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.binding.conversions.answers import NO, YES
from codecortex.analysis.binding.conversions.constants import fit, is_literal
from codecortex.analysis.binding.conversions.numbers import WIDENING
from codecortex.analysis.binding.conversions.operands import (
    NUMBER,
    TEXT,
    Bare,
    Value,
)
from codecortex.analysis.binding.expressions.names import doubt_constant
from codecortex.analysis.binding.expressions.user_operators import CONVERSIONS, operators_of
from codecortex.analysis.binding.scopes.type_syntax import NAMES
from codecortex.analysis.binding.types.inspect import (
    id_of,
    is_kind,
    nullable_of,
    strip_nullable,
)
from codecortex.analysis.binding.types.substitution import substitute
from codecortex.analysis.binding.types.symbols import NULL, UNKNOWN, Pointer, TypeKind
from codecortex.model.code.bindings import BindingRole

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from codecortex.analysis.binding.body.binder import Binder
    from codecortex.analysis.binding.conversions.answers import Answer
    from codecortex.analysis.binding.conversions.operands import Expression
    from codecortex.analysis.binding.types.symbols import Member, Type
    from codecortex.model.code.syntax import Node


def bind_cast(binder: Binder, node: Node) -> Expression:
    """`(T)a`."""
    typed, value = node.field("type"), node.field("value")
    if typed is None or value is None:
        return Bare.UNKNOWN
    type_ = binder.type(typed)
    operand = binder.expression(value)
    binder.finish(operand, type_)
    if isinstance(operand, Value):
        _convert_explicitly(binder, operand, type_, node.start)
        text = operand.constant == TEXT and type_ == binder.session.types.string
        return Value(type_, constant=TEXT if text else _cast_constant(operand, value, type_))
    return Value(type_)


def _cast_constant(operand: Value, node: Node, target: Type) -> int | str | None:
    """What a cast makes of a constant; of a real one only that it is some number is known."""
    if is_kind(target, TypeKind.ENUM):
        return NUMBER if operand.constant is not None else None
    known = NUMBER if operand.constant is None and is_literal(node) and id_of(operand.type) in WIDENING else None
    return fit(operand.constant if known is None else known, id_of(target))


def _convert_explicitly(binder: Binder, operand: Value, target: Type, start: int) -> None:
    """Keep the user-defined conversion that a cast names, if there is one and the language itself converts neither way.

    Of those that take what the operand converts to or from, and make what the target converts to or from, it is the
    one from the most specific source to the most specific target.
    """
    source, convert = operand.type, binder.session.conversions.types.convert
    if source in (NULL, UNKNOWN) or target is UNKNOWN or not operand.certain:
        return
    if _is_of_language(strip_nullable(source), strip_nullable(target)):
        return
    if convert(source, target, user_defined=False) != NO or convert(target, source, user_defined=False) != NO:
        return
    found: list[tuple[Type, Type, Member]] = []
    for name in CONVERSIONS:
        seen: set[Type] = set()
        for type_ in (strip_nullable(source), strip_nullable(target)):
            for each in operators_of(binder, type_, name, seen):
                taken = substitute(each.member.parameters[0].type, each.given)
                if _is_near(convert, source, taken) and _is_near(convert, target, each.type):
                    found.append((taken, each.type, each.member))
    takes = _most_specific([each[0] for each in found], source, convert, outer=False)
    makes = _most_specific([each[1] for each in found], target, convert, outer=True)
    chosen = [member for taken, made, member in found if taken == takes and made == makes]
    if len(chosen) == 1:
        lifted = nullable_of(source) is not None and makes == nullable_of(target)
        doubt = "" if lifted or makes == target else "what the operator makes is converted once more"
        binder.emit_implied(start, chosen[0], BindingRole.OPERATOR, doubt)


def _is_of_language(source: Type, target: Type) -> bool:
    """Whether the language itself casts a type to another: numbers and pointers to each other."""
    return all(isinstance(each, Pointer) or id_of(each) in WIDENING for each in (source, target))


def _is_near(convert: Callable[..., Answer], one: Type, other: Type) -> bool:
    """Whether the language itself surely converts one of two types to the other."""
    return YES in (convert(one, other, user_defined=False), convert(other, one, user_defined=False))


def _most_specific(types: Iterable[Type], wanted: Type, convert: Callable[..., Answer], *, outer: bool) -> Type | None:
    """The type that comes nearest to one; None if no single one does.

    Args:
        types: All types that come near.
        wanted: The type to which or from which they convert.
        convert: The conversions of the language itself.
        outer: Whether those count first that convert to the wanted one; else those to which it converts.
    """
    candidates = list(dict.fromkeys(types))
    if wanted in candidates:
        return wanted

    def converts(one: Type, other: Type) -> bool:
        return convert(*((one, other) if outer else (other, one)), user_defined=False) == YES

    inside = [each for each in candidates if converts(each, wanted)]
    if inside:  # the nearest of them is the one that all others convert to, or that converts to all
        fit = [each for each in inside if all(converts(other, each) for other in inside)]
    else:
        fit = [each for each in candidates if all(converts(each, other) for other in candidates)]
    return fit[0] if len(fit) == 1 else None


def bind_as(binder: Binder, node: Node) -> Expression:
    """`a as T`."""
    binder.discard(node.field("left"))
    return Value(binder.type(node.field("right")))


def bind_is(binder: Binder, node: Node) -> Expression:
    """`a is T`; where no type of the name is known, `a is B.C` tests for a constant."""
    left, right = node.field("left"), node.field("right")
    value = binder.value(binder.expression(left))
    named = right is not None and right.kind in NAMES
    if named and right is not None and binder.session.syntax.find(right, binder.frame.scope) is None:
        binder.finish(binder.expression(right), value.type)
        doubt_constant(binder, right)
    elif right is not None and right.kind == "tuple_type":
        binder.pattern(right, value)
    else:
        binder.type(right)
    return Value(binder.session.types.bool)


def bind_is_pattern(binder: Binder, node: Node) -> Expression:
    """`a is P`."""
    value = binder.value(binder.expression(node.field("expression")))
    binder.pattern(node.field("pattern"), value)
    return Value(binder.session.types.bool)


RULES: dict[str, Callable[[Binder, Node], Expression]] = {
    "cast_expression": bind_cast,
    "as_expression": bind_as,
    "is_expression": bind_is,
    "is_pattern_expression": bind_is_pattern,
}
"""The rules of casts and tests."""
