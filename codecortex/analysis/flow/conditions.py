"""Conditions as steps of a flow graph: where it goes on if they hold, and if not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.flow.patterns import bind_pattern, read_pattern

if TYPE_CHECKING:
    from codecortex.analysis.flow.builder import Builder
    from codecortex.model.code.syntax import Node


def visit_binary(builder: Builder, node: Node) -> None:
    """`a + b`, `a && b`, `a ?? b`."""
    left, right = node.field("left"), node.field("right")
    if node.has("&&") or node.has("||") or _operator(node) in ("&&", "||"):
        builder.join(*branch(builder, node))
    elif _operator(node) == "??":
        builder.visit(left)
        with builder.maybe():
            builder.visit(right)
    else:
        builder.visit(left)
        builder.visit(right)


def _operator(node: Node) -> str:
    operator = node.field("operator")
    return operator.text if operator is not None else ""


def visit_condition(builder: Builder, node: Node) -> None:
    """`a is b`: as a value."""
    builder.join(*branch(builder, node))


def visit_choice(builder: Builder, node: Node) -> None:
    """`a ? b : c`, `if`."""
    yes, no = builder.branch(node.field("condition"))
    builder.at = yes
    builder.visit(node.field("consequence"))
    ended, builder.at = builder.at, no
    builder.visit(node.field("alternative"))
    builder.join(ended, builder.at)


def branch(builder: Builder, node: Node) -> tuple[int, int]:
    """Read a condition; the points after it was true and after it was false."""
    rule = _BRANCHES.get(node.kind)
    return rule(builder, node) if rule is not None else _branch_value(builder, node)


def _branch_value(builder: Builder, node: Node) -> tuple[int, int]:
    builder.visit(node)
    return builder.at, builder.at


def _branch_parenthesized(builder: Builder, node: Node) -> tuple[int, int]:
    return builder.branch(node.nodes[-1] if node.nodes else None)


def _branch_negated(builder: Builder, node: Node) -> tuple[int, int]:
    if not node.has("!") or not node.nodes:
        return _branch_value(builder, node)
    yes, no = builder.branch(node.nodes[-1])
    return no, yes


def _branch_literal(builder: Builder, node: Node) -> tuple[int, int]:
    here, never = builder.emit(), builder.fresh()
    return (here, never) if node.text == "true" else (never, here)


def _branch_is(builder: Builder, node: Node) -> tuple[int, int]:
    pattern = node.field("pattern")
    builder.visit(node.field("expression"))
    return _branch_pattern(builder, pattern) if pattern is not None else (builder.at, builder.at)


def _branch_both(builder: Builder, node: Node) -> tuple[int, int]:
    operator = _operator(node)
    if operator not in ("&&", "||"):
        return _branch_value(builder, node)
    yes, no = builder.branch(node.field("left"))
    builder.at = yes if operator == "&&" else no
    later_yes, later_no = builder.branch(node.field("right"))
    if operator == "&&":
        builder.join(no, later_no)
        return later_yes, builder.at
    builder.join(yes, later_yes)
    return builder.at, later_no


def _branch_pattern(builder: Builder, pattern: Node) -> tuple[int, int]:
    negated = False
    while pattern.kind in ("negated_pattern", "parenthesized_pattern") and pattern.nodes:
        negated = negated is not (pattern.kind == "negated_pattern")
        pattern = pattern.nodes[-1]
    read_pattern(builder, pattern)
    no = builder.at
    bind_pattern(builder, pattern)
    return (no, builder.at) if negated else (builder.at, no)


_BRANCHES = {
    "parenthesized_expression": _branch_parenthesized,
    "prefix_unary_expression": _branch_negated,
    "binary_expression": _branch_both,
    "boolean_literal": _branch_literal,
    "is_pattern_expression": _branch_is,
}
