"""Binds assignments and what declares variables among expressions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.binding.body.protocols import deconstruct, deconstruct_type, emit_deconstruction
from codecortex.analysis.binding.conversions.answers import NO
from codecortex.analysis.binding.conversions.numbers import WIDENING
from codecortex.analysis.binding.conversions.operands import Bare, Lambda, OutVariable, TupleLiteral, Value, is_certain
from codecortex.analysis.binding.declarations.members import BINARY
from codecortex.analysis.binding.expressions.creation import name_elements
from codecortex.analysis.binding.expressions.operators import apply_binary, follow_pointer
from codecortex.analysis.binding.expressions.user_operators import Target, apply_assigning_operator, apply_user_operator
from codecortex.analysis.binding.types.inspect import has_unknown, id_of, is_kind, strip_nullable
from codecortex.analysis.binding.types.symbols import UNKNOWN, TypeKind
from codecortex.model.code.syntax import CONDITIONAL

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from codecortex.analysis.binding.body.binder import Binder
    from codecortex.analysis.binding.conversions.operands import Expression
    from codecortex.analysis.binding.types.symbols import Type
    from codecortex.model.code.syntax import Node


def bind_assignment(binder: Binder, node: Node) -> Expression:
    """`a = b`, `a += b`, `(a, b) = c`, `a?.b = c`, whose value is lifted."""
    left = node.field("left")
    if left is None:
        return Bare.UNKNOWN
    if left.kind == "tuple_expression" and node.sign == "=":
        return _assign_tuple(binder, left, node.field("right"))
    bound = _bind_assignment(binder, node, left)
    if isinstance(bound, Value) and _find_access(node) > node.start:
        return Value(binder.session.types.nullable(bound.type), bound.certain)
    return bound


def _find_access(node: Node) -> int:
    """Where the access begins that is assigned to: after the last `?` of its target."""
    target = node.field("left")
    if target is None or CONDITIONAL not in target.source[target.start : target.end]:
        return node.start
    while True:
        before = target.field("expression") or target.field("function")
        if before is None:
            break
        after = next((each for each in target.nodes if each.start >= before.end), None)
        if after is not None and CONDITIONAL in target.source[before.end : after.start]:
            return target.source.find(CONDITIONAL, before.end) + 1
        target = before
    return node.start


def _bind_assignment(binder: Binder, node: Node, left: Node) -> Expression:
    right, sign = node.field("right"), node.sign
    if left.text == "_" and left.kind == "identifier" and binder.frame.locals.find("_") is None:
        return binder.value(binder.expression(right))
    target = binder.expression(left)
    value = binder.expression(right)
    type_ = target.type if isinstance(target, Value) else UNKNOWN
    if not isinstance(target, Value) or type_ is UNKNOWN:
        binder.finish(value, type_)
        return Bare.UNKNOWN
    if sign[:-1] in BINARY:
        _assign_operation(binder, Target(left, target, _find_access(node)), sign[:-1], value)
        return Value(type_, target.certain)
    binder.finish(value, type_)
    if sign == "=":
        binder.errors += target.certain and _is_unfit(binder, value, type_)
    elif sign == "??=" and not _is_unfit(binder, value, strip_nullable(type_)):
        return Value(strip_nullable(type_), target.certain)
    return Value(type_, target.certain)


def _assign_operation(binder: Binder, target: Target, sign: str, value: Expression) -> None:
    """`a += b`: the operator that it means, if the language itself has none."""
    changed, name = target.value, f"op_{BINARY[sign]}"
    if not isinstance(value, Value):
        joined = is_kind(changed.type, TypeKind.DELEGATE)
        made = None if joined else apply_user_operator(binder, name, (changed, value), target.start)
        if made is None or made.type is UNKNOWN:
            binder.finish(value, changed.type)
        return
    built_in = WIDENING.keys() >= {id_of(changed.type), id_of(value.type)}
    if not built_in and not apply_assigning_operator(binder, sign, target, (value,)):
        apply_user_operator(binder, name, (changed, value), target.start)


def assign(binder: Binder, value: Expression, type_: Type) -> None:
    """Bind a value for what it is assigned to; if it does not convert, that is an error."""
    binder.finish(value, type_)
    binder.errors += _is_unfit(binder, value, type_)


def _is_unfit(binder: Binder, value: Expression, type_: Type) -> bool:
    known = type_ is not UNKNOWN and not has_unknown(type_) and not isinstance(value, Lambda) and is_certain(value)
    return known and binder.session.conversions.convert(value, type_) == NO


def _assign_tuple(binder: Binder, left: Node, right: Node | None) -> Expression:
    """`(a, var b) = c`: what the targets are then."""
    value, at = binder.expression(right), left.source.find(b"=", left.end)
    if isinstance(value, TupleLiteral) and len(value.parts) == len(left.of_kind("argument")):
        type_ = _assign_literal(binder, left, value, at)
        return Value(type_, type_ is not UNKNOWN)
    made = binder.value(value)
    return Value(assign_parts(binder, left, made, at), made.certain)


def _assign_literal(binder: Binder, left: Node, literal: TupleLiteral, at: int) -> Type:
    """Assign each part of a tuple that is written out: what waits in it for a type gets that of its target."""
    targets = _list_targets(left)
    types: list[Type] = []
    for target, part in zip(targets, literal.parts, strict=True):
        if target is not None and target.kind == "tuple_expression" and isinstance(part, TupleLiteral):
            types.append(_assign_literal(binder, target, part, at))
            continue
        type_ = binder.session.conversions.natural(part)
        types.append(_assign_part(binder, target, Value(type_, type_ is not UNKNOWN), at))
        binder.finish(part, types[-1])
    return _type_targets(binder, targets, types)


def assign_parts(binder: Binder, left: Node, value: Value, at: int) -> Type:
    """Assign the parts of a value to a tuple of targets; what takes values apart is kept at an offset."""
    targets = _list_targets(left)
    parts = deconstruct_type(binder, value.type, len(targets))
    emit_deconstruction(binder, at, parts, value)
    given = zip(targets, parts.types, strict=True)
    types = [_assign_part(binder, each, Value(type_, value.certain), at) for each, type_ in given]
    return _type_targets(binder, targets, types)


def _list_targets(left: Node) -> list[Node | None]:
    return [each.nodes[-1] if each.nodes else None for each in left.of_kind("argument")]


def _type_targets(binder: Binder, targets: Sequence[Node | None], types: Sequence[Type]) -> Type:
    names = name_elements(targets, [None] * len(targets))
    return binder.session.types.tuple(types, [name if name != "_" else None for name in names])


def _assign_part(binder: Binder, target: Node | None, value: Value, at: int) -> Type:
    """Assign a value to one target; the type of the target, or of the value where that has none."""
    if target is None:
        return value.type
    if target.kind == "declaration_expression":
        return declare_expression(binder, target, value.type, certain=value.certain)
    if target.kind == "tuple_expression":
        return assign_parts(binder, target, value, at)
    if target.kind == "tuple_pattern":
        deconstruct(binder, target, value, at)
    elif target.text != "_" or binder.frame.locals.find("_") is not None:
        bound = binder.expression(target)
        return bound.type if isinstance(bound, Value) and bound.type is not UNKNOWN else value.type
    return value.type


def declare_expression(binder: Binder, node: Node, type_: Type, *, certain: bool = True) -> Type:
    """`var a` or `T a` among targets; its type."""
    typed, name = node.field("type"), node.field("name")
    inferred = typed is None or typed.kind == "implicit_type"
    declared = type_ if inferred else binder.type(typed)
    if name is not None and name.kind == "identifier":
        binder.declare(name, declared, certain=certain or not inferred)
    return declared


def bind_declaration(binder: Binder, node: Node) -> Expression:
    """`T a` alone; `a * b` and `a * *b`, which the grammar takes for the declaration of a pointer."""
    typed, name = node.field("type"), node.field("name")
    inner = typed.field("type") if typed is not None and typed.kind == "pointer_type" else None
    if inner is not None and name is not None:
        operand = binder.expression(name)
        while inner is not None and inner.kind == "pointer_type":
            operand = follow_pointer(operand) if isinstance(operand, Value) else operand
            inner = inner.field("type")
        return apply_binary(binder, ("*", node.start), binder.expression(inner), operand)
    declare_expression(binder, node, UNKNOWN)
    return OutVariable(UNKNOWN)


RULES: dict[str, Callable[[Binder, Node], Expression]] = {
    "assignment_expression": bind_assignment,
    "declaration_expression": bind_declaration,
}
"""The rules of assignments."""
