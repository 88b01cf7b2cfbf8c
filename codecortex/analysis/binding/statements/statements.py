"""Binds statements."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.binding.body.protocols import ITERATORS, deconstruct, enumerate_type
from codecortex.analysis.binding.conversions.numbers import WIDENING
from codecortex.analysis.binding.conversions.operands import Bare, Value
from codecortex.analysis.binding.expressions.assignments import assign_parts
from codecortex.analysis.binding.statements.around import choose_statements
from codecortex.analysis.binding.statements.declarations import bind_variables, hoist, is_inferred
from codecortex.analysis.binding.types.inspect import id_of
from codecortex.analysis.binding.types.symbols import UNKNOWN, Named, Pointer
from codecortex.model.code.bindings import BindingRole

if TYPE_CHECKING:
    from collections.abc import Callable

    from codecortex.analysis.binding.body.binder import Binder
    from codecortex.model.code.syntax import Node

_NO_EXPRESSIONS = frozenset(("modifier", "attribute_list"))


def bind_block(binder: Binder, node: Node) -> None:
    """`{ ... }`."""
    statements = node.nodes
    with binder.within(binder.block()):
        hoist(binder, statements)
        for each in choose_statements(binder, statements):
            binder.statement(each)


def _bind_scoped(binder: Binder, node: Node | None) -> None:
    """A statement with locals of its own."""
    if node is not None:
        with binder.within(binder.block()):
            binder.statement(node)


def _bind_condition(binder: Binder, node: Node | None) -> None:
    if node is not None:
        condition = binder.expression(node)
        binder.fix(node, condition)
        binder.finish(condition, binder.session.types.bool)


def bind_labeled(binder: Binder, node: Node) -> None:
    """`a: b;`."""
    for each in node.nodes[1:]:
        binder.statement(each)


def bind_nothing(binder: Binder, node: Node) -> None:
    """A statement without names."""
    del binder, node


def bind_all(binder: Binder, node: Node) -> None:
    """The statements and expressions of any other statement."""
    for each in node.nodes:
        if each.kind.endswith("_statement") or each.kind == "block":
            binder.statement(each)
        elif each.kind not in _NO_EXPRESSIONS:
            binder.discard(each)


def bind_checked(binder: Binder, node: Node) -> None:
    """`checked { ... }`, `unchecked { ... }`."""
    with binder.within(binder.block()) as frame:
        frame.is_checked = node.has("checked")
        bind_all(binder, node)


def bind_return(binder: Binder, node: Node) -> None:
    """`return a;`."""
    if node.nodes:
        expression = binder.expression(node.nodes[-1])
        binder.frame.results.append(expression)
        returns = binder.frame.returns
        binder.finish(expression, returns if returns != binder.session.types.void else UNKNOWN)
    else:
        binder.frame.results.append(Bare.NOTHING)


def bind_yield(binder: Binder, node: Node) -> None:
    """`yield return a;`."""
    for each in node.nodes:
        expression, returns = binder.expression(each), binder.frame.returns
        listed = isinstance(returns, Named) and returns.definition.id in ITERATORS
        element = returns.arguments[0] if listed else enumerate_type(binder, returns).element  # type: ignore[union-attr]
        binder.finish(expression, element)


def bind_if(binder: Binder, node: Node) -> None:
    """`if (a) b; else c;`: variables of the condition are seen after it."""
    _bind_condition(binder, node.field("condition"))
    _bind_scoped(binder, node.field("consequence"))
    _bind_scoped(binder, node.field("alternative"))


def bind_while(binder: Binder, node: Node) -> None:
    """`while (a) b;`."""
    with binder.within(binder.block()):
        _bind_condition(binder, node.field("condition"))
        _bind_scoped(binder, node.field("body"))


def bind_do(binder: Binder, node: Node) -> None:
    """`do a; while (b);`."""
    _bind_scoped(binder, node.field("body"))
    with binder.within(binder.block()):
        _bind_condition(binder, node.field("condition"))


def bind_for(binder: Binder, node: Node) -> None:
    """`for (a; b; c) d;`."""
    condition, body = node.field("condition"), node.field("body")
    with binder.within(binder.block()):
        for each in node.without(condition, body):
            if each.kind == "variable_declaration":
                bind_variables(binder, each)
        steps = _list_steps(node)
        for each in node.without(body, *steps):
            if each is condition:
                _bind_condition(binder, each)
            elif each.kind != "variable_declaration":
                binder.discard(each)
        with binder.within(binder.block()):
            for each in steps:
                binder.discard(each)
        _bind_scoped(binder, body)


def _list_steps(node: Node) -> list[Node]:
    """What is done after each round of a `for`: what stands behind its second semicolon, but its body."""
    ends = [at for at, child in enumerate(node.children) if child == ";"]
    behind = node.children[ends[1] :] if len(ends) > 1 else ()
    return [each for each in behind if not isinstance(each, str) and each is not node.field("body")]


def bind_foreach(binder: Binder, node: Node) -> None:
    """`foreach (T a in b) c;`."""
    with binder.within(binder.block()):
        value = binder.value(binder.expression(node.field("right")))
        enumeration = enumerate_type(binder, value.type, asynchronous=node.has("await"))
        doubt = "" if value.certain else "the type is not certain"
        binder.errors += id_of(value.type) in WIDENING
        start = node.start + (node.source[node.start : node.end].find(b"foreach") if node.has("await") else 0)
        for member in enumeration.members:
            binder.emit_implied(start, member, BindingRole.IMPLIED, doubt)
        _declare_element(binder, node, start, Value(enumeration.element, value.certain))
        _bind_scoped(binder, node.field("body"))


def _declare_element(binder: Binder, node: Node, start: int, element: Value) -> None:
    typed, left = node.field("type"), node.field("left")
    if left is None:
        return
    if left.kind == "tuple_pattern":
        deconstruct(binder, left, element, start)
    elif left.kind == "tuple_expression":
        assign_parts(binder, left, element, start)
    elif left.kind == "declaration_expression":
        inner = left.field("type")
        inferred = is_inferred(binder, inner)
        type_ = element.type if inferred else binder.type(inner)
        binder.declare(left.field("name"), type_, certain=element.certain or not inferred, discards=False)
    elif left.kind == "binary_expression":  # `T* a`, which the grammar takes for a product
        binder.declare(left.field("right"), Pointer(binder.type(left.field("left"))), discards=False)
    elif typed is None:
        binder.expression(left)
    elif is_inferred(binder, typed):
        binder.declare(left, element.type, certain=element.certain, discards=False)
    else:
        binder.declare(left, binder.type(typed), discards=False)


def bind_using(binder: Binder, node: Node) -> None:
    """`using (a) b;`, `fixed (a) b;`, `lock (a) b;`."""
    body = node.field("body")
    if node.kind == "lock_statement":  # what its expression declares is seen behind it
        bind_all(binder, node)
        return
    with binder.within(binder.block()):
        for each in node.without(body):
            if each.kind == "variable_declaration":
                bind_variables(binder, each)
            elif each.kind.endswith("_statement") or each.kind == "block":
                binder.statement(each)
            else:
                binder.discard(each)
        _bind_scoped(binder, body)


def bind_try(binder: Binder, node: Node) -> None:
    """`try { } catch (T a) when (b) { } finally { }`."""
    for each in node.nodes:
        if each.kind == "block":
            binder.statement(each)
        elif each.kind == "catch_clause":
            _bind_catch(binder, each)
        else:
            for block in each.of_kind("block"):
                binder.statement(block)


def _bind_catch(binder: Binder, node: Node) -> None:
    with binder.within(binder.block()):
        declared = node.first("catch_declaration")
        if declared is not None:
            type_ = binder.type(declared.field("type"))
            binder.declare(declared.field("name"), type_, discards=False)
        condition = node.first("catch_filter_clause")
        for each in condition.nodes if condition is not None else ():
            _bind_condition(binder, each)
        binder.statement(node.field("body"))


def bind_switch(binder: Binder, node: Node) -> None:
    """`switch (a) { case b when c: ... }`."""
    switched = node.field("value")
    value = binder.value(binder.expression(switched))
    if switched is not None:
        binder.fix(switched, value)
    body = node.field("body")
    sections = body.of_kind("switch_section") if body is not None else []
    with binder.within(binder.block()):
        for section in sections:
            hoist(binder, section.nodes)
        every = [each for section in sections for each in section.nodes if _follows(each)]
        chosen = frozenset(choose_statements(binder, every))
        block, frame = binder.frame, binder.block()
        for section in sections:  # labels without statements share the variables of the section that follows
            statements = [each for each in section.nodes if _follows(each)]
            with binder.within(frame):
                _bind_labels(binder, section, value)
                labelled = frozenset(frame.locals.declared)
                for each in statements:
                    if each in chosen:
                        binder.statement(each)
            if statements:  # what these declare, all sections share
                declared = frame.locals.declared.items()
                block.locals.declared.update(each for each in declared if each[0] not in labelled)
                frame = binder.block()


def _follows(node: Node) -> bool:
    """Whether a part of a section of `switch` is a statement, not a label."""
    return node.kind.endswith("_statement") or node.kind == "block"


def _bind_labels(binder: Binder, section: Node, value: Value) -> None:
    for each in section.nodes:
        if each.kind == "when_clause":
            for condition in each.nodes:
                _bind_condition(binder, condition)
        elif not _follows(each):
            binder.pattern(each, value)
            if _means_type(binder, each):
                binder.fixed[each.start, each.end] = None


def _means_type(binder: Binder, label: Node) -> bool:
    """Whether the last name within a label that was bound is that of a type."""
    name = label
    while name.kind != "identifier" and name.nodes:
        name = name.nodes[-1]
    meant = binder.bindings.get((name.start, ""))
    return meant is not None and (meant.symbol.startswith("T:") or meant.role is BindingRole.TYPE)


def bind_goto(binder: Binder, node: Node) -> None:
    """`goto case a;`; a label is no symbol."""
    for each in node.nodes if node.has("case") else ():
        binder.discard(each)


RULES: dict[str, Callable[[Binder, Node], None]] = {
    "block": bind_block,
    "labeled_statement": bind_labeled,
    **dict.fromkeys(("break_statement", "continue_statement", "empty_statement"), bind_nothing),
    **dict.fromkeys(
        (
            *("expression_statement", "throw_statement", "unsafe_statement", "global_statement"),
            *("ERROR", "switch_section", "finally_clause"),
        ),
        bind_all,
    ),
    "checked_statement": bind_checked,
    "return_statement": bind_return,
    "yield_statement": bind_yield,
    "if_statement": bind_if,
    "while_statement": bind_while,
    "do_statement": bind_do,
    "for_statement": bind_for,
    "foreach_statement": bind_foreach,
    **dict.fromkeys(("using_statement", "fixed_statement", "lock_statement"), bind_using),
    "try_statement": bind_try,
    "switch_statement": bind_switch,
    "goto_statement": bind_goto,
}
"""The rules of statements."""
