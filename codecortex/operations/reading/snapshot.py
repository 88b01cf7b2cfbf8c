"""What a refresh leaves for the next one: what it read, what it made, and how that lay on disk. Local, never committed.

Losing a snapshot costs time only: a refresh without one reads everything.
"""

from __future__ import annotations

import os
from enum import StrEnum
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from codecortex.store.cache.rows import load_row, pack_row

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from codecortex.git.repository import Repository
    from codecortex.git.worktree.stamps import Stamp
    from codecortex.store.cache.cache import Cache

SNAPSHOT_VERSION = 3

State = tuple[str, str, str | None]
"""The digests of a tree and of how the generated files lay on disk, and the commit that HEAD was."""


class Run(StrEnum):
    """What leaves a snapshot: each goes on best from its own last one."""

    REFRESH = "refresh"
    COMMIT = "commit"
    CHECK = "check"
    PLAN = "plan"


class IndexedType(NamedTuple):
    """One type as the index knows it.

    Attributes:
        id: Its id.
        fqn: Its metadata name.
        kind: Its kind.
        project: Path of its project.
        owner: What tells it from others of its name: the project, or the file of a file-local type.
        files: Paths that declare it, sorted as the index has them.
        names: Every simple name that what it links to may depend on, joined by blanks.
    """

    id: str
    fqn: str
    kind: str
    project: str
    owner: str
    files: tuple[str, ...]
    names: str


class Snapshot(NamedTuple):
    """The state after a refresh.

    Attributes:
        settings: Digest of everything but the sources: configuration, flavour, project files, versions.
        states: Source path to its blob and the projects that compile it.
        rows: Every type, sorted by id.
        usings: Project path to its global usings: target, alias, static.
        stamps: Path of each generated file to how it lay on disk, or its blob id where it lay in a tree or an index.
        blobs: Path of each generated file to the blob id of what it should hold.
        packs: The pack rows of the index, as plain tuples.
        layout: How the outlines are spread over folders.
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
        """The same, to be compared with generated files that are known by their blob ids."""
        return self._replace(stamps=self.blobs)


class SnapshotMark(NamedTuple):
    """The little that tells whether anything is to be done at all.

    Attributes:
        tree: Digest of the whole listing and of what it is read with.
        stamps: Digest of how each generated file lay on disk.
        types: How many types there are.
    """

    tree: str
    stamps: str
    types: int


def name_snapshot(run: Run, repository: Repository) -> str:
    """What the last snapshot of a kind of run in this work tree goes by."""
    return f"{run}/{sha256(os.fsencode(repository.folder)).hexdigest()[:16]}"


def load_snapshots(cache: Cache, repository: Repository, *runs: Run) -> Iterator[Snapshot]:
    """What the last run of each kind in this work tree left, as far as there is something."""
    found = (load_snapshot(cache, name_snapshot(run, repository)) for run in runs)
    return (snapshot for snapshot in found if snapshot is not None)


def load_mark(cache: Cache, name: str) -> SnapshotMark | None:
    """The mark of a name, or None."""
    found = _load(cache, f"{name}/mark")
    return None if found is None else SnapshotMark._make(found)


def save_mark(cache: Cache, name: str, mark: SnapshotMark) -> None:
    """Remember a mark under a name, in place of the last."""
    _save(cache, f"{name}/mark", tuple(mark))


def load_behind(cache: Cache, name: str, state: State) -> tuple[str, ...] | None:
    """What was found to be behind in the same state, or None."""
    found = _load(cache, f"{name}/behind")
    return found[1] if found is not None and found[0] == state else None


def save_behind(cache: Cache, name: str, state: State, behind: tuple[str, ...]) -> None:
    """Remember what is behind in a state, in place of the last."""
    _save(cache, f"{name}/behind", (state, behind))


def load_snapshot(cache: Cache, name: str) -> Snapshot | None:
    """The snapshot of a name, or None."""
    found = _load(cache, name)
    if found is None:
        return None
    snapshot = Snapshot._make(found)
    return snapshot._replace(rows=tuple(map(IndexedType._make, snapshot.rows)))


def save_snapshot(cache: Cache, name: str, snapshot: Snapshot) -> None:
    """Remember a snapshot under a name, in place of the last."""
    settings, states, rows, *others = snapshot
    _save(cache, name, (settings, states, [tuple(row) for row in rows], *others))


def _load(cache: Cache, name: str) -> tuple[Any, ...] | None:
    version, *values = load_row(cache.get(name), tuple) or ("",)
    return tuple(values) if version == SNAPSHOT_VERSION else None


def _save(cache: Cache, name: str, values: tuple[Any, ...]) -> None:
    cache.put(name, pack_row((SNAPSHOT_VERSION, *values)))
