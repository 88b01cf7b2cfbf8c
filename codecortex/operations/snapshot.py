"""What a refresh leaves for the next one: what it read, what it made, and how that lay on disk. Local, never committed.

Losing a snapshot costs time only: a refresh without one reads everything.
"""

from __future__ import annotations

import marshal
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from codecortex.store.cache import Cache

SNAPSHOT_VERSION = 1

Stamp = tuple[int, int, int]
"""Modification time in nanoseconds, size, inode."""


class Row(NamedTuple):
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
        stamps: Path of each generated file to how it lay on disk.
        layout: How the outlines are spread over folders.
    """

    settings: str
    states: Mapping[str, str]
    rows: tuple[Row, ...]
    usings: Mapping[str, tuple[tuple[str, str, bool], ...]]
    stamps: Mapping[str, Stamp]
    layout: str


def load_snapshot(cache: Cache, name: str) -> Snapshot | None:
    """The snapshot of a name, or None."""
    data = cache.get(name)
    if data is None:
        return None
    try:
        version, settings, states, rows, usings, stamps, layout = marshal.loads(data)  # noqa: S302 - our own cache
    except (ValueError, EOFError, TypeError):
        return None  # another Python wrote it, or it was cut short: the next refresh writes it anew
    if version != SNAPSHOT_VERSION:
        return None
    return Snapshot(settings, states, tuple(map(Row._make, rows)), usings, stamps, layout)


def save_snapshot(cache: Cache, name: str, snapshot: Snapshot) -> None:
    """Remember a snapshot under a name, in place of the last."""
    rows = [tuple(row) for row in snapshot.rows]
    data = (SNAPSHOT_VERSION, snapshot.settings, snapshot.states, rows, snapshot.usings, snapshot.stamps, snapshot.layout)
    cache.put(name, marshal.dumps(data))
