"""Opens what the names of a tree mean: from a reading, or from the summaries of its files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.types.meanings import Meanings
from codecortex.analysis.types.references import collect_usings
from codecortex.analysis.types.symbol_table import Declared, SymbolTable
from codecortex.model.code.facts import Scope
from codecortex.model.code.types import TypeId
from codecortex.operations.reading.type_table import build_type_table, iter_groups

if TYPE_CHECKING:
    from collections.abc import Sequence

    from codecortex.analysis.types.assemble import Group
    from codecortex.analysis.types.references import Resolver
    from codecortex.git.listing import Entry
    from codecortex.model.code.projects import Project
    from codecortex.operations.reading.facts_library import FactsLibrary
    from codecortex.operations.reading.tree import Reading, Tree


def make_meanings(reading: Reading) -> Meanings:
    """What the names of a tree mean that was read as a whole."""
    declared = (Declared(t.id, t.fqn, t.project, t.owner) for t in reading.types)
    return Meanings(SymbolTable(declared, reading.projects), reading.usings)


def read_meanings(tree: Tree, projects: Sequence[Project], library: FactsLibrary) -> Meanings:
    """The same for a tree that was not: only the names of its types and its global usings are read.

    Trees of one library in which all of that is the same share one answer.
    """
    summaries = library.read_summaries(list_wanted(tree, projects))
    groups: dict[Group, None] = {}
    scopes: dict[str, list[tuple[Scope, ...]]] = {}
    for project in projects:
        digest = library.digest(project.symbols)
        for path in project.files:
            summary = summaries.get((tree.sources.sources[path].blob, digest))
            if summary is None:
                continue
            groups.update(dict.fromkeys(iter_groups((project.path, path), summary)))
            if summary.usings:
                scopes.setdefault(project.path, []).append((Scope("", -1, summary.usings),))
    key = (tuple(projects), frozenset(groups), tuple((path, *each) for path, each in scopes.items()))
    known = library.meanings.get(key)
    if known is None:
        # Ids are dear to assign, and no meaning contains one: it is enough that types differ in them.
        declared = (Declared(TypeId("\0".join(each)), each.fqn, each.project, each.owner) for each in groups)
        known = library.meanings[key] = Meanings(SymbolTable(declared, projects), collect_usings(projects, scopes))
    return known


def are_same_names(old: Tree, new: Tree, projects: Sequence[Project], library: FactsLibrary) -> bool:
    """Whether two trees of the same projects declare the same names, so that names mean the same in both.

    Only sources that differ are looked at.
    """
    return _list_contributions(old, new, projects, library) == _list_contributions(new, old, projects, library)


def _list_contributions(tree: Tree, other: Tree, projects: Sequence[Project], library: FactsLibrary) -> list[object]:
    """What the sources that differ in another tree add to what names mean, by project and path."""
    sources, others = tree.sources.sources, other.sources.sources
    differing = {path for path, entry in sources.items() if path not in others or others[path].blob != entry.blob}
    found: list[object] = []
    for project in projects:
        paths = sorted(differing.intersection(project.files))
        summaries = library.read_summaries({path: (sources[path], [project.symbols]) for path in paths})
        for path in paths:
            summary = summaries.get((sources[path].blob, library.digest(project.symbols)))
            told = None if summary is None else (sorted(iter_groups((project.path, path), summary)), summary.usings)
            found.append((project.path, path, told))
    return found


def list_wanted(tree: Tree, projects: Sequence[Project]) -> dict[str, tuple[Entry, list[frozenset[str]]]]:
    """The sources that projects compile, each with the symbol sets that it is read under."""
    wanted: dict[str, tuple[Entry, list[frozenset[str]]]] = {}
    for project in projects:
        for path in project.files:
            wanted.setdefault(path, (tree.sources.sources[path], []))[1].append(project.symbols)
    return wanted


def read_resolver(tree: Tree, projects: Sequence[Project], library: FactsLibrary) -> Resolver:
    """What resolves names of a tree that was not read as a whole."""
    return build_type_table(tree, tuple(projects), library).resolver
