"""How control goes through expressions and patterns, and what they do to variables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.flow.conditions import visit_binary, visit_choice, visit_condition
from codecortex.analysis.flow.graph import Event
from codecortex.analysis.flow.patterns import bind_pattern, declare_all, read_pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codecortex.analysis.flow.builder import Builder, Rule
    from codecortex.model.code.syntax import Node

_LEFTMOST = {
    "invocation_expression": "function",
    "element_access_expression": "expression",
    "member_access_expression": "expression",
    "conditional_access_expression": "condition",
}
_STEPS = ("++", "--")
_NOT_VISITED = frozenset(("modifier", "attribute_list", "type_argument_list", "predefined_type", "implicit_type"))


def visit_rest(builder: Builder, node: Node) -> None:
    """Syntax without a rule: what stands in it, in order."""
    builder.visit_all([each for each in node.nodes if each.kind not in _NOT_VISITED])


def visit_name(builder: Builder, node: Node) -> None:
    """`a`."""
    builder.use(node, Event.READ)


# -- what is written


def visit_assignment(builder: Builder, node: Node) -> None:
    """`a = b`, `a += b`, `(a, b) = c`."""
    left, right, operator = node.field("left"), node.field("right"), node.field("operator")
    if left is None or right is None:
        visit_rest(builder, node)
        return
    word = operator.text if operator is not None else "="
    if word == "=":
        targets = list(_list_targets(left))
        for each in targets:
            _visit_place(builder, each)
        builder.visit(right)
    else:
        targets = [left]
        builder.visit(left)
        if word == "??=":
            with builder.maybe():
                builder.visit(right)
                _write(builder, left)
            return
        builder.visit(right)
    for each in targets:
        _write(builder, each)


def _list_targets(left: Node) -> Iterator[Node]:
    """What an assignment writes to."""
    if left.kind != "tuple_expression":
        yield left
        return
    for argument in left.of_kind("argument"):
        if argument.nodes:
            yield from _list_targets(argument.nodes[-1])


def _visit_place(builder: Builder, target: Node) -> None:
    """Read what has to be known before something is written."""
    if target.kind not in ("identifier", "declaration_expression", "tuple_pattern"):
        builder.visit(target)


def _write(builder: Builder, target: Node) -> None:
    while target.kind == "parenthesized_expression" and target.nodes:
        target = target.nodes[-1]
    if target.kind == "identifier":
        builder.use(target, Event.WRITE)
    elif target.kind in ("declaration_expression", "tuple_pattern"):
        declare_all(builder, target)
    else:
        touch(builder, target)


def touch(builder: Builder, target: Node) -> None:
    """Something in a value may change: where that is a struct in a variable, the variable does."""
    root = find_root(target)
    if root is not None and builder.meanings.get(root.start) in builder.mutable:
        builder.use(root, Event.TOUCH)


def find_root(node: Node) -> Node | None:
    """The name that a chain of accesses begins with, if no call stands in it."""
    each: Node | None = node
    while each is not None and each.kind != "identifier":
        if each.kind in ("parenthesized_expression", "postfix_unary_expression"):
            each = each.nodes[0] if each.nodes else None
        elif each.kind in _LEFTMOST and each.kind != "invocation_expression":
            each = each.field(_LEFTMOST[each.kind])
        else:
            return None
    return each


def visit_step(builder: Builder, node: Node) -> None:
    """`a++`, `--a`, `&a`, `!a`."""
    visit_rest(builder, node)
    if any(node.has(each) for each in _STEPS) and node.nodes:
        _write(builder, node.nodes[-1])
    if node.has("&"):
        share(builder, node.nodes[-1])


def visit_ref(builder: Builder, node: Node) -> None:
    """`ref a`: what refers to a variable."""
    visit_rest(builder, node)
    if node.nodes:
        share(builder, node.nodes[-1])
        for each in node.nodes[-1].walk():
            if each.kind == "argument" and (each.has("ref") or each.has("in") or each.has("out")) and each.nodes:
                share(builder, each.nodes[-1])


def share(builder: Builder, node: Node) -> None:
    """Something else refers to a variable."""
    each: Node | None = node
    while each is not None and each.kind == "member_access_expression":
        each = each.field("expression")
    if each is not None and each.start in builder.meanings:
        builder.shared.add(builder.meanings[each.start])


# -- calls


def visit_call(builder: Builder, node: Node) -> None:
    """`a.b(c)`, `a[b]`: in a chain with `?.`, what follows may be passed over."""
    left = node.field(_LEFTMOST[node.kind])
    if node.kind == "invocation_expression" and left is not None and left.text == "nameof":
        _visit_nameof(builder, node)
        return
    builder.visit(left)
    rest = node.without(left)
    if left is not None and _is_conditional(left):
        with builder.maybe():
            _visit_arguments(builder, rest)
    else:
        _visit_arguments(builder, rest)
    if node.kind == "invocation_expression" and left is not None and left.kind == "member_access_expression":
        receiver = left.field("expression")
        if receiver is not None:
            touch(builder, receiver)


def _visit_nameof(builder: Builder, node: Node) -> None:
    for each in node.walk():
        if each.kind == "identifier":
            builder.use(each, Event.NOTHING)


def _visit_arguments(builder: Builder, nodes: list[Node]) -> None:
    arguments: list[Node] = []
    for each in nodes:
        if each.kind in ("argument_list", "bracketed_argument_list"):
            arguments += each.of_kind("argument")
        elif each.kind not in ("identifier", "generic_name"):  # the names of members
            builder.visit(each)
    _visit_each_argument(builder, arguments)


def visit_creation(builder: Builder, node: Node) -> None:
    """`new T(a) { B = c }`."""
    for each in node.nodes:
        if each.kind == "argument_list":
            _visit_each_argument(builder, each.of_kind("argument"))
        elif each is not node.field("type") and each.kind not in _NOT_VISITED:
            builder.visit(each)


def _visit_each_argument(builder: Builder, arguments: list[Node]) -> None:
    written: list[tuple[Node, Event]] = []
    for each in arguments:
        value = each.nodes[-1] if each.nodes else None
        if value is None:
            continue
        if each.has("out"):
            _visit_place(builder, value)
            written.append((value, Event.WRITE))
            continue
        builder.visit(value)
        if each.has("ref"):
            written.append((value, Event.TOUCH))
    for value, event in written:
        if event is Event.WRITE:
            _write(builder, value)
        elif value.kind == "identifier":
            builder.use(value, Event.TOUCH)
        else:
            touch(builder, value)


def visit_conditional_access(builder: Builder, node: Node) -> None:
    """`a?.b`."""
    condition = node.field("condition")
    builder.visit(condition)
    with builder.maybe():
        for each in node.without(condition):
            _visit_binding(builder, each)


def _visit_binding(builder: Builder, node: Node) -> None:
    if node.kind == "member_binding_expression":
        return
    if node.kind == "element_binding_expression":
        _visit_arguments(builder, node.nodes)
    else:
        builder.visit(node)


def _is_conditional(node: Node) -> bool:
    """Whether a chain has `?.` in it."""
    each: Node | None = node
    while each is not None and each.kind in _LEFTMOST:
        if each.kind == "conditional_access_expression":
            return True
        each = each.field(_LEFTMOST[each.kind])
    return False


# -- conditions


def visit_switch(builder: Builder, node: Node) -> None:
    """`a switch { b => c }`."""
    nodes = node.nodes
    builder.visit(nodes[0] if nodes else None)
    ends: list[int] = []
    test = builder.at
    for arm in node.of_kind("switch_expression_arm"):
        builder.at = test
        test = _visit_arm(builder, arm)
        ends.append(builder.at)
    builder.join(*ends)


def _visit_arm(builder: Builder, arm: Node) -> int:
    """Read an arm; the point where the next one is tried."""
    pattern, *conditions, value = arm.nodes
    read_pattern(builder, pattern)
    no = builder.at
    bind_pattern(builder, pattern)
    for each in conditions:
        yes, other = builder.branch(each.nodes[0] if each.nodes else None)
        builder.join(no, other)
        no, builder.at = builder.at, yes
    builder.visit(value)
    return no


# -- patterns


# -- functions


def visit_lambda(builder: Builder, node: Node) -> None:
    """`(a) => b`, `delegate (T a) { }`."""
    with builder.function(node):
        listed = node.field("parameters")
        if listed is not None and listed.kind in ("implicit_parameter", "identifier"):
            builder.declare(listed.first("identifier") or listed, assigned=True)
        elif listed is not None:
            for each in listed.of_kind("parameter"):
                builder.declare(each.field("name"), assigned=True)
        body = node.field("body") or next(iter(reversed(node.of_kind("block"))), None)
        builder.visit(body)


def visit_query(builder: Builder, node: Node) -> None:
    """`from a in b select c`: all but the first source are lambdas."""
    first = node.nodes[0] if node.nodes else None
    name = first.field("name") if first is not None else None
    if first is not None:
        builder.visit_all(first.without(name, first.field("type")))
    with builder.function(node):
        builder.declare(name, assigned=True)
        for clause in node.nodes[1:]:
            _visit_clause(builder, clause)


def _visit_clause(builder: Builder, clause: Node) -> None:
    """A clause of a query: a name that declares a range variable, or what stands in it."""
    if clause.kind == "identifier":
        builder.declare(clause, assigned=True)
        return
    for each in clause.nodes:
        if each.kind == "identifier" and builder.meanings.get(each.start) == each.start:
            builder.declare(each, assigned=True)
        elif each is not clause.field("type"):
            builder.visit(each)


EXPRESSIONS: dict[str, Rule] = {
    "identifier": visit_name,
    "assignment_expression": visit_assignment,
    **dict.fromkeys(("prefix_unary_expression", "postfix_unary_expression"), visit_step),
    "ref_expression": visit_ref,
    **dict.fromkeys(("invocation_expression", "element_access_expression"), visit_call),
    **dict.fromkeys(("object_creation_expression", "implicit_object_creation_expression"), visit_creation),
    "conditional_access_expression": visit_conditional_access,
    "binary_expression": visit_binary,
    "is_pattern_expression": visit_condition,
    "conditional_expression": visit_choice,
    "switch_expression": visit_switch,
    **dict.fromkeys(("lambda_expression", "anonymous_method_expression"), visit_lambda),
    "query_expression": visit_query,
}
"""The rules of expressions."""
