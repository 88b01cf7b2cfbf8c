"""Opens the catalog of a tree: from the local cache, updated from the last one, or from every source."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property, partial
from itertools import accumulate
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from codecortex.analysis.test_code import is_test_type
from codecortex.analysis.types.positions import find_heirs, list_base_names, list_changed_records, list_dropped
from codecortex.model.code.catalog import (
    Catalog,
    CatalogTexts,
    Lines,
    TypeEntry,
    join_parts,
    write_member_line,
)
from codecortex.model.code.types import cut_simple_name, parameter_types
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later
from codecortex.operations.catalog.storage import (
    CatalogInputs,
    CatalogKind,
    CatalogSnapshot,
    CatalogStore,
    RowKind,
    Rows,
    cut_rows,
    digest_catalog,
    digest_catalog_settings,
    find_store,
    join_blocks,
    name_rows,
    pack_lines,
    unpack_lines,
    without_collection,
)
from codecortex.operations.reading.tree import read_tree
from codecortex.operations.request import Count

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from codecortex.model.code.facts import FileFacts, MemberFacts, Using
    from codecortex.model.code.projects import Project
    from codecortex.model.code.types import CSharpType
    from codecortex.operations.catalog.type_rows import TypeRows
    from codecortex.operations.catalog.update import Difference
    from codecortex.operations.reading.tree import Reading
    from codecortex.store.cache.cache import Cache

_TYPES, _MEMBERS, _DOCS, _NAMES = "entries", "members", "docs", "names"
_TYPE_ROWS, _MEMBER_ROWS, _DOC_ROWS = map(name_rows, (_TYPES, _MEMBERS, _DOCS))
_PARTS = (*_TYPE_ROWS, *_MEMBER_ROWS, *_DOC_ROWS, _NAMES)
_ATTRIBUTE = compile_later(r"[\w.:]+")
_LINE = compile_later(r"([^\t\n]*+)\t[^\n]*+\n")
_MOST_SOUGHT = 64
"""With more names than this, listing all names again is no slower than searching for each."""


class _Columns(NamedTuple):
    """The data of a catalog."""

    types: tuple[TypeEntry, ...]
    members: Lines
    docs: Lines
    names: Sequence[str]


def open_catalog(
    inputs: CatalogInputs, last: tuple[CatalogInputs, Catalog] | None = None
) -> tuple[CatalogInputs, Catalog]:
    """The catalog of a tree, and the tree as it was read: a source may be edited between listing and reading.

    Args:
        inputs: The tree.
        last: A catalog in memory from which the new one may be updated, and its inputs.
    """
    digest = digest_catalog(inputs, digest_catalog_settings(inputs))
    if last is not None and last[1].digest == digest:
        return inputs, last[1]
    with without_collection():
        store = find_store(inputs, RowKind.CATALOG, digest)
        rows = store.load_all(_TYPES) if store is not None else None
        inputs.tree.request.tally(Count.BUILT if rows is None else Count.WARM, 1)
        if store is None or rows is None:
            return _bring_up(inputs, last)
        return inputs, Catalog(
            digest, _join_entries(rows), _Texts(store, [len(entries) for (entries,) in rows]).as_texts()
        )


class _Texts:
    """The parts of a catalog that stay in the local cache until they are needed.

    Args:
        store: The stored parts.
        sizes: The number of types in each row of a split part.
    """

    def __init__(self, store: CatalogStore, sizes: Sequence[int]) -> None:
        self._store = store
        self._firsts = [0, *accumulate(sizes)]
        self._beside: dict[int, Lines | None] = {}

    def as_texts(self) -> CatalogTexts:
        """The loaders for a catalog."""
        return CatalogTexts(self._load_members, self._load_docs, self._load_names, self._load_members_beside)

    @cached_property
    def _anew(self) -> Catalog:
        """The catalog built again, because another run has overwritten its rows."""
        return _bring_up(self._store.inputs, None)[1]

    def _load_members(self) -> Lines:
        rows = self._store.load_all(_MEMBERS)
        return join_parts([*map(unpack_lines, rows)]) if rows is not None else self._anew.member_lines

    def _load_members_beside(self, number: int) -> tuple[Lines, int]:
        at = bisect_right(self._firsts, number) - 1
        if at not in self._beside:
            row = self._store.load(_MEMBER_ROWS[at])
            self._beside[at] = unpack_lines(row) if row is not None else None
        found = self._beside[at]
        return (found, self._firsts[at]) if found is not None else (self._anew.member_lines, 0)

    def _load_docs(self) -> Sequence[Lines]:
        rows = self._store.load_all(_DOCS)
        return [*map(unpack_lines, rows)] if rows is not None else [self._anew.doc_lines]

    def _load_names(self) -> Sequence[str]:
        row = self._store.load(_NAMES)
        return row[0] if row is not None else self._anew.member_names


def _bring_up(inputs: CatalogInputs, last: tuple[CatalogInputs, Catalog] | None) -> tuple[CatalogInputs, Catalog]:
    from codecortex.operations.catalog.update import update_or_build

    kind = CatalogKind(RowKind.CATALOG, _PARTS, _pack, _unpack, _go_on, build_columns)
    earlier = _recall(*last) if last is not None else None
    read, made, unread = update_or_build(kind, inputs, digest_catalog_settings(inputs), earlier)
    types, members, docs, names = made.columns
    catalog = Catalog(made.digest, types, CatalogTexts(lambda: members, lambda: [docs], lambda: names), unread)
    if last is not None:
        catalog.take_over(last[1])
    return read, catalog


def _recall(before: CatalogInputs, catalog: Catalog) -> CatalogSnapshot[_Columns]:
    """A catalog in memory as a snapshot, for an update."""
    from codecortex.operations.reading.source_states import state_sources

    states = state_sources(before.tree, before.projects)
    if catalog.unread:
        states = {path: state for path, state in states.items() if path not in catalog.unread}
    columns = _Columns(catalog.types, catalog.member_lines, catalog.doc_lines, catalog.member_names)
    return CatalogSnapshot(catalog.digest, digest_catalog_settings(before), states, columns)


def _join_entries(rows: Iterable[tuple[Any, ...]]) -> tuple[TypeEntry, ...]:
    make = partial(tuple.__new__, TypeEntry)  # at a third of what `_make` costs, for every type
    return tuple([make(entry) for (entries,) in rows for entry in entries])


def _unpack(rows: Rows) -> _Columns:
    types = _join_entries(rows[each] for each in _TYPE_ROWS)
    members, docs = (join_parts([unpack_lines(rows[each]) for each in part]) for part in (_MEMBER_ROWS, _DOC_ROWS))
    return _Columns(types, members, docs, rows[_NAMES][0])


def _pack(columns: _Columns, before: _Columns | None) -> Rows:
    types, members, docs, names = columns
    ids = [entry.id for entry in types]
    rows: Rows = {}
    if before is None or types is not before.types:
        rows |= cut_rows(_TYPES, ids, lambda first, last: ([tuple(entry) for entry in types[first:last]],))
    if before is None or types is not before.types or members is not before.members:
        rows |= cut_rows(_MEMBERS, ids, lambda first, last: pack_lines(members, first, last))
    if before is None or types is not before.types or docs is not before.docs:
        rows |= cut_rows(_DOCS, ids, lambda first, last: pack_lines(docs, first, last))
    if before is None or names is not before.names:
        rows[_NAMES] = (list(names),)
    return rows


# -- from every source


def build_columns(inputs: CatalogInputs) -> tuple[_Columns, dict[str, str]]:
    """The columns of a catalog, and path to reason of the sources that could not be read."""
    return _describe_reading(read_tree(*inputs))


def keep_catalog(reading: Reading, cache: Cache) -> None:
    """Store the catalog of a tree that was read for another purpose, so that the first question need not read it."""
    if reading.unread:
        return  # the first question tries them again, and tells
    from codecortex.operations.catalog.update import update_or_build

    inputs = CatalogInputs(reading.tree, reading.projects, cache)
    kind = CatalogKind(RowKind.CATALOG, _PARTS, _pack, _unpack, _go_on, lambda _: _describe_reading(reading))
    update_or_build(kind, inputs, digest_catalog_settings(inputs), None)


def _describe_reading(reading: Reading) -> tuple[_Columns, dict[str, str]]:
    projects = {project.path: project for project in reading.projects}
    types = tuple(describe_entry(merged, projects[merged.project]) for merged in reading.types)
    blocks = [_write_members(merged) for merged in reading.types]
    members, names = join_blocks(blocks), _list_names(blocks)
    del blocks  # as many bytes as are in what is joined
    docs = join_blocks([_write_docs(merged) for merged in reading.types])
    return _Columns(types, members, docs, names), dict(reading.unread)


def _list_names(blocks: Iterable[str]) -> Sequence[str]:
    """The names of the members in some lines, sorted; block by block, for a list of all takes as much room as they."""
    names: set[str] = set()
    for block in blocks:
        names.update(_LINE.findall(block))
    return sorted(names)


def describe_entry(merged: CSharpType, project: Project) -> TypeEntry:
    """The catalog entry of a type."""
    attributes = [
        match[0] for part in merged.parts for text in part.facts.attributes if (match := _ATTRIBUTE.search(text))
    ]
    names = [name.rpartition(".")[2].rpartition(":")[2] for name in attributes]
    return TypeEntry(
        merged.id, merged.fqn, merged.display_name, merged.kind, merged.effective_accessibility, merged.project,
        project.assembly, merged.owner, merged.files, " ".join(dict.fromkeys((*merged.modifiers, *names))),
        is_test_type(merged, in_test_project=project.test), merged.generated,
        " ".join(list_base_names(merged.parts)), " ".join(list_dropped(merged)),
    )  # fmt: skip


def _write_members(merged: CSharpType) -> str:
    return "".join([_write_member(member.facts) for member in merged.members])


def _write_member(facts: MemberFacts) -> str:
    kind, name = facts.kind, facts.name
    if kind == "constructor":
        name = ".cctor" if "static" in facts.modifiers else ".ctor"
    return write_member_line((
        name, kind, facts.accessibility, str(facts.arity), facts.type, parameter_types(facts), facts.receiver,
        facts.explicit_interface,
    ))  # fmt: skip


def _write_docs(merged: CSharpType) -> str:
    from codecortex.analysis.types.outline import summarise_doc

    told = [(str(n), doc) for n, member in enumerate(merged.members) if (doc := member.facts.doc)]
    own = " ".join([summarise_doc(part.facts.doc) for part in merged.parts if part.facts.doc])
    lines = [("", own), *[(number, summarise_doc(doc)) for number, doc in told]]
    return "".join([f"{number}\t{' '.join(text.split())}\n" for number, text in lines if text])


# -- from an earlier one


def _go_on(
    inputs: CatalogInputs, states: Mapping[str, str], last: CatalogSnapshot[_Columns]
) -> tuple[_Columns, dict[str, str]] | None:
    """The same, updated from an earlier catalog and the files that differ; None if everything has to be read."""
    from codecortex.operations.catalog.type_rows import index_rows
    from codecortex.operations.catalog.update import PreviousTree, assemble, find_difference

    types = index_rows(last.columns.types)
    difference = find_difference(inputs, states, PreviousTree(last.states, types))
    if difference is None:
        return None
    touched = difference.touched | difference.list_nested(types)
    merged = assemble(difference.open_table(touched), touched)
    if merged is None or _needs_bases(difference, types, merged.values()):
        return None
    dropped = {types.numbers[group] for group in touched if group in types.numbers}
    return _splice(last.columns, dropped, _describe_all(inputs, merged.values())), difference.unread


def _needs_bases(difference: Difference, types: TypeRows, merged: Iterable[CSharpType]) -> bool:
    """Whether members of a record may depend on other files that changed, or on its base, which is not read here."""
    records: dict[str, set[str]] = {}
    for group, entry in types.records:
        if group not in difference.touched and isinstance(entry, TypeEntry):
            records.setdefault(entry.simple_name, set()).update(entry.bases.split())
    if not records and not any(each.kind == "record" for each in merged):
        return False
    names = records.keys() | {each.simple_name for each in merged if each.kind == "record"}
    if any(not names.isdisjoint(list_base_names(each.parts)) for each in merged):
        return True
    before, after = difference.before.values(), difference.after.values()
    changed = list_changed_records(before, after) | {cut_simple_name(group.fqn) for group in difference.renewed}
    return bool(find_heirs(changed, records)) or _list_everywhere(before) != _list_everywhere(after)


def _list_everywhere(files: Iterable[FileFacts]) -> set[Using]:
    """The global usings of files."""
    return {using for file in files for using in file.scopes[0].usings if using.everywhere}


class _Described(NamedTuple):
    """One type of a catalog, with its lines."""

    entry: TypeEntry
    members: str
    docs: str


def _describe_all(inputs: CatalogInputs, types: Iterable[CSharpType]) -> list[_Described]:
    projects = {project.path: project for project in inputs.projects}
    return sorted(
        _Described(describe_entry(merged, projects[merged.project]), _write_members(merged), _write_docs(merged))
        for merged in types
    )


def _splice(last: _Columns, dropped: set[int], new: Sequence[_Described]) -> _Columns:
    """The columns of a catalog with some types replaced; unchanged columns stay the same objects."""
    gone = [_Described(last.types[n], last.members.block(n), last.docs.block(n)) for n in sorted(dropped)]
    if gone == new:
        return last
    kept = [(entry.id, number, None) for number, entry in enumerate(last.types) if number not in dropped]
    placed = sorted([*kept, *((each.entry.id, -1, each) for each in new)], key=itemgetter(0))
    places = [(number, each) for _, number, each in placed]
    types = last.types
    if [each.entry for each in gone] != [each.entry for each in new]:
        types = tuple([last.types[number] if each is None else each.entry for number, each in places])
    same = [each.entry.id for each in gone] == [each.entry.id for each in new]
    members, docs, names = last.members, last.docs, last.names
    if not same or [each.members for each in gone] != [each.members for each in new]:
        members = join_blocks([last.members.block(n) if each is None else each.members for n, each in places])
        old, added = ("".join([each.members for each in side]) for side in (gone, new))
        names = _update_names(last.names, old, added, members.text)
    if not same or [each.docs for each in gone] != [each.docs for each in new]:
        docs = join_blocks([last.docs.block(n) if each is None else each.docs for n, each in places])
    return _Columns(types, members, docs, names)


def _update_names(names: Sequence[str], dropped: str, added: str, text: str) -> Sequence[str]:
    """The names of members after lines were dropped from the text and others added."""
    old, new = set(_LINE.findall(dropped)), set(_LINE.findall(added))
    doubtful = old - new
    if len(doubtful) > _MOST_SOUGHT:
        return _list_names((text,))
    gone = {name for name in doubtful if not text.startswith(f"{name}\t") and f"\n{name}\t" not in text}
    came = new.difference(names)
    return sorted(set(names) - gone | came) if gone or came else names
