"""A request in; `.codecortex` made to say what the tree says, and what that changed out."""

from __future__ import annotations

from contextlib import nullcontext
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from codecortex.git.repository import Repository, open_repository
from codecortex.git.stamps import stamp_files, stamp_folder
from codecortex.model.errors import NewerFormatError, StoreFormatError, UsageError
from codecortex.model.types import project_id
from codecortex.operations.extract import PARSER_VERSION, Unread
from codecortex.operations.reading import Tree, open_tree, read_projects
from codecortex.operations.snapshot import Snapshot, load_snapshot, save_snapshot
from codecortex.store.cache import Cache, open_cache
from codecortex.store.paths import FOLDER, INDEX, TYPES, Layout, outline_path, outlined_type

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from codecortex.model.projects import Project
    from codecortex.operations.request import Request
    from codecortex.operations.snapshot import Row, Stamp
    from codecortex.store.index_json import IndexFile, PackRow

_LOCK_SECONDS = 10.0


class RefreshResult(NamedTuple):
    """What a refresh did, or would do.

    Attributes:
        types: How many types the tree declares.
        written: Generated files written, in order of path.
        removed: Generated files removed, in order of path.
        unread: Sources that gave no facts.
        degraded: Path to reason of sources that could not be parsed whole, among those read now.
        skipped: Paths under a wanted name that are no readable files, with the reason.
        dry_run: Whether nothing was written.
    """

    types: int
    written: tuple[str, ...]
    removed: tuple[str, ...]
    unread: tuple[Unread, ...]
    degraded: Mapping[str, str]
    skipped: tuple[Unread, ...]
    dry_run: bool


class _Plan(NamedTuple):
    """The generated files as they should be, as far as they may differ from what lies there."""

    writes: Mapping[str, bytes]
    removals: tuple[str, ...]
    snapshot: Snapshot
    unread: tuple[Unread, ...]
    degraded: Mapping[str, str]


def refresh(request: Request, *, dry_run: bool = False, full: bool = False) -> RefreshResult:
    """Bring `.codecortex` in the work tree up to date with a tree.

    Args:
        request: Which tree; the result is always written into the work tree.
        dry_run: Plan only.
        full: Read everything, whatever the last refresh left.

    Raises:
        UsageError: There is no `.codecortex` folder.
        GitStateError: The repository or its disk is in no state for it.
        StoreFormatError: A newer codecortex wrote what is there.
        BusyError: Another refresh is at work.
    """
    repository = open_repository(request.folder)
    root = repository.require_root()
    if not (root / FOLDER).is_dir():
        raise UsageError(f"There is no {FOLDER} folder in {root}.", "Run `codecortex init` first.")
    with (
        nullcontext() if dry_run else _hold(repository),
        open_cache(repository.common_dir / "codecortex", warn=request.warn) as cache,
    ):
        return _refresh(request, repository, cache, dry_run=dry_run, full=full)


def _hold(repository: Repository):  # type: ignore[no-untyped-def]  # noqa: ANN202
    from codecortex.git.lock import hold_lock  # noqa: PLC0415

    return hold_lock(repository.git_dir / "codecortex" / "lock", wait=_LOCK_SECONDS)


def _refresh(request: Request, repository: Repository, cache: Cache, *, dry_run: bool, full: bool) -> RefreshResult:
    root = repository.require_root()
    tree = open_tree(request, repository)
    projects = read_projects(tree, cache)
    settings = digest_settings(tree, projects)
    name = f"refresh/{sha256(str(root).encode('utf-8', 'surrogateescape')).hexdigest()[:16]}"
    snapshot = None if full else load_snapshot(cache, name)
    if snapshot is not None and snapshot.settings != settings:
        snapshot = None
    stamps = stamp_artefacts(root)
    plan = None
    if snapshot is not None:
        plan = _plan_changes(tree, projects, snapshot, stamps, cache)
    if plan is None:
        plan = _plan_everything(tree, projects, settings, stamps, cache)
    skipped = tuple(Unread(entry.path, str(entry.problem)) for entry in tree.listing.skipped)
    written, removed = _apply(root, plan, stamps, dry_run=dry_run)
    if not dry_run and plan.snapshot is not snapshot:
        _keep(cache, name, plan, root, (written, removed, stamps))
    return RefreshResult(len(plan.snapshot.rows), written, removed, plan.unread, plan.degraded, skipped, dry_run)


def stamp_artefacts(root: Path) -> dict[str, Stamp]:
    """How every generated file lies on disk."""
    return {**stamp_folder(root, TYPES), **stamp_files(root, [INDEX])}


def digest_settings(tree: Tree, projects: Sequence[Project]) -> str:
    """Everything that generated files depend on, but for the sources themselves."""
    from codecortex.analysis.outline import OUTLINE_VERSION  # noqa: PLC0415 - with what it versions

    state = sha256(f"{PARSER_VERSION}|{OUTLINE_VERSION}|{tree.config}|{tree.flavour}\0".encode())
    for project in projects:
        told = (
            project.path, project.name, project.assembly, project.tfm, sorted(project.symbols), project.references,
            project.usings,
        )  # fmt: skip
        state.update(repr(told).encode("utf-8", "surrogatepass"))
    return state.hexdigest()


def _apply(root: Path, plan: _Plan, stamps: Mapping[str, Stamp], *, dry_run: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
    if dry_run:
        written = tuple(path for path, data in plan.writes.items() if not _holds(root / path, data))
        return tuple(sorted(written)), tuple(path for path in plan.removals if path in stamps)
    if not plan.writes and not plan.removals:
        return (), ()
    from codecortex.git.writing import apply_writes  # noqa: PLC0415 - only where there is something to write

    done = apply_writes(root, plan.writes, plan.removals)
    return tuple(sorted(done.written)), tuple(sorted(done.removed))


def _holds(file: Path, data: bytes) -> bool:
    return file.is_file() and file.read_bytes() == data


def _keep(
    cache: Cache, name: str, plan: _Plan, root: Path,
    done: tuple[tuple[str, ...], tuple[str, ...], Mapping[str, Stamp]],
) -> None:  # fmt: skip
    written, removed, before = done
    stamps = {path: stamp for path, stamp in before.items() if path not in removed}
    stamps |= stamp_files(root, list(written))
    save_snapshot(cache, name, plan.snapshot._replace(stamps=stamps))


# ---------------------------------------------------------------------------------------------- planning


def read_index(root: Path, warn: object) -> IndexFile | None:
    """The index that lies in the work tree, or None where there is none that can be read.

    Raises:
        NewerFormatError: A newer codecortex wrote it; it is not for this one to overwrite.
    """
    from codecortex.store.index_json import decode_index  # noqa: PLC0415 - json, where it is needed

    file = root / INDEX
    if not file.is_file():
        return None
    try:
        return decode_index(file.read_bytes(), INDEX)
    except NewerFormatError:
        raise
    except StoreFormatError as error:
        warn(f"{error.message}; it is written anew")  # type: ignore[operator]
        return None


def _plan_changes(
    tree: Tree, projects: Sequence[Project], snapshot: Snapshot, stamps: Mapping[str, Stamp], cache: Cache
) -> _Plan | None:
    """The plan from what changed since the snapshot; None where everything has to be read."""
    from codecortex.operations.incremental import Incremental, state_sources  # noqa: PLC0415

    layout = Layout(snapshot.layout)
    if stamps.get(INDEX) != snapshot.stamps.get(INDEX):
        return None
    states = state_sources(tree, projects)
    if states == snapshot.states and stamps == snapshot.stamps:
        return _Plan({}, (), snapshot, (), {})
    odd = {path for path, _ in stamps.items() ^ snapshot.stamps.items()}
    touched = {type_id for path in odd if (type_id := outlined_type(path)) is not None}
    step = Incremental(tree, projects, snapshot, cache).run(touched)
    if step is None:
        return None
    ids = {row.id for row in step.rows}
    writes = {outline_path(i, layout): text.encode("utf-8", "replace") for i, text in step.outlines.items()}
    removals = _list_orphans(stamps, ids, layout)
    if [row[:6] for row in step.rows] != [row[:6] for row in snapshot.rows]:
        packs = _read_packs(tree)
        writes[INDEX] = _encode_rows(tree, projects, step.rows, layout, packs)
    unread = tuple(Unread(*each) for each in step.unread)
    after = Snapshot(snapshot.settings, states, step.rows, snapshot.usings, {}, snapshot.layout)
    return _Plan(writes, removals, after, unread, {})


def _read_packs(tree: Tree) -> Mapping[str, PackRow]:
    index = read_index(tree.repository.require_root(), tree.request.warn)
    return index.packs if index is not None else {}


def _list_orphans(stamps: Mapping[str, Stamp], ids: set[str], layout: Layout) -> tuple[str, ...]:
    """Outlines of types that are no more, or that lie where this layout does not put them."""
    orphans = []
    for path in stamps:
        type_id = outlined_type(path)
        if type_id is not None and (type_id not in ids or outline_path(type_id, layout) != path):
            orphans.append(path)
    return tuple(sorted(orphans))


def _encode_rows(
    tree: Tree, projects: Sequence[Project], rows: Sequence[Row], layout: Layout, packs: Mapping[str, PackRow]
) -> bytes:
    from codecortex.operations.artefacts import make_index_of  # noqa: PLC0415
    from codecortex.store.index_json import TypeRow, encode_index  # noqa: PLC0415

    types = {row.id: TypeRow(row.fqn, row.kind, project_id(row.project), row.files) for row in rows}
    return encode_index(make_index_of(projects, types, tree.config, layout, packs))


def _plan_everything(
    tree: Tree, projects: Sequence[Project], settings: str, stamps: Mapping[str, Stamp], cache: Cache
) -> _Plan:
    from codecortex.operations.artefacts import describe_types, write_artefacts  # noqa: PLC0415
    from codecortex.operations.incremental import state_sources  # noqa: PLC0415
    from codecortex.operations.reading import read_tree  # noqa: PLC0415

    root = tree.repository.require_root()
    index = read_index(root, tree.request.warn)
    layout = index.layout if index is not None else Layout.FLAT
    packs = index.packs if index is not None else {}
    reading = read_tree(tree, projects, cache)
    writes = write_artefacts(reading, layout, packs)
    rows, usings = describe_types(reading)
    after = Snapshot(settings, state_sources(tree, projects), rows, usings, {}, str(layout))
    removals = _list_orphans(stamps, {row.id for row in rows}, layout)
    return _Plan(writes, removals, after, reading.unread, reading.degraded)
