"""Binds arrays, collections and tuples."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.binding.conversions.operands import (
    ArrayLiteral,
    Bare,
    CollectionLiteral,
    Item,
    OutVariable,
    TupleLiteral,
    Value,
    is_certain,
)
from codecortex.analysis.binding.expressions.assignments import declare_expression
from codecortex.analysis.binding.expressions.creation import name_elements
from codecortex.analysis.binding.expressions.members import emit_element
from codecortex.analysis.binding.types.inspect import has_unknown, is_tuple, strip_nullable, tuple_elements
from codecortex.analysis.binding.types.symbols import NULL, UNKNOWN, Array, Named
from codecortex.model.code.bindings import BindingRole

if TYPE_CHECKING:
    from collections.abc import Callable

    from codecortex.analysis.binding.body.binder import Binder
    from codecortex.analysis.binding.conversions.operands import Expression
    from codecortex.analysis.binding.types.symbols import Type
    from codecortex.model.code.syntax import Node

_TYPED = (Value, TupleLiteral)


def bind_array(binder: Binder, node: Node) -> Expression:
    """`new T[3] { ... }`."""
    typed = node.field("type")
    type_ = binder.type(typed)
    _bind_sizes(binder, typed)
    bind_array_initializer(binder, node.first("initializer_expression"), type_)
    return Value(type_)


def _bind_sizes(binder: Binder, typed: Node | None) -> None:
    while typed is not None and typed.kind == "array_type":
        rank = typed.field("rank")
        for size in rank.nodes if rank is not None else ():
            binder.discard(size)
        typed = typed.field("type")


def bind_array_initializer(binder: Binder, node: Node | None, type_: Type) -> None:
    """The elements of an array of a type."""
    element = type_.element if isinstance(type_, Array) else UNKNOWN
    for each in node.nodes if node is not None else ():
        if each.kind == "initializer_expression":
            bind_array_initializer(binder, each, type_)
        else:
            binder.finish(binder.expression(each), element)


def bind_implicit_array(binder: Binder, node: Node) -> Expression:
    """`new[] { a, b }`, `new[,] { { a }, { b } }`."""
    rank = 1 + sum(child == "," for child in node.children)
    parts = [binder.expression(each) for each in _list_elements(node.first("initializer_expression"), rank)]
    common = binder.session.conversions.common(parts)
    if common is not UNKNOWN and all(isinstance(part, _TYPED) or part is Bare.NULL for part in parts):
        for part in parts:
            binder.finish(part, common)
        return Value(Array(common, rank), all(part.certain for part in parts if isinstance(part, Value)))
    return ArrayLiteral(tuple(map(Item, parts)))


def _list_elements(initializer: Node | None, rank: int) -> list[Node]:
    """The elements of an array, those of all its dimensions."""
    nodes = initializer.nodes if initializer is not None else []
    return nodes if rank == 1 else [inner for each in nodes for inner in _list_elements(each, rank - 1)]


def bind_stackalloc(binder: Binder, node: Node) -> Expression:
    """`stackalloc T[3]`."""
    typed = node.field("type")
    type_ = binder.type(typed)
    _bind_sizes(binder, typed)
    bind_array_initializer(binder, node.first("initializer_expression"), type_)
    element = type_.element if isinstance(type_, Array) else UNKNOWN
    return Value(binder.session.types.get("System.Span`1", element))


def bind_implicit_stackalloc(binder: Binder, node: Node) -> Expression:
    """`stackalloc[] { a, b }`."""
    parts = [binder.expression(each) for each in _list_elements(node.first("initializer_expression"), 1)]
    common = binder.session.conversions.common(parts)
    for part in parts:
        binder.finish(part, common)
    certain = common is not UNKNOWN and all(part.certain for part in parts if isinstance(part, Value))
    return Value(binder.session.types.get("System.Span`1", common), certain)


def bind_collection(binder: Binder, node: Node) -> Expression:
    """`[a, .. b]`."""
    items = []
    for element in node.of_kind("collection_element"):
        for each in element.nodes:
            value = each.nodes[-1] if each.nodes else None
            items.append(Item(binder.expression(value), each.kind == "spread_element"))
    return CollectionLiteral(tuple(items), node)


def bind_bare_initializer(binder: Binder, node: Node) -> Expression:
    """`{ a, b }` after the declaration of an array."""
    return CollectionLiteral(tuple(Item(binder.expression(each)) for each in node.nodes), node)


def bind_tuple(binder: Binder, node: Node) -> Expression:
    """`(a, b: c)`."""
    arguments = node.of_kind("argument")
    labels = [each.field("name") if each.has(":") else None for each in arguments]
    values = [next(iter(reversed(each.without(label))), None) for each, label in zip(arguments, labels, strict=True)]
    parts = [_bind_part(binder, each) for each in values]
    written = tuple(each for each in labels if each is not None)
    names = name_elements(values, [each.name if each is not None else None for each in labels])
    literal = TupleLiteral(tuple(parts), names)
    conversions = binder.session.conversions
    type_ = conversions.natural(literal)
    if type_ is UNKNOWN and all(_has_type(binder, part) for part in parts):
        return Value(conversions.known.tuple([conversions.natural(part) for part in parts], names))
    if type_ is UNKNOWN or written:
        return TupleLiteral(literal.parts, literal.names, written)
    typed = [part for part in parts if isinstance(part, Value)]
    certain = all(each.certain for each in typed)
    if len(typed) < len(parts) or any(each.constant is not None for each in typed):
        return literal
    return Value(type_, certain)


def _has_type(binder: Binder, part: Expression) -> bool:
    """Whether a part of a tuple has a type of its own, known or not."""
    if isinstance(part, TupleLiteral):
        return binder.session.conversions.natural(part) is not UNKNOWN
    return part is Bare.UNKNOWN or (isinstance(part, Value) and part.type is not NULL)


def _bind_part(binder: Binder, value: Node | None) -> Expression:
    """A part of a tuple; `a * b` is none that declares a pointer."""
    typed = value.field("type") if value is not None and value.kind == "declaration_expression" else None
    if value is not None and typed is not None and typed.kind != "pointer_type":
        declare_expression(binder, value, UNKNOWN)
        return OutVariable(UNKNOWN)
    return binder.expression(value)


def emit_written_names(binder: Binder, literal: TupleLiteral, target: Type) -> None:
    """Keep what the names of a tuple's elements mean where they are written: those of what it converts to."""
    own = binder.session.conversions.natural(literal) if literal.waiting else UNKNOWN
    converted = strip_nullable(target)
    fits = len(tuple_elements(converted)) == len(literal.parts)
    type_ = converted if fits and own != converted else own  # of equal ones this may tell more: unknown namespaces
    certain = not binder.unsure if fits else is_certain(literal)
    if isinstance(type_, Named) and is_tuple(type_) and not has_unknown(type_):
        for name in literal.waiting:
            emit_element(binder, name, type_, BindingRole.WRITE, certain=certain)


RULES: dict[str, Callable[[Binder, Node], Expression]] = {
    "array_creation_expression": bind_array,
    "implicit_array_creation_expression": bind_implicit_array,
    "stackalloc_expression": bind_stackalloc,
    "implicit_stackalloc_expression": bind_implicit_stackalloc,
    "collection_expression": bind_collection,
    "initializer_expression": bind_bare_initializer,
    "tuple_expression": bind_tuple,
}
"""The rules of collections."""
