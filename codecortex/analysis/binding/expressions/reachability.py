"""Whether the end of a block can be reached, as far as its last statement tells."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from codecortex.model.code.syntax import Node

_JUMPS = frozenset(("return_statement", "throw_statement", "goto_statement", "break_statement", "continue_statement"))
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
    statements = [each for each in node.nodes if each.kind != "local_function_statement"]
    return not statements or ends(statements[-1])


def _end_of_expression(node: Node) -> bool:
    return not node.nodes or node.nodes[0].kind != "throw_expression"


def _end_of_loop(node: Node) -> bool:
    condition = node.field("condition")
    endless = condition is None if node.kind == "for_statement" else condition is not None and condition.text == "true"
    return not endless or "break" in node.text


def _end_of_if(node: Node) -> bool:
    consequence, alternative = node.field("consequence"), node.field("alternative")
    return alternative is None or consequence is None or ends(consequence) or ends(alternative)


def _end_of_try(node: Node) -> bool:
    for clause in node.of_kind("finally_clause"):
        if any(not ends(block) for block in clause.of_kind("block")):
            return False
    bodies = [node.field("body"), *(clause.field("body") for clause in node.of_kind("catch_clause"))]
    return any(body is None or ends(body) for body in bodies)


def _end_of_switch(node: Node) -> bool:
    body = node.field("body")
    sections = body.of_kind("switch_section") if body is not None else []
    return not any(each.has("default") for each in sections) or any("break" in each.text for each in sections)


_RULES: dict[str, Callable[[Node], bool]] = {
    "block": _end_of_block,
    "expression_statement": _end_of_expression,
    "while_statement": _end_of_loop,
    "for_statement": _end_of_loop,
    "if_statement": _end_of_if,
    "try_statement": _end_of_try,
    "switch_statement": _end_of_switch,
}
