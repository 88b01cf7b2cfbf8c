"""Makes the flow graph of a member: where control is, where it jumps to, and what happens to variables there."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from codecortex.analysis.flow.graph import Event, Graph, Jump, Mention, Span
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from codecortex.model.code.syntax import Node

    Rule = Callable[["Builder", Node], None]

BREAK, CONTINUE = "break", "continue"


class Rules(NamedTuple):
    """How syntax is read: statements and expressions by their kinds, and conditions.

    Attributes:
        visit: Reads a statement or an expression.
        branch: Reads a condition; gives the points after it was true and after it was false.
    """

    visit: Rule
    branch: Callable[[Builder, Node], tuple[int, int]]


class Rescue(NamedTuple):
    """A `finally` block: the point where it begins when it is not reached in order, and the jumps that go through."""

    point: int
    pending: list[int]


class Builder:
    """Makes one graph.

    Attributes:
        graph: The graph.
        meanings: The variable that a name stands for, by the offset of the name.
        mutable: The variables that a call of one of their members may change: structs.
        at: The point where control is.
        exit: Where a `return` leads to.
        mentions: Variables in the text, in order.
        jumps: Statements that do not go on with the next one.
        spans: The points of the statements that are asked for.
        shared: Variables that something else refers to, such as a `ref` local.
    """

    def __init__(
        self, rules: Rules, meanings: Mapping[int, int], mutable: frozenset[int], asked: tuple[Node, Node]
    ) -> None:
        self.graph = Graph()
        self.meanings = meanings
        self.mutable = mutable
        self.at = self.graph.entry
        self.exit = self.graph.exit
        self.mentions: list[Mention] = []
        self.jumps: list[Jump] = []
        self.spans: list[Span] = []
        self.shared: set[int] = set()
        self._rules = rules
        self._asked = asked
        self._handlers: list[int] = []
        self._rescues: list[Rescue] = []
        self._targets: list[tuple[str, int, int]] = []
        self._labels: dict[str, int] = {}
        self._waiting: list[tuple[Jump, str]] = []
        self._function = -1
        self._begun = -1

    # -- walking

    def visit(self, node: Node | None) -> None:
        """Read a statement or an expression."""
        if node is None:
            return
        if node is self._asked[0]:
            self._begun = self.at = self.emit()
        self._rules.visit(self, node)
        if node is self._asked[1] and self._begun >= 0:
            self.emit()
            self.spans.append(Span(self._begun, len(self.graph.events)))
            self._begun = -1

    def visit_all(self, nodes: Sequence[Node]) -> None:
        """Read several."""
        for each in nodes:
            self.visit(each)

    def branch(self, node: Node | None) -> tuple[int, int]:
        """Read a condition; the points after it was true and after it was false."""
        if node is None:
            return self.at, self.fresh()
        if node is self._asked[0]:
            self.visit(node)
            return self.at, self.at
        return self._rules.branch(self, node)

    def finish(self) -> None:
        """End the graph: control leaves, labels are known."""
        self.graph.link(self.at, self.graph.exit)
        for jump, label in self._waiting:
            target = self._labels.get(label, self.graph.escape)
            self.graph.link(jump.point, target)
            self.jumps.append(jump._replace(target=target))

    # -- points

    def emit(self, event: Event = Event.NOTHING, variable: int = -1) -> int:
        """Add a point after the current one."""
        point = self.graph.add(event, variable)
        self.graph.link(self.at, point)
        if self._handlers:
            self.graph.link(point, self._handlers[-1])
        self.at = point
        return point

    def fresh(self) -> int:
        """A point that nothing leads to."""
        return self.graph.add()

    def join(self, *points: int) -> None:
        """Go on where several points lead to."""
        made = self.graph.add()
        for each in points:
            self.graph.link(each, made)
        self.at = made

    @contextmanager
    def maybe(self) -> Iterator[None]:
        """Read what may be passed over."""
        before = self.at
        yield
        self.join(before, self.at)

    # -- variables

    def use(self, name: Node, event: Event) -> None:
        """Something happens to what a name stands for, if that is a variable."""
        variable = self.meanings.get(name.start)
        if variable is None:
            return
        self.mentions.append(Mention(variable, event, name.start, self._function))
        if event is not Event.NOTHING:
            self.emit(event, variable)

    def declare(self, name: Node | None, *, assigned: bool) -> None:
        """A name declares a variable."""
        if name is not None and name.start in self.meanings:
            self.use(name, Event.DECLARE)
            if assigned:
                self.emit(Event.WRITE, self.meanings[name.start])

    # -- jumps

    @contextmanager
    def target(self, kind: str, point: int) -> Iterator[None]:
        """Read what `break` or `continue` leave."""
        self._targets.append((kind, point, len(self._rescues)))
        yield
        self._targets.pop()

    def jump_to(self, node: Node, kind: str) -> None:
        """`break` or `continue`."""
        for known, point, depth in reversed(self._targets):
            if known == kind:
                self._jump(node, point, depth)
                return
        self.at = self.fresh()

    def leave(self, node: Node) -> None:
        """`return`."""
        self._jump(node, self.exit, 0)

    def throw(self) -> None:
        """Control goes to what handles exceptions."""
        self.graph.link(self.at, self._handlers[-1] if self._handlers else self.graph.escape)
        self.at = self.fresh()

    def place_label(self, name: str, point: int) -> None:
        """A label stands at a point."""
        self._labels[name] = point

    def go(self, node: Node, label: str) -> None:
        """`goto`; `finally` blocks on the way are taken for passed over."""
        self._waiting.append((Jump(self.emit(), node, -1), label))
        self.at = self.fresh()

    def _jump(self, node: Node, target: int, depth: int) -> None:
        self.jumps.append(Jump(self.emit(), node, target))
        self._go_through(target, depth)
        self.at = self.fresh()

    def _go_through(self, target: int, depth: int) -> None:
        if len(self._rescues) > depth:
            self.graph.link(self.at, self._rescues[-1].point)
            self._rescues[-1].pending.append(target)
        else:
            self.graph.link(self.at, target)

    # -- what handles exceptions

    @contextmanager
    def handled(self, point: int) -> Iterator[None]:
        """Read what may go to a handler at any moment."""
        self.graph.link(self.at, point)
        self._handlers.append(point)
        yield
        self._handlers.pop()

    def pass_on(self) -> None:
        """An exception may go on to the next handler from here."""
        self.graph.link(self.at, self._handlers[-1] if self._handlers else self.graph.escape)

    @contextmanager
    def rescued(self, block: Node) -> Iterator[None]:
        """Read what a `finally` block follows, and the block: once in order, once for what does not go in order."""
        rescue = Rescue(self.fresh(), [])
        self._rescues.append(rescue)
        with self.handled(rescue.point):
            yield
        self._rescues.pop()
        self.visit(block)
        after, self.at = self.at, rescue.point
        self.visit(block)
        self.pass_on()
        for target in dict.fromkeys(rescue.pending):
            self._go_through(target, len(self._rescues))
        self.join(after)

    # -- functions in the member

    @contextmanager
    def function(self, node: Node) -> Iterator[None]:
        """Read the body of a lambda, a local function or a clause of a query: it may run later, or never."""
        before = self.at
        kept = self._handlers, self._rescues, self._targets, self.exit, self._function
        self._handlers, self._rescues, self._targets = [], [], []
        self.exit, self._function = self.fresh(), node.start
        self.at = self.emit()
        yield
        self.graph.link(self.at, self.exit)
        ended = self.exit
        self._handlers, self._rescues, self._targets, self.exit, self._function = kept
        self.join(before, ended)
