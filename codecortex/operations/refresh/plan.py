"""Plans a refresh: which generated files have to change.

The generated files may be on disk, identified by stamps, or in a git tree or index, identified by blob ids.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.git.hooks.staging import read_blob
from codecortex.git.worktree.disk import hash_blob
from codecortex.model.code.types import project_id
from codecortex.model.config_choices import IndexDetail
from codecortex.model.errors import NewerFormatError, StoreFormatError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.versions import HASH_VERSION, OUTLINE_VERSION
from codecortex.operations.catalog.symbols import keep_catalog
from codecortex.operations.reading.snapshot import Snapshot
from codecortex.operations.reading.source_states import compile_alike, state_sources, state_unread
from codecortex.operations.reading.tree import digest_settings, read_projects, read_tree
from codecortex.operations.refresh.artefacts import describe_types, make_index_of, write_artefacts
from codecortex.operations.refresh.incremental import Incremental, IncrementalResult
from codecortex.operations.request import Unread
from codecortex.store.committed.index_json import IndexFile, TypeRow, decode_index, encode_index, list_pack_rows
from codecortex.store.paths import INDEX, Layout, is_derived, outline_path, outlined_type

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from codecortex.git.hooks.staging import Staged
    from codecortex.git.repository import Repository
    from codecortex.git.worktree.stamps import Stamp
    from codecortex.model.code.indexed import IndexedType
    from codecortex.model.code.projects import Project
    from codecortex.model.config import Config
    from codecortex.operations.reading.tree import Tree
    from codecortex.store.cache.cache import Cache


MOST_FLAT = 2000
"""Maximum number of types whose outlines share one folder; more would cost each commit a large tree object."""


class GeneratedFiles(NamedTuple):
    """The generated files as they are now.

    Attributes:
        stamps: Path to a value that changes whenever the file does: its stamp on disk, or its blob id.
        read: Returns the bytes of a file, or None if there is none.
    """

    stamps: Mapping[str, Stamp | str]
    read: Callable[[str], bytes | None]


class Plan(NamedTuple):
    """The generated files as they should be; `writes` contains those that may differ from the current ones.

    `indexed` is what the index as it is lists, if that is known without reading it; `quiet` whether nothing changed
    that any type, any edge between types or any generated file tells of.
    """

    writes: Mapping[str, bytes]
    removals: tuple[str, ...]
    snapshot: Snapshot
    unread: tuple[Unread, ...]
    degraded: Mapping[str, str]
    indexed: Sequence[IndexedType] | None = None
    quiet: bool = False

    @property
    def memory(self) -> Snapshot:
        """The snapshot to save for the next run, with unread sources in a state in which these are tried again."""
        states, unread = self.snapshot.states, {path for path, _ in self.unread}
        if unread:
            states = {path: state_unread(state) if path in unread else state for path, state in states.items()}
        return self.snapshot._replace(states=states, stamps={})


def select_derived(entries: Mapping[str, Staged]) -> dict[str, Staged]:
    """The files that are generated from the sources alone: the outlines and the index."""
    return {path: entry for path, entry in entries.items() if is_derived(path)}


def hold_entries(repository: Repository, entries: Mapping[str, Staged]) -> GeneratedFiles:
    """The generated files in a git tree or index."""
    blobs = {path: entry.blob for path, entry in entries.items()}
    return GeneratedFiles(blobs, lambda path: read_blob(repository, blobs[path]) if path in blobs else None)


def plan_refresh(
    tree: Tree, before: Snapshot | None, held: GeneratedFiles, cache: Cache, *, relayout: bool = False
) -> Plan:
    """Plan what has to be written and removed.

    Args:
        tree: The tree to generate the files from.
        before: The snapshot of the last run, whose stamps `held` is compared with; None for a full refresh.
        held: The generated files as they are.
        cache: Facts and projects.
        relayout: Choose the layout of the outlines anew.
    """
    projects = read_projects(tree, cache)
    settings = digest_settings(tree, projects)
    if before is not None and before.settings == settings and not relayout and not says_hashes(tree.config):
        plan = _plan_changes(tree, projects, before, held, cache)
        if plan is not None:
            return plan
    return _plan_everything(_PlanInputs(tree, projects, settings), held, cache, relayout=relayout)


def choose_nearest(tree: Tree, found: Iterable[Snapshot], cache: Cache) -> Snapshot | None:
    """The snapshot with the fewest differing sources; None if none was made under the current settings."""
    projects = read_projects(tree, cache)
    settings, states = digest_settings(tree, projects), state_sources(tree, projects).items()
    fit = [snapshot for snapshot in found if snapshot.settings == settings]
    return min(fit, key=lambda snapshot: len(snapshot.states.items() ^ states), default=None)


def choose_layout(types: int) -> Layout:
    """The layout for the outlines of so many types."""
    return Layout.FLAT if types <= MOST_FLAT else Layout.FAN_OUT


def says_hashes(config: Config) -> bool:
    """Whether generated files contain fingerprints, which change with every body."""
    return config.outline.hashes or config.index.detail is not IndexDetail.IDENTITY


def read_index(data: bytes | None, warn: Callable[[str], None]) -> IndexFile | None:
    """The parsed index; the parts of a damaged one that can be kept; or None.

    Raises:
        NewerFormatError: A newer codecortex wrote it, so it must not be overwritten.
    """
    if data is None:
        return None
    try:
        return decode_index(data, INDEX)
    except NewerFormatError:
        raise
    except StoreFormatError as error:
        warn(f"{error.message}; it is written anew")
        from codecortex.store.committed.mending import mend_index

        return mend_index(data, INDEX)


def list_indexed(held: GeneratedFiles, tree: Tree) -> set[str]:
    """The sources that the index names."""
    index = read_index(held.read(INDEX), tree.request.warn)
    return set() if index is None else {path for row in index.types.values() for path in row.files}


def _plan_changes(
    tree: Tree, projects: tuple[Project, ...], snapshot: Snapshot, held: GeneratedFiles, cache: Cache
) -> Plan | None:
    """The plan from what changed since the snapshot; None if a full refresh is needed."""
    same = held.stamps is snapshot.stamps  # nobody touched a generated file
    odd = set() if same else {path for path, _ in held.stamps.items() ^ snapshot.stamps.items()}
    if INDEX in odd:
        index = read_index(held.read(INDEX), tree.request.warn)
        if index is None or index.layout != snapshot.layout:
            return None
        if not tree.request.upgrade:
            refuse_older(index)
    layout = Layout(snapshot.layout)
    touched = {type_id for path in odd if (type_id := outlined_type(path)) is not None}
    step = Incremental(tree, projects, snapshot, cache).run(touched)
    if step is None:
        return None
    writes = {outline_path(i, layout): text.encode("utf-8", "replace") for i, text in step.outlines.items()}
    packs = list_pack_rows(tree.config)
    if INDEX in odd or packs != snapshot.packs or not _lists_alike(step, snapshot):
        rows = {row.id: TypeRow(row.fqn, row.kind, project_id(row.project), row.files) for row in step.rows}
        writes[INDEX] = encode_index(make_index_of(projects, rows, tree.config, layout))
    after = snapshot._replace(states=step.states, rows=step.rows, packs=packs)
    unread = tuple(Unread(*each) for each in step.unread)
    if step.rows is snapshot.rows and not odd and not writes:
        return Plan(writes, (), after, unread, {}, quiet=step.quiet)
    gone = {outline_path(type_id, layout) for type_id in step.gone}
    blobs = {path: blob for path, blob in snapshot.blobs.items() if path not in gone}
    after = after._replace(blobs=blobs | _hash_all(tree, writes))
    orphans = _list_orphans(odd | gone, {row.id for row in step.rows}, layout) if odd or gone else ()
    removals = tuple(path for path in orphans if path in held.stamps)
    return Plan(writes, removals, after, unread, {}, None if INDEX in odd else snapshot.rows)


def _lists_alike(step: IncrementalResult, snapshot: Snapshot) -> bool:
    """Whether the index has the same types, files and projects as before."""
    if step.rows is not snapshot.rows and [row[:6] for row in step.rows] != [row[:6] for row in snapshot.rows]:
        return False
    return compile_alike(step.states, snapshot.states, step.changed)


def _hash_all(tree: Tree, writes: Mapping[str, bytes]) -> dict[str, str]:
    """Path to blob id of each file to be written."""
    form = tree.repository.object_format
    return {path: hash_blob(data, form) for path, data in writes.items()}


def refuse_older(index: IndexFile) -> None:
    """Refuse an index of an older version, so that two versions do not keep rewriting each other's files.

    Raises:
        StoreFormatError: The index was written by an older version.
    """
    for what, found, ours in (
        ("hashVersion", index.hash_version, HASH_VERSION),
        ("outlineVersion", index.outline_version, OUTLINE_VERSION),
    ):
        if found.isdecimal() and int(found) < ours:
            raise StoreFormatError(
                f"{INDEX}: {what} {found} is older than this codecortex writes ({ours}).",
                "Run `codecortex refresh --upgrade` once and commit it, or install the version your team uses.",
            )


def _list_orphans(stamps: Iterable[str], ids: set[str], layout: Layout) -> tuple[str, ...]:
    """Outlines of types that no longer exist, and outlines in the other layout."""
    wanted = {outline_path(type_id, layout) for type_id in ids}
    return tuple(sorted(path for path in stamps if path not in wanted and outlined_type(path) is not None))


class _PlanInputs(NamedTuple):
    """What to read, and the digest of the settings."""

    tree: Tree
    projects: tuple[Project, ...]
    settings: str


def _plan_everything(inputs: _PlanInputs, held: GeneratedFiles, cache: Cache, *, relayout: bool) -> Plan:
    tree, projects, settings = inputs
    index = read_index(held.read(INDEX), tree.request.warn)
    if index is not None and not tree.request.upgrade:
        refuse_older(index)
    reading = read_tree(tree, projects, cache)
    keep_catalog(reading, cache)
    layout = index.layout if index is not None and not relayout else choose_layout(len(reading.types))
    writes = write_artefacts(reading, layout)
    rows, usings = describe_types(reading)
    ids = {row.id for row in rows}
    packs = list_pack_rows(tree.config)
    after = Snapshot(
        settings, state_sources(tree, projects), rows, usings, {}, _hash_all(tree, writes), packs, str(layout)
    )
    return Plan(writes, _list_orphans(held.stamps, ids, layout), after, reading.unread, reading.degraded)
