"""A tree and what the last refresh left in; the generated files that have to change out."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from codecortex.model.config import IndexDetail
from codecortex.model.errors import NewerFormatError, StoreFormatError
from codecortex.model.types import project_id
from codecortex.model.versions import HASH_VERSION, OUTLINE_VERSION, PARSER_VERSION
from codecortex.operations.artefacts import describe_types, make_index_of, write_artefacts
from codecortex.operations.incremental import Incremental, list_compiling, state_sources
from codecortex.operations.reading import read_projects, read_tree
from codecortex.operations.request import Unread
from codecortex.operations.snapshot import Snapshot, load_snapshot
from codecortex.store.index_json import IndexFile, PackRow, TypeRow, decode_index, encode_index
from codecortex.store.paths import INDEX, Layout, outline_path, outlined_type

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from codecortex.git.stamps import Stamp
    from codecortex.model.config import Config
    from codecortex.model.projects import Project
    from codecortex.operations.reading import Tree
    from codecortex.store.cache import Cache


class Plan(NamedTuple):
    """The generated files as they should be, as far as they may differ from what lies there."""

    writes: Mapping[str, bytes]
    removals: tuple[str, ...]
    snapshot: Snapshot
    unread: tuple[Unread, ...]
    degraded: Mapping[str, str]


def plan_refresh(tree: Tree, name: str | None, stamps: Mapping[str, Stamp], cache: Cache) -> Plan:
    """What has to be written and removed.

    Args:
        tree: What the generated files shall say.
        name: Of the last refresh's snapshot; None for starting over.
        stamps: How the generated files lie now.
        cache: Facts and snapshots.
    """
    projects = read_projects(tree, cache)
    settings = digest_settings(tree, projects)
    snapshot = load_snapshot(cache, name) if name is not None and not says_hashes(tree.config) else None
    if snapshot is not None and snapshot.settings == settings and snapshot.stamps.get(INDEX) == stamps.get(INDEX):
        plan = _plan_changes(tree, projects, snapshot, stamps, cache)
        if plan is not None:
            return plan
    return _plan_everything(tree, projects, settings, stamps, cache)


def says_hashes(config: Config) -> bool:
    """Whether generated files hold hashes, which change with every body."""
    return config.outline.hashes or config.index.detail is not IndexDetail.IDENTITY


def digest_settings(tree: Tree, projects: tuple[Project, ...]) -> str:
    """Everything that generated files depend on, but for the sources themselves."""
    state = sha256(f"{PARSER_VERSION}|{OUTLINE_VERSION}|{tree.config}|{tree.flavour}\0".encode())
    for project in projects:
        told = (
            project.path, project.name, project.assembly, project.tfm, sorted(project.symbols), project.references,
            project.usings,
        )  # fmt: skip
        state.update(repr(told).encode("utf-8", "surrogatepass"))
    return state.hexdigest()


def read_index(root: Path, warn: Callable[[str], None]) -> IndexFile | None:
    """The index that lies in the work tree, or None where there is none that can be read.

    Raises:
        NewerFormatError: A newer codecortex wrote it; it is not for this one to overwrite.
    """
    file = root / INDEX
    if not file.is_file():
        return None
    try:
        return decode_index(file.read_bytes(), INDEX)
    except NewerFormatError:
        raise
    except StoreFormatError as error:
        warn(f"{error.message}; it is written anew")
        return None


def _plan_changes(
    tree: Tree, projects: tuple[Project, ...], snapshot: Snapshot, now: Mapping[str, Stamp], cache: Cache
) -> Plan | None:
    """The plan from what changed since the snapshot; None where everything has to be read."""
    layout = Layout(snapshot.layout)
    odd = {path for path, _ in now.items() ^ snapshot.stamps.items()}
    touched = {type_id for path in odd if (type_id := outlined_type(path)) is not None}
    step = Incremental(tree, projects, snapshot, cache).run(touched)
    if step is None:
        return None
    writes = {outline_path(i, layout): text.encode("utf-8", "replace") for i, text in step.outlines.items()}
    same_rows = [row[:6] for row in step.rows] == [row[:6] for row in snapshot.rows]
    if not same_rows or list_compiling(step.states) != list_compiling(snapshot.states):
        rows = {row.id: TypeRow(row.fqn, row.kind, project_id(row.project), row.files) for row in step.rows}
        packs = {key: PackRow(*values) for key, values in snapshot.packs.items()}
        writes[INDEX] = encode_index(make_index_of(projects, rows, tree.config, layout, packs))
    removals = _list_orphans(now, {row.id for row in step.rows}, layout)
    after = snapshot._replace(states=step.states, rows=step.rows)
    return Plan(writes, removals, after, tuple(Unread(*each) for each in step.unread), {})


def refuse_older(index: IndexFile) -> None:
    """Leave what an older codecortex wrote to a deliberate upgrade, so that two versions do not rewrite each other.

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


def _list_orphans(stamps: Mapping[str, Stamp], ids: set[str], layout: Layout) -> tuple[str, ...]:
    """Outlines of types that are no more, or that lie where this layout does not put them."""
    orphans = []
    for path in stamps:
        type_id = outlined_type(path)
        if type_id is not None and (type_id not in ids or outline_path(type_id, layout) != path):
            orphans.append(path)
    return tuple(sorted(orphans))


def _plan_everything(
    tree: Tree, projects: tuple[Project, ...], settings: str, stamps: Mapping[str, Stamp], cache: Cache
) -> Plan:
    root = tree.repository.require_root()
    index = read_index(root, tree.request.warn)
    if index is not None and not tree.request.upgrade:
        refuse_older(index)
    layout = index.layout if index is not None else Layout.FLAT
    packs = index.packs if index is not None else {}
    reading = read_tree(tree, projects, cache)
    writes = write_artefacts(reading, layout, packs)
    rows, usings = describe_types(reading)
    kept = {key: (pack.filter, pack.token_budget) for key, pack in packs.items()}
    after = Snapshot(settings, state_sources(tree, projects), rows, usings, {}, kept, str(layout))
    removals = _list_orphans(stamps, {row.id for row in rows}, layout)
    return Plan(writes, removals, after, reading.unread, reading.degraded)
