"""Computes strongly connected components, fan-in and depth from edges between types."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from codecortex.analysis.types.references import Edge
    from codecortex.model.code.types import TypeId


def list_targets(edges: Mapping[TypeId, Sequence[Edge]], *, bodies: bool) -> dict[TypeId, tuple[TypeId, ...]]:
    """The types that each type depends on structurally, and with `bodies` also through bodies."""
    return {source: tuple(e.target for e in found if e.structural or bodies) for source, found in edges.items()}


def count_fan_in(targets: Mapping[TypeId, Iterable[TypeId]]) -> dict[TypeId, int]:
    """The number of types that depend on each type."""
    counts = dict.fromkeys(targets, 0)
    for found in targets.values():
        for target in found:
            counts[target] = counts.get(target, 0) + 1
    return counts


def find_components(targets: Mapping[TypeId, Sequence[TypeId]]) -> list[tuple[TypeId, ...]]:
    """Strongly connected components, dependencies before dependents, each sorted (Tarjan, iterative)."""
    index: dict[TypeId, int] = {}
    low: dict[TypeId, int] = {}
    on_stack: set[TypeId] = set()
    stack: list[TypeId] = []
    out: list[tuple[TypeId, ...]] = []
    for root in sorted(targets):
        if root in index:
            continue
        work = [(root, iter(targets[root]))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while work:
            node, rest = work[-1]
            step = next((t for t in rest if t in targets and (t not in index or t in on_stack)), None)
            if step is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    out.append(_pop_component(node, stack, on_stack))
            elif step in index:
                low[node] = min(low[node], index[step])
            else:
                index[step] = low[step] = len(index)
                stack.append(step)
                on_stack.add(step)
                work.append((step, iter(targets[step])))
    return out


def _pop_component(root: TypeId, stack: list[TypeId], on_stack: set[TypeId]) -> tuple[TypeId, ...]:
    component = []
    while True:
        node = stack.pop()
        on_stack.discard(node)
        component.append(node)
        if node == root:
            return tuple(sorted(component))


def measure_depth(targets: Mapping[TypeId, Sequence[TypeId]]) -> dict[TypeId, int]:
    """Steps from each type to the nearest type without dependencies; 0 for types that reach only cycles."""
    dependents: dict[TypeId, list[TypeId]] = {source: [] for source in targets}
    for source, found in targets.items():
        for target in found:
            if target in dependents:
                dependents[target].append(source)
    depth = {source: 0 for source, found in targets.items() if not any(t in targets for t in found)}
    queue = deque(sorted(depth))
    while queue:
        node = queue.popleft()
        for dependent in dependents[node]:
            if dependent not in depth:
                depth[dependent] = depth[node] + 1
                queue.append(dependent)
    return {source: depth.get(source, 0) for source in targets}
