"""What answers otherwise once a node has another record."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.model.cognition.records import ABSENT, WIDTH, Change

if TYPE_CHECKING:
    from codecortex.model.cognition.records import Name, Record


def is_same(record: Record, other: Record) -> bool:
    """Whether two records say the same of a node."""
    one, two = (record.mark, record.output, record.digests), (other.mark, other.output, other.digests)
    return one == two and (record.reads is other.reads or tuple(record.reads) == tuple(other.reads))


def list_exported(record: Record, space: str) -> list[tuple[str, bytes]]:
    """The names that a node exports to a space, with their digests."""
    exported = record.exported
    return [
        (name, exported[at * WIDTH : at * WIDTH + WIDTH])
        for at, (where, name) in enumerate(record.exports)
        if where == space
    ]


def list_changes(node: Name, before: Record | None, record: Record) -> list[Change]:
    """What answers otherwise since a node has another record. A name that several export may still be as it was."""
    changes = []
    was = ABSENT if before is None else before.output
    if was != record.output:
        changes.append(Change(node, was, record.output))
    old = _map_exports(before) if before is not None else {}
    new = _map_exports(record)
    for name, _ in old.items() ^ new.items():
        changes.append(Change(name, old.get(name, ABSENT), new.get(name, ABSENT)))
    return list(dict.fromkeys(changes))


def _map_exports(record: Record) -> dict[Name, bytes]:
    return {name: record.exported[at * WIDTH : at * WIDTH + WIDTH] for at, name in enumerate(record.exports)}
