"""A syntax tree and a range in; the statements or the expression that it covers, with what stands around, out."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codecortex.model.code.syntax import Node

_TRIVIA = compile_later(rb"(?:\s|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_SPACE = b" \t\r\n"
FUNCTIONS = frozenset(("lambda_expression", "anonymous_method_expression", "local_function_statement"))
_MEMBERS = frozenset(
    (
        *("method_declaration", "constructor_declaration", "destructor_declaration", "operator_declaration"),
        *("conversion_operator_declaration", "property_declaration", "indexer_declaration", "event_declaration"),
        *("field_declaration", "event_field_declaration"),
    )
)
_UNSAFE = "it stands in an unsafe context"
_CONSTANT = "a constant needs a constant"
_FIXED = {
    "attribute_list": "an attribute needs a constant",
    "parameter_list": "a default value is a constant",
    "enum_member_declaration": "the value of an enum's member is a constant",
    "checked_statement": "it stands in a checked or unchecked context",
    "checked_expression": "it stands in a checked or unchecked context",
    "unsafe_statement": _UNSAFE,
    "fixed_statement": "it stands in a fixed statement",
    "constant_pattern": "a pattern needs a constant",
    "relational_pattern": "a pattern needs a constant",
    "query_expression": "it is a part of a query",
    "interpolation_format_clause": "it is a format",
    "global_statement": "no type is around it",
}
_NO_VALUES = frozenset(
    (
        *("declaration_expression", "initializer_expression", "lambda_expression", "anonymous_method_expression"),
        *("this", "base", "throw_expression", "ref_expression", "discard", "implicit_parameter", "predefined_type"),
        *("member_binding_expression", "element_binding_expression", "with_initializer", "parameter", "argument"),
    )
)


class Selection(NamedTuple):
    """What a range covers.

    Attributes:
        nodes: The statements in a row, or the one expression.
        start: Where the text begins that moves, with comments in front that the range covers.
        end: Where it ends.
        is_expression: Whether it is an expression.
    """

    nodes: tuple[Node, ...]
    start: int
    end: int
    is_expression: bool = False

    @property
    def ends(self) -> tuple[Node, Node]:
        """The first and the last of the nodes."""
        return self.nodes[0], self.nodes[-1]


class Around(NamedTuple):
    """What stands around a selection.

    Attributes:
        member: The declaration of the member.
        body: The same, or the accessor in it.
        holder: The declaration of the type.
        function: The lambda or local function; None where it stands in the member itself.
    """

    member: Node
    body: Node
    holder: Node
    function: Node | None


def open_all(node: Node) -> None:
    """Make all nodes below one."""
    todo = [node]
    while todo:
        each = todo.pop()
        each.open()
        todo += each.nodes


def find_selection(root: Node, source: bytes, start: int, end: int) -> Selection | None:
    """The statements or the expression that a range covers; white space and comments around them may be in it."""
    start += len(source[start:end]) - len(source[start:end].lstrip(_SPACE))
    end = start + len(source[start:end].rstrip(_SPACE))
    if start >= end:
        return None
    node = _find_around(root, start, end)
    covered = [each for each in node.nodes if start <= each.start and each.end <= end]
    first = _skip(source, start, end)
    if not covered and (node.start, node.end) == (first, end):
        covered = [node]
    if not covered:
        return None
    if covered[0].start != first or (
        source[covered[-1].end : end].strip(_SPACE) and not _is_trivia(source, covered[-1].end, end)
    ):
        covered = [node] if (node.start, node.end) == (first, end) else []
    if not covered:
        return None
    if all(map(_is_statement, covered)):
        return Selection(tuple(covered), start, end)
    if len(covered) == 1 or (node.start, node.end) == (first, end):
        return _choose_expression(covered[0] if len(covered) == 1 else node, start)
    return None


def _choose_expression(node: Node, start: int) -> Selection | None:
    while _has_same(node):
        node = node.nodes[-1]
    parent = node.parent
    if parent is not None and parent.kind == "expression_statement":
        return Selection((parent,), start, parent.end)
    is_value = node.kind.endswith("_expression") or node.kind in ("identifier", "generic_name")
    if node.kind in _NO_VALUES or not is_value:
        return None
    return Selection((node,), node.start, node.end, is_expression=True) if node.start >= start else None


def _find_around(root: Node, start: int, end: int) -> Node:
    """The innermost node around a range."""
    node = root
    while True:
        node.open()
        inner = next((each for each in node.nodes if each.start <= start and end <= each.end), None)
        if inner is None or ((inner.start, inner.end) == (start, end) and not _has_same(inner)):
            return inner or node
        node = inner


def _has_same(node: Node) -> bool:
    """Whether a node is only a wrapper of another one."""
    node.open()
    return node.kind == "argument" and any((each.start, each.end) == (node.start, node.end) for each in node.nodes)


def _is_statement(node: Node) -> bool:
    return node.kind.endswith("_statement") or node.kind == "block"


def _skip(source: bytes, start: int, end: int) -> int:
    match = _TRIVIA.match(source, start, end)
    return match.end() if match is not None else start


def _is_trivia(source: bytes, start: int, end: int) -> bool:
    return _skip(source, start, end) == end


def find_around(selection: Selection) -> Around | str:
    """What stands around a selection, or why nothing can be taken out there."""
    above: list[Node] = []
    node: Node | None = selection.nodes[0]
    while node is not None and node.kind not in _MEMBERS:
        above.append(node)
        node = node.parent
    reasons = (_find_obstacle(each, below) for below, each in pairwise(above))
    reason = next((each for each in reasons if each), "") if node is not None else "no member is around it"
    if reason or node is None:
        return reason
    if above and above[-1].kind in _FIXED:
        return _FIXED[above[-1].kind]
    if node.kind == "field_declaration" and "const" in node.modifiers():
        return _CONSTANT
    if "unsafe" in node.modifiers():
        return _UNSAFE
    holder = node.parent.parent if node.parent is not None else None
    if holder is None or not holder.kind.endswith("_declaration") or holder.kind == "extension_declaration":
        return "the type around it cannot take a method"
    inner = above[1:]
    body = next((each for each in inner if each.kind == "accessor_declaration"), node)
    return Around(node, body, holder, next((each for each in inner if each.kind in FUNCTIONS), None))


def _find_obstacle(node: Node, below: Node) -> str:
    """Why nothing below a node can be taken out; empty where it can."""
    if node.kind in _FIXED:
        return _FIXED[node.kind]
    if node.kind in ("switch_section", "goto_statement") and not _is_statement(below) and below.kind != "when_clause":
        return "a label needs a constant"
    if node.kind == "local_declaration_statement" and "const" in node.modifiers():
        return _CONSTANT
    return _UNSAFE if node.kind in FUNCTIONS and "unsafe" in node.modifiers() else ""


def is_static(around: Around, selection: Selection) -> bool:
    """Whether a selection sees no instance: nothing around it that is static, an initialiser or a struct's lambda."""
    if "static" in around.member.modifiers():
        return True
    each: Node | None = selection.nodes[0]
    while each is not None and each is not around.member:
        parent = each.parent
        if each.kind in FUNCTIONS and ("static" in each.modifiers() or around.holder.kind == "struct_declaration"):
            return True
        if each.kind == "constructor_initializer":
            return True
        if parent is around.member and each.kind not in ("block", "arrow_expression_clause", "accessor_list"):
            return True  # an initialiser of a field or a property
        each = parent
    return False


def list_own(nodes: tuple[Node, ...]) -> Iterator[Node]:
    """The nodes of a selection without those of functions in it."""
    todo = list(nodes)
    while todo:
        node = todo.pop()
        yield node
        if node.kind not in FUNCTIONS:
            todo += node.nodes
