"""A workspace and its index in; what tells the types and members that names mean among the indexed files, out.

The index knows the name of every type, so that no catalog has to be read or made; facts are read of few files.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.types.symbol_table import SymbolTable
from codecortex.analysis.usages.scope import TypeScope
from codecortex.model.code.catalog import TypeEntry
from codecortex.model.code.types import TypeId
from codecortex.model.code.units import GLOBAL_USINGS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from codecortex.context.retrieval.corpus import Corpus
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.queries.usage_sources import SourceSearch


def open_scope(workspace: Workspace, corpus: Corpus, sources: SourceSearch) -> TypeScope:
    """The lookup of names among the files of a corpus."""

    def name_types() -> tuple[Mapping[TypeId, TypeEntry], SymbolTable]:
        entries = _list_entries(workspace, corpus)
        declared = ((each.id, each.fqn, each.project, each.owner) for each in entries.values())
        return entries, SymbolTable(declared, workspace.projects)

    key = (corpus.paths, corpus.types, workspace.projects)
    entries, table = workspace.keep("context/types", key, name_types)
    holding = corpus.postings.find_spelt([GLOBAL_USINGS]).get(GLOBAL_USINGS, {}).get(GLOBAL_USINGS, ())
    paths = {corpus.paths[first + document] for first, posting in holding for document in posting.documents}
    return TypeScope(entries, table, sources.collect_usings(paths - {""}), sources.parts_of)


def _list_entries(workspace: Workspace, corpus: Corpus) -> dict[TypeId, TypeEntry]:
    """Every type of the corpus, by an id that this run alone knows."""
    entries: dict[TypeId, TypeEntry] = {}
    for project, document in _iter_compiled(workspace, corpus):
        path = corpus.paths[document]
        for each in corpus.types[document]:
            owner = path if each.local else project
            known = TypeId(f"{project}|{owner}|{each.fqn}")
            entry = entries.get(known)
            if entry is None:
                entries[known] = TypeEntry(known, each.fqn, each.fqn, each.kind, "", project, "", owner, (path,), "")
            elif path not in entry.files:
                entries[known] = entry._replace(files=(*entry.files, path))
    return entries


def _iter_compiled(workspace: Workspace, corpus: Corpus) -> Iterator[tuple[str, int]]:
    """Yield each document with each project that compiles it."""
    documents = {path: number for number, path in enumerate(corpus.paths) if path}
    for project in workspace.projects:
        for path in project.files:
            if path in documents:
                yield project.path, documents[path]
