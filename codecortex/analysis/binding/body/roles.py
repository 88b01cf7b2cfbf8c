"""What a name is used for, by the syntax around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.binding.types.symbols import Member, MemberKind
from codecortex.model.code.bindings import BindingRole

if TYPE_CHECKING:
    from codecortex.analysis.binding.types.symbols import TypeDefinition
    from codecortex.model.code.syntax import Node

_ACCESSES = frozenset(("member_access_expression", "member_binding_expression", "conditional_access_expression"))
_STEPS = frozenset(("postfix_unary_expression", "prefix_unary_expression"))


def role_of(name: Node, symbol: Member | TypeDefinition) -> BindingRole:
    """What the name of a symbol is used for."""
    if not isinstance(symbol, Member):
        return BindingRole.TYPE
    if symbol.kind is MemberKind.METHOD:
        whole = _whole_name(name)
        parent = whole.parent
        called = parent is not None and parent.kind == "invocation_expression" and parent.field("function") is whole
        return BindingRole.CALL if called else BindingRole.READ
    return role_of_value(name)


def role_of_value(name: Node) -> BindingRole:
    """What the name of a value is used for."""
    whole = _whole_name(name)
    parent = whole.parent
    return BindingRole.WRITE if parent is not None and _is_written(whole, parent) else BindingRole.READ


def _whole_name(name: Node) -> Node:
    """The expression that ends with a name."""
    whole = name
    while whole.parent is not None:
        parent = whole.parent
        named = parent.kind in _ACCESSES and parent.field("name") is whole
        chained = parent.kind in _ACCESSES and whole.kind == "member_binding_expression"
        if not named and not chained and parent.kind != "generic_name":
            break
        whole = parent
    return whole


def _is_written(whole: Node, parent: Node) -> bool:
    if parent.kind == "assignment_expression":
        return parent.field("left") is whole
    if parent.kind in _STEPS:
        return parent.has("++") or parent.has("--")
    if parent.kind == "argument":
        return parent.has("out") or parent.has("ref")
    return parent.kind == "with_initializer" and parent.nodes[0] is whole
