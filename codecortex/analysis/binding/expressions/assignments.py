"""Binds assignments and what declares variables among expressions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.binding.body.protocols import deconstruct_type
from codecortex.analysis.binding.conversions.answers import NO
from codecortex.analysis.binding.conversions.numbers import WIDENING
from codecortex.analysis.binding.conversions.operands import Bare, Lambda, OutVariable, TupleLiteral, Value
from codecortex.analysis.binding.declarations.members import BINARY
from codecortex.analysis.binding.expressions.operators import apply_binary, apply_user_operator, sign_of
from codecortex.analysis.binding.types.inspect import has_unknown, id_of, strip_nullable
from codecortex.analysis.binding.types.symbols import UNKNOWN
from codecortex.model.code.bindings import BindingRole

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from codecortex.analysis.binding.body.binder import Binder
    from codecortex.analysis.binding.conversions.operands import Expression
    from codecortex.analysis.binding.types.symbols import Type
    from codecortex.model.code.syntax import Node


def bind_assignment(binder: Binder, node: Node) -> Expression:
    """`a = b`, `a += b`, `(a, b) = c`."""
    left, right, sign = node.field("left"), node.field("right"), sign_of(node)
    if left is None:
        return Bare.UNKNOWN
    if left.kind == "tuple_expression" and sign == "=":
        return _assign_tuple(binder, left, right)
    if left.text == "_" and left.kind == "identifier" and binder.frame.locals.find("_") is None:
        return binder.value(binder.expression(right))
    target = binder.expression(left)
    value = binder.expression(right)
    type_ = target.type if isinstance(target, Value) else UNKNOWN
    binder.finish(value, type_)
    if not isinstance(target, Value) or type_ is UNKNOWN:
        return Bare.UNKNOWN
    if sign == "=":
        known = target.certain and not has_unknown(type_) and not isinstance(value, Lambda)
        binder.errors += known and binder.session.conversions.convert(value, type_) == NO
    elif isinstance(value, Value) and sign[:-1] in BINARY and id_of(type_) not in WIDENING:
        apply_user_operator(binder, f"op_{BINARY[sign[:-1]]}", (target, value), node.start)
    return Value(strip_nullable(type_) if sign == "??=" else type_, target.certain)


def _assign_tuple(binder: Binder, left: Node, right: Node | None) -> Expression:
    """`(a, var b) = c`."""
    value = binder.expression(right)
    types: Sequence[Type] | None = None
    if isinstance(value, TupleLiteral):
        types = [binder.session.conversions.natural(part) for part in value.parts]
    made = binder.value(value)
    assign_parts(binder, left, made, left.source.find(b"=", left.end), types)
    return made


def assign_parts(binder: Binder, left: Node, value: Value, at: int, types: Sequence[Type] | None = None) -> None:
    """Assign the parts of a value to a tuple of targets; what takes values apart is kept at an offset."""
    targets = left.of_kind("argument")
    if types is None or len(types) != len(targets):
        parts = deconstruct_type(binder, value.type, len(targets))
        binder.emit_implied(at, parts.member, BindingRole.IMPLIED)
        types = parts.types
    for argument, type_ in zip(targets, types, strict=True):
        target = argument.nodes[-1] if argument.nodes else None
        if target is None:
            continue
        if target.kind == "declaration_expression":
            declare_expression(binder, target, type_, certain=value.certain)
        elif target.kind == "tuple_expression":
            assign_parts(binder, target, Value(type_, value.certain), at)
        elif target.text != "_" or binder.frame.locals.find("_") is not None:
            binder.expression(target)


def declare_expression(binder: Binder, node: Node, type_: Type, *, certain: bool = True) -> None:
    """`var a` or `T a` among targets."""
    typed, name = node.field("type"), node.field("name")
    inferred = typed is None or typed.kind == "implicit_type"
    declared = type_ if inferred else binder.type(typed)
    if name is not None and name.kind == "identifier":
        binder.declare(name, declared, certain=certain or not inferred)


def bind_declaration(binder: Binder, node: Node) -> Expression:
    """`T a` alone; `a * b`, which the grammar takes for the declaration of a pointer."""
    typed, name = node.field("type"), node.field("name")
    inner = typed.field("type") if typed is not None and typed.kind == "pointer_type" else None
    if inner is not None and name is not None:
        return apply_binary(binder, ("*", inner.end), binder.expression(inner), binder.expression(name))
    declare_expression(binder, node, UNKNOWN)
    return OutVariable(UNKNOWN)


RULES: dict[str, Callable[[Binder, Node], Expression]] = {
    "assignment_expression": bind_assignment,
    "declaration_expression": bind_declaration,
}
"""The rules of assignments."""
