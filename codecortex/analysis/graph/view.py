"""Selects the part of the reference graph that a question asks for, or groups its nodes.

The order of the result does not depend on the order of the input.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence


class Arrow(NamedTuple):
    """A reference from one node to another.

    Attributes:
        source: The id of the referencing node.
        target: The id of the referenced node.
        structural: Whether the surface of the source contains it, not only its bodies.
        base: Whether the base list of the source contains it.
        exact: Whether the name certainly means the target.
        count: How often the surface contains it; between groups, the number of pairs of types.
    """

    source: str
    target: str
    structural: bool
    base: bool
    exact: bool
    count: int  # type: ignore[assignment]  # hides `tuple.count`, which nobody calls here


class Walk(NamedTuple):
    """The nodes within some steps of the roots.

    Attributes:
        nodes: Ids with their distances, nearest first, at equal distance the strongest references first; cut to the
            limit.
        arrows: The references followed between these nodes, in the order of following.
        total: The number of nodes reached, including those beyond the limit.
    """

    nodes: Mapping[str, int]
    arrows: tuple[Arrow, ...]
    total: int


class Node(NamedTuple):
    """A type, a namespace or a project.

    Attributes:
        id: A TypeId, the name of a namespace, or the path of a project.
        name: Its name in C# syntax.
        fqn: The FQN of a type; otherwise the same as `name`.
        kind: The kind of a type; otherwise `namespace` or `project`.
        fan_in: How many types reference it, in surfaces or bodies; for a group, how many groups.
        depth: Steps from it to the nearest node that depends on nothing.
        component: The number of its strongly connected component; None if it is in no cycle.
        distance: Steps from the roots to it; 0 in a whole graph.
        types: The number of types in a group; None for a type.
    """

    id: str
    name: str
    fqn: str
    kind: str
    fan_in: int
    depth: int
    component: int | None
    distance: int = 0
    types: int | None = None


class View(NamedTuple):
    """A part of a graph, or a whole one.

    Attributes:
        roots: The requested ids; empty for the whole tree.
        nodes: Nearest first, then by strength of the references; in a whole graph, by name.
        arrows: The references between these nodes: those followed, or all.
        components: The ids of each strongly connected component with more than one member to which a node belongs.
        total: The number of nodes, including those beyond the limit.
        by: The kind of nodes: `type`, `namespace` or `project`.
        reverse: Whether references were followed backwards, to the nodes that reference the roots.
    """

    roots: tuple[str, ...]
    nodes: tuple[Node, ...]
    arrows: tuple[Arrow, ...]
    components: tuple[tuple[str, ...], ...]
    total: int
    by: str
    reverse: bool


def rank_arrow(arrow: Arrow) -> tuple[bool, bool, bool, int]:
    """Sort key, strongest references first: bases, then surfaces, then bodies; certain ones before guesses."""
    return not arrow.base, not arrow.structural, not arrow.exact, -arrow.count


def walk(roots: Sequence[str], follow: Callable[[str], Iterable[Arrow]], *, depth: int, limit: int) -> Walk:
    """Follow references from the roots, breadth first.

    Args:
        roots: The nodes to start from, without duplicates.
        follow: Returns the arrows to follow at a node: all outgoing or all incoming ones.
        depth: The number of steps.
        limit: The most nodes to keep, including the roots.
    """
    steps = dict.fromkeys(roots, 0)
    arrows: list[Arrow] = []
    edge = list(roots)
    for distance in range(1, depth + 1):
        found: dict[str, tuple[tuple[bool, bool, bool, int], str]] = {}
        for node in edge:
            for arrow in sorted(follow(node), key=lambda arrow: (rank_arrow(arrow), arrow.source, arrow.target)):
                arrows.append(arrow)
                other = arrow.source if arrow.target == node else arrow.target
                if other not in steps:
                    rank = (rank_arrow(arrow), other)
                    found[other] = min(rank, found.get(other, rank))
        edge = sorted(found, key=found.__getitem__)
        steps.update(dict.fromkeys(edge, distance))
        if not edge:
            break
    kept = dict(list(steps.items())[:limit])
    shown = tuple(arrow for arrow in arrows if arrow.source in kept and arrow.target in kept)
    return Walk(kept, shown, len(steps))


def group_arrows(arrows: Iterable[Arrow], group_of: Mapping[str, str]) -> tuple[Arrow, ...]:
    """The arrows between groups of nodes, one per pair of groups; arrows inside a group are dropped."""
    found: dict[tuple[str, str], Arrow] = {}
    for arrow in arrows:
        ends = group_of[arrow.source], group_of[arrow.target]
        if ends[0] == ends[1]:
            continue
        held = found.get(ends)
        if held is None:
            found[ends] = Arrow(*ends, arrow.structural, arrow.base, arrow.exact, 1)
        else:
            found[ends] = Arrow(
                *ends, held.structural or arrow.structural, held.base or arrow.base, held.exact or arrow.exact,
                held.count + 1,
            )  # fmt: skip
    return tuple(found[ends] for ends in sorted(found))
