"""Snapshots: what a refresh leaves in the local cache for the next one; never committed.

A snapshot records what was read, what was generated, and the stamps of the generated files. Losing it costs only time:
a refresh without a snapshot reads everything.

Its large parts are rows of their own, and those that a run did not change are not written again. Each row has a mark,
and the head row says which marks belong together, so two runs at once cannot leave a snapshot of parts from both. What
a run that changes a body needs not is not decoded.
"""

from __future__ import annotations

import os
from collections.abc import Callable, ItemsView, Iterator, KeysView, Mapping, Sequence
from enum import StrEnum
from functools import cached_property, partial
from hashlib import sha256
from typing import TYPE_CHECKING, Any, TypeVar, overload

from codecortex.model.code.indexed import IndexedType
from codecortex.model.errors import StoreFormatError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.store.cache.rows import load_row, pack_row

if TYPE_CHECKING:
    from codecortex.git.repository import Repository
    from codecortex.git.worktree.stamps import Stamp
    from codecortex.store.cache.cache import Cache

_T = TypeVar("_T")
SNAPSHOT_VERSION = 6

_PARTS = ("states", "rows", "stamps", "blobs")
_HEAD = ("settings", "usings", "packs", "layout")
_MARK_BYTES = 16

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

    def __init__(self, name: str, parts: Mapping[str, tuple[bytes, object]]) -> None:
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
    rows: Sequence[IndexedType]
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
    found = {part: data.get(key, b"") for part, key in keys.items()}
    if head is None or any(not found[part].startswith(mark) for part, mark in head.marks.items()):
        return None
    packed = {part: memoryview(row)[_MARK_BYTES:] for part, row in found.items()}
    states = load_row(packed["states"], dict)
    if states is None:
        return None
    parts: dict[str, Any] = {each: _Unopened(packed[each]) for each in ("stamps", "blobs")}
    parts |= {"states": states, "rows": _UnopenedRows(packed["rows"], head.types)}
    stored = Stored(name, {part: (mark, parts[part]) for part, mark in head.marks.items()})
    return Snapshot(**head.others, **parts, stored=stored)


def save_snapshot(cache: Cache, name: str, snapshot: Snapshot) -> None:
    """Store a snapshot under a name, replacing the last one."""
    known = snapshot.stored.parts if snapshot.stored is not None and snapshot.stored.name == name else {}
    marks, data = {}, {}
    for part in _PARTS:
        value = getattr(snapshot, part)
        mark, held = known.get(part, (b"", None))
        if value is not held:
            mark = os.urandom(_MARK_BYTES)
            data[f"{name}/{part}"] = mark + pack_row([tuple(row) for row in value] if part == "rows" else dict(value))
        marks[part] = mark
    others = {field: getattr(snapshot, field) for field in _HEAD}
    cache.put_all({name: pack_row((SNAPSHOT_VERSION, marks, others, len(snapshot.rows))), **data})


def _decode(packed: memoryview, read: Callable[[Any], _T]) -> _T:
    """The values of a part.

    Raises:
        StoreFormatError: It is whole, but another Python wrote it in a way that this one does not know.
    """
    found = load_row(packed, read)
    if found is None:
        raise StoreFormatError("The local cache was written by another Python.", "Run `codecortex cache clear`.")
    return found


class _Unopened(Mapping[str, Any]):
    """A mapping that is decoded when something of it is asked for."""

    def __init__(self, packed: memoryview) -> None:
        self._packed = packed

    @cached_property
    def _opened(self) -> dict[str, Any]:
        return _decode(self._packed, dict)

    def __getitem__(self, key: str) -> Any:
        return self._opened[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._opened)

    def __len__(self) -> int:
        return len(self._opened)

    def keys(self) -> KeysView[str]:
        return self._opened.keys()

    def items(self) -> ItemsView[str, Any]:
        return self._opened.items()


class _UnopenedRows(Sequence[IndexedType]):
    """The types, decoded when one of them is asked for."""

    def __init__(self, packed: memoryview, count: int) -> None:
        self._packed = packed
        self._count = count

    @cached_property
    def _opened(self) -> tuple[IndexedType, ...]:
        make = partial(tuple.__new__, IndexedType)  # at a third of what `_make` costs, for every type
        return tuple(map(make, _decode(self._packed, list)))

    @overload
    def __getitem__(self, at: int) -> IndexedType: ...

    @overload
    def __getitem__(self, at: slice) -> Sequence[IndexedType]: ...

    def __getitem__(self, at: int | slice) -> IndexedType | Sequence[IndexedType]:
        return self._opened[at]

    def __iter__(self) -> Iterator[IndexedType]:
        return iter(self._opened)

    def __len__(self) -> int:
        return self._count

    def __eq__(self, other: object) -> bool:
        return self._opened == (other._opened if isinstance(other, _UnopenedRows) else other)

    def __hash__(self) -> int:
        return hash(self._opened)


class _Head(NamedTuple):
    """The mark of each part, the small parts themselves, and the number of types."""

    marks: dict[str, bytes]
    others: dict[str, Any]
    types: int


def _read_head(row: tuple[Any, ...]) -> _Head | None:
    version, *values = row
    return _Head(*values) if version == SNAPSHOT_VERSION else None


def _load(cache: Cache, name: str) -> tuple[Any, ...] | None:
    version, *values = load_row(cache.get(name), tuple) or ("",)
    return tuple(values) if version == SNAPSHOT_VERSION else None


def _save(cache: Cache, name: str, values: tuple[Any, ...]) -> None:
    cache.put(name, pack_row((SNAPSHOT_VERSION, *values)))
