"""Patterns, and what they declare, as steps of a flow graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from codecortex.analysis.flow.builder import Builder
    from codecortex.model.code.syntax import Node


_DESIGNATIONS = frozenset(("declaration_pattern", "var_pattern", "recursive_pattern", "list_pattern", "tuple_pattern"))


def read_pattern(builder: Builder, pattern: Node) -> None:
    """Read the values that a pattern compares with."""
    if pattern.kind in ("constant_pattern", "relational_pattern"):
        builder.visit_all(pattern.nodes)
    elif pattern.kind == "subpattern":
        for each in pattern.nodes[1:] if pattern.has(":") else pattern.nodes:
            read_pattern(builder, each)
    elif pattern.kind.endswith("_pattern") or pattern.kind.endswith("_clause"):
        for each in pattern.nodes:
            if each is not pattern.field("type") and each is not pattern.field("name"):
                read_pattern(builder, each)
    elif pattern.kind.endswith("_expression") or pattern.kind.endswith("_literal") or pattern.kind == "identifier":
        builder.visit(pattern)


def bind_pattern(builder: Builder, pattern: Node) -> None:
    """A pattern matched: the variables that it declares have values."""
    for each in pattern.walk():
        if each.kind in _DESIGNATIONS or each.kind == "parenthesized_variable_designation":
            for name in (*each.of_kind("identifier"), each.field("name")):
                if name is not None and builder.meanings.get(name.start) == name.start:
                    builder.declare(name, assigned=True)


def declare_all(builder: Builder, node: Node) -> None:
    """`(a, (b, c))`, `var a`, a name alone: variables that get values."""
    if node.kind == "identifier":
        builder.declare(node, assigned=True)
        return
    if node.kind == "declaration_expression":
        name = node.field("name")
        declare_all(builder, name) if name is not None else None
        return
    for each in node.nodes:
        if each.kind == "argument" and each.nodes:
            declare_all(builder, each.nodes[-1])
        elif each.kind in ("tuple_pattern", "identifier", "parenthesized_variable_designation"):
            declare_all(builder, each)
