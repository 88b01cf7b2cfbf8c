"""The index that git is about to commit in; its generated files made to say what its sources say, out.

Exactly the entries that are not right are changed, in one step. The work tree is written before the index and the
snapshot last: whenever the run is cut short the index is as before or as after, and the next run mends the rest.
"""

from __future__ import annotations

import os
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from codecortex.git.disk import Problem, hash_blob
from codecortex.git.journal import drop_journal, is_temporary_index, write_journal
from codecortex.git.staging import REGULAR, Staged, read_blob, stage_entries, store_blobs
from codecortex.model.errors import GitStateError
from codecortex.operations.planning import Held, plan_refresh
from codecortex.operations.reading import open_tree
from codecortex.operations.snapshot import load_snapshot, save_snapshot
from codecortex.store.cache import open_cache
from codecortex.store.paths import FOLDER, INDEX, outlined_type

if TYPE_CHECKING:
    from collections.abc import Mapping

    from codecortex.git.repository import Repository
    from codecortex.operations.planning import Plan
    from codecortex.operations.reading import Tree
    from codecortex.operations.request import Request
    from codecortex.store.cache import Cache


class Difference(NamedTuple):
    """How the generated files of one tree differ from what they should be.

    Attributes:
        plan: What they should be.
        writes: Path to bytes of each that is missing or wrong.
        removals: Paths of those that should not be there.
    """

    plan: Plan
    writes: Mapping[str, bytes]
    removals: tuple[str, ...]


def commit_generated(request: Request, repository: Repository, held: Mapping[str, Staged]) -> tuple[str, ...]:
    """Make the generated files of an index, and with them those of the work tree, say what its sources say.

    Args:
        request: Asks for the index.
        repository: Where; the caller holds its lock.
        held: Every entry of the index below `.codecortex`.

    Returns:
        The paths whose entries changed, sorted.

    Raises:
        GitStateError: The index, the object store or the disk refuses; the index is as it was.
        StoreFormatError: Another version of codecortex wrote what is there.
    """
    drop_journal(repository)
    with open_cache(repository.common_dir / "codecortex", warn=request.warn) as cache:
        tree = open_tree(request, repository)
        found = compare_generated(tree, held, cache)
        changed = dict.fromkeys((*found.writes, *found.removals))
        if changed:
            _apply(repository, found, held)
        _remember(cache, repository, found.plan)
    return tuple(sorted(changed))


def compare_generated(tree: Tree, held: Mapping[str, Staged], cache: Cache) -> Difference:
    """What is wrong with the generated files that a tree holds.

    Args:
        tree: What they should say.
        held: What the same tree holds below `.codecortex`.
        cache: Facts, projects, and the snapshots of earlier runs.

    Raises:
        GitStateError: Sources are not in this clone.
        StoreFormatError: Another version of codecortex wrote what is there.
    """
    repository = tree.repository
    blobs = {path: entry.blob for path, entry in held.items() if path == INDEX or outlined_type(path)}

    def read(path: str) -> bytes | None:
        return read_blob(repository, blobs[path]) if path in blobs else None

    before = load_snapshot(cache, _name_snapshot("commit", repository))
    if before is None:
        before = load_snapshot(cache, _name_snapshot("refresh", repository))
    if before is not None:
        before = before._replace(stamps=before.blobs)
    plan = plan_refresh(tree, before, Held(blobs, read), cache)
    _refuse_gaps(plan)
    writes = {path: data for path, data in plan.writes.items() if not _holds(held.get(path), data, repository)}
    return Difference(plan, writes, tuple(path for path in plan.removals if path in held))


def _name_snapshot(kind: str, repository: Repository) -> str:
    root = os.fsencode(repository.require_root())
    return f"{kind}/{sha256(root).hexdigest()[:16]}"


def _holds(entry: Staged | None, data: bytes, repository: Repository) -> bool:
    return entry is not None and entry.mode == REGULAR and entry.blob == hash_blob(data, repository.object_format)


def _refuse_gaps(plan: Plan) -> None:
    """A source that this clone lacks is no reason to drop its types."""
    gaps = [path for path, reason in plan.unread if reason == Problem.MISSING]
    if gaps:
        raise GitStateError(
            f"{len(gaps)} sources are not in this clone ({gaps[0]} first), so the outlines are left as they are.",
            "Fetch them, as `git checkout` of their folder does, then run `codecortex refresh`.",
        )


def _apply(repository: Repository, found: Difference, held: Mapping[str, Staged]) -> None:
    writes, removals = found.writes, found.removals
    sparse = {path: _is_sparse(path, held) for path in (*writes, *removals)}
    _write_work_tree(repository, found, sparse)
    ids = store_blobs(repository, list(writes.values()), repository.git_dir / "codecortex" / "blobs")
    entries: dict[str, Staged | None] = dict.fromkeys(removals)
    entries |= {path: Staged(REGULAR, blob, sparse[path]) for path, blob in zip(writes, ids, strict=True)}
    if is_temporary_index():
        write_journal(repository, entries, held, FOLDER)
    stage_entries(repository, entries)


def _write_work_tree(repository: Repository, found: Difference, sparse: Mapping[str, bool]) -> None:
    from codecortex.git.writing import apply_writes  # noqa: PLC0415 - only where there is something to write

    writes = {path: data for path, data in found.writes.items() if not sparse[path]}
    apply_writes(repository.require_root(), writes, [path for path in found.removals if not sparse[path]])


def _is_sparse(path: str, held: Mapping[str, Staged]) -> bool:
    """Whether a sparse checkout leaves this file out, which for a new one its neighbours tell."""
    if path in held:
        return held[path].sparse
    folder = path.rpartition("/")[0] + "/"
    near = next((entry for other, entry in held.items() if other.startswith(folder)), held.get(INDEX))
    return near is not None and near.sparse


def _remember(cache: Cache, repository: Repository, plan: Plan) -> None:
    unread = {path for path, _ in plan.unread}
    states = {path: state for path, state in plan.snapshot.states.items() if path not in unread}
    save_snapshot(cache, _name_snapshot("commit", repository), plan.snapshot._replace(stamps={}, states=states))
