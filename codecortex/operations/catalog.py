"""A tree in; its catalog and its graph, from the local cache or read anew, out."""

from __future__ import annotations

import marshal
import os
import re
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from codecortex.model.catalog import Catalog, Graph, Lines, MemberEntry, TypeEntry, write_member_line
from codecortex.operations.refresh import digest_tree

if TYPE_CHECKING:
    from codecortex.analysis.references import Edge
    from codecortex.model.projects import Project
    from codecortex.model.types import CSharpType, Member, TypeId
    from codecortex.operations.reading import Reading, Tree
    from codecortex.store.cache import Cache

CATALOG_VERSION = 1

_ATTRIBUTE = re.compile(r"[\w.:]+")


def open_catalog(tree: Tree, projects: tuple[Project, ...], cache: Cache) -> Catalog:
    """The catalog of a tree."""
    name, digest = _name(tree), digest_tree(tree)
    rows = _load(cache, name, digest)
    if rows is None:
        _build(tree, projects, cache)
        rows = _load(cache, name, digest)
    if rows is None:  # there is no cache to keep it in
        return _make_catalog(digest, _describe(_read(tree, projects, cache)))
    types = tuple(TypeEntry(*row) for row in rows[0])
    return Catalog(
        digest,
        types,
        lambda: _load_lines(tree, projects, cache, "members"),
        lambda: _load_lines(tree, projects, cache, "docs"),
    )


def open_graph(tree: Tree, projects: tuple[Project, ...], cache: Cache) -> Graph:
    """The graph of a tree."""
    name, digest = _name(tree), digest_tree(tree)
    rows = _load(cache, f"{name}/graph", digest)
    if rows is None:
        rows = _describe_graph(_read(tree, projects, cache))
        _save(cache, f"{name}/graph", digest, rows)
    return Graph(digest, *rows)


def _read(tree: Tree, projects: tuple[Project, ...], cache: Cache) -> Reading:
    from codecortex.operations.index import warn_of_unread  # noqa: PLC0415 - only where a tree is read
    from codecortex.operations.reading import read_tree  # noqa: PLC0415

    reading = read_tree(tree, projects, cache)
    warn_of_unread(reading)
    return reading


def _build(tree: Tree, projects: tuple[Project, ...], cache: Cache) -> None:
    name, digest = _name(tree), digest_tree(tree)
    types, members, docs = _describe(_read(tree, projects, cache))
    _save(cache, f"{name}/members", digest, tuple(members))
    _save(cache, f"{name}/docs", digest, tuple(docs))
    _save(cache, name, digest, ([tuple(entry) for entry in types],))


def _make_catalog(digest: str, described: tuple[tuple[TypeEntry, ...], Lines, Lines]) -> Catalog:
    types, members, docs = described
    return Catalog(digest, types, lambda: members, lambda: docs)


def _load_lines(tree: Tree, projects: tuple[Project, ...], cache: Cache, what: str) -> Lines:
    name, digest = f"{_name(tree)}/{what}", digest_tree(tree)
    rows = _load(cache, name, digest)
    if rows is None:  # another run of another tree has written there since
        _, members, docs = _describe(_read(tree, projects, cache))
        return members if what == "members" else docs
    return Lines(*rows)


def _name(tree: Tree) -> str:
    """What the catalog of a kind of tree goes by: that of the work tree is kept beside that of any other."""
    kind = "work" if tree.request.rev is None and not tree.request.staged else "other"
    return f"catalog/{kind}/{sha256(os.fsencode(tree.repository.folder)).hexdigest()[:16]}"


def _load(cache: Cache, name: str, digest: str) -> tuple[Any, ...] | None:
    data = cache.get(name)
    if data is None:
        return None
    try:
        version, held, *rows = marshal.loads(data)  # noqa: S302 - our own cache, beside .git
    except (ValueError, EOFError, TypeError):
        return None
    return tuple(rows) if (version, held) == (CATALOG_VERSION, digest) else None


def _save(cache: Cache, name: str, digest: str, rows: tuple[Any, ...]) -> None:
    cache.put(name, marshal.dumps((CATALOG_VERSION, digest, *rows)))


def _describe(reading: Reading) -> tuple[tuple[TypeEntry, ...], Lines, Lines]:
    assemblies = {project.path: project.assembly for project in reading.projects}
    types, members, docs = [], [], []
    for merged in reading.types:
        types.append(describe_entry(merged, assemblies[merged.project]))
        members.append("".join(write_member_line(_describe_member(merged, n, m)) for n, m in enumerate(merged.members)))
        docs.append("".join(_list_docs(merged)))
    return tuple(types), _join(members), _join(docs)


def describe_entry(merged: CSharpType, assembly: str) -> TypeEntry:
    """The entry of a type."""
    attributes = [
        match[0] for part in merged.parts for text in part.facts.attributes if (match := _ATTRIBUTE.search(text))
    ]
    names = [name.rpartition(".")[2].rpartition(":")[2] for name in attributes]
    return TypeEntry(
        merged.id, merged.fqn, merged.display_name, merged.kind, merged.effective_accessibility, merged.project,
        assembly, merged.owner, merged.files, " ".join(dict.fromkeys((*merged.modifiers, *names))),
    )  # fmt: skip


def _describe_member(merged: CSharpType, number: int, member: Member) -> MemberEntry:
    from codecortex.model.types import parameter_types  # noqa: PLC0415 - only where a tree is read

    facts = member.facts
    name = facts.name
    if facts.kind == "constructor":
        name = ".cctor" if "static" in facts.modifiers else ".ctor"
    return MemberEntry(
        merged.id, number, name, facts.kind, facts.accessibility, facts.arity, facts.type, parameter_types(facts),
        facts.receiver, facts.explicit_interface,
    )  # fmt: skip


def _list_docs(merged: CSharpType) -> list[str]:
    from codecortex.analysis.outline import summarise_doc  # noqa: PLC0415 - only where a tree is read

    own = " ".join(summarise_doc(part.facts.doc) for part in merged.parts if part.facts.doc)
    lines = [("", own), *((str(n), summarise_doc(m.facts.doc)) for n, m in enumerate(merged.members) if m.facts.doc)]
    return [f"{number}\t{' '.join(text.split())}\n" for number, text in lines if text]


def _join(blocks: list[str]) -> Lines:
    starts, at = [0], 0
    for block in blocks:
        at += len(block)
        starts.append(at)
    return Lines("".join(blocks), starts)


def _describe_graph(reading: Reading) -> tuple[Any, ...]:
    from codecortex.analysis.graph import find_components, list_targets, measure_depth  # noqa: PLC0415
    from codecortex.operations.relations import link_outline, list_bases, make_resolver  # noqa: PLC0415

    resolver = make_resolver(reading)
    fqns = {merged.id: merged.fqn for merged in reading.types}
    numbers = {merged.id: number for number, merged in enumerate(reading.types)}
    limit = reading.tree.config.outline.max_dependencies
    edges: dict[TypeId, tuple[Edge, ...]] = {}
    packed, links = [], []
    for merged in reading.types:
        found = edges[merged.id] = resolver.edges_of(merged)
        bases = list_bases(merged, resolver)
        packed.append([(numbers[edge.target], _pack_bits(edge, bases), edge.count) for edge in found])
        links.append(tuple(map(tuple, link_outline(merged, resolver, fqns, limit))))
    targets = list_targets(edges, bodies=reading.tree.config.include_internal_for_dependencies)
    depths = measure_depth(targets)
    components = {
        type_id: n for n, each in enumerate(find_components(list_targets(edges, bodies=True))) for type_id in each
    }
    ids = tuple(numbers)
    return ids, packed, links, ([depths[i] for i in ids], [components[i] for i in ids])


def _pack_bits(edge: Edge, bases: set[TypeId]) -> int:
    bits = Graph.STRUCTURAL if edge.structural else 0
    bits |= Graph.BASE if edge.target in bases else 0
    return bits | (Graph.EXACT if edge.exact else 0)
