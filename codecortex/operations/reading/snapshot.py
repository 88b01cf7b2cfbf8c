"""Snapshots: what a refresh leaves in the local cache for the next one; never committed.

A snapshot records what was read, what was generated, and the stamps of the generated files. Losing it costs only time:
a refresh without a snapshot reads everything.
"""

from __future__ import annotations

import os
from enum import StrEnum
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from codecortex.model.code.indexed import IndexedType
from codecortex.store.cache.rows import load_row, pack_row

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from codecortex.git.repository import Repository
    from codecortex.git.worktree.stamps import Stamp
    from codecortex.store.cache.cache import Cache

SNAPSHOT_VERSION = 3

State = tuple[str, str, str | None]
"""The digest of a tree, the digest of the stamps of the generated files, and the commit of HEAD."""


class Run(StrEnum):
    """Kinds of runs that leave a snapshot; each kind is best updated from its own last snapshot."""

    REFRESH = "refresh"
    COMMIT = "commit"
    CHECK = "check"
    PLAN = "plan"


class Snapshot(NamedTuple):
    """The state after a refresh.

    Attributes:
        settings: Digest of everything but the sources: configuration, flavour, project files, versions.
        states: Source path to its blob and the projects that compile it.
        rows: Every type, sorted by id.
        usings: Project path to its global usings: target, alias, static.
        stamps: Path of each generated file to its stamp on disk, or to its blob id if it was in a tree or an index.
        blobs: Path of each generated file to the blob id of its correct content.
        packs: The pack rows of the index, as plain tuples.
        layout: How the outlines are distributed over folders.
    """

    settings: str
    states: Mapping[str, str]
    rows: tuple[IndexedType, ...]
    usings: Mapping[str, tuple[tuple[str, str, bool], ...]]
    stamps: Mapping[str, Stamp | str]
    blobs: Mapping[str, str]
    packs: Mapping[str, tuple[str, int]]
    layout: str

    @property
    def in_git(self) -> Snapshot:
        """The snapshot for comparison with generated files that are known by blob id."""
        return self._replace(stamps=self.blobs)


class SnapshotMark(NamedTuple):
    """The little data that tells whether there is anything to do.

    Attributes:
        tree: Digest of the whole listing and of the settings it is read with.
        stamps: Digest of the stamps of the generated files.
        types: The number of types.
    """

    tree: str
    stamps: str
    types: int


def name_snapshot(run: Run, repository: Repository) -> str:
    """The cache name of the last snapshot of a kind of run in this work tree."""
    return f"{run}/{sha256(os.fsencode(repository.folder)).hexdigest()[:16]}"


def load_snapshots(cache: Cache, repository: Repository, *runs: Run) -> Iterator[Snapshot]:
    """The last snapshots of these kinds of runs in this work tree; missing ones are left out."""
    found = (load_snapshot(cache, name_snapshot(run, repository)) for run in runs)
    return (snapshot for snapshot in found if snapshot is not None)


def load_mark(cache: Cache, name: str) -> SnapshotMark | None:
    """The mark with a name, or None."""
    found = _load(cache, f"{name}/mark")
    return None if found is None else SnapshotMark._make(found)


def save_mark(cache: Cache, name: str, mark: SnapshotMark) -> None:
    """Store a mark under a name, replacing the last one."""
    _save(cache, f"{name}/mark", tuple(mark))


def load_behind(cache: Cache, name: str, state: State) -> tuple[str, ...] | None:
    """The outdated files found in exactly this state, or None."""
    found = _load(cache, f"{name}/behind")
    return found[1] if found is not None and found[0] == state else None


def save_behind(cache: Cache, name: str, state: State, behind: tuple[str, ...]) -> None:
    """Store the outdated files found in a state, replacing the last ones."""
    _save(cache, f"{name}/behind", (state, behind))


def load_snapshot(cache: Cache, name: str) -> Snapshot | None:
    """The snapshot with a name, or None."""
    found = _load(cache, name)
    if found is None:
        return None
    snapshot = Snapshot._make(found)
    return snapshot._replace(rows=tuple(map(IndexedType._make, snapshot.rows)))


def save_snapshot(cache: Cache, name: str, snapshot: Snapshot) -> None:
    """Store a snapshot under a name, replacing the last one."""
    settings, states, rows, *others = snapshot
    _save(cache, name, (settings, states, [tuple(row) for row in rows], *others))


def _load(cache: Cache, name: str) -> tuple[Any, ...] | None:
    version, *values = load_row(cache.get(name), tuple) or ("",)
    return tuple(values) if version == SNAPSHOT_VERSION else None


def _save(cache: Cache, name: str, values: tuple[Any, ...]) -> None:
    cache.put(name, pack_row((SNAPSHOT_VERSION, *values)))
