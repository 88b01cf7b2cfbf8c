"""Binds query expressions: each clause sees the range variables before it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.binding.body.frame import Locals
from codecortex.analysis.binding.body.protocols import enumerate_type
from codecortex.analysis.binding.conversions.operands import Bare, Value
from codecortex.analysis.binding.types.inspect import id_of
from codecortex.analysis.binding.types.symbols import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Callable

    from codecortex.analysis.binding.body.binder import Binder
    from codecortex.analysis.binding.conversions.operands import Expression
    from codecortex.analysis.binding.types.symbols import Type
    from codecortex.model.code.syntax import Node

_QUERYABLE = "System.Linq.IQueryable`1"


def bind_query(binder: Binder, node: Node) -> Expression:
    """`from a in b where c select d`."""
    with binder.within(binder.block()):
        return _Query(binder).bind(node)


class _Query:
    """A query, bound clause by clause.

    Attributes:
        result: What it gives, as far as a `select` or a `group` told.
    """

    def __init__(self, binder: Binder) -> None:
        self._binder = binder
        self._around = binder.frame.locals
        self._source: Type | None = None
        self._element = Value(UNKNOWN, certain=False)
        self.result = Value(UNKNOWN, certain=False)
        self._certain = True
        self._clauses: dict[str, Callable[[Node], None]] = {
            "from_clause": self._bind_from,
            "let_clause": self._bind_let,
            "where_clause": self._bind_where,
            "order_by_clause": self._bind_order,
            "join_clause": self._bind_join,
            "select_clause": self._bind_select,
            "group_clause": self._bind_group,
            "identifier": self._bind_into,
        }

    def bind(self, node: Node) -> Expression:
        """Bind all clauses."""
        for clause in node.nodes:
            rule = self._clauses.get(clause.kind)
            if rule is not None:
                rule(clause)
        return self.result if self.result.type is not UNKNOWN else Bare.UNKNOWN

    def _value(self, node: Node | None) -> Value:
        return self._binder.value(self._binder.expression(node))

    def _sequence(self, element: Type) -> Type:
        if element is UNKNOWN:
            return UNKNOWN
        bases, _ = self._binder.session.bases.of(self._source if self._source is not None else UNKNOWN)
        queryable = any(id_of(base) == _QUERYABLE for base in bases)
        types = self._binder.session.types
        return types.get(_QUERYABLE, element) if queryable else types.enumerable(element)

    def _bind_from(self, node: Node) -> None:
        name, typed = node.field("name"), node.field("type")
        values = node.without(name, typed)
        value = self._value(values[-1] if values else None)
        self._certain = self._certain and value.certain
        self._source = value.type if self._source is None else self._source
        element = enumerate_type(self._binder, value.type).element
        type_ = self._binder.type(typed) if typed is not None else element
        self._element = Value(type_, self._certain or typed is not None)
        self._binder.declare(name, type_, certain=self._element.certain)

    def _bind_let(self, node: Node) -> None:
        value = self._value(node.nodes[-1])
        self._binder.declare(node.nodes[0], value.type, certain=value.certain)

    def _bind_where(self, node: Node) -> None:
        for each in node.nodes:
            self._binder.finish(self._binder.expression(each), self._binder.session.types.bool)

    def _bind_order(self, node: Node) -> None:
        for each in node.nodes:
            self._value(each)

    def _bind_join(self, node: Node) -> None:
        typed, into = node.field("type"), node.first("join_into_clause")
        parts = node.without(typed, into)
        if len(parts) < 4:  # noqa: PLR2004 - the variable, the sequence, both keys
            return
        name, sequence, left, right = parts[:4]
        value = self._value(sequence)
        element = enumerate_type(self._binder, value.type).element if typed is None else self._binder.type(typed)
        self._value(left)
        with self._binder.within(self._binder.block()):
            self._binder.declare(name, element, certain=value.certain)
            self._value(right)
        if into is None:
            self._binder.declare(name, element, certain=value.certain)
        elif into.nodes:
            group = self._binder.session.types.enumerable(element) if element is not UNKNOWN else UNKNOWN
            self._binder.declare(into.nodes[-1], group, certain=value.certain)

    def _bind_select(self, node: Node) -> None:
        value = self._value(node.nodes[-1])
        self._give(value.type, certain=value.certain)

    def _bind_group(self, node: Node) -> None:
        value, key = self._value(node.nodes[0]), self._value(node.nodes[-1])
        known = value.type is not UNKNOWN and key.type is not UNKNOWN
        group = self._binder.session.types.get("System.Linq.IGrouping`2", key.type, value.type) if known else UNKNOWN
        self._give(group, certain=value.certain and key.certain)

    def _give(self, element: Type, *, certain: bool) -> None:
        self._element = Value(element, self._certain and certain)
        self.result = Value(self._sequence(element), self._certain and certain and element is not UNKNOWN)

    def _bind_into(self, node: Node) -> None:
        """`into a`: what follows sees only that variable."""
        self._binder.frame.locals = Locals(self._around.around)
        self._binder.declare(node, self._element.type, certain=self._element.certain)


RULES: dict[str, Callable[[Binder, Node], Expression]] = {"query_expression": bind_query}
"""The rule of queries."""
