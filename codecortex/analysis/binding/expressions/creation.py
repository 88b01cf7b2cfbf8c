"""Binds the creation of objects, and initialisers."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from codecortex.analysis.binding.body.calls import (
    bind_arguments,
    call_constructor,
    find_extension,
    finish_arguments,
    resolve,
)
from codecortex.analysis.binding.conversions.operands import Argument, Bare, TargetTypedNew, Value, is_certain
from codecortex.analysis.binding.expressions.indexing import bind_index
from codecortex.analysis.binding.expressions.literals import zero_of
from codecortex.analysis.binding.expressions.members import bind_member
from codecortex.analysis.binding.lookup.members import keep_accessible
from codecortex.analysis.binding.scopes.type_syntax import last_identifier
from codecortex.analysis.binding.types.inspect import is_opaque
from codecortex.analysis.binding.types.symbols import UNKNOWN, Anonymous, MemberKind, Named
from codecortex.model.code.bindings import BindingRole
from codecortex.model.code.syntax import Node
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from codecortex.analysis.binding.body.binder import Binder
    from codecortex.analysis.binding.conversions.operands import Expression
    from codecortex.analysis.binding.types.symbols import Type

_ACCESSES = frozenset(("member_access_expression", "member_binding_expression", "conditional_access_expression"))
_RESERVED = compile_later(r"Item\d+|Rest|ToString|GetHashCode|Equals|CompareTo|Deconstruct")
_ADD_ARGUMENTS = frozenset(("TheoryData",))
"""Types of test packages whose `Add` takes, in every version, a value of each of their type arguments."""


def bind_creation(binder: Binder, node: Node) -> Expression:
    """`new T(a) { ... }`."""
    typed = node.field("type")
    type_ = binder.type(typed)
    arguments = bind_arguments(binder, node.field("arguments"))
    chosen = call_constructor(binder, type_, arguments)
    name = last_identifier(typed)
    if name is not None and chosen is not None:
        binder.emit_implied(name.start, chosen.member, BindingRole.CONSTRUCTOR)
    bind_initializer(binder, node.field("initializer"), Value(type_))
    return Value(type_) if arguments else zero_of(type_)


def bind_target_typed(binder: Binder, node: Node) -> Expression:
    """`new(a) { ... }`."""
    return TargetTypedNew(tuple(bind_arguments(binder, node.first("argument_list"))), node)


def finish_target_typed(binder: Binder, creation: TargetTypedNew, type_: Type) -> None:
    """Bind a creation for its target."""
    chosen = call_constructor(binder, type_, creation.arguments)
    if chosen is not None:
        binder.emit_implied(creation.node.start, chosen.member, BindingRole.CONSTRUCTOR)
    bind_initializer(binder, creation.node.first("initializer_expression"), Value(type_))


# -- initialisers


def bind_initializer(binder: Binder, node: Node | None, target: Value) -> None:
    """`{ A = 1, [0] = 2 }`, `{ 1, 2 }`."""
    for each in node.nodes if node is not None else ():
        if each.kind == "assignment_expression":
            _bind_assignment(binder, each, target)
        elif each.kind == "initializer_expression":
            _add(binder, target, [Argument(binder.expression(inner)) for inner in each.nodes], each.start)
        else:
            _add(binder, target, [Argument(binder.expression(each))], each.start)


def _bind_assignment(binder: Binder, node: Node, target: Value) -> None:
    left, right = node.field("left"), node.field("right")
    if left is None or right is None:
        return
    member: Expression = Bare.UNKNOWN
    if left.kind == "identifier":
        member = bind_member(binder, target, left)
    elif left.kind == "element_binding_expression":
        member = bind_index(binder, target, left)
    else:
        member = binder.value(binder.expression(left))
    value = member if isinstance(member, Value) else Value(UNKNOWN, certain=False)
    if right.kind == "initializer_expression":
        bind_initializer(binder, right, value)
    else:
        binder.finish(binder.expression(right), value.type)


def _add(binder: Binder, target: Value, arguments: Sequence[Argument], start: int) -> None:
    """Bind an element of a collection initialiser: a call of `Add`."""
    found = binder.session.members.find(target.type, "Add").members
    methods = [each for each in found if each.member.kind is MemberKind.METHOD]
    methods = keep_accessible(methods, binder.place, target.type)
    resolution = resolve(binder, methods, arguments)
    types = resolution.best.types if resolution.best is not None else ()
    if resolution.best is None and target.type is not UNKNOWN:
        resolution = find_extension(binder, target, "Add", arguments)
        types = resolution.best.types[1:] if resolution.best is not None else _taken_by_absent(target.type)
    finish_arguments(binder, arguments, types)
    if resolution.best is not None and resolution.certain and target.certain:
        binder.emit_implied(start, resolution.best.member, BindingRole.IMPLIED)


def _taken_by_absent(type_: Type) -> Sequence[Type]:
    """What `Add` takes of a well-known type whose package is not there."""
    known = is_opaque(type_) and isinstance(type_, Named) and type_.definition.name in _ADD_ARGUMENTS
    return type_.arguments if known and isinstance(type_, Named) else ()


def bind_with(binder: Binder, node: Node) -> Expression:
    """`a with { B = 1 }`."""
    value = binder.value(binder.expression(node.nodes[0] if node.nodes else None))
    for each in node.of_kind("with_initializer"):
        parts = each.nodes
        if len(parts) > 1 and parts[0].kind == "identifier":
            member = bind_member(binder, value, parts[0])
            binder.finish(binder.expression(parts[-1]), member.type if isinstance(member, Value) else UNKNOWN)
    return value


def bind_anonymous(binder: Binder, node: Node) -> Expression:
    """`new { A = 1, b.C }`."""
    properties: list[tuple[str, Type]] = []
    certain = True
    name: str | None = None
    children = list(node.children)
    for at, child in enumerate(children):
        if not isinstance(child, Node):
            continue
        if at + 1 < len(children) and children[at + 1] == "=":
            name = child.name
            continue
        value = binder.value(binder.expression(child))
        certain = certain and is_certain(value)
        properties.append((name if name is not None else name_of_value(child), value.type))
        name = None
    return Value(Anonymous(tuple(properties)), certain)


def name_of_value(node: Node | None) -> str:
    """The name that an expression gives to a property or an element; empty if it gives none."""
    while node is not None and node.kind in _ACCESSES:
        node = node.field("name") or node.first("member_binding_expression")
    return node.name if node is not None and node.kind == "identifier" else ""


def name_elements(values: Sequence[Node | None], written: Sequence[str | None]) -> tuple[str | None, ...]:
    """The names of a tuple's elements.

    Args:
        values: What stands for each of them.
        written: The names that are written: others are taken from the values, if no other element has the same.
    """
    inferred = [name or name_of_value(value) for value, name in zip(values, written, strict=True)]
    count = Counter(inferred)
    fit = [bool(each) and count[each] == 1 and _RESERVED.fullmatch(each) is None for each in inferred]
    return tuple([name or (each if good else None) for name, each, good in zip(written, inferred, fit, strict=True)])


RULES: dict[str, Callable[[Binder, Node], Expression]] = {
    "object_creation_expression": bind_creation,
    "implicit_object_creation_expression": bind_target_typed,
    "anonymous_object_creation_expression": bind_anonymous,
    "with_expression": bind_with,
}
"""The rules of creations."""
