"""Some statements of a member in; which variables carry values into them and out of them, how they are left, out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.flow.builder import Builder, Rules
from codecortex.analysis.flow.conditions import branch
from codecortex.analysis.flow.expressions import EXPRESSIONS, visit_rest
from codecortex.analysis.flow.graph import Event, find_assigned, find_live
from codecortex.analysis.flow.statements import STATEMENTS
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from codecortex.analysis.flow.graph import Graph, Jump, Mention, Span
    from codecortex.analysis.flow.variables import Variable
    from codecortex.model.code.syntax import Node

_VISITORS = {**STATEMENTS, **EXPRESSIONS}
_BODIES = ("constructor_initializer", "block", "arrow_expression_clause")


class Region(NamedTuple):
    """What goes through some statements, or an expression.

    Attributes:
        reads: The variables whose values from before are asked for.
        writes: Those that are assigned or changed.
        declared: Those that are declared within.
        before: Those that certainly have a value before.
        assigned: Those that certainly get a value within, where control reaches the end.
        after: Those whose values are asked for afterwards, where control reaches the end.
        elsewhere: Those whose values are asked for where control leaves in another way.
        rewritten: Those that may be assigned once the region was entered, and are not declared anew.
        mentions: All mentions of variables in the member.
        jumps: The statements with which control leaves.
        shared: The variables that something else refers to.
        is_entered: Whether a `goto` outside leads into it.
        is_reached: Whether control reaches it.
        ends: Whether control reaches its end.
    """

    reads: frozenset[int]
    writes: frozenset[int]
    declared: frozenset[int]
    before: frozenset[int]
    assigned: frozenset[int]
    after: frozenset[int]
    elsewhere: frozenset[int]
    rewritten: frozenset[int]
    mentions: Sequence[Mention]
    jumps: Sequence[Jump]
    shared: frozenset[int]
    is_entered: bool
    is_reached: bool
    ends: bool


def read_region(
    body: Node, asked: tuple[Node, Node], variables: Mapping[int, Variable], meanings: Mapping[int, int],
    mutable: frozenset[int] = frozenset(),
) -> Region | None:  # fmt: skip
    """Follow the values of variables through a member.

    Args:
        body: The declaration of a member or an accessor, all nodes of it open.
        asked: The first and the last of the statements in a row; twice the same for one, or for an expression.
        variables: The variables of the member, by key.
        meanings: The variable that a name stands for, by the offset of the name.
        mutable: The variables that calls of their members may change.

    Returns:
        None where the statements are not part of what the member does.
    """
    builder = Builder(Rules(_visit, branch), meanings, mutable, asked)
    parameters = [each for each in variables.values() if each.is_parameter]
    for each in parameters:
        builder.emit(Event.NOTHING if each.mode == "out" else Event.WRITE, each.key)
    bodies = body.of_kind(*_BODIES)
    builder.visit_all(bodies or [each for each in body.nodes if each.kind not in ("attribute_list", "modifier")])
    builder.finish()
    if not builder.spans:
        return None
    at_end = frozenset(each.key for each in parameters if each.mode in ("ref", "out"))
    return _solve(builder, at_end)


def _visit(builder: Builder, node: Node) -> None:
    _VISITORS.get(node.kind, visit_rest)(builder, node)


def _solve(builder: Builder, at_end: frozenset[int]) -> Region:
    graph, spans = builder.graph, builder.spans
    assigned = find_assigned(graph, graph.entry)
    live = find_live(graph, at_end)
    before: frozenset[int] | None = None
    inside: frozenset[int] | None = None
    reads: set[int] = set()
    after: set[int] = set()
    elsewhere: set[int] = set()
    rewritten: set[int] = set()
    ends = False
    for span in spans:
        last = span.last - 1
        reads |= find_live(graph, span=span)[span.first]
        if span.first in assigned:
            before = assigned[span.first] if before is None else before & assigned[span.first]
        within = find_assigned(graph, span.first, span=span)
        if last in within:
            ends = True
            inside = within[last] if inside is None else inside & within[last]
            after = after.union(*(live[each] for each in graph.successors[last] if not span.has(each)))
        for point in within:
            for each in graph.successors[point]:
                if not span.has(each) and point != last:
                    elsewhere |= live[each] if each not in (graph.exit, graph.escape) else at_end
        rewritten |= _find_rewritten(graph, span)
    return Region(
        reads=frozenset(reads),
        writes=_list(graph, spans, Event.WRITE, Event.TOUCH),
        declared=_list(graph, spans, Event.DECLARE),
        before=before or frozenset(),
        assigned=inside or frozenset(),
        after=frozenset(after),
        elsewhere=frozenset(elsewhere),
        rewritten=frozenset(rewritten),
        mentions=builder.mentions,
        jumps=[each for each in builder.jumps
               if any(span.has(each.point) and not span.has(each.target) for span in spans)],
        shared=frozenset(builder.shared),
        is_entered=any(span.has(each.target) and not span.has(each.point) for span in spans for each in builder.jumps),
        is_reached=before is not None,
        ends=ends,
    )  # fmt: skip


def _list(graph: Graph, spans: Sequence[Span], *events: Event) -> frozenset[int]:
    points = (point for span in spans for point in range(span.first, span.last))
    return frozenset(graph.variables[point] for point in points if graph.events[point] in events)


def _find_rewritten(graph: Graph, span: Span) -> set[int]:
    """The variables that may be assigned after a region was entered, before they are declared anew."""
    found: set[int] = set()
    written = [(point, graph.variables[point]) for point in graph.reach(span.first)
               if graph.events[point] in (Event.WRITE, Event.TOUCH)]  # fmt: skip
    for point, variable in written:
        if variable not in found and _comes_to(graph, span.first, point, variable):
            found.add(variable)
    return found


def _comes_to(graph: Graph, start: int, end: int, variable: int) -> bool:
    """Whether a point is reached without passing a declaration of a variable."""
    seen, todo = {start}, [start]
    while todo:
        point = todo.pop()
        if point == end:
            return True
        if graph.events[point] is Event.DECLARE and graph.variables[point] == variable:
            continue
        for each in graph.successors[point]:
            if each not in seen:
                seen.add(each)
                todo.append(each)
    return False
