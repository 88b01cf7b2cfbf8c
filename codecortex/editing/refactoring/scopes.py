"""A place in a body and a name in; the local of that name whose scope holds the place, though it is declared later."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.model.code.syntax import Descent, list_locals

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codecortex.model.code.syntax import Node

_BLOCKS = frozenset(("arrow_expression_clause", "block", "switch_section"))
_APART = _BLOCKS | {
    *("lambda_expression", "anonymous_method_expression", "local_function_statement", "while_statement"),
    *("for_statement", "foreach_statement", "using_statement", "fixed_statement", "lock_statement"),
}
"""What has a scope of its own for what is declared in it."""
_QUALIFIED = frozenset(("member_access_expression", "member_binding_expression", "qualified_name"))


def find_later(root: Node, offset: int, name: str) -> Node | None:
    """The declaration of a local in a block around a place, behind it or in its own statement.

    Args:
        root: The syntax of the file.
        offset: Where a name stands that is to be written otherwise.
        name: How.

    Returns:
        The name that is declared; None where there is none, or where the place has something before its dot.
    """
    root.open()
    node = Descent(root).find(offset, offset + 1)
    parent = node.parent
    if parent is not None and parent.kind in _QUALIFIED and parent.field("name") is node:
        return None
    while parent is not None:
        if parent.kind in _BLOCKS:
            for declared in _list_declared(parent):
                behind = declared.start > offset or _shares_statement(parent, declared, offset)
                if declared.name == name and behind:
                    return declared
        parent = parent.parent
    return None


def _list_declared(block: Node) -> Iterator[Node]:
    """The names of the locals that a block declares, not those of scopes within."""
    todo = [each for each in block.nodes if each.kind not in _APART]
    while todo:
        node = todo.pop()
        yield from list_locals(node)
        todo += [each for each in node.nodes if each.kind not in _APART]


def _shares_statement(block: Node, declared: Node, offset: int) -> bool:
    """Whether a declaration stands in the statement of a place: `var a = a + 1`."""
    return any(each.start <= offset < each.end and each.start <= declared.start < each.end for each in block.nodes)
