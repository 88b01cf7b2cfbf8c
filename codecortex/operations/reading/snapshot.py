"""Snapshots: what a refresh leaves in the local cache for the next one; never committed.

A snapshot records what was read, what was generated, and the stamps of the generated files. Losing it costs only time:
a refresh without a snapshot reads everything.

Its large parts are rows of their own, and those that a run did not change are not written again. Each row has a mark,
and the head row says which marks belong together, so two runs at once cannot leave a snapshot of parts from both.
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

SNAPSHOT_VERSION = 5

_PARTS = ("states", "rows", "stamps", "blobs")
_HEAD = ("settings", "usings", "packs", "layout")
_MARK_BYTES = 8

State = tuple[str, str, str | None]
"""The digest of a tree, the digest of the stamps of the generated files, and the commit of HEAD."""


class Run(StrEnum):
    """Kinds of runs that leave a snapshot; each kind is best updated from its own last snapshot."""

    REFRESH = "refresh"
    COMMIT = "commit"
    CHECK = "check"
    PLAN = "plan"


class Stored:
    """The parts of a snapshot as they lie in the local cache, each with its mark; equal only to itself."""

    def __init__(self, name: str, parts: Mapping[str, tuple[str, object]]) -> None:
        self.name = name
        self.parts = parts


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
        stored: What of it was loaded; parts that are still the same objects need not be written again.
    """

    settings: str
    states: Mapping[str, str]
    rows: tuple[IndexedType, ...]
    usings: Mapping[str, tuple[tuple[str, str, bool], ...]]
    stamps: Mapping[str, Stamp | str]
    blobs: Mapping[str, str]
    packs: Mapping[str, tuple[str, int]]
    layout: str
    stored: Stored | None = None

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
        packing: Digest of what packs rest on besides sources and notes.
    """

    tree: str
    stamps: str
    types: int
    packing: str


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
    keys = {part: f"{name}/{part}" for part in _PARTS}
    data = cache.get_all([name, *keys.values()])
    head = load_row(data.get(name), _read_head)
    parts: dict[str, tuple[str, Any]] = {}
    for part, mark in head.marks.items() if head is not None else ():
        row = load_row(data.get(keys[part]), _Marked._make)
        if row is None or row.mark != mark:
            return None
        parts[part] = row
    if head is None:
        return None
    mark, listed = parts["rows"]
    parts["rows"] = mark, tuple(map(IndexedType._make, listed))
    return Snapshot(**head.others, **{part: value for part, (_, value) in parts.items()}, stored=Stored(name, parts))


def save_snapshot(cache: Cache, name: str, snapshot: Snapshot) -> None:
    """Store a snapshot under a name, replacing the last one."""
    known = snapshot.stored.parts if snapshot.stored is not None and snapshot.stored.name == name else {}
    marks, data = {}, {}
    for part in _PARTS:
        value = getattr(snapshot, part)
        mark, held = known.get(part, ("", None))
        if value is not held:
            mark = os.urandom(_MARK_BYTES).hex()
            data[f"{name}/{part}"] = pack_row((mark, [tuple(row) for row in value] if part == "rows" else value))
        marks[part] = mark
    others = {field: getattr(snapshot, field) for field in _HEAD}
    cache.put_all({name: pack_row((SNAPSHOT_VERSION, marks, others)), **data})


class _Marked(NamedTuple):
    """A part with its mark."""

    mark: str
    value: Any


class _Head(NamedTuple):
    """The mark of each part, and the small parts themselves."""

    marks: dict[str, str]
    others: dict[str, Any]


def _read_head(row: tuple[Any, ...]) -> _Head | None:
    version, *values = row
    return _Head(*values) if version == SNAPSHOT_VERSION else None


def _load(cache: Cache, name: str) -> tuple[Any, ...] | None:
    version, *values = load_row(cache.get(name), tuple) or ("",)
    return tuple(values) if version == SNAPSHOT_VERSION else None


def _save(cache: Cache, name: str, values: tuple[Any, ...]) -> None:
    cache.put(name, pack_row((SNAPSHOT_VERSION, *values)))
