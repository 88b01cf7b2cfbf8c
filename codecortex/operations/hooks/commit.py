"""Updates the generated files in the index that git is about to commit.

Only wrong entries are changed, in one step. The work tree is written before the index, and the snapshot last: if the
run is interrupted, the index is as before or as after, and the next run repairs the rest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.git.contents import read_blobs
from codecortex.git.hooks.journal import (
    JournalLine,
    drop_journal,
    finish_journal,
    is_same,
    is_temporary_index,
    list_real,
    write_journal,
)
from codecortex.git.hooks.staging import (
    Comparison,
    Staged,
    list_staged,
    stage_entries,
    store_blobs,
)
from codecortex.git.ignored import is_ignored
from codecortex.git.listing import REGULAR
from codecortex.git.worktree.disk import hash_blob
from codecortex.git.worktree.writing import apply_writes, sweep_temporary
from codecortex.model.errors import GitStateError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.gaps import refuse_gaps
from codecortex.operations.notes.moves import restore_notes
from codecortex.operations.reading.snapshot import Run, load_snapshots, name_snapshot, save_snapshot
from codecortex.operations.reading.tree import open_tree
from codecortex.operations.refresh.plan import hold_entries, plan_refresh, select_derived
from codecortex.store.cache.cache import open_cache
from codecortex.store.paths import ALIASES, FOLDER, INDEX, SEMANTIC, TYPES, is_derived

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from codecortex.git.repository import Repository
    from codecortex.operations.reading.tree import Tree
    from codecortex.operations.refresh.plan import Plan
    from codecortex.operations.refresh.renames import AliasPlan
    from codecortex.operations.request import Request
    from codecortex.store.cache.cache import Cache


class Difference(NamedTuple):
    """Difference between the generated files of a tree and what they should be.

    Attributes:
        plan: What they should be.
        writes: Path to new bytes of each file that is missing or wrong.
        removals: Paths of files that should not exist.
    """

    plan: Plan
    writes: Mapping[str, bytes]
    removals: tuple[str, ...]


class Area(NamedTuple):
    """The folder `.codecortex` in an index, and where the work tree differs from it.

    Attributes:
        entries: All entries, by path.
        derived: The generated files among them.
        unlike: Paths whose file in the work tree is changed, deleted or not in the index.
        left: Journal lines of an earlier commit whose post-commit hook did not run.
    """

    entries: Mapping[str, Staged]
    derived: Mapping[str, Staged]
    unlike: frozenset[str]
    left: Sequence[JournalLine] = ()


def commit_generated(request: Request, repository: Repository) -> tuple[str, ...]:
    """Update the generated files of an index, and of the work tree along with it, from the sources in the index.

    Args:
        request: A request for the index.
        repository: The repository; the caller holds its lock.

    Returns:
        The paths whose entries changed, sorted; empty if the index contains no file of codecortex.

    Raises:
        GitStateError: The index, the object store or a file cannot be written; the index is unchanged.
        StoreFormatError: Another version of codecortex wrote the existing files.
    """
    left = finish_journal(repository, FOLDER)
    if is_temporary_index() and not left:
        drop_journal(repository)
    sweep_temporary(repository.require_root(), (FOLDER,))
    restore_notes(repository)
    with Comparison(repository, (TYPES, INDEX, ALIASES, SEMANTIC)) as comparison:
        entries = list_staged(repository, FOLDER)
        if FOLDER in entries:
            raise GitStateError(
                f"{FOLDER} is a submodule or a file, so commits leave it as it is.",
                "`git rm --cached` it and run `codecortex init` to have outlines in commits.",
            )
        if not entries:
            if is_ignored(repository, INDEX):
                request.warn(f"{FOLDER} is ignored by git, so commits leave it out.")
            return ()
        changed = _commit(request, repository, entries, comparison, left)
    if changed and is_ignored(repository, INDEX):
        request.warn(f"{FOLDER} is ignored by git; what git tracks there is committed all the same.")
    return tuple(sorted(changed))


def _commit(
    request: Request,
    repository: Repository,
    entries: Mapping[str, Staged],
    comparison: Comparison,
    left: Sequence[JournalLine],
) -> dict[str, Staged | None]:
    with open_cache(repository.shared_dir, warn=request.warn, keeps=request.caches) as cache:
        tree = open_tree(request, repository, cache=cache)
        derived = select_derived(entries)
        found = compare_generated(tree, derived, cache)
        area = Area(entries, derived, comparison.result())
        renames = _plan_renames(tree, found.plan, area, cache)
        changed = _apply(repository, found, renames, area._replace(left=left))
        remember(cache, repository, found.plan)
    return changed


def _plan_renames(tree: Tree, plan: Plan, area: Area, cache: Cache) -> AliasPlan:
    from codecortex.operations.refresh.renames import plan_aliases

    renames = plan_aliases(tree, plan, hold_entries(tree.repository, area.derived), cache)
    if area.unlike <= area.entries.keys():
        return renames
    from codecortex.operations.hooks.commit_notes import adopt_left

    left = adopt_left(tree, renames, area.entries, area.unlike, {row.id for row in plan.snapshot.rows})
    return renames._replace(writes={**renames.writes, **left})


def compare_generated(tree: Tree, held: Mapping[str, Staged], cache: Cache) -> Difference:
    """What is wrong with the generated files of a tree.

    Args:
        tree: The tree with the sources.
        held: The generated files in the same tree.
        cache: Facts, projects, and the snapshots of earlier runs.

    Raises:
        GitStateError: Sources are missing in this clone, or cannot be read.
        StoreFormatError: Another version of codecortex wrote the existing files.
    """
    repository = tree.repository
    before = next(load_snapshots(cache, repository, Run.COMMIT, Run.REFRESH), None)
    plan = plan_refresh(tree, before.in_git if before else None, hold_entries(repository, held), cache)
    refuse_gaps(plan.unread)
    writes = {path: data for path, data in plan.writes.items() if not _holds(held.get(path), plan.snapshot.blobs[path])}
    return Difference(plan, writes, tuple(path for path in plan.removals if path in held))


def _holds(entry: Staged | None, blob: str) -> bool:
    return entry is not None and entry.mode == REGULAR and entry.blob == blob


def _apply(repository: Repository, found: Difference, renames: AliasPlan, area: Area) -> dict[str, Staged | None]:
    """Write work tree, journal and index; return the entries that changed, by path."""
    held = area.entries
    writes = {**found.writes, **renames.writes}
    sparse = _tell_sparse(writes, held)
    changes: dict[str, Staged | None] = dict.fromkeys((*found.removals, *renames.removals))
    blobs = {path: found.plan.snapshot.blobs[path] for path in found.writes}
    blobs |= {path: hash_blob(data, repository.object_format) for path, data in renames.writes.items()}
    changes |= {path: Staged(REGULAR, blob, path in sparse) for path, blob in blobs.items()}
    after = {path: entry for path, entry in {**area.derived, **changes}.items() if entry and path not in renames.writes}
    if renames.renamed or renames.writes:
        from codecortex.operations.hooks.commit_notes import carry_on_disk

        carry_on_disk(repository, renames, held, sparse=ALIASES in sparse)
    _write_work_tree(repository, found, after, area.unlike)
    lines, carried = _plan_journal(repository, after, renames, held) if is_temporary_index() else ([], [])
    if writes or carried:
        store_blobs(repository, [*writes.values(), *carried], repository.local_dir / "blobs")
    known = {line.path for line in lines}
    lines += [line for line in area.left if line.path not in known]
    if lines:
        write_journal(repository, lines)
    if changes:
        stage_entries(repository, changes)
    return changes


def _plan_journal(
    repository: Repository, after: Mapping[str, Staged], renames: AliasPlan, held: Mapping[str, Staged]
) -> tuple[list[JournalLine], list[bytes]]:
    """Journal lines for entries that differ in the real index (say, a staged refresh), and blobs to store for them."""
    real = list_real(repository, FOLDER)
    lines = [
        JournalLine(path, after.get(path), after.get(path), held.get(path), real.get(path))
        for path in {**select_derived(real), **after}
        if not is_same(real.get(path), after.get(path))
    ]
    if not renames.renamed and not renames.writes:
        return lines, []
    from codecortex.operations.hooks.commit_notes import carry_in_index

    more, blobs = carry_in_index(repository, renames, held, real)
    return lines + more, blobs


def _write_work_tree(
    repository: Repository, found: Difference, after: Mapping[str, Staged], unlike: frozenset[str]
) -> None:
    """Make the generated files of the work tree equal to those of the commit, overwriting other changes."""
    lost = {path: after[path] for path in unlike if path in after and path not in found.writes}
    stray = [path for path in unlike if is_derived(path) and path not in after]
    writes = {path: data for path, data in found.writes.items() if not after[path].sparse}
    writes |= _read_entries(repository, lost) if lost else {}
    removals = (*found.removals, *stray)
    if writes or removals:
        apply_writes(repository.require_root(), writes, removals)


def _read_entries(repository: Repository, entries: Mapping[str, Staged]) -> dict[str, bytes]:
    return read_blobs(repository, {path: entry.blob for path, entry in entries.items()})


def _tell_sparse(paths: Iterable[str], held: Mapping[str, Staged]) -> set[str]:
    """The paths that a sparse checkout leaves out of the work tree; for new ones, judged by their neighbours."""
    folders = {path.rpartition("/")[0] for path, entry in held.items() if entry.sparse}
    if not folders:
        return set()
    below = any(folder.startswith(TYPES) for folder in folders)
    return {
        path
        for path in paths
        if (held[path].sparse if path in held else path.rpartition("/")[0] in folders or (below and TYPES in path))
    }


def remember(cache: Cache, repository: Repository, plan: Plan) -> None:
    """Save the snapshot of a plan for the next commit."""
    save_snapshot(cache, name_snapshot(Run.COMMIT, repository), plan.memory)
