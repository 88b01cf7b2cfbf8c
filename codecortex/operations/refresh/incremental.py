"""Refreshes incrementally: from a snapshot and a few changed sources, computes what a full refresh would change.

A type's outline depends on its parts, on the types nested directly in it, and on what the names on its surface mean.
The meaning of a name can change only when a type of that simple name is added or removed, or a base list changes.
Whatever this rule does not cover is left to a full refresh, by returning None.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from codecortex.analysis.types.assemble import Group, assemble_types
from codecortex.analysis.types.identity import (
    Declaration,
    describe_rows,
    list_directed,
    names_of,
    pack_usings,
    reassign_ids,
)
from codecortex.analysis.types.links import link_outline
from codecortex.analysis.types.outline import write_outline
from codecortex.analysis.types.positions import find_heirs, list_changed_records, settle_positions
from codecortex.analysis.types.references import Resolver
from codecortex.analysis.types.symbol_table import SymbolTable
from codecortex.git.listing import Entry
from codecortex.model.code.facts import Using
from codecortex.model.code.indexed import IndexedType
from codecortex.model.code.types import cut_namespace, cut_simple_name, list_levels
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.reading.facts import FactsStore, digest_symbols, extract
from codecortex.operations.reading.snapshot import list_changed
from codecortex.operations.reading.source_states import MOST_CHANGES, read_state, state_sources
from codecortex.operations.request import Count

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from codecortex.model.code.facts import FileFacts, TypeFacts
    from codecortex.model.code.projects import Project
    from codecortex.model.code.types import CSharpType, TypeId
    from codecortex.operations.reading.snapshot import Snapshot
    from codecortex.operations.reading.tree import Tree
    from codecortex.store.cache.cache import Cache


_Place = tuple[str, str]  # paths of a project and of a file
_NOWHERE: dict[str, Any] = {"line": 0, "end_line": 0, "column": 0, "end_column": 0}


class IncrementalResult(NamedTuple):
    """Result of an incremental refresh.

    Attributes:
        rows: All types after the change, sorted by TypeId.
        states: `state_sources` of the tree.
        changed: The sources that changed, came or went.
        outlines: TypeId to text of every outline that may have changed.
        unread: Files that could not be read, with the reason.
        gone: The TypeIds that no type has any more.
        quiet: Whether bodies alone changed, and name what they named: no type, and no graph of types, tells of that.
    """

    rows: Sequence[IndexedType]
    states: Mapping[str, str]
    changed: set[str]
    outlines: Mapping[str, str]
    unread: tuple[tuple[str, str], ...]
    gone: frozenset[str] = frozenset()
    quiet: bool = False


class _Facts:
    """Facts by project and path, loaded on demand."""

    def __init__(self, tree: Tree, projects: Sequence[Project], cache: Cache) -> None:
        self._tree = tree
        self._cache = cache
        self._symbols = {project.path: project.symbols for project in projects}
        self.digests = {path: digest_symbols(symbols) for path, symbols in self._symbols.items()}
        self._stores: dict[str, FactsStore] = {}
        self.unread: set[tuple[str, str]] = set()

    def load(self, paths: Iterable[str], projects_of: Mapping[str, Sequence[str]]) -> None:
        """Load the facts of files that are not loaded yet."""
        sources = self._tree.sources.sources
        wanted = {
            path: (sources[path], [self._symbols[project] for project in projects_of[path]])
            for path in paths
            if path not in self._stores and path in sources
        }
        if wanted:
            store = extract(self._tree.request, self._tree.repository, wanted, self._cache)
            self._stores.update(dict.fromkeys(wanted, store))
            self.unread.update((path, reason) for path, reason in store.unread)

    def get(self, project: str, path: str) -> FileFacts | None:
        store = self._stores.get(path)
        return store.get(path, self.digests[project]) if store is not None else None


class Incremental:
    """One run of an incremental refresh."""

    def __init__(self, tree: Tree, projects: Sequence[Project], snapshot: Snapshot, cache: Cache) -> None:
        self._tree = tree
        self._projects = {project.path: project for project in projects}
        self._snapshot = snapshot
        self._cache = cache
        self._facts = _Facts(tree, projects, cache)
        self._states = state_sources(tree, projects)
        self._types: dict[str, CSharpType] = {}
        self._by_id: dict[str, IndexedType] = {}

    def run(self, touched: set[str]) -> IncrementalResult | None:
        """Compute the changed outlines; None if a full refresh is needed.

        Args:
            touched: TypeIds whose outline differs from what the last run wrote, and is therefore written again.
        """
        snapshot, states = self._snapshot, self._states
        changed = set(list_changed(states, snapshot.states))
        gone = snapshot.states.keys() - states.keys()
        if len(changed) + len(gone) > MOST_CHANGES:
            return None
        before = self._read_before(changed | gone)
        if before is None:
            return None
        owners = self._list_owners(states, changed)
        self._facts.load(changed, owners)
        after = {
            (project, path): facts
            for path in changed
            for project in owners[path]
            if (facts := self._facts.get(project, path)) is not None
        }
        if _global_usings(before) != _global_usings(after):
            return None
        alike = _list_alike(before, after)
        quiet = all(_list_inner(before[place]) == _list_inner(after[place]) for place in before.keys() & after.keys())
        before, after = _leave_out(before, alike), _leave_out(after, alike)
        unread = tuple(sorted(self._facts.unread))
        changed |= gone
        if not before and not after and not touched:
            quiet = quiet and not (gone or unread)
            return IncrementalResult(snapshot.rows, states, changed, {}, unread, quiet=quiet)
        rows, names, moved = self._settle_rows(before, after, changed - alike)
        self._by_id = {row.id: row for row in rows}
        outlines = self._write(rows, names, moved | touched)
        if outlines is None:
            return None
        final: Sequence[IndexedType] = tuple(self._rename(row) if row.id in outlines else row for row in rows)
        lost = frozenset(row.id for row in snapshot.rows if row.id not in self._by_id)
        final = snapshot.rows if final == snapshot.rows else final
        return IncrementalResult(final, states, changed, outlines, unread, lost)

    def _rename(self, row: IndexedType) -> IndexedType:
        return row._replace(names=" ".join(sorted(names_of_type(self._types[row.id]))))

    def _list_owners(self, states: Mapping[str, str], paths: Iterable[str]) -> dict[str, list[str]]:
        """The projects that compile each of some sources, by their states."""
        ordered = sorted(self._projects)
        return {path: [ordered[place] for place in read_state(states[path])[1]] for path in paths}

    def _read_before(self, paths: set[str]) -> dict[tuple[str, str], FileFacts] | None:
        """The facts of the changed files before the change, from the cache; None if it lacks some."""
        states = self._snapshot.states
        owners = self._list_owners(states, paths & states.keys())
        wanted = {}
        for path, projects in owners.items():
            if blob := read_state(states[path])[0]:
                wanted[path] = (Entry(path, blob), [self._facts.digests[project] for project in projects])
        store = FactsStore()
        if store.load(wanted, self._cache):
            return None
        found = {}
        for path, projects in owners.items():
            for project in projects:
                facts = store.get(path, self._facts.digests[project])
                if facts is not None:
                    found[project, path] = facts
        return found

    def _settle_rows(
        self, before: Mapping[tuple[str, str], FileFacts], after: Mapping[tuple[str, str], FileFacts], paths: set[str]
    ) -> tuple[tuple[IndexedType, ...], set[str], set[str]]:
        """The new rows; simple names whose meaning may have changed; TypeIds whose outline may have changed."""
        old, new = describe_rows(before), describe_rows(after)
        rows = {Group(row.fqn, row.kind, row.project, row.owner): row for row in self._snapshot.rows}
        concerned = old.keys() | new.keys()
        names: set[str] = set()
        renewed: set[Group] = set()
        for identity in concerned:
            row = rows.get(identity)
            files = {path for path in row.files if path not in paths} if row is not None else set()
            files |= new[identity].files if identity in new else set()
            if (row is None) == bool(files):
                renewed.add(identity)
                names.add(cut_simple_name(identity.fqn))
            if files:
                ordered = tuple(sorted(files, key=lambda path: (path.lower(), path)))
                rows[identity] = IndexedType(row.id if row else "", *identity, ordered, row.names if row else "")
            else:
                rows.pop(identity, None)
            if row is not None and _heads_in(old, identity) != _heads_in(new, identity):
                names.add(cut_simple_name(identity.fqn))
                names |= {i.fqn.rpartition("+")[2].partition("`")[0] for i in rows if "+" in i.fqn}
        moved = set(concerned)
        if renewed:
            names |= self._namespace_names(rows)
            for identity, type_id in reassign_ids({each: row.id for each, row in rows.items()}, renewed).items():
                if rows[identity].id != type_id:
                    rows[identity] = rows[identity]._replace(id=type_id)
                    moved.add(identity)
        containers = {(i.project, i.owner, i.fqn.rpartition("+")[0]) for i in moved if "+" in i.fqn}
        ids = {rows[identity].id for identity in moved if identity in rows}
        ids |= _list_heirs(rows, list_changed_records(before.values(), after.values()))
        if containers:
            ids |= {row.id for row in rows.values() if (row.project, row.owner, row.fqn) in containers}
        return tuple(sorted(rows.values())), names, ids

    def _namespace_names(self, rows: Mapping[Group, IndexedType]) -> set[str]:
        """Segments of namespaces that were added or removed."""
        old = {cut_namespace(row.fqn) for row in self._snapshot.rows}
        new = {cut_namespace(identity.fqn) for identity in rows}
        return {segment for namespace in old ^ new for segment in namespace.split(".") if segment}

    # -- outlines

    def _write(self, rows: tuple[IndexedType, ...], names: set[str], wanted: set[str]) -> dict[str, str] | None:
        if names:
            for usings in self._snapshot.usings.values():
                if any(
                    not names.isdisjoint(target.replace("<", ".").split("."))
                    for target, alias, static in usings
                    if alias or static
                ):
                    return None
            wanted |= {row.id for row in rows if row.names and not names.isdisjoint(row.names.split(" "))}
            self._assemble(wanted)
            if any(self._bases_depend(self._types[i], names) for i in wanted if i in self._types):
                names |= {row.fqn.rpartition("+")[2].partition("`")[0] for row in rows if "+" in row.fqn}
                wanted |= {row.id for row in rows if row.names and not names.isdisjoint(row.names.split(" "))}
        if len(wanted) > MOST_CHANGES * 5:
            return None
        children: dict[tuple[str, str, str], list[str]] = defaultdict(list)
        for row in sorted(rows, key=lambda row: (row.fqn, row.id)):
            if "+" in row.fqn:
                children[row.project, row.owner, row.fqn.rpartition("+")[0]].append(row.id)
        needed = {i for i in wanted if i in self._by_id}
        inside = {i: children.get((row.project, row.owner, row.fqn), []) for i in needed if (row := self._by_id[i])}
        self._assemble(needed.union(*inside.values()))
        resolver = self._make_resolver(rows)
        fqns = {row.id: row.fqn for row in rows}
        limit = self._tree.config.outline.max_dependencies
        outlines = {}
        for type_id in sorted(needed):
            (merged,) = settle_positions([self._types[type_id]], lambda: resolver)
            links = link_outline(merged, resolver, fqns, limit)  # type: ignore[arg-type]
            assembly = self._projects[merged.project].assembly
            nested = [self._types[child] for child in inside[type_id]]
            outlines[type_id] = write_outline(merged, assembly, nested, links)
        self._tree.request.tally(Count.OUTLINES, len(outlines))
        return outlines

    @staticmethod
    def _bases_depend(merged: CSharpType, names: set[str]) -> bool:
        return any(
            not names.isdisjoint(base.partition("<")[0].replace("::", ".").split("."))
            for part in merged.parts
            for base in part.facts.bases
        )

    def _make_resolver(self, rows: Sequence[IndexedType]) -> Resolver:
        table = SymbolTable(
            ((row.id, row.fqn, row.project, row.owner) for row in rows),  # type: ignore[misc]
            tuple(self._projects.values()),
        )
        usings = {
            path: tuple(Using(target, alias, static) for target, alias, static in each)
            for path, each in self._snapshot.usings.items()
        }
        return Resolver(table, _LazyTypes(self), usings)  # type: ignore[arg-type]

    def type_of(self, type_id: str) -> CSharpType | None:
        """A type, assembled on first use."""
        if type_id not in self._types and type_id in self._by_id:
            self._assemble({type_id})
        return self._types.get(type_id)

    def _assemble(self, ids: set[str]) -> None:
        """Assemble types, along with their containing types, whose kind determines accessibility."""
        rows = [self._by_id[i] for i in ids if i in self._by_id and i not in self._types]
        if not rows:
            return
        fqns: dict[str, set[str]] = defaultdict(set)
        files: dict[str, set[str]] = defaultdict(set)
        for row in rows:
            files[row.project].update(row.files)
            fqns[row.project].update(list_levels(row.fqn))
        paths = self._states.keys() & set().union(*files.values())
        self._facts.load(paths, self._list_owners(self._states, paths))

        def facts_of(project: Project, path: str) -> FileFacts | None:
            facts = self._facts.get(project.path, path)
            if facts is None:
                return None
            return facts._replace(types=tuple(t for t in facts.types if t.fqn in fqns[project.path]))

        reduced = [self._projects[path]._replace(files=tuple(sorted(each))) for path, each in sorted(files.items())]
        keyed = {Group(row.fqn, row.kind, row.project, row.owner): row for row in rows}
        for merged in assemble_types(reduced, facts_of):
            known = keyed.get(Group(merged.fqn, merged.kind, merged.project, merged.owner))
            if known is not None:
                self._types[known.id] = merged._replace(id=known.id)  # type: ignore[arg-type]


class _LazyTypes:
    """The types by TypeId, as the resolver needs them."""

    def __init__(self, run: Incremental) -> None:
        self._run = run

    def get(self, type_id: TypeId) -> CSharpType | None:
        return self._run.type_of(type_id)


def _list_alike(before: Mapping[_Place, FileFacts], after: Mapping[_Place, FileFacts]) -> set[str]:
    """The files that changed in no project so that an outline or the index could tell, but in bodies or layout only."""
    unlike = {place for place in before.keys() & after.keys() if outlined(before[place]) != outlined(after[place])}
    unlike |= before.keys() ^ after.keys()
    return {path for _, path in before} - {path for _, path in unlike}


def _list_inner(facts: FileFacts) -> list[str]:
    return [each.inner for each in facts.types]


def _leave_out(facts: Mapping[_Place, FileFacts], paths: set[str]) -> dict[_Place, FileFacts]:
    return {place: each for place, each in facts.items() if place[1] not in paths}


def outlined(facts: FileFacts) -> FileFacts:
    """The facts without what outlines and the index do not depend on: bodies, layout, and where things stand."""
    return facts._replace(types=tuple(map(_outline_type, facts.types)))


def _outline_type(declared: TypeFacts) -> TypeFacts:
    members = tuple([each._replace(body="=" if each.body else "", **_NOWHERE) for each in declared.members])
    return declared._replace(members=members, body="", inner="", cosmetic="", **_NOWHERE)


def _heads_in(declared: Mapping[Group, Declaration], identity: Group) -> list[tuple[str, str, tuple[str, ...]]]:
    return sorted(declared[identity].heads) if identity in declared else []


def _list_heirs(rows: Mapping[Group, IndexedType], names: set[str]) -> set[str]:
    """The ids of the records that may derive from one with such a simple name."""
    if not names:
        return set()
    records = {row.id: row for row in rows.values() if row.kind == "record"}
    named: dict[str, set[str]] = defaultdict(set)
    for row in records.values():
        named[cut_simple_name(row.fqn)].update(row.names.split(" "))
    heirs = find_heirs(names, named)
    return {type_id for type_id, row in records.items() if cut_simple_name(row.fqn) in heirs}


def _global_usings(facts: Mapping[tuple[str, str], FileFacts]) -> dict[str, set[tuple[str, str, bool]]]:
    out: dict[str, set[tuple[str, str, bool]]] = defaultdict(set)
    for (project, _), each in facts.items():
        out[project].update(pack_usings(using for using in each.scopes[0].usings if using.everywhere))
    return {project: usings for project, usings in out.items() if usings}


def names_of_type(merged: CSharpType) -> set[str]:
    """All simple names that a type's links may depend on."""
    return list_directed(merged).union(*(names_of(name) for part in merged.parts for name, _ in part.facts.surface))
