"""Binds element accesses: `a[b]`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.binding.body.calls import bind_arguments, emit_argument_names, finish_arguments, resolve
from codecortex.analysis.binding.body.certainty import list_settled
from codecortex.analysis.binding.conversions.answers import NO
from codecortex.analysis.binding.conversions.operands import Bare, Value
from codecortex.analysis.binding.conversions.types import SPAN
from codecortex.analysis.binding.expressions.names import SELF
from codecortex.analysis.binding.types.inspect import has_unknown, id_of
from codecortex.analysis.binding.types.substitution import inline_element_of
from codecortex.analysis.binding.types.symbols import DYNAMIC, UNKNOWN, Array, MemberKind, Pointer
from codecortex.model.code.bindings import BindingRole

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from codecortex.analysis.binding.body.binder import Binder
    from codecortex.analysis.binding.conversions.operands import Argument, Expression
    from codecortex.analysis.binding.lookup.members import FoundMember, FoundMembers
    from codecortex.analysis.binding.types.symbols import Type
    from codecortex.model.code.syntax import Node

_RANGE, _INDEX = "System.Range", "System.Index"
_INDEXER = "this[]"
_UNSURE = "the overload is not certain"


def bind_element_access(binder: Binder, node: Node) -> Expression:
    """`a[b]`."""
    indexed, subscript = node.field("expression"), node.field("subscript")
    receiver = binder.value(binder.expression(indexed))
    if indexed is None or subscript is None:
        return Bare.UNKNOWN
    return bind_index(binder, receiver, subscript, subscript.start, own=indexed.kind in SELF)


def bind_index(
    binder: Binder, receiver: Value, subscript: Node, start: int | None = None, *, own: bool = False
) -> Expression:
    """Bind the arguments in brackets, and the indexer that they choose.

    Args:
        binder: The binder.
        receiver: What stands before the brackets.
        subscript: The arguments.
        start: Where the indexer is kept, if it is.
        own: Whether `this` or `base` stands before the brackets.
    """
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
    element = inline_element_of(type_)
    if element is not None and _is_place(binder, arguments):
        finish_arguments(binder, arguments)
        made = binder.session.types.get(SPAN, element) if index == _RANGE else element
        return Value(made, receiver.certain, chained=receiver.chained)
    indexers = _find_indexers(binder, receiver.type, own=own)
    return _bind_indexer(binder, receiver, indexers, arguments, start) or _bind_implied(binder, receiver, index, start)


def _is_place(binder: Binder, arguments: Sequence[Argument]) -> bool:
    """Whether arguments name elements of an inline array by what the language itself takes."""
    given = arguments[0].expression if len(arguments) == 1 else Bare.UNKNOWN
    types = binder.session.types
    taken = (types.int, types.get(_INDEX), types.get(_RANGE))
    return any(binder.session.conversions.convert(given, each) != NO for each in taken)


def _find_indexers(binder: Binder, type_: Type, *, own: bool) -> FoundMembers:
    """The indexers that are accessible."""
    return binder.session.members.find_accessible(type_, _INDEXER, binder.place, None if own else type_)


def _bind_indexer(
    binder: Binder, receiver: Value, found: FoundMembers, arguments: Sequence[Argument], start: int | None
) -> Value | None:
    indexers = [each for each in found.members if each.member.kind is MemberKind.INDEXER]
    resolution = resolve(binder, indexers, arguments)
    best = resolution.best
    if best is not None:
        settled = list_settled(binder, resolution, frozenset(), certain=resolution.certain, agree=True)
        sure = receiver.certain and (resolution.certain or (resolution.alone and found.known))
        emit_argument_names(binder, arguments, best.member, "" if sure else _UNSURE)
        finish_arguments(binder, arguments, best.types, settled)
        if start is not None:
            binder.emit_implied(start, best.member, BindingRole.INDEXER, "" if sure else _UNSURE)
        if any(isinstance(each.expression, Value) and each.expression.type is DYNAMIC for each in arguments):
            return Value(DYNAMIC)
        certain = receiver.certain and (resolution.certain or resolution.same_type or len(indexers) == 1)
        return Value(best.returns, certain, chained=receiver.chained)
    known = all(each.expression is not Bare.UNKNOWN for each in arguments)
    special = arguments and isinstance(arguments[0].expression, Value)
    implied = special and id_of(arguments[0].expression.type) in (_RANGE, _INDEX)  # type: ignore[union-attr]
    if receiver.certain and found.known and known and not implied and not has_unknown(receiver.type):
        binder.errors += 1
    finish_arguments(binder, arguments)
    return None


def _bind_implied(binder: Binder, receiver: Value, index: str, start: int | None) -> Expression:
    """Indexing from the end and slicing, which the language implies of `this[int]` and `Slice`."""
    types = binder.session.types
    if index == _RANGE:
        found = _find_taking(binder, receiver.type, _slicer(binder, receiver.type), (types.int, types.int))
    elif index == _INDEX:
        found = _find_taking(binder, receiver.type, _INDEXER, (types.int,))
    else:
        return Bare.UNKNOWN
    if found is None:
        return Bare.UNKNOWN
    if start is not None:
        doubt = "" if receiver.certain else "the type before the bracket is not certain"
        binder.emit_implied(start, found.member, BindingRole.INDEXER, doubt)
    return Value(found.type, receiver.certain, chained=receiver.chained)


def _slicer(binder: Binder, type_: Type) -> str:
    return "Substring" if type_ == binder.session.types.string else "Slice"


def _find_taking(binder: Binder, type_: Type, name: str, taken: Sequence[Type]) -> FoundMember | None:
    """The member of a name that takes parameters of just these types."""
    for found in binder.session.members.find(type_, name).members:
        if [each.type for each in found.member.parameters] == list(taken):
            return found
    return None


def element_of(binder: Binder, type_: Type) -> Type:
    """What `a[^1]` is: what an indexer of indices gives, else one of numbers; of an array, its element."""
    if isinstance(type_, Array):
        return type_.element
    types = binder.session.types
    found = _find_taking(binder, type_, _INDEXER, (types.get(_INDEX),))
    found = found or _find_taking(binder, type_, _INDEXER, (types.int,))
    return found.type if found is not None else UNKNOWN


def slice_of(binder: Binder, value: Value) -> Value:
    """What `a[b..c]` is: what an indexer of ranges gives, else what `Slice` does; of an array, an array."""
    types = binder.session.types
    if isinstance(value.type, Array):
        return value
    found = _find_taking(binder, value.type, _INDEXER, (types.get(_RANGE),))
    found = found or _find_taking(binder, value.type, _slicer(binder, value.type), (types.int, types.int))
    return Value(found.type, value.certain) if found is not None else Value(UNKNOWN, certain=False)


RULES: dict[str, Callable[[Binder, Node], Expression]] = {"element_access_expression": bind_element_access}
"""The rules of element accesses."""
