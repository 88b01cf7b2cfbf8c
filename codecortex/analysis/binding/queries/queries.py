"""Binds query expressions as the language translates them: clauses are calls with lambdas of the range variables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.binding.body.calls import find_extension, finish_arguments, resolve
from codecortex.analysis.binding.body.certainty import find_doubted
from codecortex.analysis.binding.body.frame import Local
from codecortex.analysis.binding.conversions.answers import YES
from codecortex.analysis.binding.conversions.operands import Argument, Bare, Value
from codecortex.analysis.binding.expressions.lambdas import make_implied
from codecortex.analysis.binding.lookup.members import keep_accessible
from codecortex.analysis.binding.types.inspect import mentions
from codecortex.analysis.binding.types.symbols import DYNAMIC, UNKNOWN, Anonymous, MemberKind
from codecortex.model.code.bindings import BindingRole
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from codecortex.analysis.binding.body.binder import Binder
    from codecortex.analysis.binding.conversions.operands import Expression
    from codecortex.analysis.binding.types.symbols import Type
    from codecortex.model.code.syntax import Node

_UNSURE = "what the query is made from is not certain"
_JOIN_PARTS = 4  # the variable, the sequence, both keys


class _Variable(NamedTuple):
    """A range variable; its type where that is written."""

    name: Node
    type: Type = UNKNOWN


class _Pair(NamedTuple):
    """What the language keeps in an anonymous type: the range variables so far, and another one."""

    left: _Variable | _Pair
    right: _Variable


_Shape = _Variable | _Pair


class _Query:
    """A query, bound clause by clause.

    Attributes:
        source: What the clauses so far give.
        shape: The range variables that an element of it holds.
        plain: Whether no clause but the first was bound.
    """

    def __init__(self, binder: Binder) -> None:
        self._binder = binder
        self.source = Value(UNKNOWN, certain=False)
        self.shape: _Shape | None = None
        self.plain = True
        self._clauses: dict[str, Callable[[Node, Node | None], bool]] = {
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
        clauses = [each for each in node.nodes if each.kind in self._clauses]
        skip = False
        for at, clause in enumerate(clauses):
            if skip:  # the clause before has taken it
                skip = False
                continue
            after = clauses[at + 1] if at + 1 < len(clauses) else None
            skip = self._clauses[clause.kind](clause, after)
        return self.source if self.source.type is not UNKNOWN else Bare.UNKNOWN

    # -- clauses; each tells whether it has taken the one after

    def _bind_from(self, node: Node, after: Node | None) -> bool:
        name, typed = node.field("name"), node.field("type")
        values = node.without(name, typed)
        if name is None or not values:
            return False
        written = self._binder.type(typed) if typed is not None else UNKNOWN
        variable = _Variable(name, written)
        if self.shape is None:
            value = self._binder.value(self._binder.expression(values[-1]))
            self.source, self.shape = self._cast(value, written, node), variable
            return False
        around = self.shape

        def collect() -> Expression:
            return self._cast(self._binder.value(self._binder.expression(values[-1])), written, node)

        inner = self._lambda(values[-1], (around,), collect)
        return self._join_with("SelectMany", node, [inner], variable, after)

    def _cast(self, value: Value, written: Type, node: Node) -> Value:
        """`from T a in b`: `b.Cast<T>()`."""
        if written is UNKNOWN:
            return value
        return self._call(value, "Cast", (), node.start, (written,))

    def _bind_let(self, node: Node, after: Node | None) -> bool:
        del after
        name, value = node.nodes[0], node.nodes[-1]
        self._select_pair(node, name, value)
        return False

    def _select_pair(self, node: Node, name: Node, value: Node) -> None:
        around = self.shape

        def pair() -> Expression:
            bound = self._binder.value(self._binder.expression(value))
            return Value(Anonymous((("", self._element(around)), (name.name, bound.type))), bound.certain)

        if around is not None:
            self._apply("Select", node.start, self._lambda(node, (around,), pair))
            self.shape = _Pair(around, _Variable(name))

    def _bind_where(self, node: Node, after: Node | None) -> bool:
        del after
        for each in node.nodes[:1]:
            self._apply("Where", node.start, self._over(each))
        return False

    def _bind_order(self, node: Node, after: Node | None) -> bool:
        del after
        children, method = list(node.children), "OrderBy"
        for at, child in enumerate(children):
            if isinstance(child, str):
                continue
            down = at + 1 < len(children) and children[at + 1] == "descending"
            self._apply(f"{method}Descending" if down else method, child.start, self._over(child))
            method = "ThenBy"
        return False

    def _bind_join(self, node: Node, after: Node | None) -> bool:
        typed, into = node.field("type"), node.first("join_into_clause")
        parts = node.without(typed, into)
        if len(parts) < _JOIN_PARTS or self.shape is None:
            return False
        name, sequence, left, right = parts[:_JOIN_PARTS]
        written = self._binder.type(typed) if typed is not None else UNKNOWN
        inner = self._cast(self._binder.value(self._binder.expression(sequence)), written, node)
        variable = _Variable(name, written)
        keys = [self._over(left), self._lambda(right, (variable,), lambda: self._binder.expression(right))]
        joined = _Variable(into.nodes[-1]) if into is not None and into.nodes else variable
        method = "Join" if into is None else "GroupJoin"
        return self._join_with(method, node, [Argument(inner), *keys], joined, after)

    def _join_with(
        self, method: str, node: Node, arguments: Sequence[Argument], variable: _Variable, after: Node | None
    ) -> bool:
        """A clause that adds a variable: what it gives for both is that of the `select` after it, else the pair."""
        around = self.shape
        if around is None:
            return False
        if after is not None and after.kind == "select_clause":
            value = after.nodes[-1]
            both = self._lambda(value, (around, variable), lambda: self._binder.expression(value))
            self._apply(method, node.start, *arguments, both)
            self.shape = None
            return True

        def pair() -> Expression:
            return Value(Anonymous((("", self._element(around)), (variable.name.name, self._type_of(variable)))))

        self._apply(method, node.start, *arguments, self._lambda(node, (around, variable), pair))
        self.shape = _Pair(around, variable)
        return False

    def _bind_select(self, node: Node, after: Node | None) -> bool:
        del after
        value = node.nodes[-1]
        if self._is_variable(value) and not self.plain:
            self._over_all(value)
        else:
            self._apply("Select", node.start, self._over(value))
        return False

    def _bind_group(self, node: Node, after: Node | None) -> bool:
        del after
        value, key = node.nodes[0], node.nodes[-1]
        if self._is_variable(value):
            self._over_all(value)
            self._apply("GroupBy", node.start, self._over(key))
        else:
            self._apply("GroupBy", node.start, self._over(key), self._over(value))
        return False

    def _bind_into(self, node: Node, after: Node | None) -> bool:
        """`into a`: what follows sees only that variable."""
        del after
        self.shape = _Variable(node)
        return False

    # -- calls

    def _is_variable(self, node: Node) -> bool:
        """Whether an expression is the only range variable."""
        shape = self.shape
        return isinstance(shape, _Variable) and node.kind == "identifier" and node.name == shape.name.name

    def _over_all(self, node: Node) -> None:
        """Keep what a variable means of which no call is made."""
        if self.shape is not None:
            self._call(self.source, "Select", [self._over(node)], None)

    def _apply(self, method: str, start: int, *arguments: Argument) -> None:
        self.plain = False
        self.source = self._call(self.source, method, arguments, start)

    def _call(
        self, source: Value, name: str, arguments: Sequence[Argument], start: int | None, given: Sequence[Type] = ()
    ) -> Value:
        """Call a method of what a query is made from, or an extension method."""
        binder = self._binder
        if source.type is UNKNOWN or source.type is DYNAMIC:
            finish_arguments(binder, arguments)
            return Value(source.type, certain=False)
        found = binder.session.members.find(source.type, name)
        methods = [
            each for each in found.members if each.member.kind is MemberKind.METHOD and not each.member.is_static
        ]
        methods = keep_accessible(methods, binder.place)
        resolution = resolve(binder, methods, arguments, given)
        best, skipped, known = resolution.best, 0, True
        if best is None or best.answer != YES:
            known = best is None and found.known
            extension = find_extension(binder, source, name, arguments, given)
            if best is None:
                resolution, best, skipped = extension, extension.best, 1
        if best is None:
            finish_arguments(binder, arguments)
            return Value(UNKNOWN, certain=False)
        finish_arguments(binder, arguments, best.types[skipped:])
        certain = source.certain and known and (resolution.certain or resolution.alone)
        if start is not None:
            binder.emit_implied(start, best.member, BindingRole.IMPLIED, "" if certain else _UNSURE)
        doubted = find_doubted(binder, best, [Argument(source)] * skipped + [*arguments], given)
        sure = certain or (source.certain and resolution.same_type)
        return Value(best.returns, sure and not (doubted and mentions(best.member.type, doubted)))

    # -- lambdas

    def _over(self, node: Node) -> Argument:
        """An expression as a lambda of the range variables."""
        shape = self.shape
        shapes = (shape,) if shape is not None else ()
        return self._lambda(node, shapes, lambda: self._binder.expression(node))

    def _lambda(self, node: Node, shapes: Sequence[_Shape], body: Callable[[], Expression]) -> Argument:
        certain = self.source.certain

        def declare(types: Sequence[Type]) -> None:
            for shape, type_ in zip(shapes, types, strict=False):
                self._declare(shape, type_, certain=certain)

        return Argument(make_implied(self._binder, node, len(shapes), declare, body))

    def _declare(self, shape: _Shape, type_: Type, *, certain: bool) -> None:
        """Declare the range variables that a value of a type holds."""
        if isinstance(shape, _Variable):
            written = type_ if type_ is not UNKNOWN else shape.type
            self._binder.declare_local(shape.name, Local(written, certain or type_ is UNKNOWN, node=shape.name))
            return
        pair = isinstance(type_, Anonymous) and len(type_.properties) == len(shape)
        left, right = [each for _, each in type_.properties] if pair and isinstance(type_, Anonymous) else [UNKNOWN] * 2
        self._declare(shape.left, left, certain=certain)
        self._declare(shape.right, right, certain=certain)

    def _type_of(self, variable: _Variable) -> Type:
        """The type of a variable, in the lambda that is being bound."""
        local = self._binder.frame.locals.find(variable.name.name)
        return local.type if local is not None else UNKNOWN

    def _element(self, shape: _Shape | None) -> Type:
        """The type of an element that holds the range variables, in the lambda that is being bound."""
        if isinstance(shape, _Pair):
            name = shape.right.name.name
            return Anonymous((("", self._element(shape.left)), (name, self._type_of(shape.right))))
        return self._type_of(shape) if shape is not None else UNKNOWN


def bind_query(binder: Binder, node: Node) -> Expression:
    """`from a in b where c select d`."""
    with binder.within(binder.block()):
        return _Query(binder).bind(node)


RULES: dict[str, Callable[[Binder, Node], Expression]] = {"query_expression": bind_query}
"""The rule of queries."""
