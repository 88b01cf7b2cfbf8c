"""Describes calls as text, as a drawing and as JSON values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codecortex.analysis.graph.drawing import Box, write_dot, write_mermaid
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.references.report import ReferenceReport

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from codecortex.analysis.graph.view import Arrow
    from codecortex.operations.queries.graph import Format


class CallNode(NamedTuple):
    """A member.

    Attributes:
        id: Its documentation id; behind it the project, where two projects declare the same.
        name: Its name for people.
        kind: Its kind.
        file: Where it is declared first; empty where the compiler adds it.
        line: From 1; 0 where the compiler adds it.
        distance: Steps from what was asked for.
    """

    id: str
    name: str
    kind: str
    file: str
    line: int
    distance: int


class CallGraph(NamedTuple):
    """Members and calls between them.

    Attributes:
        roots: The ids of what was asked for.
        nodes: Nearest first.
        arrows: From caller to callee; `structural` where the call names the callee, else another of its family.
        total: The number of members, including those beyond the limit.
        callers: Whether calls were followed backwards.
        format: Output format; None for text.
        references: How much is known of what the projects compile against.
    """

    roots: tuple[str, ...]
    nodes: tuple[CallNode, ...]
    arrows: tuple[Arrow, ...]
    total: int
    callers: bool
    format: Format | None
    references: ReferenceReport = ReferenceReport()

    def as_json(self) -> dict[str, Any]:
        """The calls as JSON values."""
        return {
            "roots": list(self.roots),
            "direction": "callers" if self.callers else "callees",
            "total": self.total,
            "nodes": [each._asdict() for each in self.nodes],
            "edges": [_describe_call(each) for each in self.arrows],
            "references": self.references.as_json(),
        }

    def as_text(self) -> str:
        """The calls in the requested format, except JSON."""
        if self.format is not None:
            boxes = [Box(each.id, each.name, each.id in self.roots, cycle=False) for each in self.nodes]
            write = write_dot if self.format == "dot" else write_mermaid
            return write(boxes, self.arrows, _remark(self))
        remarks = [*_remark(self), *self.references.tell_missing()]
        return "\n".join([*_write_tree(self), *(f"({remark})" for remark in remarks)])


def _describe_call(arrow: Arrow) -> dict[str, Any]:
    return {
        "source": arrow.source,
        "target": arrow.target,
        "dispatch": not arrow.structural,
        "label": "exact" if arrow.exact else "likely",
        "count": arrow.count,
    }


def _remark(graph: CallGraph) -> list[str]:
    cut = graph.total - len(graph.nodes)
    return [f"{len(graph.nodes):,} of {graph.total:,} members, the nearest; --limit shows more."] if cut else []


def _write_tree(graph: CallGraph) -> Iterator[str]:
    """A tree of steps from the roots; each member is expanded once, where the shortest path leads."""
    nodes = {each.id: each for each in graph.nodes}
    steps: dict[str, list[tuple[str, Arrow]]] = {}
    for arrow in graph.arrows:
        here, there = (arrow.target, arrow.source) if graph.callers else (arrow.source, arrow.target)
        steps.setdefault(here, []).append((there, arrow))
    for root in graph.roots:
        if root in nodes:
            yield from _write_below(root, nodes, steps)


def _write_below(
    root: str, nodes: Mapping[str, CallNode], steps: Mapping[str, Sequence[tuple[str, Arrow]]]
) -> Iterator[str]:
    told = {root}
    yield _write_node(nodes[root])
    waiting = [iter(steps.get(root, ()))]
    while waiting:
        step = next(waiting[-1], None)
        if step is None:
            waiting.pop()
            continue
        other, arrow = step
        again = other in told and other in steps
        yield f"{'  ' * len(waiting)}{_write_node(nodes[other], arrow, again=again)}"
        if other not in told and nodes[other].distance == len(waiting):
            told.add(other)
            waiting.append(iter(steps.get(other, ())))


def _write_node(node: CallNode, arrow: Arrow | None = None, *, again: bool = False) -> str:
    marks = [f"{node.file}:{node.line}" if node.file else node.kind]
    if arrow is not None:
        marks += [
            f"{arrow.count:,} times" if arrow.count > 1 else "",
            "" if arrow.structural else "dispatch",
            "" if arrow.exact else "likely",
            "see above" if again else "",
        ]
    return f"{node.name}  ({', '.join(filter(None, marks))})"
