"""Answers graph queries: what types name, some steps from a symbol or in the whole tree."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any, cast

from codecortex.analysis.graph.components import count_fan_in, find_components, measure_depth
from codecortex.analysis.graph.view import Arrow, Node, View, Walk, group_arrows, walk
from codecortex.model.errors import SymbolNotFoundError, UsageError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.catalog.among import EVERYTHING, Among, cut_files, narrow
from codecortex.operations.queries.graph_text import write_drawing, write_lines
from codecortex.operations.queries.resolve import find_type, list_hits, read_query
from codecortex.operations.request import Count
from codecortex.symbols.hits import Flag, HitKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from codecortex.model.code.catalog import TypeEntry
    from codecortex.model.code.types import TypeId
    from codecortex.operations.catalog.among import FilePage
    from codecortex.operations.catalog.workspace import Workspace

DEFAULT_LIMIT = 300
_PATTERN_MARKS = frozenset("*?")
_TYPES = frozenset({HitKind.TYPE})


class By(StrEnum):
    """What a node represents."""

    TYPE = "type"
    NAMESPACE = "namespace"
    PROJECT = "project"


class Format(StrEnum):
    """Output format of a graph."""

    MERMAID = "mermaid"
    DOT = "dot"
    JSON = "json"


class GraphQuery(NamedTuple):
    """A graph query.

    Attributes:
        symbol: A type; or a namespace or a pattern for several types; None for the whole tree.
        depth: Number of steps from there.
        reverse: Follow dependents instead of dependencies.
        bodies: Whether edges from bodies and internal members count, besides those from surfaces.
        by: What a node represents; None for the finest that fits the limit. With a symbol, nodes are always types.
        limit: Maximum number of nodes; None for 300, or for all in JSON of the whole tree.
        format: Output format; None for text.
        among: Restricts the types, except the symbol itself.
    """

    symbol: str | None
    depth: int = 1
    reverse: bool = False
    bodies: bool = True
    by: By | None = None
    limit: int | None = None
    format: Format | None = None
    among: Among = EVERYTHING


class GraphResult(NamedTuple):
    """Answer to a graph query.

    Attributes:
        query: The query, with `by` and `limit` resolved.
        view: The part of the graph that is shown.
        redirected_from: The old name that led to the symbol, or empty.
    """

    query: GraphQuery
    view: View
    redirected_from: str = ""

    def as_json(self) -> dict[str, Any]:
        """The graph as JSON values."""
        return {
            "roots": list(self.view.roots),
            "by": self.view.by,
            "kind": "all" if self.query.bodies else "structural",
            "reverse": self.view.reverse,
            "total": self.view.total,
            "nodes": [_describe_node(node) for node in self.view.nodes],
            "edges": [arrow._asdict() for arrow in self.view.arrows],
            "components": [list(component) for component in self.view.components],
            **({"redirectedFrom": self.redirected_from} if self.redirected_from else {}),
        }

    def as_text(self) -> str:
        """The graph in the requested format, except JSON, which the caller writes from `as_json`."""
        if self.query.format is None:
            return write_lines(self.view, self.redirected_from)
        return write_drawing(self.view, dot=self.query.format is Format.DOT)


def _describe_node(node: Node) -> dict[str, Any]:
    return {
        "id": node.id, "name": node.name, "fqn": node.fqn, "kind": node.kind, "fanIn": node.fan_in,
        "depth": node.depth, "component": node.component, "distance": node.distance, "types": node.types or 1,
    }  # fmt: skip


def graph(workspace: Workspace, query: GraphQuery) -> GraphResult:
    """The dependencies or dependents of a symbol, or the graph of the whole tree.

    Raises:
        SymbolNotFoundError: The symbol matches no type, namespace or pattern.
        AmbiguousSymbolError: It matches several types.
        UsageError: An option for the whole tree is used with a symbol, or the reverse.
    """
    if query.symbol is None:
        if query.reverse:
            raise UsageError("--reverse starts at a symbol.", "Name one, and leave out --all.")
        return _show_all(workspace, query)
    if query.by not in (None, By.TYPE):
        raise UsageError("--by groups the whole tree.", "Leave out the symbol, with --all.")
    roots, redirected_from = _find_roots(workspace, query.symbol)
    limit = DEFAULT_LIMIT if query.limit is None else query.limit
    follow = _Follower(workspace, query)
    walked = walk(roots, follow.to if query.reverse else follow.from_, depth=query.depth, limit=limit)
    query = query._replace(by=By.TYPE, limit=limit)
    workspace.request.tally(Count.HITS, walked.total)
    return _assemble(workspace, query, roots, walked)._replace(redirected_from=redirected_from)


def graph_files(workspace: Workspace, query: GraphQuery) -> FilePage:
    """The files that declare the types of an answer, nearest first."""
    if query.by not in (None, By.TYPE):
        raise UsageError("--files needs types.", "Leave out --by.")
    limit = len(workspace.catalog.types) if query.limit is None else query.limit
    found = graph(workspace, query._replace(by=By.TYPE if query.symbol is None else None, limit=limit))
    known = workspace.catalog.by_id
    files = [path for node in found.view.nodes for path in known[cast("TypeId", node.id)].files]
    return cut_files(files, 0, len(files))


def _find_roots(workspace: Workspace, symbol: str) -> tuple[tuple[str, ...], str]:
    """The TypeIds that a symbol matches, and the old name that led to it, or empty."""
    if _PATTERN_MARKS & set(symbol):
        hits = list_hits(workspace, read_query(symbol, _TYPES))
        matched = [hit.entry.id for hit in hits if hit.entry and Flag.WILDCARD in hit.flags]
        if matched:
            return tuple(matched), ""
    try:
        entry, redirected_from = find_type(workspace, symbol)
    except SymbolNotFoundError:
        name = symbol.strip().removeprefix("N:").removeprefix("global::").rstrip(".")
        inside = tuple(entry.id for entry in workspace.catalog.types if name and entry.namespace == name)
        if not inside:
            raise
        return inside, ""
    return (entry.id,), redirected_from


class _Follower:
    """Lists the arrows from or to a type."""

    def __init__(self, workspace: Workspace, query: GraphQuery) -> None:
        self._graph = workspace.graph
        self._bodies = query.bodies
        narrowing = narrow(workspace, query.among)
        self.types = [each for each in workspace.catalog.types if narrowing is None or narrowing.takes_type(each)]
        self._among = None if narrowing is None else {each.id for each in self.types}

    def from_(self, node: str) -> Iterator[Arrow]:
        for found in self._graph.dependencies_of(cast("TypeId", node)):
            if (found.structural or self._bodies) and self.takes(found.target):
                yield Arrow(node, *found)

    def takes(self, type_id: TypeId) -> bool:
        """Whether a type passes."""
        return self._among is None or type_id in self._among

    def to(self, node: str) -> Iterator[Arrow]:
        for source in filter(self.takes, self._graph.dependents_of(cast("TypeId", node))):
            for found in self._graph.dependencies_of(source):
                if found.target == node and (found.structural or self._bodies):
                    yield Arrow(source, *found)


def _assemble(workspace: Workspace, query: GraphQuery, roots: Sequence[str], walked: Walk) -> GraphResult:
    """The result of a query whose nodes are types."""
    components: list[tuple[TypeId, ...]] = []
    number_of: dict[TypeId, int | None] = {}
    nodes = []
    for node, distance in walked.nodes.items():
        type_id = cast("TypeId", node)
        entry = workspace.catalog.by_id[type_id]
        if type_id not in number_of:
            component = workspace.graph.component_of(type_id)
            shared = len(component) > 1
            number_of |= dict.fromkeys(component, len(components) if shared else None)
            components += [component] if shared else []
        nodes.append(
            Node(
                entry.id, entry.display, entry.fqn, entry.kind, workspace.graph.fan_in_of(type_id),
                workspace.graph.depth_of(type_id), number_of[type_id], distance,
            )
        )  # fmt: skip
    found = tuple(roots), tuple(nodes), walked.arrows, tuple(components), walked.total
    return GraphResult(query, View(*found, By.TYPE, query.reverse))


def _show_all(workspace: Workspace, query: GraphQuery) -> GraphResult:
    follow = _Follower(workspace, query)
    unlimited = query.format is Format.JSON and query.limit is None
    limit = len(follow.types) if unlimited else DEFAULT_LIMIT if query.limit is None else query.limit
    groups = {by: _group_types(follow.types, by) for by in ([query.by] if query.by else By)}
    by = next((by for by, group_of in groups.items() if len(set(group_of.values())) <= limit), [*groups][-1])
    query = query._replace(by=by, limit=limit)
    arrows = [arrow for entry in follow.types for arrow in follow.from_(entry.id)]
    if by is not By.TYPE:
        return _show_groups(workspace, query, groups[by], arrows)
    order = sorted(follow.types, key=lambda entry: (-workspace.graph.fan_in_of(entry.id), entry.fqn, entry.id))
    kept = {entry.id for entry in order[:limit]}
    nodes: dict[str, int] = {entry.id: 0 for entry in sorted(order[:limit], key=lambda entry: (entry.fqn, entry.id))}
    shown = tuple(arrow for arrow in arrows if arrow.source in kept and arrow.target in kept)
    return _assemble(workspace, query, (), Walk(nodes, shown, len(order)))


def _group_types(types: Iterable[TypeEntry], by: By) -> Mapping[str, str]:
    match by:
        case By.TYPE:
            return {entry.id: entry.id for entry in types}
        case By.NAMESPACE:
            return {entry.id: entry.namespace for entry in types}
        case By.PROJECT:
            return {entry.id: entry.project for entry in types}


def _show_groups(
    workspace: Workspace, query: GraphQuery, group_of: Mapping[str, str], between: Sequence[Arrow]
) -> GraphResult:
    arrows = group_arrows(between, group_of)
    sizes: dict[str, int] = {}
    for group in group_of.values():
        sizes[group] = sizes.get(group, 0) + 1
    targets: dict[Any, tuple[Any, ...]] = dict.fromkeys(sorted(sizes), ())
    for arrow in arrows:
        targets[arrow.source] += (arrow.target,)
    fan_in, depths = count_fan_in(targets), measure_depth(targets)
    cycles = [each for each in find_components(targets) if len(each) > 1]
    member_of = {group: number for number, each in enumerate(cycles) for group in each}
    names = _name_groups(workspace, query.by)
    kept = set(sorted(sizes, key=lambda group: (-fan_in[cast("TypeId", group)], group))[: query.limit])
    nodes = tuple(
        Node(
            group, names.get(group, group), names.get(group, group), str(query.by), fan_in[cast("TypeId", group)],
            depths[cast("TypeId", group)], member_of.get(cast("TypeId", group)), 0, sizes[group],
        )
        for group in sorted(kept)
    )  # fmt: skip
    shown = tuple(arrow for arrow in arrows if arrow.source in kept and arrow.target in kept)
    return GraphResult(query, View((), nodes, shown, tuple(cycles), len(sizes), str(query.by), reverse=False))


def _name_groups(workspace: Workspace, by: By | None) -> Mapping[str, str]:
    """Names of groups whose name differs from their id."""
    if by is By.NAMESPACE:
        return {"": "(global namespace)"}
    return {entry.project: entry.assembly for entry in workspace.catalog.types}
