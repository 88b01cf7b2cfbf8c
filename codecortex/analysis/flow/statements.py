"""How control goes through statements."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.flow.builder import BREAK, CONTINUE
from codecortex.analysis.flow.conditions import visit_choice
from codecortex.analysis.flow.patterns import bind_pattern, declare_all, read_pattern

if TYPE_CHECKING:
    from codecortex.analysis.flow.builder import Builder, Rule
    from codecortex.model.code.syntax import Node


def visit_declaration(builder: Builder, node: Node) -> None:
    """`T a = b, c;`."""
    for each in node.of_kind("variable_declarator"):
        name, pattern = each.field("name"), each.first("tuple_pattern")
        values = [child for child in each.nodes if child is not name and child is not pattern]
        builder.visit_all(values)
        if pattern is not None:
            declare_all(builder, pattern)
        else:
            builder.declare(name, assigned=bool(values) and not values[-1].kind.startswith("bracketed"))


def _visit_local(builder: Builder, node: Node) -> None:
    builder.visit_all(node.of_kind("variable_declaration"))


def _visit_while(builder: Builder, node: Node) -> None:
    head, end = builder.emit(), builder.fresh()
    yes, no = builder.branch(node.field("condition"))
    builder.at = yes
    _visit_body(builder, node, head, end)
    builder.graph.link(builder.at, head)
    builder.join(no, end)


def _visit_body(builder: Builder, node: Node, head: int, end: int) -> None:
    with builder.target(BREAK, end), builder.target(CONTINUE, head):
        builder.visit(node.field("body"))


def _visit_do(builder: Builder, node: Node) -> None:
    start, head, end = builder.emit(), builder.fresh(), builder.fresh()
    _visit_body(builder, node, head, end)
    builder.graph.link(builder.at, head)
    builder.at = head
    yes, no = builder.branch(node.field("condition"))
    builder.graph.link(yes, start)
    builder.join(no, end)


def _visit_for(builder: Builder, node: Node) -> None:
    condition, body = node.field("condition"), node.field("body")
    first: list[Node] = []
    updates: list[Node] = []
    semicolons = 0
    for child in node.children:
        if child == ";":
            semicolons += 1
        elif not isinstance(child, str) and child is not condition and child is not body:
            (first if not semicolons else updates).append(child)
    builder.visit_all(first)
    start, head, end = builder.emit(), builder.fresh(), builder.fresh()
    yes, no = builder.branch(condition)
    builder.at = yes
    _visit_body(builder, node, head, end)
    builder.graph.link(builder.at, head)
    builder.at = head
    builder.visit_all(updates)
    builder.graph.link(builder.at, start)
    builder.join(no, end)


def _visit_foreach(builder: Builder, node: Node) -> None:
    builder.visit(node.field("right"))
    head, end, left = builder.emit(), builder.fresh(), node.field("left")
    if left is not None:
        declare_all(builder, left)
    _visit_body(builder, node, head, end)
    builder.graph.link(builder.at, head)
    builder.join(head, end)


def _visit_using(builder: Builder, node: Node) -> None:
    body = node.field("body") or (node.nodes[-1] if node.nodes else None)
    builder.visit_all(node.without(body))
    builder.visit(body)


def _visit_try(builder: Builder, node: Node) -> None:
    last = node.first("finally_clause")
    block = last.first("block") if last is not None else None
    if block is None:
        _visit_caught(builder, node)
        return
    with builder.rescued(block):
        _visit_caught(builder, node)


def _visit_caught(builder: Builder, node: Node) -> None:
    clauses = node.of_kind("catch_clause")
    if not clauses:
        builder.visit(node.field("body"))
        return
    thrown = builder.fresh()
    with builder.handled(thrown):
        builder.visit(node.field("body"))
    ends = [builder.at]
    builder.at = thrown
    builder.pass_on()
    for each in clauses:
        builder.at = thrown
        builder.emit()
        declared, condition = each.first("catch_declaration"), each.first("catch_filter_clause")
        if declared is not None:
            builder.declare(declared.field("name"), assigned=True)
        if condition is not None:
            yes, no = builder.branch(condition.nodes[0] if condition.nodes else None)
            builder.graph.link(no, thrown)
            builder.at = yes
        builder.visit(each.field("body"))
        ends.append(builder.at)
    builder.join(*ends)


def _visit_switch(builder: Builder, node: Node) -> None:
    builder.visit(node.field("value"))
    body, end = node.field("body"), builder.fresh()
    test, default, fallen = builder.at, -1, -1
    cases = builder.fresh()  # where `goto case` leads to: it may be each of them
    builder.place_label(f"case {node.start}", cases)
    with builder.target(BREAK, end):
        for section in body.of_kind("switch_section") if body is not None else ():
            builder.at = test
            matched, test, is_default = _visit_labels(builder, section)
            builder.join(matched, *(point for point in (fallen,) if point >= 0))
            default = builder.at if is_default else default
            statements = [each for each in section.nodes if _is_statement(each)]
            fallen = -1 if statements else builder.at
            if statements:
                builder.graph.link(cases, builder.at)
                builder.visit_all(statements)
                builder.graph.link(builder.at, end)
    builder.graph.link(test, default if default >= 0 else end)
    builder.join(end)


def _visit_labels(builder: Builder, section: Node) -> tuple[int, int, bool]:
    """Read the label of a section; the points after it matched and after it did not, and whether it is `default`."""
    if section.has("default"):
        return builder.fresh(), builder.at, True
    matched = no = builder.at
    for each in section.nodes:
        if each.kind == "when_clause":
            builder.at = matched
            matched, other = builder.branch(each.nodes[0] if each.nodes else None)
            builder.join(no, other)
            no = builder.at
        elif not _is_statement(each):
            read_pattern(builder, each)
            no = builder.at
            bind_pattern(builder, each)
            matched = builder.at
    return matched, no, False


def _is_statement(node: Node) -> bool:
    return node.kind.endswith("_statement") or node.kind == "block"


def _visit_return(builder: Builder, node: Node) -> None:
    builder.visit_all(node.nodes)
    builder.leave(node)


def _visit_yield(builder: Builder, node: Node) -> None:
    builder.visit_all(node.nodes)
    if node.has("break"):
        builder.leave(node)


def _visit_throw(builder: Builder, node: Node) -> None:
    builder.visit_all(node.nodes)
    builder.throw()


def _visit_break(builder: Builder, node: Node) -> None:
    builder.jump_to(node, BREAK)


def _visit_continue(builder: Builder, node: Node) -> None:
    builder.jump_to(node, CONTINUE)


def _visit_goto(builder: Builder, node: Node) -> None:
    if not node.has("case") and not node.has("default"):
        builder.go(node, node.nodes[-1].text if node.nodes else "")
        return
    around = node.parent
    while around is not None and around.kind != "switch_statement":
        around = around.parent
    builder.go(node, f"case {around.start}" if around is not None else "")


def _visit_labeled(builder: Builder, node: Node) -> None:
    builder.place_label(node.nodes[0].text, builder.emit())
    builder.visit_all(node.nodes[1:])


def _visit_local_function(builder: Builder, node: Node) -> None:
    with builder.function(node):
        listed = node.field("parameters")
        for each in listed.of_kind("parameter") if listed is not None else ():
            builder.declare(each.field("name"), assigned=True)
        builder.visit(node.field("body"))


def _visit_all(builder: Builder, node: Node) -> None:
    builder.visit_all([each for each in node.nodes if each.kind not in ("modifier", "attribute_list")])


STATEMENTS: dict[str, Rule] = {
    "variable_declaration": visit_declaration,
    "local_declaration_statement": _visit_local,
    "if_statement": visit_choice,
    "while_statement": _visit_while,
    "do_statement": _visit_do,
    "for_statement": _visit_for,
    "foreach_statement": _visit_foreach,
    **dict.fromkeys(("using_statement", "fixed_statement", "lock_statement"), _visit_using),
    "try_statement": _visit_try,
    "switch_statement": _visit_switch,
    "return_statement": _visit_return,
    "yield_statement": _visit_yield,
    **dict.fromkeys(("throw_statement", "throw_expression"), _visit_throw),
    "break_statement": _visit_break,
    "continue_statement": _visit_continue,
    "goto_statement": _visit_goto,
    "labeled_statement": _visit_labeled,
    "local_function_statement": _visit_local_function,
    **dict.fromkeys(("block", "expression_statement", "checked_statement", "unsafe_statement"), _visit_all),
}
"""The rules of statements."""
