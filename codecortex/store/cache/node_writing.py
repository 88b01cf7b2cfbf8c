"""Writes what is new of nodes into the local cache, within one transaction."""

from __future__ import annotations

import time
from array import array
from collections import defaultdict
from itertools import repeat
from typing import TYPE_CHECKING, TypeGuard
from zlib import crc32

from codecortex.model.cognition.records import cut_digests
from codecortex.store.cache.database import DamagedRowError
from codecortex.store.cache.node_columns import (
    LazyNames,
    cut,
    digest_row,
    pack_numbers,
    pack_state,
    to_column,
    unpack_numbers,
)
from codecortex.store.cache.rows import pack_row

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Mapping, Sequence

    from codecortex.model.cognition.records import Name, Record, Saved
    from codecortex.model.cognition.table import RecordTable

_DAY = 86_400


def write_names(
    db: sqlite3.Connection, new: Sequence[tuple[int, Name]], readers: Mapping[int, Sequence[int]], first: int
) -> None:
    """Add new names, which are numbered from `first` on, and new readers of others."""
    none: Sequence[int] = ()
    columns = [(number, name[0], to_column(name[1]), pack_numbers(readers.get(number, none))) for number, name in new]
    insert = "INSERT INTO names(id, space, name, readers, digest) VALUES (?, ?, ?, ?, ?)"
    db.executemany(insert, [(*row, digest_row(row)) for row in columns])
    more = [number for number in readers if number < first]
    for batch, marks in cut(more):
        query = f"SELECT id, space, name, readers, digest FROM names WHERE id IN ({marks})"  # noqa: S608 - marks
        known = db.execute(query, batch).fetchall()
        if any(digest_row(row[:-1]) != row[-1] for row in known):
            raise DamagedRowError
        update_readers(db, [(*row[:3], row[3] + pack_numbers(readers[row[0]])) for row in known])


def update_readers(db: sqlite3.Connection, names: Iterable[tuple[int, str, str | bytes, bytes]]) -> None:
    """Write who reads names; of each its number, space, name and readers, as the columns have them."""
    rows = [(row[3], digest_row(row), row[0]) for row in names]
    db.executemany("UPDATE names SET readers = ?, digest = ? WHERE id = ?", rows)


def _list_read(db: sqlite3.Connection, nodes: Iterable[int]) -> dict[int, set[int]]:
    """By node, the names that any of its records has read."""
    found: dict[int, set[int]] = {}
    for batch, marks in cut(list(nodes)):
        for node, reads in db.execute(f"SELECT node, reads FROM records WHERE node IN ({marks})", batch):  # noqa: S608
            found.setdefault(node, set()).update(unpack_numbers(reads))
    return found


def write_records(
    db: sqlite3.Connection, made: Mapping[Name, Record], numbers: Mapping[Name, int], records: Mapping[Name, int]
) -> dict[int, list[int]]:
    """Add records; the readers that names have got by them."""
    now = int(time.time())
    rows: list[tuple[object, ...]] = []
    exports: list[tuple[int, int, int, bytes]] = []
    readers: dict[int, list[int]] = defaultdict(list)
    number_of = numbers.__getitem__
    known = _list_read(db, [number_of(node) for node, record in made.items() if not are_numbered(record.reads)])
    for node_name, record in made.items():
        node, number = number_of(node_name), records[node_name]
        if are_numbered(record.reads):  # an older record of it has read the same
            read = record.reads.numbers
        else:
            read = array("I", map(number_of, record.reads))
            before = known.get(node)
            for each in read if before is None else [each for each in read if each not in before]:
                readers[each].append(node)
        slices = array("I", map(number_of, record.exports))
        if slices:
            exports += zip(slices, repeat(number), repeat(node), cut_digests(record.exported))
        row = (
            node,
            record.mark,
            record.output,
            read.tobytes(),
            record.digests,
            slices.tobytes(),
            record.exported,
        )
        rows.append((number, *row, record.told, now, now // _DAY, digest_row((*row, record.told, now))))
    db.executemany("INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
    db.executemany("INSERT INTO exports(name, record, node, digest) VALUES (?, ?, ?, ?)", sorted(exports))
    return readers


def are_numbered(names: Sequence[Name]) -> TypeGuard[LazyNames]:
    """Whether names come from the store, which knows their numbers."""
    return isinstance(names, LazyNames)


def write_line(db: sqlite3.Connection, saved: Saved, records: RecordTable) -> None:
    """Write a line as it is now."""
    state = pack_state(saved.state._replace(records=records))
    digest = str(crc32(state))
    values = (saved.head.top, saved.head.counter + 1, int(time.time()) // _DAY, state)
    if saved.given is None:
        db.execute(
            "UPDATE lines SET top = ?, counter = ?, used = ?, state = ?,"
            " digests = ? || substr(digests, instr(digests, ' ')) WHERE name = ?",
            (*values, digest, saved.line),
        )
        return
    given = pack_row({space: dict(each) for space, each in saved.given.items()})
    db.execute(
        "INSERT OR REPLACE INTO lines(name, top, counter, used, state, given, digests) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (saved.line, *values, given, f"{digest} {crc32(given)}"),
    )
