"""Finds which types differ between an earlier tree and a tree that differs in a few sources.

Only the changed files are read, before and after; if that is not sufficient, the result is None and everything has to
be read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar, get_args

from codecortex.analysis.types.identity import describe_rows, reassign_ids
from codecortex.git.contents import read_contents
from codecortex.git.listing import Entry
from codecortex.model.code.facts import TypeKind
from codecortex.model.code.indexed import IndexedType
from codecortex.model.code.types import list_levels
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.catalog.storage import (
    CatalogSnapshot,
    digest_catalog,
    load_store,
    mark_incomplete,
    save_store,
    warn_of_unread,
)
from codecortex.operations.reading.facts_library import FactsLibrary
from codecortex.operations.reading.snapshot import list_changed
from codecortex.operations.reading.source_states import MOST_CHANGES, read_state, state_sources
from codecortex.operations.reading.type_table import TableState, TypeNames, TypeTable

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from codecortex.analysis.types.assemble import Group
    from codecortex.model.code.facts import FileFacts
    from codecortex.model.code.types import CSharpType, TypeId
    from codecortex.operations.catalog.storage import CatalogInputs, CatalogKind
    from codecortex.operations.catalog.type_rows import StoredType, TypeRows

_T = TypeVar("_T")
Facts = dict[tuple[str, str], "FileFacts"]
"""Facts by path of the project and path of the file."""


class PreviousTree(NamedTuple):
    """The stored data of an earlier tree.

    Attributes:
        states: Its sources, from `state_sources`, without those that could not be read.
        types: Its types.
    """

    states: Mapping[str, str]
    types: TypeRows


class Difference(NamedTuple):
    """The difference between an earlier tree and this one.

    Attributes:
        inputs: This tree.
        library: The facts of its files.
        before: The facts of changed files in the earlier tree.
        after: The facts of changed files in this tree.
        held: The types of this tree; those of the earlier one themselves where all have the same ids and files.
        renewed: The types that were added or removed.
        touched: The types that changed files declare, in either tree, and those whose id changed.
        unread: Path to reason of changed files that cannot be read.
    """

    inputs: CatalogInputs
    library: FactsLibrary
    before: Facts
    after: Facts
    held: Mapping[Group, StoredType]
    renewed: set[Group]
    touched: set[Group]
    unread: dict[str, str]

    def open_table(self, groups: Iterable[Group]) -> TypeTable:
        """A type table of some types of this tree and those around them, which are assembled on demand."""
        held = {group: self.held[group] for group in self._list_around(groups)}
        files = {group: frozenset(row.files) for group, row in held.items()}
        ids: dict[Group, TypeId] = {group: row.id for group, row in held.items()}  # type: ignore[misc]
        return self._make_table(TypeNames(ids, self.inputs.projects), files)

    def open_whole_table(self, types: TypeRows) -> TypeTable:
        """A type table of this tree, given all its types."""
        return self._make_table(types.name_all(self.inputs.projects), types.files)

    def _make_table(self, names: TypeNames, files: dict[Group, frozenset[str]]) -> TypeTable:
        return TypeTable(self.inputs.tree, names, self.library, TableState({}, files, dict(names.ids)))

    def _list_around(self, groups: Iterable[Group]) -> Iterator[Group]:
        for group in groups:
            for fqn in list_levels(group.fqn):
                outer = (group._replace(fqn=fqn, kind=kind) for kind in get_args(TypeKind))
                yield from (each for each in outer if each in self.held)

    def list_nested(self, earlier: TypeRows) -> set[Group]:
        """The types of both trees nested in some that were touched, at any depth; given those of the earlier tree."""
        around = {(group.project, group.owner, group.fqn) for group in self.touched}
        outermost = {(project, owner, fqn.partition("+")[0]) for project, owner, fqn in around}
        return {
            group
            for each in outermost
            for group in earlier.nested.get(each, ())
            if group in self.held
            and any((group.project, group.owner, fqn) in around for fqn in list_levels(group.fqn.rpartition("+")[0]))
        }


def assemble(type_table: TypeTable, groups: Iterable[Group]) -> dict[Group, CSharpType] | None:
    """Assemble types; None if a file that declares one can no longer be read."""
    wanted = [group for group in groups if group in type_table.state.files]
    type_table.assemble(wanted)
    try:
        return {group: type_table.type_of(group) for group in wanted}
    except KeyError:
        return None


def find_difference(inputs: CatalogInputs, states: Mapping[str, str], previous: PreviousTree) -> Difference | None:
    """The difference between a tree and an earlier one with the same settings; None if it is too large.

    Args:
        inputs: The tree.
        states: Its sources, from `state_sources`.
        previous: The earlier tree.
    """
    changed = set(list_changed(states, previous.states))
    gone = previous.states.keys() - states.keys()
    if len(changed) + len(gone) > MOST_CHANGES:
        return None
    old = {path: previous.states[path] for path in changed | gone if path in previous.states}
    before, lost = _read(inputs, old, FactsLibrary(inputs.tree.request, inputs.tree.repository, inputs.cache))
    if lost:
        return None
    library = FactsLibrary(inputs.tree.request, inputs.tree.repository, inputs.cache)
    after, unread = _read(inputs, {path: states[path] for path in changed}, library)
    held, renewed, touched = _settle(previous, before, after, changed | gone)
    return Difference(inputs, library, before, after, held, renewed, touched, unread)


def _read(inputs: CatalogInputs, states: Mapping[str, str], library: FactsLibrary) -> tuple[Facts, dict[str, str]]:
    """The facts of files in given states, and path to reason of those that cannot be read."""
    ordered = sorted(inputs.projects, key=lambda each: each.path)
    sources = inputs.tree.sources.sources
    wanted: dict[str, tuple[Entry, list[frozenset[str]]]] = {}
    owners: dict[str, list[str]] = {}
    for path, state in states.items():
        blob, places = read_state(state)
        projects = [ordered[place] for place in places]
        owners[path] = [project.path for project in projects]
        entry = sources[path] if path in sources and sources[path].blob == blob else Entry(path, blob)
        wanted[path] = (entry, [project.symbols for project in projects])
    library.load(wanted)
    found: Facts = {}
    unread: dict[str, str] = {}
    for path, (entry, sets) in wanted.items():
        for project, symbols in zip(owners[path], sets, strict=True):
            facts = library.get(entry, symbols)
            if facts is None:
                unread[path] = library.problems.get(entry.blob, "not read")
            else:
                found[project, path] = facts
    return found, unread


def _settle(
    previous: PreviousTree, before: Facts, after: Facts, paths: set[str]
) -> tuple[Mapping[Group, StoredType], set[Group], set[Group]]:
    """The types after the change; those added or removed; those that differ or whose id changed."""
    old, new = describe_rows(before), describe_rows(after)
    held: dict[Group, StoredType] = dict(previous.types.held)
    same = True
    touched = old.keys() | new.keys()
    renewed: set[Group] = set()
    for group in touched:
        row = held.get(group)
        files = {path for path in row.files if path not in paths} if row is not None else set()
        files |= new[group].files if group in new else set()
        if (row is None) == bool(files):
            renewed.add(group)
        if files:
            ordered = tuple(sorted(files, key=lambda path: (path.lower(), path)))
            if row is None or row.files != ordered:
                held[group] = IndexedType(row.id if row is not None else "", *group, ordered, "")
                same = False
        else:
            held.pop(group, None)
    if renewed:
        for group, type_id in reassign_ids({each: row.id for each, row in held.items()}, renewed).items():
            if held[group].id != type_id:
                held[group] = IndexedType(type_id, *group, held[group].files, "")
                touched.add(group)
    return previous.types.held if same and not renewed else held, renewed, touched


def update_or_build(
    kind: CatalogKind[_T], inputs: CatalogInputs, settings: str, last: CatalogSnapshot[_T] | None
) -> tuple[CatalogInputs, CatalogSnapshot[_T], frozenset[str]]:
    """Update what was built from an earlier tree, or build it from every source, and store the result.

    Args:
        kind: How it is built and stored.
        inputs: The tree.
        settings: The digest of everything but its sources.
        last: A snapshot in memory to update from, instead of the stored one.

    Returns: The tree as it was read, the new snapshot, and the sources that could not be read.
    """
    earlier = last if last is not None and last.settings == settings else load_store(kind, inputs, settings)
    states = state_sources(inputs.tree, inputs.projects)
    found = kind.update_columns(inputs, states, earlier) if earlier is not None else None
    columns, unread = found if found is not None else kind.build(inputs)
    known = earlier.states if found is not None and earlier is not None else {}
    warn_of_unread(inputs, unread)
    missing = frozenset(unread)
    read, states = _settle_states(inputs, states, known, missing)
    digest = mark_incomplete(digest_catalog(read, settings), missing)
    made = CatalogSnapshot(digest, settings, states, columns, whole=read is inputs and not missing)
    if earlier is None or earlier.digest != digest:
        save_store(kind, inputs, made, earlier)
    return read, made, missing


def _settle_states(
    inputs: CatalogInputs, states: Mapping[str, str], known: Mapping[str, str], unread: Collection[str]
) -> tuple[CatalogInputs, Mapping[str, str]]:
    """The tree as it was read: sources that were edited between listing and reading have their new content.

    Args:
        inputs: The tree as listed.
        states: Its sources, from `state_sources`.
        known: The states from which it was updated: sources in the same state were not read.
        unread: The sources that could not be read.

    Returns: That tree, and its states without the sources that could not be read.
    """
    read = _take_edits(inputs, sorted(list_changed(states, known)))
    states = states if read is inputs else state_sources(read.tree, read.projects)
    return read, {path: state for path, state in states.items() if path not in unread} if unread else states


def _take_edits(inputs: CatalogInputs, paths: Iterable[str]) -> CatalogInputs:
    sources = inputs.tree.sources.sources
    dirty = [sources[path] for path in paths if path in sources and sources[path].dirty]
    found = read_contents(inputs.tree.repository, dirty) if dirty else ()
    raced = {content.entry.path: content.entry for content in found if content.entry != sources[content.entry.path]}
    if not raced:
        return inputs
    told = inputs.tree.sources._replace(sources={**sources, **raced})
    return inputs._replace(tree=inputs.tree._replace(sources=told))
