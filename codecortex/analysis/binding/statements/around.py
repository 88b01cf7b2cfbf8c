"""Binds of a body only what is asked for, where that needs no statement: names that can mean nothing but types."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from codecortex.analysis.binding.body.binder import Binder
    from codecortex.model.code.syntax import Node

_PARTS = frozenset(("nullable_type", "array_type", "pointer_type", "qualified_name", "generic_name"))
"""What is a type, or the name of one, as a whole if it is one in part."""
_TYPES = frozenset(
    (
        *(("typeof_expression", "type"), ("default_expression", "type"), ("sizeof_expression", "type")),
        *(("as_expression", "right"), ("variable_declaration", "type"), ("parameter", "type")),
        *(("declaration_expression", "type"), ("catch_declaration", "type"), ("foreach_statement", "type")),
        *(("object_creation_expression", "type"), ("array_creation_expression", "type")),
    )
)
"""Where nothing but a type stands: kinds of syntax and their fields. Which constructor `new` calls is not asked here."""


def bind_types_alone(binder: Binder, body: Node, around: Iterable[int]) -> bool:
    """Bind the types that the asked names of a body belong to, if each is no more than that.

    Args:
        binder: At the place of the body.
        body: It, opened.
        around: Where the asked names stand in it, in order.

    Returns:
        Whether that was so; else nothing is bound.
    """
    names = [leaf for start in around if (leaf := _find_name(body, start)) is not None]
    types = [found for each in names if (found := _find_type(each, body)) is not None]
    if len(types) < len(names):
        return False
    end = body.start
    for each in types:
        if each.start >= end:  # else it is part of the last one
            binder.type(each)
            binder.skip(end, each.start)
            end = each.end
    binder.skip(end, body.end)
    return True


def _find_name(body: Node, start: int) -> Node | None:
    """The identifier at an offset; None in a comment or a literal."""
    node: Node | None = body
    while node is not None and node.kind != "identifier":
        node = next((each for each in node.nodes if each.start <= start < each.end), None)
    return node


def _find_type(name: Node, body: Node) -> Node | None:
    """The whole type that a name is or begins; None where it may be something else, or its scope is another one."""
    node: Node = name
    parent = node.parent
    while parent is not None and parent.kind in _PARTS:
        node, parent = parent, parent.parent
    if parent is None:
        return None
    is_type = parent.kind == "type_argument_list"
    is_type = is_type or any(parent.field(field) is node for kind, field in _TYPES if kind == parent.kind)
    around: Node | None = parent
    while is_type and around is not None and around is not body:
        if around.kind == "local_function_statement" and around.first("type_parameter_list") is not None:
            return None  # its type parameters come first
        around = around.parent
    return node if is_type else None
