"""A tree in; the graph of what its types name, from the local cache, from the last one, or from every source, out."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from codecortex.model.catalog import Edges, Graph, Lines, Links
from codecortex.operations.catalog_kept import (
    Ground,
    Kind,
    Shelf,
    digest_graph_settings,
    digest_ground,
    find_shelf,
    join_blocks,
    load_shelf,
    mark_incomplete,
    pack_lines,
    pack_numbers,
    save_shelf,
    unpack_lines,
    unpack_numbers,
    warn_of_unread,
    without_collection,
)
from codecortex.operations.identity import names_of
from codecortex.operations.request import Count
from codecortex.operations.snapshot import Row

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from codecortex.analysis.references import Edge, Resolver
    from codecortex.model.facts import Using
    from codecortex.model.types import CSharpType, TypeId

_EDGES, _LINKS, _TYPES, _NAMES, _STATE = _PARTS = ("edges", "links", "types", "names", "state")


Measures = tuple[Sequence[int], Sequence[int]]


class Names(NamedTuple):
    """The simple names, between blanks, that what a type names depends on: a line to each type.

    Attributes:
        all: Of everything it names, and of what its using directives name.
        bases: Of its base list, and then of its using directives.
    """

    all: Lines
    bases: Lines


class Columns(NamedTuple):
    """All that a graph holds, and what the next one is made from.

    Attributes:
        rows: Every type, sorted by id.
        edges: What they name.
        measures: For each of them its depth and its component; see `Graph`.
        links: What the outline of each names.
        names: What that depends on.
        usings: Each project's global usings, by its path: target, alias, static.
    """

    rows: tuple[Row, ...]
    edges: Edges
    measures: Measures
    links: Sequence[Links]
    names: Names
    usings: Mapping[str, tuple[tuple[str, str, bool], ...]]


class Made(NamedTuple):
    """A graph to go on from.

    Attributes:
        digest: Stands for everything it depends on.
        settings: The same but for the sources.
        states: What its sources were.
        columns: What it holds.
        whole: Whether that is the tree that was asked for: every source was read, and none edited meanwhile.
    """

    digest: str
    settings: str
    states: Mapping[str, str]
    columns: Columns
    whole: bool = True


class Said(NamedTuple):
    """What one type names: by target, in bits, how often; what its outline links to; the names that this depends on."""

    edges: tuple[tuple[TypeId, int, int], ...]
    links: Links
    names: str
    bases: str


def open_graph(ground: Ground, last: tuple[Graph, Made | None] | None = None) -> tuple[Graph, Made | None]:
    """The graph of a tree, and what to go on from; None for the latter where the cache answered.

    Args:
        ground: The tree.
        last: A graph in memory that it may go on from.
    """
    settings = digest_graph_settings(ground)
    digest = digest_ground(ground, settings)
    if last is not None and last[0].digest == digest:
        return last
    with without_collection():
        shelf = find_shelf(ground, Kind.GRAPH, digest)
        row = shelf.load(_EDGES) if shelf is not None else None
        ground.tree.request.count(Count.BUILT if row is None else Count.WARM, 1)
        if shelf is None or row is None:
            made = _bring_up(ground, settings, last[1] if last is not None else None)
            ids: tuple[Any, ...] = tuple([each.id for each in made.columns.rows])
            return Graph(made.digest, ids, made.columns.edges, made.columns.measures, lambda: made.columns.links), made
        edges, measures = _unpack_edges(row)
        return Graph(digest, tuple(row[0]), edges, measures, _Kept(shelf).load), None


class _Kept(NamedTuple):
    """Links that lie in the local cache until they are asked for."""

    shelf: Shelf

    def load(self) -> Sequence[Links]:
        """Take them from there, or make them again where another run of another tree has written in their place."""
        row = self.shelf.load(_LINKS)
        if row is not None:
            links: Sequence[Links] = row[0]
            return links
        ground = self.shelf.ground
        return _bring_up(ground, digest_graph_settings(ground), None).columns.links


def _bring_up(ground: Ground, settings: str, last: Made | None) -> Made:
    from codecortex.operations.catalog_step import settle  # noqa: PLC0415 - not where the cache answers
    from codecortex.operations.graph_step import go_on  # noqa: PLC0415
    from codecortex.operations.incremental import state_sources  # noqa: PLC0415

    earlier = last if last is not None and last.settings == settings else _load(ground, settings)
    states = state_sources(ground.tree, ground.projects)
    found = go_on(ground, states, earlier) if earlier is not None else None
    columns, unread = found if found is not None else build_columns(ground)
    known = earlier.states if found is not None and earlier is not None else {}
    warn_of_unread(ground, unread)
    read = settle(ground, [path for path, state in states.items() if known.get(path) != state])
    missing = frozenset(unread)
    states = states if read is ground else state_sources(read.tree, read.projects)
    states = {path: state for path, state in states.items() if path not in missing}
    digest = mark_incomplete(digest_ground(read, settings), missing)
    made = Made(digest, settings, states, columns, whole=read is ground and not missing)
    if earlier is None or earlier.digest != made.digest:
        _save(ground, made, earlier)
    return made


def _load(ground: Ground, settings: str) -> Made | None:
    """What the last run left under the same settings."""
    found = load_shelf(ground, Kind.GRAPH, _PARTS)
    if found is None:
        return None
    shelf, (edges, (links,), (rows,), names, (held, states, usings)) = found
    if held != settings:
        return None
    every, bases = map(unpack_lines, names)
    columns = Columns(tuple(map(Row._make, rows)), *_unpack_edges(edges), links, Names(every, bases), usings)
    return Made(shelf.digest, settings, states, columns)


def _save(ground: Ground, made: Made, earlier: Made | None) -> None:
    new, old = made.columns, earlier.columns if earlier is not None else None
    edges = [row.id for row in new.rows], *map(pack_numbers, (*new.edges, *new.measures))
    rows: dict[str, tuple[Any, ...]] = {
        _EDGES: edges if old is None or new.edges is not old.edges else (),
        _LINKS: (list(new.links),) if old is None or new.links is not old.links else (),
        _TYPES: ([tuple(row) for row in new.rows],) if old is None or new.rows is not old.rows else (),
        _NAMES: tuple(map(pack_lines, new.names)) if old is None or new.names is not old.names else (),
        _STATE: (made.settings, made.states, new.usings),
    }
    save_shelf(ground, Kind.GRAPH, made.digest, rows, earlier.digest if earlier is not None else "")


def _unpack_edges(row: tuple[Any, ...]) -> tuple[Edges, Measures]:
    starts, targets, bits, counts, depths, components = map(unpack_numbers, row[1:])
    return Edges(starts, targets, bits, counts), (depths, components)


def measure(rows: Sequence[Row], edges: Edges, *, bodies: bool) -> Measures:
    """Depth and component of each type; `bodies` says whether what bodies name counts for depth."""
    from codecortex.analysis.graph import find_components, measure_depth  # noqa: PLC0415 - not where the cache answers

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


# -- from every source


def build_columns(ground: Ground) -> tuple[Columns, dict[str, str]]:
    """What a graph holds, and the sources that gave no facts, with the reason."""
    from codecortex.operations.reading import read_tree  # noqa: PLC0415 - only where a tree is read
    from codecortex.operations.relations import make_resolver  # noqa: PLC0415

    reading = read_tree(*ground)
    resolver = make_resolver(reading)
    fqns = {merged.id: merged.fqn for merged in reading.types}
    limit = ground.tree.config.outline.max_dependencies
    said = [say_all(merged, resolver, fqns, limit) for merged in reading.types]
    rows = tuple(Row(t.id, t.fqn, t.kind, t.project, t.owner, t.files, "") for t in reading.types)
    usings = {path: pack_usings(each) for path, each in reading.usings.items()}
    numbers = {row.id: number for number, row in enumerate(rows)}
    edges = join_edges([each.edges for each in said], numbers)
    measures = measure(rows, edges, bodies=ground.tree.config.include_internal_for_dependencies)
    names = Names(join_blocks([each.names for each in said]), join_blocks([each.bases for each in said]))
    columns = Columns(rows, edges, measures, [each.links for each in said], names, usings)
    return columns, dict(reading.unread)


def pack_usings(usings: Iterable[Using]) -> tuple[tuple[str, str, bool], ...]:
    """Using directives as plain tuples."""
    return tuple((using.target, using.alias, using.static) for using in usings)


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


def say_all(merged: CSharpType, resolver: Resolver, fqns: Mapping[TypeId, str], limit: int) -> Said:
    """What a type names; `limit` is the most dependencies that an outline links to."""
    from codecortex.operations.relations import link_outline, list_bases  # noqa: PLC0415 - not where the cache answers

    bases = list_bases(merged, resolver)
    edges = tuple((edge.target, _pack_bits(edge, bases), edge.count) for edge in resolver.edges_of(merged))
    own, others = link_outline(merged, resolver, fqns, limit)
    return Said(edges, (tuple(own), tuple(others)), *list_names(merged))


def _pack_bits(edge: Edge, bases: set[TypeId]) -> int:
    bits = Graph.STRUCTURAL if edge.structural else 0
    bits |= Graph.BASE if edge.target in bases else 0
    return bits | (Graph.EXACT if edge.exact else 0)


def list_names(merged: CSharpType) -> tuple[str, str]:
    """The lines of a type in `Names`.

    A using directive that stands in a namespace means one namespace or another as those in it come and go; one that
    stands before all namespaces does not, unless it is an alias or static.
    """
    from codecortex.analysis.references import name_of_base  # noqa: PLC0415 - not where the cache answers

    every: set[str] = set()
    bases: set[str] = set()
    directed: set[str] = set()
    for part in merged.parts:
        for name, _ in part.facts.surface:
            every |= names_of(name)
        for name in part.facts.inner:
            every |= names_of(name)
        for base in part.facts.bases:
            bases |= names_of(name_of_base(base))
        for scope in part.scopes:
            for using in scope.usings:
                if using.alias or using.static or scope.namespace:
                    directed |= names_of(using.target)
    if bases:
        bases |= directed
    return _write_names(every | bases | directed), _write_names(bases)


def _write_names(names: set[str]) -> str:
    return f" {' '.join(sorted(names))} \n"
