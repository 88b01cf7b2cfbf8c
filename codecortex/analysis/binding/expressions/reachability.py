"""Whether the end of a block can be reached, as far as its statements tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from codecortex.model.code.syntax import Node

_JUMPS = frozenset(("return_statement", "throw_statement", "goto_statement", "break_statement", "continue_statement"))
_LOOPS = frozenset(("do_statement", "for_statement", "foreach_statement", "while_statement"))
_LEFT = _LOOPS | {"switch_statement"}
_COMPLEMENTS = (frozenset(("true", "false")), frozenset(("null", "not null")))
"""Patterns that together take every value."""
_FUNCTIONS = frozenset(("lambda_expression", "anonymous_method_expression", "local_function_statement"))
_WRAPPERS = frozenset(
    (
        *("using_statement", "lock_statement", "fixed_statement", "unsafe_statement", "checked_statement"),
        "labeled_statement",
    )
)


def ends(node: Node) -> bool:
    """Whether control can go on after a statement."""
    rule = _RULES.get(node.kind)
    if rule is not None:
        return rule(node)
    if node.kind in _WRAPPERS:
        inner = node.field("body") or (node.nodes[-1] if node.nodes else None)
        return inner is None or ends(inner)
    return node.kind not in _JUMPS


def _end_of_block(node: Node) -> bool:
    reached = True
    for each in node.nodes:
        if each.kind != "local_function_statement":
            reached = (reached or each.kind == "labeled_statement") and ends(each)
    return reached


def _end_of_expression(node: Node) -> bool:
    return not node.nodes or node.nodes[0].kind != "throw_expression"


def _end_of_loop(node: Node) -> bool:
    condition = node.field("condition")
    endless = node.kind == "for_statement" if condition is None else _is_always(condition, "true")
    return not endless or _leaves(node, "break_statement")


def _end_of_do(node: Node) -> bool:
    condition, body = node.field("condition"), node.field("body")
    if _leaves(node, "break_statement"):
        return True
    asked = body is None or ends(body) or _leaves(node, "continue_statement")
    return asked and (condition is None or not _is_always(condition, "true"))


def _is_always(condition: Node, value: str) -> bool:
    while condition.kind == "parenthesized_expression" and condition.nodes:
        condition = condition.nodes[0]
    return condition.text == value


def _leaves(around: Node, jump: str) -> bool:
    """Whether a loop or a switch holds a jump that leaves or continues it, and not one within."""
    inner = _LEFT if jump == "break_statement" else _LOOPS
    todo = around.nodes
    while todo:
        node = todo.pop()
        if node.kind == jump:
            return True
        if node.kind not in inner and node.kind not in _FUNCTIONS:
            todo += node.nodes
    return False


def _end_of_if(node: Node) -> bool:
    condition, consequence, alternative = (node.field(each) for each in ("condition", "consequence", "alternative"))
    reached = [consequence is None or ends(consequence), alternative is None or ends(alternative)]
    if condition is not None and _is_always(condition, "true"):
        return reached[0]
    if condition is not None and _is_always(condition, "false"):
        return reached[1]
    return any(reached)


def _end_of_try(node: Node) -> bool:
    for clause in node.of_kind("finally_clause"):
        if any(not ends(block) for block in clause.of_kind("block")):
            return False
    bodies = [node.field("body"), *(clause.field("body") for clause in node.of_kind("catch_clause"))]
    return any(body is None or ends(body) for body in bodies)


def _end_of_switch(node: Node) -> bool:
    body = node.field("body")
    sections = body.of_kind("switch_section") if body is not None else []
    return not _is_exhaustive(sections) or _leaves(node, "break_statement")


def _is_exhaustive(sections: Sequence[Node]) -> bool:
    """Whether the labels of a switch take every value, as far as their own texts tell."""
    patterns = [each.nodes[0] for each in sections if each.nodes and each.first("when_clause") is None]
    told = {each.text for each in patterns}
    whole = any(each.first("implicit_type") is not None for each in patterns)
    return whole or any(each.has("default") for each in sections) or any(pair <= told for pair in _COMPLEMENTS)


_RULES: dict[str, Callable[[Node], bool]] = {
    "block": _end_of_block,
    "expression_statement": _end_of_expression,
    "do_statement": _end_of_do,
    "while_statement": _end_of_loop,
    "for_statement": _end_of_loop,
    "if_statement": _end_of_if,
    "try_statement": _end_of_try,
    "switch_statement": _end_of_switch,
}
