"""Binds element accesses: `a[b]`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.binding.body.calls import bind_arguments, finish_arguments, resolve
from codecortex.analysis.binding.conversions.operands import Bare, Value
from codecortex.analysis.binding.types.inspect import has_unknown, id_of
from codecortex.analysis.binding.types.symbols import DYNAMIC, UNKNOWN, Array, MemberKind, Pointer
from codecortex.model.code.bindings import BindingRole

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from codecortex.analysis.binding.body.binder import Binder
    from codecortex.analysis.binding.conversions.operands import Argument, Expression
    from codecortex.model.code.syntax import Node

_RANGE, _INDEX = "System.Range", "System.Index"


def bind_element_access(binder: Binder, node: Node) -> Expression:
    """`a[b]`."""
    receiver = binder.value(binder.expression(node.field("expression")))
    subscript = node.field("subscript")
    return bind_index(binder, receiver, subscript, subscript.start) if subscript is not None else Bare.UNKNOWN


def bind_index(binder: Binder, receiver: Value, subscript: Node, start: int | None = None) -> Expression:
    """Bind the arguments in brackets, and the indexer that they choose; that is kept at an offset, if one is given."""
    arguments = bind_arguments(binder, subscript)
    type_ = receiver.type
    index = id_of(arguments[0].expression.type) if arguments and isinstance(arguments[0].expression, Value) else ""
    if isinstance(type_, (Array, Pointer)):
        finish_arguments(binder, arguments)
        sliced = index == _RANGE and len(arguments) == 1
        return Value(type_ if sliced else type_.element, receiver.certain, chained=receiver.chained)
    if type_ is UNKNOWN or type_ is DYNAMIC:
        finish_arguments(binder, arguments)
        return Value(DYNAMIC) if type_ is DYNAMIC else Bare.UNKNOWN
    return _bind_indexer(binder, receiver, arguments, start) or _bind_implied(binder, receiver, index)


def _bind_indexer(binder: Binder, receiver: Value, arguments: Sequence[Argument], start: int | None) -> Value | None:
    found = binder.session.members.find(receiver.type, "this[]")
    indexers = [each for each in found.members if each.member.kind is MemberKind.INDEXER]
    resolution = resolve(binder, indexers, arguments)
    best = resolution.best
    if best is not None:
        finish_arguments(binder, arguments, best.types, certain=resolution.certain)
        sure = receiver.certain and (resolution.certain or (resolution.alone and found.known))
        if start is not None:
            binder.emit_implied(start, best.member, BindingRole.INDEXER, "" if sure else "the overload is not certain")
        certain = receiver.certain and (resolution.certain or resolution.same_type or len(indexers) == 1)
        return Value(best.returns, certain, chained=receiver.chained)
    known = all(each.expression is not Bare.UNKNOWN for each in arguments)
    special = arguments and isinstance(arguments[0].expression, Value)
    implied = special and id_of(arguments[0].expression.type) in (_RANGE, _INDEX)  # type: ignore[union-attr]
    if receiver.certain and found.known and known and not implied and not has_unknown(receiver.type):
        binder.errors += 1
    finish_arguments(binder, arguments)
    return None


def _bind_implied(binder: Binder, receiver: Value, index: str) -> Expression:
    """Indexing from the end and slicing, which the language implies of `this[int]` and `Slice`."""
    if index == _RANGE:
        if receiver.type == binder.session.types.string:
            return receiver
        sliced = binder.session.members.find(receiver.type, "Slice").members
        return Value(sliced[0].type, receiver.certain, chained=receiver.chained) if sliced else Bare.UNKNOWN
    if index == _INDEX:
        indexers = binder.session.members.find(receiver.type, "this[]").members
        return Value(indexers[0].type, receiver.certain, chained=receiver.chained) if indexers else Bare.UNKNOWN
    return Bare.UNKNOWN


RULES: dict[str, Callable[[Binder, Node], Expression]] = {"element_access_expression": bind_element_access}
"""The rules of element accesses."""
