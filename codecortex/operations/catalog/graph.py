"""Opens the graph of a tree: from the local cache, updated from the last one, or from every source."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codecortex.analysis.graph.columns import (
    Columns,
    Measures,
    Names,
    TypeEdges,
    collect_edges,
    join_edges,
    measure,
)
from codecortex.analysis.types.identity import pack_usings
from codecortex.model.code.catalog import Edges, Graph, join_parts
from codecortex.model.code.indexed import IndexedType
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.catalog.storage import (
    STATE,
    CatalogInputs,
    CatalogKind,
    CatalogSnapshot,
    CatalogStore,
    RowKind,
    Rows,
    cut_rows,
    digest_catalog,
    digest_graph_settings,
    find_store,
    join_blocks,
    name_rows,
    pack_lines,
    pack_numbers,
    unpack_lines,
    unpack_numbers,
    without_collection,
)
from codecortex.operations.reading.tree import make_resolver, read_tree
from codecortex.operations.request import Count

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from codecortex.analysis.types.references import Resolver
    from codecortex.model.code.catalog import Links
    from codecortex.operations.reading.tree import Reading

_EDGES, _LINKS, _TYPES, _NAMES = "edges", "links", "types", "names"
_LINK_ROWS, _TYPE_ROWS, _NAME_ROWS = map(name_rows, (_LINKS, _TYPES, _NAMES))
_PARTS = (_EDGES, *_LINK_ROWS, *_TYPE_ROWS, *_NAME_ROWS)
_Last = tuple[Graph, CatalogSnapshot[Columns] | None]
_STEP = 100  # types between two progress reports


def open_graph(inputs: CatalogInputs, last: _Last | None = None) -> _Last:
    """The graph of a tree, and its snapshot for a later update; None for the snapshot after a cache hit.

    Args:
        inputs: The tree.
        last: A graph in memory from which the new one may be updated.
    """
    settings = digest_graph_settings(inputs)
    digest = digest_catalog(inputs, settings)
    if last is not None and last[0].digest == digest:
        return last
    with without_collection():
        store = find_store(inputs, RowKind.GRAPH, digest)
        row = store.load(_EDGES) if store is not None else None
        inputs.tree.request.tally(Count.BUILT if row is None else Count.WARM, 1)
        if store is None or row is None:
            before, earlier = last if last is not None else (None, None)
            made = _bring_up(inputs, settings, earlier)
            same = earlier is not None and earlier.columns.rows is made.columns.rows
            return _make_graph(made, before if same else None), made
        edges, measures = _unpack_edges(row)
        return Graph(digest, tuple(row[0]), edges, measures, _StoredLinks(store).load), None


def _make_graph(made: CatalogSnapshot[Columns], before: Graph | None) -> Graph:
    """The graph of a snapshot, given an earlier one of the same types."""
    columns = made.columns
    ids: tuple[Any, ...] = before.ids if before is not None else tuple([each.id for each in columns.rows])
    graph = Graph(made.digest, ids, columns.edges, columns.measures, lambda: columns.links)
    if before is not None:
        graph.take_over(before)
    return graph


class _StoredLinks(NamedTuple):
    """Links that stay in the local cache until they are needed."""

    store: CatalogStore

    def load(self) -> Sequence[Links]:
        """Load the links, or compute them again if another run has overwritten the rows."""
        rows = self.store.load_all(_LINKS)
        if rows is not None:
            return [each for (links,) in rows for each in links]
        inputs = self.store.inputs
        return _bring_up(inputs, digest_graph_settings(inputs), None).columns.links


def _bring_up(inputs: CatalogInputs, settings: str, last: CatalogSnapshot[Columns] | None) -> CatalogSnapshot[Columns]:
    from codecortex.operations.catalog.graph_update import update_columns
    from codecortex.operations.catalog.update import update_or_build

    return update_or_build(
        CatalogKind(RowKind.GRAPH, _PARTS, _pack, _unpack, update_columns, build_columns), inputs, settings, last
    )[1]


def _unpack(rows: Rows) -> Columns:
    types = tuple([IndexedType._make(each) for what in _TYPE_ROWS for each in rows[what][0]])
    links = [each for what in _LINK_ROWS for each in rows[what][0]]
    every, bases = (join_parts([unpack_lines(rows[what][side]) for what in _NAME_ROWS]) for side in (0, 1))
    return Columns(types, *_unpack_edges(rows[_EDGES]), links, Names(every, bases), rows[STATE][2])


def _pack(columns: Columns, before: Columns | None) -> Rows:
    if before is not None and all(new is old for new, old in zip(columns[:-1], before[:-1], strict=True)):
        return {STATE: (columns.usings,)}
    ids = [row.id for row in columns.rows]
    types, edges, measures, links, (every, bases), usings = columns
    rows: Rows = {STATE: (usings,)}
    anew = before is None or types is not before.rows
    if before is None or anew or edges is not before.edges or measures is not before.measures:
        rows[_EDGES] = (ids, *map(pack_numbers, (*edges, *measures)))
    if before is None or anew or links is not before.links:
        rows |= cut_rows(_LINKS, ids, lambda first, last: (list(links[first:last]),))
    if anew:
        rows |= cut_rows(_TYPES, ids, lambda first, last: ([tuple(row) for row in types[first:last]],))
    if before is None or anew or columns.names is not before.names:
        rows |= cut_rows(
            _NAMES, ids, lambda first, last: (pack_lines(every, first, last), pack_lines(bases, first, last))
        )
    return rows


def _unpack_edges(row: tuple[Any, ...]) -> tuple[Edges, Measures]:
    starts, targets, bits, counts, depths, components = map(unpack_numbers, row[1:])
    return Edges(starts, targets, bits, counts), (depths, components)


# -- from every source


def _collect_each(reading: Reading, resolver: Resolver) -> Iterator[TypeEdges]:
    """Yield the references of each type."""
    fqns = {merged.id: merged.fqn for merged in reading.types}
    limit, request = reading.tree.config.outline.max_dependencies, reading.tree.request
    for done, merged in enumerate(reading.types):
        if done % _STEP == 0:
            request.progress("Relating types", done, len(fqns))
        yield collect_edges(merged, resolver, fqns, limit)


def build_columns(inputs: CatalogInputs) -> tuple[Columns, dict[str, str]]:
    """The columns of a graph, and path to reason of the sources that could not be read."""
    reading = read_tree(*inputs)
    named = list(_collect_each(reading, make_resolver(reading)))
    rows = tuple(IndexedType(t.id, t.fqn, t.kind, t.project, t.owner, t.files, "") for t in reading.types)
    usings = {path: pack_usings(each) for path, each in reading.usings.items()}
    numbers = {row.id: number for number, row in enumerate(rows)}
    edges = join_edges([each.edges for each in named], numbers)
    measures = measure(rows, edges, bodies=inputs.tree.config.include_internal_for_dependencies)
    names = Names(join_blocks([each.names for each in named]), join_blocks([each.bases for each in named]))
    columns = Columns(rows, edges, measures, [each.links for each in named], names, usings)
    return columns, dict(reading.unread)
