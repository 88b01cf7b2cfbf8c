"""A tree in; the graph of what its types name, from the local cache, from the last one, or from every source, out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from codecortex.model.catalog import Edges, Graph
from codecortex.operations.catalog_kept import (
    Ground,
    Kind,
    Shelf,
    cut_rows,
    digest_graph_settings,
    digest_ground,
    drop_same,
    find_shelf,
    join_blocks,
    join_lines,
    load_shelf,
    mark_incomplete,
    name_rows,
    pack_lines,
    pack_numbers,
    save_shelf,
    unpack_numbers,
    warn_of_unread,
    without_collection,
)
from codecortex.operations.graph_columns import (
    Columns,
    Made,
    Measures,
    Names,
    Said,
    join_edges,
    measure,
    say_all,
)
from codecortex.operations.identity import pack_usings
from codecortex.operations.request import Count
from codecortex.operations.snapshot import Row

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from codecortex.analysis.references import Resolver
    from codecortex.model.catalog import Links
    from codecortex.operations.reading import Reading

_EDGES, _LINKS, _TYPES, _NAMES, _STATE = "edges", "links", "types", "names", "state"
_LINK_ROWS, _TYPE_ROWS, _NAME_ROWS = map(name_rows, (_LINKS, _TYPES, _NAMES))
_STEP = 100  # types between two notes of progress


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
        rows = self.shelf.load_all(_LINKS)
        if rows is not None:
            return [each for (links,) in rows for each in links]
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
    missing = frozenset(unread)
    read, states = settle(ground, states, known, missing)
    digest = mark_incomplete(digest_ground(read, settings), missing)
    made = Made(digest, settings, states, columns, whole=read is ground and not missing)
    if earlier is None or earlier.digest != made.digest:
        _save(ground, made, earlier)
    return made


def _load(ground: Ground, settings: str) -> Made | None:
    """What the last run left under the same settings."""
    found = load_shelf(ground, Kind.GRAPH, (_EDGES, *_LINK_ROWS, *_TYPE_ROWS, *_NAME_ROWS, _STATE))
    if found is None:
        return None
    shelf, rows = found
    held, states, usings = rows[_STATE]
    if held != settings:
        return None
    types = tuple([Row._make(each) for what in _TYPE_ROWS for each in rows[what][0]])
    links = [each for what in _LINK_ROWS for each in rows[what][0]]
    every, bases = (join_lines(rows[what][side] for what in _NAME_ROWS) for side in (0, 1))
    columns = Columns(types, *_unpack_edges(rows[_EDGES]), links, Names(every, bases), usings)
    return Made(shelf.digest, settings, states, columns)


def _save(ground: Ground, made: Made, earlier: Made | None) -> None:
    rows = _pack(made.columns)
    if earlier is not None:
        rows = drop_same(rows, _pack(earlier.columns) if made.columns is not earlier.columns else rows)
    rows[_STATE] = made.settings, made.states, made.columns.usings
    save_shelf(ground, Kind.GRAPH, made.digest, rows, earlier.digest if earlier is not None else "")


def _pack(columns: Columns) -> dict[str, tuple[Any, ...]]:
    ids = [row.id for row in columns.rows]
    types, edges, measures, links, (every, bases), _ = columns
    return {
        _EDGES: (ids, *map(pack_numbers, (*edges, *measures))),
        **cut_rows(_LINKS, ids, lambda first, last: (list(links[first:last]),)),
        **cut_rows(_TYPES, ids, lambda first, last: ([tuple(row) for row in types[first:last]],)),
        **cut_rows(_NAMES, ids, lambda first, last: (pack_lines(every, first, last), pack_lines(bases, first, last))),
    }


def _unpack_edges(row: tuple[Any, ...]) -> tuple[Edges, Measures]:
    starts, targets, bits, counts, depths, components = map(unpack_numbers, row[1:])
    return Edges(starts, targets, bits, counts), (depths, components)


# -- from every source


def _say_each(reading: Reading, resolver: Resolver) -> Iterator[Said]:
    """What each type names."""
    fqns = {merged.id: merged.fqn for merged in reading.types}
    limit, request = reading.tree.config.outline.max_dependencies, reading.tree.request
    for done, merged in enumerate(reading.types):
        if done % _STEP == 0:
            request.progress("Relating types", done, len(fqns))
        yield say_all(merged, resolver, fqns, limit)


def build_columns(ground: Ground) -> tuple[Columns, dict[str, str]]:
    """What a graph holds, and the sources that gave no facts, with the reason."""
    from codecortex.operations.reading import read_tree  # noqa: PLC0415 - only where a tree is read
    from codecortex.operations.relations import make_resolver  # noqa: PLC0415

    reading = read_tree(*ground)
    said = list(_say_each(reading, make_resolver(reading)))
    rows = tuple(Row(t.id, t.fqn, t.kind, t.project, t.owner, t.files, "") for t in reading.types)
    usings = {path: pack_usings(each) for path, each in reading.usings.items()}
    numbers = {row.id: number for number, row in enumerate(rows)}
    edges = join_edges([each.edges for each in said], numbers)
    measures = measure(rows, edges, bodies=ground.tree.config.include_internal_for_dependencies)
    names = Names(join_blocks([each.names for each in said]), join_blocks([each.bases for each in said]))
    columns = Columns(rows, edges, measures, [each.links for each in said], names, usings)
    return columns, dict(reading.unread)
