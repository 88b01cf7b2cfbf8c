"""Snapshots: what a refresh leaves in the local cache for the next one; never committed.

A snapshot records what was read, what was generated, and the stamps of the generated files. Losing it costs only time:
a refresh without a snapshot reads everything.

Its large parts are rows of their own, and those that a run did not change are not written again. Each row has a mark,
and the head row says which marks belong together, so two runs at once cannot leave a snapshot of parts from both. The
few sources that changed are told in the head. What a run that changes a body needs not is not decoded, or not even
read.
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
SNAPSHOT_VERSION = 7

_PARTS = ("states", "rows", "stamps", "blobs")
_HEAD = ("settings", "usings", "packs", "layout")
_MARK_BYTES = 16
_MOST_EDITS = 100
"""The states of more sources than this are not told in the head."""

State = tuple[str, str, str | None]
"""The digest of a tree, the digest of the stamps of the generated files, and the commit of HEAD."""


class Run(StrEnum):
    """Kinds of runs that leave a snapshot; each kind is best updated from its own last snapshot."""

    REFRESH = "refresh"
    COMMIT = "commit"
    CHECK = "check"
    PLAN = "plan"


class SnapshotLostError(Exception):
    """A part of a snapshot that was left unread is not there any more, or not as it was: read everything."""


class Stored:
    """The parts of a snapshot as they lie in the local cache, each with its mark; equal only to itself.

    `base` are the states without what the head tells.
    """

    def __init__(self, name: str, parts: Mapping[str, tuple[bytes, object]], base: Mapping[str, str]) -> None:
        self.name = name
        self.parts = parts
        self.base = base


class Snapshot(NamedTuple):
    """The state after a refresh.

    Attributes:
        settings: Digest of everything but the sources: configuration, flavour, project files, versions.
        states: Source path to its blob and the projects that compile it, see `source_states`.
        rows: Every type, sorted by id.
        usings: Project path to its global usings: target, alias, static.
        stamps: Path of each generated file to its stamp on disk, or to its blob id if it was in a tree or an index.
        blobs: Path of each generated file to the blob id of its correct content.
        packs: The pack rows of the index, as plain tuples.
        layout: How the outlines are distributed over folders.
        stored: What of it was loaded; parts that are still the same objects need not be written again, nor states of
            which few differ.
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


def list_changed(states: Mapping[str, str], others: Mapping[str, str]) -> list[str]:
    """The sources that others have not, or not in the same state."""
    return [path for path, state in states.items() if others.get(path) != state]


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


def load_snapshot(cache: Cache, name: str, *, piecemeal: bool = False) -> Snapshot | None:
    """The snapshot with a name, or None.

    Args:
        cache: Where it lies.
        name: Its name.
        piecemeal: Whether types, stamps and blobs are read when something of them is asked for. What is damaged, or
            what another run has replaced by then, raises `SnapshotLostError`.
    """
    keys = {part: f"{name}/{part}" for part in _PARTS}
    early = _PARTS[:1] if piecemeal else _PARTS
    data = cache.get_all([name, *(keys[part] for part in early)])
    head = load_row(data.get(name), _read_head)
    if head is None or any(not data.get(keys[part], b"").startswith(head.marks[part]) for part in early):
        return None
    base = load_row(memoryview(data[keys["states"]])[_MARK_BYTES:], dict)
    if base is None:
        return None

    find = cache.get if piecemeal else data.get
    rows, stamps, blobs = (_Packed(partial(find, keys[part]), head.marks[part]) for part in _PARTS[1:])
    parts: dict[str, Any] = {"states": _edit(base, head.edits), "rows": _UnopenedRows(rows, head.types)}
    parts |= {"stamps": _Unopened(stamps), "blobs": _Unopened(blobs)}
    stored = Stored(name, {part: (mark, parts[part]) for part, mark in head.marks.items()}, base)
    return Snapshot(**head.others, **parts, stored=stored)


def save_snapshot(cache: Cache, name: str, snapshot: Snapshot) -> None:
    """Store a snapshot under a name, replacing the last one."""
    stored = snapshot.stored if snapshot.stored is not None and snapshot.stored.name == name else None
    known = stored.parts if stored is not None else {}
    edits = _find_edits(stored.base, snapshot.states) if stored is not None else None
    marks, data = {}, {}
    for part in _PARTS:
        value = getattr(snapshot, part)
        mark, held = known.get(part, (b"", None))
        if value is not held and (part != "states" or edits is None):
            mark = os.urandom(_MARK_BYTES)
            data[f"{name}/{part}"] = mark + pack_row([tuple(row) for row in value] if part == "rows" else dict(value))
        marks[part] = mark
    others = {field: getattr(snapshot, field) for field in _HEAD}
    cache.put_all({name: pack_row((SNAPSHOT_VERSION, marks, others, len(snapshot.rows), edits or {})), **data})


def _find_edits(base: Mapping[str, str], states: Mapping[str, str]) -> dict[str, str | None] | None:
    """What differs in the states of sources, None for one that is gone; None if that is much."""
    edits: dict[str, str | None] = {path: states[path] for path in list_changed(states, base)}
    edits |= dict.fromkeys(base.keys() - states.keys())
    return edits if len(edits) <= _MOST_EDITS else None


def _edit(base: dict[str, str], edits: Mapping[str, str | None]) -> dict[str, str]:
    """The states of sources with what differs."""
    states = {**base} if edits else base
    for path, state in edits.items():
        if state is None:
            del states[path]
        else:
            states[path] = state
    return states


class _Packed:
    """A part as it lies in the local cache."""

    def __init__(self, find: Callable[[], bytes | None], mark: bytes) -> None:
        self._find = find
        self._mark = mark

    def decode(self, read: Callable[[Any], _T]) -> _T:
        """Its values.

        Raises:
            SnapshotLostError: It is not there any more.
            StoreFormatError: It is whole, but another Python wrote it in a way that this one does not know.
        """
        packed = self._find()
        if packed is None or not packed.startswith(self._mark):
            raise SnapshotLostError
        found = load_row(memoryview(packed)[_MARK_BYTES:], read)
        if found is None:
            raise StoreFormatError("The local cache was written by another Python.", "Run `codecortex cache clear`.")
        return found


class _Unopened(Mapping[str, Any]):
    """A mapping that is decoded when something of it is asked for."""

    def __init__(self, packed: _Packed) -> None:
        self._packed = packed

    @cached_property
    def _opened(self) -> dict[str, Any]:
        return self._packed.decode(dict)

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

    def __init__(self, packed: _Packed, count: int) -> None:
        self._packed = packed
        self._count = count

    @cached_property
    def _opened(self) -> tuple[IndexedType, ...]:
        make = partial(tuple.__new__, IndexedType)  # at a third of what `_make` costs, for every type
        return tuple(map(make, self._packed.decode(list)))

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
    """The mark of each part, the small parts themselves, the number of types, and what changed in the states."""

    marks: dict[str, bytes]
    others: dict[str, Any]
    types: int
    edits: dict[str, str | None]


def _read_head(row: tuple[Any, ...]) -> _Head | None:
    version, *values = row
    return _Head(*values) if version == SNAPSHOT_VERSION else None


def _load(cache: Cache, name: str) -> tuple[Any, ...] | None:
    version, *values = load_row(cache.get(name), tuple) or ("",)
    return tuple(values) if version == SNAPSHOT_VERSION else None


def _save(cache: Cache, name: str, values: tuple[Any, ...]) -> None:
    cache.put(name, pack_row((SNAPSHOT_VERSION, *values)))
