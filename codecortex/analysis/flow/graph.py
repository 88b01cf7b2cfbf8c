"""A flow graph: what happens to variables, in which order; and the two questions that are asked of one."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from codecortex.model.code.syntax import Node


class Event(IntEnum):
    """What happens at a point of a graph; `TOUCH` reads a variable and may change a part of it."""

    NOTHING = 0
    READ = 1
    WRITE = 2
    TOUCH = 3
    DECLARE = 4


class Mention(NamedTuple):
    """A variable in the text.

    Attributes:
        variable: The variable: the offset that declares it.
        event: What happens to it; nothing in a `nameof`.
        start: Where its name stands.
        function: The offset of the function around, such as a lambda; -1 in the member itself.
    """

    variable: int
    event: Event
    start: int
    function: int


class Jump(NamedTuple):
    """A statement that does not go on with the next one: its point, its syntax, and the point that it leads to."""

    point: int
    node: Node
    target: int


class Span(NamedTuple):
    """Points that were made for the same statements: the first, and the one behind the last."""

    first: int
    last: int

    def has(self, point: int) -> bool:
        """Whether a point is one of them."""
        return self.first <= point < self.last


class Graph:
    """A flow graph. Points are numbered in the order of the text; those of a `finally` block stand in it twice.

    Attributes:
        events: What happens at each point.
        variables: To which variable; -1 where nothing happens.
        successors: What may come next.
        entry: Where it begins.
        exit: Where it ends.
        escape: Where it ends by an exception that nothing in it catches.
    """

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.variables: list[int] = []
        self.successors: list[list[int]] = []
        self.entry = self.add()
        self.exit = self.add()
        self.escape = self.add()

    def add(self, event: Event = Event.NOTHING, variable: int = -1) -> int:
        """Add a point; its number."""
        self.events.append(event)
        self.variables.append(variable)
        self.successors.append([])
        return len(self.events) - 1

    def link(self, start: int, end: int) -> None:
        """Let a point come after another."""
        if end not in self.successors[start]:
            self.successors[start].append(end)

    def reach(self, start: int, span: Span | None = None) -> set[int]:
        """The points that may come after one, itself included; within a span only, if one is given."""
        seen, todo = {start}, [start]
        while todo:
            for each in self.successors[todo.pop()]:
                if each not in seen and (span is None or span.has(each)):
                    seen.add(each)
                    todo.append(each)
        return seen


def find_live(graph: Graph, at_end: frozenset[int] = frozenset(), span: Span | None = None) -> Sequence[frozenset[int]]:
    """For each point the variables whose values may still be asked for before it.

    Args:
        graph: The graph.
        at_end: The variables whose values are asked for when it is left.
        span: The only points that ask.
    """
    live: list[frozenset[int]] = [frozenset()] * len(graph.events)
    live[graph.exit] = live[graph.escape] = at_end if span is None else frozenset()
    points = range(len(graph.events)) if span is None else range(span.first, span.last)
    before = _list_predecessors(graph)
    todo = set(points)
    while todo:
        point = todo.pop()
        if span is not None and not span.has(point):
            continue
        after = live[point] if point in (graph.exit, graph.escape) else frozenset()
        after = after.union(*(live[each] for each in graph.successors[point]))
        event, variable = graph.events[point], graph.variables[point]
        if event in (Event.READ, Event.TOUCH):
            after |= {variable}
        elif event in (Event.WRITE, Event.DECLARE):
            after -= {variable}
        if after != live[point]:
            live[point] = after
            todo.update(before[point])
    return live


def find_assigned(
    graph: Graph, start: int, given: Iterable[int] = (), span: Span | None = None
) -> dict[int, frozenset[int]]:
    """For each point that can be reached the variables that certainly have a value before it.

    Args:
        graph: The graph.
        start: Where it begins.
        given: The variables that have one there.
        span: The only points that count.
    """
    assigned: dict[int, frozenset[int]] = {start: frozenset(given)}
    todo = [start]
    while todo:
        point = todo.pop()
        after = assigned[point]
        event, variable = graph.events[point], graph.variables[point]
        if event is Event.WRITE:
            after |= {variable}
        elif event is Event.DECLARE:
            after -= {variable}
        for each in graph.successors[point]:
            if span is not None and not span.has(each):
                continue
            known = assigned.get(each)
            joined = after if known is None else known & after
            if joined != known:
                assigned[each] = joined
                todo.append(each)
    return assigned


def _list_predecessors(graph: Graph) -> Sequence[list[int]]:
    before: list[list[int]] = [[] for _ in graph.events]
    for point, successors in enumerate(graph.successors):
        for each in successors:
            before[each].append(point)
    return before
