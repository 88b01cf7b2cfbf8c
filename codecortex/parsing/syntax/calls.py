"""Reads generic calls anew that the grammar takes for comparisons: `(T)x.F<U>(y)`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.model.code.syntax import Node
from codecortex.parsing.syntax.mend import put

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_ARGUMENTS = frozenset(("parenthesized_expression", "tuple_expression"))
_TYPE_LIKE = frozenset(("identifier", "generic_name", "member_access_expression", "predefined_type"))
_HEAD = b"class C { void M() { x = "
_TAIL = b"; } }"


def mend_calls(comparisons: Iterable[Node], parse: Callable[[bytes], Node | None]) -> None:
    """Replace `a < b > (c)` by the call that it is; the comparisons are given from the outside in."""
    for node in comparisons:
        if node.parent is not None and _is_misread(node):
            _mend(node, parse)


def _is_misread(node: Node) -> bool:
    if node.kind != "binary_expression":
        return False
    left, right = node.field("left"), node.field("right")
    if left is None or right is None or right.kind not in _ARGUMENTS or left.kind != "binary_expression":
        return False
    operand = left.field("right")
    return _sign(node) == ">" and _sign(left) == "<" and operand is not None and operand.kind in _TYPE_LIKE


def _sign(operation: Node) -> str:
    operator = operation.field("operator")
    return operator.kind if operator is not None else ""


def _mend(node: Node, parse: Callable[[bytes], Node | None]) -> None:
    receiver = node.fields["left"].field("left")
    if receiver is None or node.parent is None:
        return
    cast = receiver if receiver.kind == "cast_expression" else None
    inner = cast.field("value") if cast is not None else receiver
    if inner is None:
        return
    start = inner.start
    parsed = parse(_HEAD + node.source[start : node.end] + _TAIL)
    call = _find_call(parsed, node.end - start) if parsed is not None else None
    if call is None:
        return
    for each in call.walk():
        each.start += start - len(_HEAD)
        each.end += start - len(_HEAD)
        each.source = node.source
    made = call
    if cast is not None:
        made = Node("cast_expression", node.start, node.end, node.parent, node.source)
        made.children = [call if child is inner else child for child in cast.children]
        made.fields = {**cast.fields, "value": call}
        for child in made.nodes:
            child.parent = made
    put(node.parent, node, made)


def _find_call(root: Node, length: int) -> Node | None:
    for each in root.walk():
        if each.deferred is not None:
            each.open()
            return _find_call(each, length)
        if each.kind == "invocation_expression" and each.end - each.start == length:
            return each
    return None
