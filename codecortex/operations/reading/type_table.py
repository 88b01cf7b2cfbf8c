"""The type table of a tree: every type with its TypeId and its files; types are assembled on demand."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING

from codecortex.analysis.types.assemble import Group, assemble_types, assign_ids
from codecortex.analysis.types.identity import names_of
from codecortex.analysis.types.meanings import Meanings
from codecortex.analysis.types.positions import settle_positions
from codecortex.analysis.types.references import Resolver, collect_usings
from codecortex.analysis.types.symbol_table import SymbolTable
from codecortex.model.code.facts import Scope
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from codecortex.git.listing import Entry
    from codecortex.model.code.facts import FileFacts, Using
    from codecortex.model.code.projects import Project
    from codecortex.model.code.types import CSharpType, TypeId
    from codecortex.operations.reading.facts_library import FactsLibrary, FileSummary
    from codecortex.operations.reading.tree import Tree

ProjectFile = tuple[str, str]
"""Path of a project and path of a file that it compiles."""

FactsKey = tuple[str, bytes]
"""Blob id of a file and digest of the symbols it is read under."""


class TableState(NamedTuple):
    """The data of a type table, from which the next table is updated incrementally.

    Attributes:
        keys: For each project and file that it compiles, the key of the facts.
        summaries: The summaries by that key; unreadable files have none.
        files: The files that declare each type.
        ids: The TypeId of each type.
    """

    keys: dict[ProjectFile, FactsKey]
    summaries: dict[FactsKey, FileSummary]
    files: dict[Group, frozenset[str]]
    ids: dict[Group, TypeId]


class TypeNames:
    """What is made of the types and projects of a tree, whatever they contain; tables that agree in both share it."""

    def __init__(self, ids: Mapping[Group, TypeId], projects: tuple[Project, ...]) -> None:
        self.ids = ids
        self.projects = projects

    @cached_property
    def groups(self) -> dict[TypeId, Group]:
        """The type of each id."""
        return {type_id: group for group, type_id in self.ids.items()}

    @cached_property
    def nested(self) -> dict[tuple[str, str, str], list[Group]]:
        """The types directly in each type, by its project, owner and name."""
        out: dict[tuple[str, str, str], list[Group]] = defaultdict(list)
        for inner, _ in sorted(self.ids.items(), key=lambda item: (item[0].fqn, item[1])):
            if "+" in inner.fqn:
                out[inner.project, inner.owner, inner.fqn.rpartition("+")[0]].append(inner)
        return out

    @cached_property
    def symbols(self) -> SymbolTable:
        """Every type by its names."""
        declared = ((i, group.fqn, group.project, group.owner) for group, i in self.ids.items())
        return SymbolTable(declared, self.projects)


class TypeTable:
    """The types of one tree."""

    def __init__(self, tree: Tree, names: TypeNames, library: FactsLibrary, state: TableState) -> None:
        self.tree = tree
        self.names = names
        self.projects = {project.path: project for project in names.projects}
        self.state = state
        self._library = library
        self._types: dict[Group, CSharpType] = {}

    # -- files

    def summary_of(self, place: ProjectFile) -> FileSummary | None:
        """The summary of a file in a project."""
        key = self.state.keys.get(place)
        return self.state.summaries.get(key) if key is not None else None

    def list_groups(self, place: ProjectFile) -> Iterator[Group]:
        """The types of which a file declares a part."""
        summary = self.summary_of(place)
        return iter_groups(place, summary) if summary is not None else iter(())

    def problem_of(self, place: ProjectFile) -> str:
        """Why the facts of a file may be incomplete, or empty."""
        key = self.state.keys.get(place)
        if key is None:
            return ""
        summary = self.state.summaries.get(key)
        reason = summary.degraded if summary is not None else self._library.problems.get(key[0], "not read")
        return f"{place[1]}: {reason}" if reason else ""

    @cached_property
    def unread(self) -> frozenset[str]:
        """The files that could not be read, each with the reason."""
        keys, summaries = self.state.keys, self.state.summaries
        return frozenset(self.problem_of(place) for place, key in keys.items() if key not in summaries)

    def name_aliases(self, names: set[str]) -> set[str]:
        """The names, and the aliases that global usings give to types with these names."""
        if not names:
            return names
        usings = [using for usings in self.usings.values() for using in usings if using.alias]
        return names | {using.alias for using in usings if not names.isdisjoint(names_of(using.target))}

    # -- types

    def nested_in(self, group: Group) -> Sequence[Group]:
        """The types directly nested in a type, sorted by name and id."""
        return self.names.nested.get((group.project, group.owner, group.fqn), ())

    def list_containers(self, group: Group) -> Iterator[Group]:
        """The types around a type, the nearest first."""
        fqn = group.fqn.rpartition("+")[0]
        while fqn:
            for kind in _HOLDERS:
                outer = group._replace(fqn=fqn, kind=kind)
                if outer in self.state.files:
                    yield outer
            fqn = fqn.rpartition("+")[0]

    def get(self, type_id: TypeId) -> CSharpType | None:
        """The type with an id; for the resolver."""
        group = self.groups.get(type_id)
        return self.type_of(group) if group is not None else None

    def type_of(self, group: Group) -> CSharpType:
        """The type of a group."""
        if group not in self._types:
            self.assemble((group,))
        return self._types[group]

    def assemble(self, groups: Iterable[Group]) -> None:
        """Assemble types that are not assembled yet; the types around them are read too, for their accessibility."""
        wanted = {group for group in groups if group not in self._types and group in self.state.files}
        if not wanted:
            return
        around = wanted.union(*map(self.list_containers, wanted))
        paths: dict[str, set[str]] = defaultdict(set)
        fqns: dict[str, set[str]] = defaultdict(set)
        for group in around:
            paths[group.project] |= self.state.files[group]
            fqns[group.project].add(group.fqn)
        self._library.load(self._want(paths))

        def facts_of(project: Project, path: str) -> FileFacts | None:
            facts = self._library.get(self.tree.sources.sources[path], project.symbols)
            if facts is None:
                return None
            return facts._replace(types=tuple(one for one in facts.types if one.fqn in fqns[project.path]))

        reduced = [self.projects[path]._replace(files=tuple(sorted(each))) for path, each in sorted(paths.items())]
        for merged in assemble_types(reduced, facts_of):
            group = Group(merged.fqn, merged.kind, merged.project, merged.owner)
            if group in wanted:
                self._types[group] = merged._replace(id=self.state.ids[group])
        for group in wanted & self._types.keys():
            (self._types[group],) = settle_positions([self._types[group]], lambda: self.resolver)

    def load(self, places: Iterable[ProjectFile]) -> None:
        """Read the facts of files at once that will be asked for one by one."""
        paths: dict[str, set[str]] = defaultdict(set)
        for project, path in places:
            paths[project].add(path)
        self._library.load(self._want(paths))

    def _want(self, paths: Mapping[str, Iterable[str]]) -> dict[str, tuple[Entry, list[frozenset[str]]]]:
        out: dict[str, tuple[Entry, list[frozenset[str]]]] = {}
        for project, each in paths.items():
            for path in each:
                _, sets = out.setdefault(path, (self.tree.sources.sources[path], []))
                sets.append(self.projects[project].symbols)
        return out

    # -- names

    @cached_property
    def usings(self) -> dict[str, tuple[Using, ...]]:
        """Each project's global usings, by its path."""
        scopes = {
            path: [
                (Scope("", -1, summary.usings),) for file in project.files if (summary := self.summary_of((path, file)))
            ]
            for path, project in self.projects.items()
        }
        return collect_usings(tuple(self.projects.values()), scopes)

    @property
    def groups(self) -> Mapping[TypeId, Group]:
        """The type of each id."""
        return self.names.groups

    @property
    def symbols(self) -> SymbolTable:
        """Every type by its names."""
        return self.names.symbols

    @cached_property
    def resolver(self) -> Resolver:
        """A resolver over all types."""
        return Resolver(self.symbols, self, self.usings)  # type: ignore[arg-type]  # it only calls `get`

    @cached_property
    def meanings(self) -> Meanings:
        """What names mean."""
        return Meanings(self.symbols, self.usings)

    def facts_of(self, place: ProjectFile) -> FileFacts | None:
        """The facts of a file in a project; None if it cannot be read."""
        project, path = place
        return self._library.get(self.tree.sources.sources[path], self.projects[project].symbols)


_HOLDERS = ("class", "struct", "interface", "record", "record struct")


def iter_groups(place: ProjectFile, summary: FileSummary) -> Iterator[Group]:
    """The types in a summary, once for each declaration."""
    project, path = place
    return (Group(fqn, kind, project, path if local else project) for fqn, kind, local in summary.types)


def build_type_table(
    tree: Tree, projects: Sequence[Project], library: FactsLibrary, last: TypeTable | None = None
) -> TypeTable:
    """Build the type table of a tree.

    Args:
        tree: The tree.
        projects: Its projects.
        library: The source of facts.
        last: The table of another tree with the same library, from which this one is updated incrementally.
    """
    before = last.state if last is not None else TableState({}, {}, {}, {})
    sources = tree.sources.sources
    keys = {
        (project.path, path): (sources[path].blob, digest)
        for project in projects
        for digest in (library.digest(project.symbols),)
        for path in project.files
    }
    summaries = _read_summaries(tree, projects, library, keys, before.summaries)
    touched = keys.keys() ^ before.keys.keys() | {p for p, key in keys.items() if before.keys.get(p, key) != key}
    files = dict(before.files)
    for place in touched:
        old = before.summaries.get(before.keys[place]) if place in before.keys else None
        for group in iter_groups(place, old) if old is not None else ():
            files[group] = files.get(group, frozenset()) - {place[1]}
    for place in touched & keys.keys():
        new = summaries.get(keys[place])
        for group in iter_groups(place, new) if new is not None else ():
            files[group] = files.get(group, frozenset()) | {place[1]}
    files = {group: paths for group, paths in files.items() if paths}
    ids = before.ids if files.keys() == before.files.keys() else assign_ids(files)
    names = TypeNames(ids, tuple(projects))
    if last is not None and ids is before.ids and names.projects == last.names.projects:
        names = last.names
    return TypeTable(tree, names, library, TableState(keys, summaries, files, ids))


def _read_summaries(
    tree: Tree,
    projects: Sequence[Project],
    library: FactsLibrary,
    keys: Mapping[ProjectFile, FactsKey],
    known: Mapping[FactsKey, FileSummary],
) -> dict[FactsKey, FileSummary]:
    """The summary of every file; those not in `known` are read from the library."""
    symbols = {project.path: project.symbols for project in projects}
    wanted: dict[str, tuple[Entry, list[frozenset[str]]]] = {}
    for (project, path), key in keys.items():
        if key not in known:
            _, sets = wanted.setdefault(path, (tree.sources.sources[path], []))
            sets.append(symbols[project])
    new = library.read_summaries(wanted) if wanted else {}
    return {key: known[key] if key in known else new[key] for key in keys.values() if key in known or key in new}
