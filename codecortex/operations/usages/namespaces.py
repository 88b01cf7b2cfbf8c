"""Finds every place in code that names a namespace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.types.symbol_table import SymbolTable
from codecortex.analysis.usages.namespaces import judge_namespace
from codecortex.analysis.usages.places import FilePlaces
from codecortex.analysis.usages.scope import TypeScope
from codecortex.model.code.facts import BINARY
from codecortex.model.code.usages import Usage
from codecortex.operations.queries.usage_sources import SourceSearch
from codecortex.operations.usages.search import Found
from codecortex.operations.usages.targets import Target
from codecortex.parsing.occurrences.find import LineStarts, find_name, read_code
from codecortex.parsing.occurrences.sites import read_site

if TYPE_CHECKING:
    from collections.abc import Iterable

    from codecortex.git.contents import Content
    from codecortex.operations.catalog.workspace import Workspace


def search_namespace(workspace: Workspace, name: str) -> Found:
    """Find what means a namespace, and what bears the last part of its name."""
    sources = SourceSearch(workspace)
    own = name.rpartition(".")[2]
    paths, holding = sources.find([own], ("global using",))
    usings = sources.collect_usings(holding)
    sources.load(paths)
    catalog = workspace.catalog
    declared = ((each.id, each.fqn, each.project, each.owner) for each in catalog.types)
    scope = TypeScope(catalog.by_id, SymbolTable(declared, workspace.projects), usings, sources.parts_of)
    rows = [row for content in sources.read(paths) for row in _search_file(sources, content, scope, name)]
    return Found(Target(frozenset(), frozenset()), rows, sources.unread)


def _search_file(sources: SourceSearch, content: Content, scope: TypeScope, namespace: str) -> Iterable[Usage]:
    """The places in one file: of what they are in each project that compiles it, the surest."""
    path = content.entry.path
    found: dict[tuple[int, int], Usage] = {}
    for project in sources.projects_of(path):
        facts = sources.facts_of(path, project.path)
        if facts is None or facts.left_out:
            continue
        code = read_code(content.data or b"", project.symbols)
        if code is None:
            sources.unread[path] = BINARY
            break
        places = FilePlaces(scope, facts, project.path, path)
        starts = LineStarts(code.source)
        for spot in find_name(code, namespace.rpartition(".")[2]):
            around = places.find((spot.line, spot.column))
            extent = (starts.find(around.first), starts.find(around.last))
            member = around.where.member
            site = read_site(code, spot, extent, member.name if member is not None else "")
            verdict = judge_namespace(scope, namespace, site, around.where)
            end = spot.column + len(namespace.rpartition(".")[2])
            row = Usage(
                *(path, spot.line, spot.column, end, spot.snippet, verdict.certainty, str(verdict.role)),
                *(around.enclosing, verdict.means),
                generated=places.generated,
            )
            key = (spot.line, spot.column)
            if key not in found or verdict.certainty < found[key].certainty:
                found[key] = row
    return found.values()
