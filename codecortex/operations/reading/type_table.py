"""The type table of a tree: every type with its TypeId and its files; types are assembled on demand."""

from __future__ import annotations

from collections import defaultdict
from contextlib import suppress
from functools import cached_property, partial
from typing import TYPE_CHECKING

from codecortex.analysis.types.assemble import Group, assemble_types, assign_ids
from codecortex.analysis.types.identity import names_of, reassign_ids
from codecortex.analysis.types.meanings import Meanings
from codecortex.analysis.types.positions import settle_positions
from codecortex.analysis.types.references import Resolver, collect_usings
from codecortex.analysis.types.symbol_table import SymbolTable
from codecortex.model.code.facts import Scope, Using
from codecortex.model.code.types import TypeId
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.reading.snapshot import Run, SnapshotLostError, load_snapshot, name_snapshot
from codecortex.operations.reading.source_states import MOST_CHANGES, read_state, state_sources
from codecortex.operations.reading.tree import digest_settings

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from codecortex.git.listing import Entry
    from codecortex.model.code.facts import FileFacts
    from codecortex.model.code.projects import Project
    from codecortex.model.code.types import CSharpType
    from codecortex.operations.reading.facts_library import FactsKey, FactsLibrary, FileSummary
    from codecortex.operations.reading.snapshot import Snapshot
    from codecortex.operations.reading.tree import Tree

ProjectFile = tuple[str, str]
"""Path of a project and path of a file that it compiles."""


class TableState(NamedTuple):
    """The data of a type table, from which the next table is updated incrementally.

    Attributes:
        keys: For each project and file that it compiles, the key of the facts.
        files: The files that declare each type.
        ids: The TypeId of each type.
        unread: The files that could not be read.
        usings: Path of a project to the global usings in its sources, where these are known.
        names: The simple names in a type's surface and in usings around it, separated by spaces, where these are known.
    """

    keys: Mapping[ProjectFile, FactsKey]
    files: Mapping[Group, Collection[str]]
    ids: dict[Group, TypeId]
    unread: frozenset[ProjectFile] = frozenset()
    usings: Mapping[str, tuple[Using, ...]] = {}
    names: Mapping[Group, str] = {}


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
        """The types directly in each type, by its project, owner and name, in no order."""
        out: dict[tuple[str, str, str], list[Group]] = defaultdict(list)
        for inner in self.ids:
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

    def read_summaries(self, places: Iterable[ProjectFile]) -> dict[ProjectFile, FileSummary]:
        """The summaries of files, but of those that cannot be read."""
        keys = self.state.keys
        held = {place: keys[place] for place in places if place in keys and place not in self.state.unread}
        return _read_summaries(self.tree, self.projects, self._library, held)

    def summary_of(self, place: ProjectFile) -> FileSummary | None:
        """The summary of a file in a project."""
        return self.read_summaries((place,)).get(place)

    def list_groups(self, places: Iterable[ProjectFile]) -> Iterator[Group]:
        """The types of which files declare a part, once for each part."""
        for place, summary in self.read_summaries(places).items():
            yield from iter_groups(place, summary)

    def problem_of(self, place: ProjectFile) -> str:
        """Why the facts of a file may be incomplete, or empty."""
        key = self.state.keys.get(place)
        if key is None:
            return ""
        summary = self.summary_of(place)
        reason = summary.degraded if summary is not None else self._library.problems.get(key[0], "not read")
        return f"{place[1]}: {reason}" if reason else ""

    @cached_property
    def unread(self) -> frozenset[str]:
        """The files that could not be read, each with the reason."""
        return frozenset(map(self.problem_of, self.state.unread))

    def find_naming(self, names: set[str]) -> dict[ProjectFile, FileSummary]:
        """The summaries of files with types that contain one of some simple names."""
        known = self.state.names
        places = {
            (group.project, path)
            for group, paths in self.state.files.items()
            if group not in known or not names.isdisjoint(known[group].split(" "))
            for path in paths
        }
        found = self.read_summaries(places)
        return {place: summary for place, summary in found.items() if not names.isdisjoint(summary.names)}

    def name_aliases(self, names: set[str]) -> set[str]:
        """The names, and the aliases that global usings give to types with these names."""
        if not names:
            return names
        usings = [using for usings in self.usings.values() for using in usings if using.alias]
        return names | {using.alias for using in usings if not names.isdisjoint(names_of(using.target))}

    # -- types

    def nested_in(self, group: Group) -> Sequence[Group]:
        """The types directly nested in a type, sorted by name and id."""
        found = self.names.nested.get((group.project, group.owner, group.fqn), ())
        return sorted(found, key=lambda inner: (inner.fqn, self.names.ids[inner]))

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
            paths[group.project].update(self.state.files[group])
            fqns[group.project].add(group.fqn)
        self._library.load(_describe_wanted(self.tree, self.projects, paths))

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
        made = sorted(wanted & self._types.keys())
        settled = settle_positions([self._types[group] for group in made], lambda: self.resolver)
        self._types.update(zip(made, settled, strict=True))

    def load(self, places: Iterable[ProjectFile]) -> None:
        """Read the facts of files at once that will be asked for one by one."""
        self._library.load(_describe_wanted(self.tree, self.projects, _by_project(places)))

    # -- names

    @cached_property
    def usings(self) -> dict[str, tuple[Using, ...]]:
        """Each project's global usings, by its path."""
        known = self.state.usings
        scopes = {path: [(Scope("", -1, each),)] for path, each in known.items() if path in self.projects}
        rest = [(path, file) for path, project in self.projects.items() if path not in known for file in project.files]
        for (path, _), summary in self.read_summaries(rest).items():
            scopes.setdefault(path, []).append((Scope("", -1, summary.usings),))
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
    """Build the type table of a tree, from that of another one, or from what an earlier run left of one much the same.

    Args:
        tree: The tree.
        projects: Its projects.
        library: The source of facts.
        last: The table of another tree with the same library.
    """
    before = last.state if last is not None else _recall(tree, projects, library)
    sources = tree.sources.sources
    keys = {
        (project.path, path): (sources[path].blob, digest)
        for project in projects
        for digest in (library.digest(project.symbols),)
        for path in project.files
    }
    touched = {place for place, _ in keys.items() ^ before.keys.items()}
    held = {place: keys[place] for place in touched if place in keys}
    read = _read_summaries(tree, {project.path: project for project in projects}, library, held)
    files, concerned = _move_files(before, touched, read)
    ids = before.ids
    if renewed := files.keys() ^ ids.keys():
        ids = {group: before.ids.get(group, TypeId("")) for group in files}
        ids |= reassign_ids(ids, renewed) if before.ids else assign_ids(files)
    names = TypeNames(ids, tuple(projects))
    if last is not None and ids is before.ids and names.projects == last.names.projects:
        names = last.names
    unread = (before.unread - touched) | (held.keys() - read.keys())
    usings = _follow_usings(before, touched, read)
    said = {group: each for group, each in before.names.items() if group not in concerned} if before.names else {}
    return TypeTable(tree, names, library, TableState(keys, files, ids, unread, usings, said))


def _read_summaries(
    tree: Tree, projects: Mapping[str, Project], library: FactsLibrary, held: Mapping[ProjectFile, FactsKey]
) -> dict[ProjectFile, FileSummary]:
    """The summaries of files that projects compile, but of those that cannot be read."""
    known = library.summaries
    missing = [place for place, key in held.items() if key not in known]
    if missing:
        library.read_summaries(_describe_wanted(tree, projects, _by_project(missing)))
    return {place: summary for place, key in held.items() if (summary := known.get(key)) is not None}


def _by_project(places: Iterable[ProjectFile]) -> dict[str, set[str]]:
    paths: dict[str, set[str]] = defaultdict(set)
    for project, path in places:
        paths[project].add(path)
    return paths


def _describe_wanted(
    tree: Tree, projects: Mapping[str, Project], paths: Mapping[str, Iterable[str]]
) -> dict[str, tuple[Entry, list[frozenset[str]]]]:
    """The entries of files, each with the symbol sets that it is read under; given their paths by project."""
    out: dict[str, tuple[Entry, list[frozenset[str]]]] = {}
    for project, each in paths.items():
        for path in each:
            _, sets = out.setdefault(path, (tree.sources.sources[path], []))
            sets.append(projects[project].symbols)
    return out


def _move_files(
    before: TableState, touched: set[ProjectFile], read: Mapping[ProjectFile, FileSummary]
) -> tuple[dict[Group, Collection[str]], set[Group]]:
    """The files of each type, given what the touched ones declare now; and the types that these declare or did."""
    files = dict(before.files)
    paths = {path for _, path in touched}
    concerned = {group for group, each in files.items() if not paths.isdisjoint(each)}
    for group in concerned:
        files[group] = tuple(path for path in files[group] if (group.project, path) not in touched)
    declared: dict[Group, set[str]] = defaultdict(set)
    for place, summary in read.items():
        for group in iter_groups(place, summary):
            declared[group].add(place[1])
    for group, added in declared.items():
        files[group] = added.union(files.get(group, ()))
    concerned |= declared.keys()
    for group in concerned:
        if not files[group]:
            del files[group]
    return files, concerned


def _follow_usings(
    before: TableState, touched: set[ProjectFile], read: Mapping[ProjectFile, FileSummary]
) -> dict[str, tuple[Using, ...]]:
    """The global usings that are known still: none in projects that had none, and where no touched file has any."""
    declaring = {project for (project, _), summary in read.items() if summary.usings}
    projects = {project for project, _ in touched}
    return {
        path: each
        for path, each in before.usings.items()
        if path not in projects or (not each and path not in declaring)
    }


def _recall(tree: Tree, projects: Sequence[Project], library: FactsLibrary) -> TableState:
    """The state of a tree that an earlier run described whose sources are nearly the same; an empty one without any."""
    settings, states = digest_settings(tree, projects), state_sources(tree, projects)
    for run in Run:
        snapshot = load_snapshot(library.cache, name_snapshot(run, tree.repository), piecemeal=True)
        if snapshot is None or snapshot.settings != settings:
            continue
        if len(snapshot.states.items() ^ states.items()) <= MOST_CHANGES:
            with suppress(SnapshotLostError):  # another run may just have replaced it
                return _make_state(snapshot, projects, library)
    return TableState({}, {}, {})


def _make_state(snapshot: Snapshot, projects: Sequence[Project], library: FactsLibrary) -> TableState:
    """What a snapshot says of the sources that were read."""
    ordered = sorted(projects, key=lambda each: each.path)
    owners = [(project.path, library.digest(project.symbols)) for project in ordered]
    keys: dict[ProjectFile, FactsKey] = {}
    for path, state in snapshot.states.items():
        blob, places = read_state(state)
        if not blob:
            continue
        for owner, digest in map(owners.__getitem__, places):
            keys[owner, path] = (blob, digest)
    make = partial(tuple.__new__, Group)  # at a third of what the class costs, for every type
    groups = [make(row[1:5]) for row in snapshot.rows]
    usings = {}
    for project in projects:
        declared = snapshot.usings.get(project.path, ())[len(project.usings) :]  # those of the project file are first
        usings[project.path] = tuple(Using(*each, everywhere=True) for each in declared)
    return TableState(
        keys,
        dict(zip(groups, [row.files for row in snapshot.rows], strict=True)),
        dict(zip(groups, [row.id for row in snapshot.rows], strict=True)),  # type: ignore[misc]
        usings=usings,
        names=dict(zip(groups, [row.names for row in snapshot.rows], strict=True)),
    )
