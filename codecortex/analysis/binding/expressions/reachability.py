"""Whether the end of a block can be reached: True, False, or None where that is not known."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from codecortex.model.code.syntax import Node

    Extent = tuple[int, int]
    Reached = bool | None

_JUMPS = frozenset(("return_statement", "throw_statement", "goto_statement", "break_statement", "continue_statement"))
_LOOPS = frozenset(("do_statement", "for_statement", "foreach_statement", "while_statement"))
_LEFT = _LOOPS | {"switch_statement"}
_COMPLEMENTS = (frozenset(("true", "false")), frozenset(("null", "not null")))
"""Patterns that together take every value."""
_SINGLE = frozenset(("constant_pattern", "discard"))
_PATTERNS = frozenset(("tuple_expression", "invocation_expression"))
"""What the grammar takes for constants, and is a pattern in brackets."""
_FUNCTIONS = frozenset(("lambda_expression", "anonymous_method_expression", "local_function_statement"))
_WRAPPERS = frozenset(
    (
        *("using_statement", "lock_statement", "fixed_statement", "unsafe_statement", "checked_statement"),
        "labeled_statement",
    )
)


def _any(reached: Iterable[Reached]) -> Reached:
    every = tuple(reached)
    return True if True in every else None if None in every else False


def _all(reached: Iterable[Reached]) -> Reached:
    every = tuple(reached)
    return False if False in every else None if None in every else True


class Reachability:
    """Tells where control can go on.

    Args:
        fixed: The values of the conditions that are constant, by their extents, and of other values that are; None
            where a value is not known.
    """

    def __init__(self, fixed: Mapping[Extent, bool | None]) -> None:
        self._fixed = fixed
        self._rules: dict[str, Callable[[Node], Reached]] = {
            "block": self._end_of_block,
            "expression_statement": self._end_of_expression,
            "do_statement": self._end_of_do,
            "while_statement": self._end_of_loop,
            "for_statement": self._end_of_loop,
            "if_statement": self._end_of_if,
            "try_statement": self._end_of_try,
            "switch_statement": self._end_of_switch,
        }

    def ends(self, node: Node) -> Reached:
        """Whether control can go on after a statement."""
        rule = self._rules.get(node.kind)
        if rule is not None:
            return rule(node)
        if node.kind in _WRAPPERS:
            return self._end_of(node.field("body") or (node.nodes[-1] if node.nodes else None))
        return node.kind not in _JUMPS

    def _end_of(self, node: Node | None) -> Reached:
        return node is None or self.ends(node)

    def _is_always(self, condition: Node, *, is_true: bool = True) -> Reached:
        """Whether a condition is a constant, true or false."""
        while condition.kind == "parenthesized_expression" and condition.nodes:
            condition = condition.nodes[0]
        if condition.kind == "boolean_literal":
            return (condition.text == "true") is is_true
        extent = condition.start, condition.end
        known = self._fixed.get(extent)
        return (known is is_true if known is not None else None) if extent in self._fixed else False

    def _end_of_block(self, node: Node) -> Reached:
        reached: Reached = True
        for each in node.nodes:
            if each.kind != "local_function_statement":
                begun = True if each.kind == "labeled_statement" else reached
                reached = _all((begun, self.ends(each)))
        return reached

    def _end_of_expression(self, node: Node) -> Reached:
        return not node.nodes or node.nodes[0].kind != "throw_expression"

    def _end_of_loop(self, node: Node) -> Reached:
        condition = node.field("condition")
        if _leaves(node, "break_statement"):
            return True
        endless = node.kind == "for_statement" if condition is None else self._is_always(condition)
        return None if endless is None else not endless

    def _end_of_do(self, node: Node) -> Reached:
        condition = node.field("condition")
        if _leaves(node, "break_statement"):
            return True
        asked = _any((_leaves(node, "continue_statement"), self._end_of(node.field("body"))))
        endless = condition is not None and self._is_always(condition)
        return _all((asked, None if endless is None else not endless))

    def _end_of_if(self, node: Node) -> Reached:
        condition = node.field("condition")
        then, otherwise = (self._end_of(node.field(each)) for each in ("consequence", "alternative"))
        if condition is None:
            return _any((then, otherwise))
        taken, left = self._is_always(condition), self._is_always(condition, is_true=False)
        if taken is None:
            return then if then is otherwise else None
        return then if taken else otherwise if left else _any((then, otherwise))

    def _end_of_try(self, node: Node) -> Reached:
        last = _all(self.ends(each) for clause in node.of_kind("finally_clause") for each in clause.of_kind("block"))
        bodies = [node.field("body"), *(clause.field("body") for clause in node.of_kind("catch_clause"))]
        return _all((last, _any(map(self._end_of, bodies))))

    def _end_of_switch(self, node: Node) -> Reached:
        value = node.field("value")
        if value is not None and (value.start, value.end) in self._fixed:
            return None
        if _leaves(node, "break_statement"):
            return True
        whole = self._is_exhaustive(node)
        return None if whole is None else not whole

    def _is_exhaustive(self, node: Node) -> Reached:
        """Whether the labels of a switch take every value, as far as their own texts tell."""
        body = node.field("body")
        sections = body.of_kind("switch_section") if body is not None else []
        labels = [each.nodes[0] for each in sections if each.nodes and each.first("when_clause") is None]
        told = {each.text for each in labels}
        whole = any(each.first("implicit_type") is not None for each in labels)
        if whole or any(each.has("default") for each in sections) or any(pair <= told for pair in _COMPLEMENTS):
            return True
        guards = (each for section in sections for clause in section.of_kind("when_clause") for each in clause.nodes)
        guarded = any(self._is_always(each) is not False for each in guards)
        return None if guarded or any(map(self._may_take_many, labels)) else False

    def _may_take_many(self, label: Node) -> bool:
        """Whether a label may be more than a single constant."""
        inner = label.nodes[0].kind if label.nodes else ""
        return label.kind not in _SINGLE or inner in _PATTERNS or (label.start, label.end) in self._fixed


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
