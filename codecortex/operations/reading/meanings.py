"""Opens what the names of a tree mean: from a reading, or from the summaries of its files."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from codecortex.analysis.types.meanings import Meanings
from codecortex.analysis.types.references import collect_usings
from codecortex.analysis.types.symbol_table import SymbolTable
from codecortex.model.code.facts import Scope
from codecortex.model.code.types import TypeId, cut_namespace, cut_own_name
from codecortex.operations.reading.type_table import build_type_table, iter_groups

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from codecortex.analysis.types.assemble import Group
    from codecortex.analysis.types.references import Resolver
    from codecortex.git.listing import Entry
    from codecortex.model.code.facts import Using
    from codecortex.model.code.projects import Project
    from codecortex.operations.reading.facts_library import FactsLibrary
    from codecortex.operations.reading.tree import Reading, Tree


def make_meanings(reading: Reading) -> Meanings:
    """What the names of a tree mean that was read as a whole."""
    declared = ((t.id, t.fqn, t.project, t.owner) for t in reading.types)
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
        declared = ((TypeId("\0".join(each)), each.fqn, each.project, each.owner) for each in groups)
        known = library.meanings[key] = Meanings(SymbolTable(declared, projects), collect_usings(projects, scopes))
    return known


@dataclass(frozen=True)
class NameDifference:
    """What the sources that differ between two trees of the same projects declare, before and after.

    Attributes:
        before: Their types in the earlier tree, each with the path of the source.
        after: Those in the later one.
        usings: Whether their global usings are the same.
    """

    before: frozenset[tuple[Group, str]]
    after: frozenset[tuple[Group, str]]
    usings: bool

    @cached_property
    def _groups(self) -> tuple[set[Group], set[Group]]:
        return {group for group, _ in self.before}, {group for group, _ in self.after}

    @property
    def is_empty(self) -> bool:
        """Whether names mean the same in both trees."""
        return self.usings and operator.eq(*self._groups)

    def leaves(self, words: Collection[str]) -> bool:
        """Whether names of these words (with their arities) certainly mean the same in both trees."""
        if not self.usings:
            return False
        before, after = self._groups
        spaces = [{cut_namespace(each.fqn) for each in groups} for groups in (before, after)]
        differing = {word for space in spaces[0] ^ spaces[1] for word in space.split(".")}
        differing |= {cut_own_name(each.fqn) for each in before ^ after}
        return differing.isdisjoint(words)

    def moves(self, fqn: str) -> bool:
        """Whether types of this FQN are not declared by the same sources before and after."""
        return any(group.fqn == fqn for group, _ in self.before ^ self.after)


def compare_names(
    before: Tree, after: Tree, projects: Sequence[Project], library: FactsLibrary
) -> NameDifference | None:
    """How two trees of the same projects differ in what they declare; None if a source that differs cannot be read.

    Only sources that differ are looked at.
    """
    first = _list_contributions(before, after, projects, library)
    second = _list_contributions(after, before, projects, library)
    if first is None or second is None:
        return None
    return NameDifference(first[0], second[0], first[1] == second[1])


def _list_contributions(
    tree: Tree, other: Tree, projects: Sequence[Project], library: FactsLibrary
) -> tuple[frozenset[tuple[Group, str]], list[tuple[str, Using]]] | None:
    """The types that the sources declare that differ in another tree, and their global usings by project."""
    sources, others = tree.sources.sources, other.sources.sources
    found = ((path, entry, others.get(path)) for path, entry in sources.items() if others.get(path) is not entry)
    differing = {path for path, entry, earlier in found if earlier is None or earlier.blob != entry.blob}
    groups: set[tuple[Group, str]] = set()
    usings: list[tuple[str, Using]] = []
    for project in projects:
        paths = sorted(differing.intersection(project.files))
        summaries = library.read_summaries({path: (sources[path], [project.symbols]) for path in paths})
        for path in paths:
            summary = summaries.get((sources[path].blob, library.digest(project.symbols)))
            if summary is None:
                return None
            groups.update((group, path) for group in iter_groups((project.path, path), summary))
            usings += [(project.path, using) for using in summary.usings]
    return frozenset(groups), sorted(usings)


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
