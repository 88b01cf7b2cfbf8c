"""Binds invocations and `nameof`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from codecortex.analysis.binding.body.calls import (
    UNSURE_RECEIVER,
    bind_arguments,
    call_group,
    emit_argument_names,
    finish_arguments,
    finish_for_parameters,
)
from codecortex.analysis.binding.conversions.operands import TEXT, Bare, MethodGroup, TypeName, Value
from codecortex.analysis.binding.expressions.members import Either, bind_member, bind_receiver
from codecortex.analysis.binding.lookup.members import keep_accessible
from codecortex.analysis.binding.scopes.type_syntax import NAMES
from codecortex.analysis.binding.types.symbols import DYNAMIC, MemberKind, Named

if TYPE_CHECKING:
    from collections.abc import Callable

    from codecortex.analysis.binding.body.binder import Binder
    from codecortex.analysis.binding.conversions.operands import Expression
    from codecortex.model.code.syntax import Node


_MATCHED = NAMES - {"alias_qualified_name"}


def bind_invocation(binder: Binder, node: Node) -> Expression:
    """`f(a)`."""
    function, listed = node.field("function"), node.field("arguments")
    if function is not None and function.kind == "is_expression" and _is_matched(function.field("right")):
        binder.pattern(node, binder.value(binder.expression(function.field("left"))))
        return Value(binder.session.types.bool)
    called = binder.expression(function, invoked=True)
    if called is Bare.NAMEOF:
        return _bind_nameof(binder, listed)
    arguments = bind_arguments(binder, listed)
    if isinstance(called, MethodGroup):
        return call_group(binder, called, arguments)
    if isinstance(called, Value):
        delegate = binder.session.conversions.delegate(called.type)
        if delegate is not None:
            if isinstance(called.type, Named):
                emit_argument_names(
                    binder, arguments, called.type.definition, "" if called.certain else UNSURE_RECEIVER
                )
            finish_for_parameters(binder, arguments, delegate.parameters)
            return Value(delegate.returns, called.certain, chained=called.chained)
    finish_arguments(binder, arguments)
    return Value(DYNAMIC) if isinstance(called, Value) and called.type is DYNAMIC else Bare.UNKNOWN


def _is_matched(node: Node | None) -> bool:
    """Whether a type is tested for with parts in brackets: `a is T(b: 1)`, which the grammar takes for a call."""
    return node is not None and node.kind in _MATCHED and node.text != "nameof"


def _bind_nameof(binder: Binder, listed: Node | None) -> Expression:
    """`nameof(a.b)`."""
    for argument in listed.of_kind("argument") if listed is not None else ():
        for node in argument.nodes:
            bind_named(binder, node)
    return Value(binder.session.types.string, constant=TEXT)


def bind_named(binder: Binder, node: Node) -> None:
    """What `nameof` names: of a group of methods, only a single one is certain."""
    with binder.within(binder.frame.within(locals_=binder.frame.nameable)):
        expression = _bind_named(binder, node)
    if isinstance(expression, MethodGroup) and expression.methods:
        doubt = "" if len(expression.methods) == 1 else "a group of methods is named"
        binder.emit(expression.identifier, expression.methods[0].member, doubt)


def _bind_named(binder: Binder, node: Node) -> Expression:
    """What `nameof` names; instance members may be named of a type."""
    left, right = node.field("expression"), node.field("name")
    if node.kind != "member_access_expression" or left is None or right is None:
        return binder.expression(node)
    nested = left.kind == "member_access_expression"
    receiver = _bind_named(binder, left) if nested else bind_receiver(binder, left, right, named=True)
    if isinstance(receiver, Either):
        receiver.settle(None)
        receiver = receiver.value
    named = bind_member(binder, receiver, right)
    if named is Bare.UNKNOWN and isinstance(receiver, TypeName):
        return bind_member(binder, Value(receiver.type), right)
    if isinstance(named, MethodGroup) and isinstance(receiver, TypeName):  # those that need an object are of it, too
        found = binder.session.members.find(receiver.type, named.name).members
        methods = keep_accessible([each for each in found if each.member.kind is MemberKind.METHOD], binder.place)
        return replace(named, methods=methods or named.methods)
    return named


RULES: dict[str, Callable[[Binder, Node], Expression]] = {"invocation_expression": bind_invocation}
"""The rules of invocations."""
