"""The columns of a graph, and how they are computed from types and a resolver."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from codecortex.analysis.types.identity import list_directed, names_of
from codecortex.model.code.catalog import Edges, Graph, Lines, Links
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from codecortex.analysis.types.references import Edge, Resolver
    from codecortex.model.code.indexed import IndexedType
    from codecortex.model.code.types import CSharpType, TypeId

Measures = tuple[Sequence[int], Sequence[int]]


class Names(NamedTuple):
    """The simple names that the references of each type depend on: a line per type, with spaces around each name.

    Attributes:
        all: The names in the type and in its using directives.
        bases: The names in its base list and, if it has one, in its using directives.
    """

    all: Lines
    bases: Lines


class Columns(NamedTuple):
    """The data of a graph, from which the next one is updated.

    Attributes:
        rows: Every type, sorted by id.
        edges: Their references.
        measures: Depth and component of each type; see `Graph`.
        links: The links of each type's outline.
        names: The names that references depend on.
        usings: Each project's global usings, by its path: target, alias, static.
    """

    rows: tuple[IndexedType, ...]
    edges: Edges
    measures: Measures
    links: Sequence[Links]
    names: Names
    usings: Mapping[str, tuple[tuple[str, str, bool], ...]]


class TypeEdges(NamedTuple):
    """The references of one type (target, bits, count), the links of its outline, and its lines in `Names`."""

    edges: tuple[tuple[TypeId, int, int], ...]
    links: Links
    names: str
    bases: str


def measure(rows: Sequence[IndexedType], edges: Edges, *, bodies: bool) -> Measures:
    """Depth and component of each type; `bodies` tells whether references in bodies count for depth."""
    from codecortex.analysis.graph.components import find_components, measure_depth

    ids: list[Any] = [row.id for row in rows]
    starts, targets, bits, _ = edges
    every, counted = {}, {}
    for number, type_id in enumerate(ids):
        span = range(starts[number], starts[number + 1])
        every[type_id] = tuple([ids[targets[at]] for at in span])
        counted[type_id] = tuple([ids[targets[at]] for at in span if bodies or bits[at] & Graph.STRUCTURAL])
    depths = measure_depth(counted)
    components = {each: number for number, group in enumerate(find_components(every)) for each in group}
    return array("I", [depths[each] for each in ids]), array("I", [components[each] for each in ids])


def join_edges(found: Sequence[Sequence[tuple[TypeId, int, int]]], numbers: Mapping[str, int]) -> Edges:
    """The edges of each type, in order, as columns."""
    starts, targets, bits, counts = array("I", [0]), array("I"), array("I"), array("I")
    for edges in found:
        for target, bit, count in edges:
            targets.append(numbers[target])
            bits.append(bit)
            counts.append(count)
        starts.append(len(targets))
    return Edges(starts, targets, bits, counts)


def collect_edges(merged: CSharpType, resolver: Resolver, fqns: Mapping[TypeId, str], limit: int) -> TypeEdges:
    """The references of a type; `limit` is the most dependencies that an outline links to."""
    from codecortex.analysis.types.links import link_outline, list_bases

    bases = list_bases(merged, resolver)
    edges = tuple((edge.target, _pack_bits(edge, bases), edge.count) for edge in resolver.edges_of(merged))
    own, others = link_outline(merged, resolver, fqns, limit)
    return TypeEdges(edges, (tuple(own), tuple(others)), *list_names(merged))


def _pack_bits(edge: Edge, bases: set[TypeId]) -> int:
    bits = Graph.STRUCTURAL if edge.structural else 0
    bits |= Graph.BASE if edge.target in bases else 0
    return bits | (Graph.EXACT if edge.exact else 0)


def list_names(merged: CSharpType) -> tuple[str, str]:
    """The lines of a type in `Names`."""
    from codecortex.analysis.types.references import name_of_base

    every: set[str] = set()
    bases: set[str] = set()
    directed = list_directed(merged)
    for part in merged.parts:
        for name, _ in part.facts.surface:
            every |= names_of(name)
        for name in part.facts.inner.split():
            every |= names_of(name)
        for base in part.facts.bases:
            bases |= names_of(name_of_base(base))
    if bases:
        bases |= directed
    return _write_names(every | bases | directed), _write_names(bases)


def _write_names(names: set[str]) -> str:
    return f" {' '.join(sorted(names))} \n"
