"""Binds what waited for its target type, once that is known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.binding.body.calls import constructors_of, resolve
from codecortex.analysis.binding.conversions.operands import (
    ArrayLiteral,
    Branches,
    CollectionLiteral,
    Lambda,
    MethodGroup,
    TargetTypedNew,
    TupleLiteral,
    Value,
)
from codecortex.analysis.binding.conversions.types import READ_ONLY_SPAN, SPANS
from codecortex.analysis.binding.expressions.collections import emit_written_names
from codecortex.analysis.binding.expressions.creation import finish_target_typed
from codecortex.analysis.binding.types.inspect import id_of, strip_nullable, tuple_elements
from codecortex.analysis.binding.types.symbols import UNKNOWN, Named, TypeKind
from codecortex.model.code.bindings import BindingRole

if TYPE_CHECKING:
    from codecortex.analysis.binding.body.binder import Binder
    from codecortex.analysis.binding.conversions.operands import Expression
    from codecortex.analysis.binding.types.symbols import Member, Type

_INITIALIZER = "initializer_expression"
_GROUP = "a group of methods is named"


def finish(binder: Binder, expression: Expression, target: Type) -> None:
    """Bind an expression for its target."""
    if isinstance(expression, Lambda):
        _finish_lambda(binder, expression, target)
    elif isinstance(expression, MethodGroup):
        _finish_group(binder, expression, target)
    elif isinstance(expression, TargetTypedNew):
        finish_target_typed(binder, expression, strip_nullable(target))
    elif isinstance(expression, (CollectionLiteral, ArrayLiteral)):
        _finish_items(binder, expression, target)
    elif isinstance(expression, TupleLiteral):
        elements = tuple_elements(strip_nullable(target))
        for at, part in enumerate(expression.parts):
            element = elements[at] if at < len(elements) else binder.session.conversions.natural(part)
            binder.finish(part, element)
        emit_written_names(binder, expression, target)
    elif isinstance(expression, Branches):
        for part in expression.parts:
            binder.finish(part, target)


def _finish_lambda(binder: Binder, expression: Lambda, target: Type) -> None:
    delegate = binder.session.conversions.delegate(target)
    types = delegate.types if delegate is not None else ()
    if expression.parameters is None:
        types = ()
    expression.finish(types, delegate.returns if delegate is not None else UNKNOWN)


def _finish_group(binder: Binder, group: MethodGroup, target: Type) -> None:
    certain = group.certain and not (isinstance(group.receiver, Value) and not group.receiver.certain)
    delegate = binder.session.conversions.delegate(target)
    if delegate is not None:
        resolution = binder.session.conversions.resolver.resolve_group(group, delegate.parameters, delegate.returns)
        if resolution.best is not None:
            sure = certain and (resolution.certain or len(group.methods) == 1)
            if group.settle is not None:
                group.settle(resolution.best.member.is_static if sure else None)
            binder.emit(group.identifier, resolution.best.member, "" if sure else _GROUP)
            return
    if group.methods:
        sure = certain and group.known and len(group.methods) == 1
        binder.emit(group.identifier, group.methods[0].member, "" if sure else _GROUP)
    else:
        extension = binder.session.conversions.resolver.single_extension(group)
        if extension is not None:
            binder.emit(group.identifier, extension.member, "" if certain else _GROUP)
        else:
            binder.emit_unknown(group.identifier, "no method of this name is known")


def _make_collection(binder: Binder, literal: CollectionLiteral, target: Named) -> None:
    """Keep what makes the collection: a method that an attribute names, else the constructor of a class or a struct."""
    definition = target.definition
    if literal.node.kind != "collection_expression":
        return
    if definition.builder:
        binder.emit_implied(literal.node.start, _find_builder(binder, target), BindingRole.IMPLIED)
        return
    if definition.kind not in (TypeKind.CLASS, TypeKind.STRUCT) or definition.id in SPANS:
        return
    if binder.session.conversions.element_of_collection(target, empty=not literal.items) is None:
        return
    made = resolve(binder, constructors_of(binder, target), ()).best
    if made is not None:
        binder.emit_implied(literal.node.start, made.member, BindingRole.IMPLIED)


def _find_builder(binder: Binder, target: Named) -> Member | None:
    """The method that makes a collection of a span of its elements; None if not one such is known."""
    named = target.definition.find_builder()
    found = binder.session.members.find(*named).members if named is not None else ()
    fit = [each.member for each in found if len(each.member.type_parameters) == len(target.arguments)]
    fit = [each for each in fit if [id_of(one.type) for one in each.parameters] == [READ_ONLY_SPAN]]
    return fit[0] if len(fit) == 1 else None


def _finish_items(binder: Binder, literal: CollectionLiteral | ArrayLiteral, target: Type) -> None:
    if isinstance(literal, CollectionLiteral) and isinstance(target, Named):
        _make_collection(binder, literal, target)
    element = binder.session.conversions.element_of_collection(target) or UNKNOWN
    for item in literal.items:
        inner = item.expression
        row = isinstance(inner, CollectionLiteral) and inner.node.kind == _INITIALIZER  # of an array of several ranks
        binder.finish(inner, target if item.spread or row else element)
