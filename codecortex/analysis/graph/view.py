"""Types and what they name in; the part of that graph which a question asks for, or the graph of their groups, out.

Everything comes out in one order, whatever order it came in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence


class Arrow(NamedTuple):
    """That one node names another.

    Attributes:
        source: The id of the node that names.
        target: The id of the node that is named.
        structural: Whether the surface of the source names it, and not its bodies alone.
        base: Whether the base list of the source does.
        exact: Whether the name means the target for certain.
        count: How often the surface names it; between groups, how many pairs of types there are.
    """

    source: str
    target: str
    structural: bool
    base: bool
    exact: bool
    count: int  # type: ignore[assignment]  # nobody counts in an arrow


class Walk(NamedTuple):
    """What some steps from the roots reach.

    Attributes:
        nodes: Ids with the steps to each, nearest first, at each distance the most strongly bound first; never more
            than were asked for.
        arrows: What was followed between these nodes, in order of the nodes they were followed from.
        total: How many nodes were reached, those that did not fit included.
    """

    nodes: Mapping[str, int]
    arrows: tuple[Arrow, ...]
    total: int


class Node(NamedTuple):
    """A type, a namespace or a project.

    Attributes:
        id: A TypeId, the name of a namespace, or the path of a project.
        name: As a reader writes it.
        fqn: The metadata name of a type; else as `name`.
        kind: That of a type, else `namespace` or `project`.
        fan_in: How many types name it, through surfaces or bodies; for a group, how many groups.
        depth: Steps from it to the nearest that depends on nothing.
        component: Which of the components it belongs to; None where it is in no cycle.
        distance: Steps to it from the roots; 0 in a whole graph.
        types: How many types it stands for; None where it is one itself.
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
        roots: The ids of what was asked for; empty for the whole tree.
        nodes: Nearest first, then the most strongly bound; of a whole graph, by name.
        arrows: Between these nodes: those that the steps followed, or all.
        components: The ids of each strongly connected component that a node belongs to, if larger than one.
        total: How many nodes there are, those that did not fit included.
        by: What a node is: `type`, `namespace` or `project`.
        reverse: Whether the steps went to what names the roots.
    """

    roots: tuple[str, ...]
    nodes: tuple[Node, ...]
    arrows: tuple[Arrow, ...]
    components: tuple[tuple[str, ...], ...]
    total: int
    by: str
    reverse: bool


def rank_arrow(arrow: Arrow) -> tuple[bool, bool, bool, int]:
    """How strongly an arrow binds: bases first, then surfaces, then bodies; certain ones before guesses."""
    return not arrow.base, not arrow.structural, not arrow.exact, -arrow.count


def walk(roots: Sequence[str], follow: Callable[[str], Iterable[Arrow]], *, depth: int, limit: int) -> Walk:
    """Go some steps from the roots, breadth first.

    Args:
        roots: Where to start, each once.
        follow: The arrows at a node, all from it or all to it.
        depth: How many steps to go.
        limit: How many nodes to keep, the roots included.
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
    """The arrows between groups of nodes: each stands for all arrows between their nodes, none for those inside one."""
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
