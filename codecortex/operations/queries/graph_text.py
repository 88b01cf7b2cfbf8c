"""Writes a graph as indented text, mermaid or DOT."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from codecortex.analysis.graph.drawing import Box, write_dot, write_mermaid
from codecortex.analysis.graph.view import rank_arrow
from codecortex.operations.wording import count_noun, name_some

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from codecortex.analysis.graph.view import Arrow, Node, View

_MERMAID_ARROWS = 500
_MOST_NAMED = 8


def write_drawing(view: View, *, dot: bool) -> str:
    """The graph as DOT, or as mermaid."""
    roots = set(view.roots)
    boxes = [Box(node.id, _label(node), node.id in roots, node.component is not None) for node in view.nodes]
    remarks = _remark(view)
    if dot:
        return write_dot(boxes, view.arrows, remarks)
    if len(view.arrows) > _MERMAID_ARROWS:
        remarks.append(
            f"{len(view.arrows):,} arrows: mermaid draws at most {_MERMAID_ARROWS} unless its maxEdges allows more."
        )
    return write_mermaid(boxes, view.arrows, remarks)


def _label(node: Node) -> str:
    return node.name if node.types is None else f"{node.name} ({node.types:,})"


def _remark(view: View) -> list[str]:
    """Remarks for the reader: how nodes are grouped, and how many were cut."""
    remarks = []
    if any(node.types for node in view.nodes):
        types = sum(node.types or 0 for node in view.nodes)
        remarks.append(f"{types:,} types by {view.by}; --by type shows each.")
    if len(view.nodes) < view.total:
        kept = "the nearest" if view.roots else "the most used"
        remarks.append(f"{len(view.nodes):,} of {view.total:,} {view.by}s, {kept}; --limit shows more.")
    return remarks


def write_lines(view: View, redirected_from: str) -> str:
    """The graph as text: a tree of steps from the roots; without roots, one line per node, then the cycles."""
    lines = _write_tree(view) if view.roots else [*_write_nodes(view), *_write_cycles(view)]
    if redirected_from:
        lines.insert(0, f"({redirected_from} is now {view.nodes[0].fqn})")
    return "\n".join([*lines, *(f"({remark})" for remark in _remark(view))]) or "There are no types."


def _write_tree(view: View) -> list[str]:
    tree = _Tree(view)
    for root in view.roots:
        if root in tree.nodes:
            tree.add(root)
    return tree.lines


class _Tree:
    """The lines of a tree; each node is expanded once, where the shortest path from a root leads."""

    def __init__(self, view: View) -> None:
        self.lines: list[str] = []
        self.nodes: Mapping[str, Node] = {node.id: node for node in view.nodes}
        self._sizes = [len(component) for component in view.components]
        self._steps: dict[str, list[tuple[Arrow, str]]] = {}
        for arrow in view.arrows:
            here, there = (arrow.target, arrow.source) if view.reverse else (arrow.source, arrow.target)
            self._steps.setdefault(here, []).append((arrow, there))
        self._told: set[str] = set()

    def add(self, root: str) -> None:
        node = self.nodes[root]
        kind = f"{node.kind}, named by {node.fan_in:,}, depth {node.depth}"
        cycle = f", in a cycle of {self._sizes[node.component]:,} types" if node.component is not None else ""
        self.lines.append(f"{node.name}  ({kind}{cycle})")
        self._told.add(root)
        # Iterative: a tree may be deeper than Python's recursion limit.
        waiting = [self._list_steps(root)]
        while waiting:
            step = next(waiting[-1], None)
            if step is None:
                waiting.pop()
                continue
            arrow, other, here = step
            told = other in self._told
            self.lines.append(f"{'  ' * len(waiting)}{self._write_step(arrow, here, other, told=told)}")
            if not told and self.nodes[other].distance == len(waiting):
                self._told.add(other)
                waiting.append(self._list_steps(other))

    def _list_steps(self, here: str) -> Iterator[tuple[Arrow, str, str]]:
        steps = sorted(self._steps.get(here, ()), key=lambda step: (rank_arrow(step[0]), self.nodes[step[1]].name))
        return iter([(arrow, other, here) for arrow, other in steps])

    def _write_step(self, arrow: Arrow, here: str, other: str, *, told: bool) -> str:
        node = self.nodes[other]
        marks = [
            node.kind,
            "base" if arrow.base else "" if arrow.structural else "body",
            "" if arrow.exact else "perhaps",
            "cycle" if node.component is not None and node.component == self.nodes[here].component else "",
            "see above" if told and other in self._steps else "",
        ]
        return f"{node.name}  ({', '.join(filter(None, marks))})"


def _write_nodes(view: View) -> Iterator[str]:
    named = Counter(arrow.source for arrow in view.arrows)
    for node in view.nodes:
        kind = node.kind if node.types is None else count_noun(node.types, "type")
        cycle = f", cycle {node.component + 1}" if node.component is not None else ""
        told = f"{kind}, names {named[node.id]:,}, named by {node.fan_in:,}, depth {node.depth}{cycle}"
        yield f"{node.name}  ({told})"


def _write_cycles(view: View) -> Iterator[str]:
    names = {node.id: node.name for node in view.nodes}
    for number, component in enumerate(view.components, 1):
        shown = name_some([names.get(each, each) for each in component], _MOST_NAMED)
        yield f"cycle {number}, of {len(component):,}: {shown}"
