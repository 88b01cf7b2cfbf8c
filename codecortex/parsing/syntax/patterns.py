"""Reads tests anew whose pattern the grammar extends over a logical operator: `a is not null && b is C or D.E`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.parsing.syntax.calls import is_alone, read_expression
from codecortex.parsing.syntax.mend import COMBINED_PATTERNS, climb_chain, put

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from codecortex.model.code.syntax import Node

_COMPARED = frozenset(("constant_pattern", "relational_pattern"))
_LOGICAL = frozenset(("&&", "||"))


def mend_patterns(tests: Iterable[Node], parse: Callable[[bytes], Node | None]) -> None:
    """Split tests where a logical operator ends their pattern, and give accesses behind a test to its pattern.

    Args:
        tests: Nodes of the kind `is_pattern_expression`, from the outside in.
        parse: Reads a piece of source that is all of a file.
    """
    for node in tests:
        top = climb_chain(node)
        operations = [_find_operation(each) for each in _list_leaves(node.field("pattern"))]
        if top is node and not any(operations[:-1]):
            continue  # `mend` does the rest
        operation = next(filter(None, operations), None)
        if operation is not None:
            _split(node, top, operation, parse)
        else:
            _read_whole(node, top, parse)


def _list_leaves(pattern: Node | None) -> Iterator[Node]:
    """The patterns that others are combined of, in their order."""
    todo = [pattern] if pattern is not None else []
    while todo:
        part = todo.pop()
        if part.kind in COMBINED_PATTERNS:
            todo += reversed(part.nodes)
        else:
            yield part


def _find_operation(pattern: Node) -> Node | None:
    """The logical operation that was read as the constant of a pattern."""
    constant = pattern.nodes[-1] if pattern.kind in _COMPARED and pattern.nodes else None
    operator = constant.field("operator") if constant is not None and constant.kind == "binary_expression" else None
    return constant if operator is not None and operator.kind in _LOGICAL else None


def _split(node: Node, top: Node, operation: Node, parse: Callable[[bytes], Node | None]) -> None:
    left, right = operation.field("left"), operation.field("right")
    if left is None or right is None or top.parent is None:
        return
    before = read_expression(node.source, node.start, left.end, parse)
    behind = read_expression(node.source, right.start, top.end, parse)
    if before is None or behind is None:
        return
    put(operation, left, before)
    put(operation, right, behind)
    operation.start, operation.end = node.start, top.end
    put(top.parent, top, operation)


def _read_whole(node: Node, top: Node, parse: Callable[[bytes], Node | None]) -> None:
    if is_alone(node.source, node.start, top.end):
        return  # read once more by itself, it would be the same
    read = read_expression(node.source, node.start, top.end, parse)
    if read is not None and read.kind == node.kind and top.parent is not None:
        put(top.parent, top, read)
