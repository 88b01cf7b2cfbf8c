"""Looks after the local cache: counts it, finds what is damaged, throws away what nobody needs."""

from __future__ import annotations

import time
from itertools import repeat
from typing import TYPE_CHECKING
from zlib import crc32

from codecortex.model.cognition.records import cut_digests
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.store.cache.blobs import list_blobs
from codecortex.store.cache.cache import USED_BYTES
from codecortex.store.cache.node_columns import digest_row, pack_numbers, unpack_numbers
from codecortex.store.cache.node_writing import update_readers
from codecortex.store.cache.nodes import SqliteNodes, read_output

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection

    from codecortex.store.cache.cache import Cache

_DAY = 86_400
_KEPT_VERSIONS = 5


class Row(NamedTuple):
    """A damaged row: its table, its number, and what it is about."""

    table: str
    number: int
    about: str


class Collected(NamedTuple):
    """How many lines, records, outputs, snapshots and files were thrown away."""

    lines: int = 0
    records: int = 0
    outputs: int = 0
    snapshots: int = 0
    files: int = 0


def count_kinds(cache: Cache) -> dict[str, int]:
    """How many nodes of each kind have a record."""
    return dict(
        cache.read("SELECT space, count(DISTINCT node) FROM records JOIN names ON names.id = node GROUP BY space")
    )


def list_newest(cache: Cache, kinds: Collection[str], most: int) -> list[tuple[str, str]]:
    """The nodes of some kinds that were made or asked for last, a kind after the other, the newest first."""
    marks = ",".join("?" * len(kinds))
    rows = cache.read(
        "SELECT space, name FROM (SELECT node, max(used) AS last, max(id) AS newest FROM records GROUP BY node)"  # noqa: S608
        f" JOIN names ON names.id = node WHERE space IN ({marks}) ORDER BY last DESC, newest DESC LIMIT ?",
        [*kinds, most],
    )
    order = list(kinds)
    named = [(kind, name) for kind, name in rows if isinstance(name, str)]
    return sorted(named, key=lambda node: order.index(node[0]))


def count_rows(cache: Cache) -> dict[str, int]:
    """How many rows each table has."""
    tables = ("facts", "snapshots", "lines", "names", "records", "outputs")
    counts = {table: cache.read(f"SELECT count(*) FROM {table}") for table in tables}  # noqa: S608 - our own names
    return {table: rows[0][0] for table, rows in counts.items() if rows}


def measure(cache: Cache) -> int:
    """The bytes in use: of the database, and of the files beside it."""
    pages = cache.read(USED_BYTES)
    return (pages[0][0] if pages else 0) + sum(path.stat().st_size for path in list_blobs(cache.folder))


def find_collected(cache: Cache) -> int:
    """When the cache was last collected, in seconds since 1970; 0 if it never was."""
    rows = cache.read("SELECT collected_at FROM counters")
    return int(rows[0][0]) if rows else 0


def find_damage(cache: Cache) -> list[Row]:
    """The rows that are not as they were written, and records whose names or readers are lost."""
    found = [Row(table, number, about) for table, number, about in cache.list_damaged()]
    called = cache.read("SELECT id, space, name, readers, digest FROM names")
    names = {number: f"{space}:{name}".replace("\n", " in ") for number, space, name, *_ in called}
    odd = [row[0] for row in called if digest_row(row[:-1]) != row[-1]]
    found += [Row("names", number, names.pop(number)) for number in odd]
    readers = {(number, node) for number, _, _, nodes, _ in called for node in unpack_numbers(nodes)}
    rows = cache.read(
        "SELECT node, mark, output, reads, digests, exports, exported, told, created, digest, id FROM records"
    )
    exports = _gather_exports(cache)
    for node, *values, digest, number in rows:
        read = unpack_numbers(values[2])
        whole = digest_row((node, *values)) == digest
        about = names.get(node, "a record")
        if not whole or node not in names or any((each, node) not in readers or each not in names for each in read):
            found.append(Row("records", number, about))
        exported = zip(unpack_numbers(values[4]), repeat(node), cut_digests(values[5]), strict=False)
        if exports.get(number, set()) != set(exported):
            found += [Row("exports", number, about), Row("records", number, about)]
    for number, key, data in cache.read("SELECT id, key, data FROM outputs"):
        if read_output(cache.folder, key, data) is None:
            found.append(Row("outputs", number, key.hex() if isinstance(key, bytes) else "an output"))
    for number, name, *parts, digests in cache.read("SELECT rowid, name, state, given, digests FROM lines"):
        if digests != " ".join(str(crc32(part)) if isinstance(part, bytes) else "none" for part in parts):
            found.append(Row("lines", number, name))
    return found


def _gather_exports(cache: Cache) -> dict[int, set[tuple[int, int, bytes]]]:
    """By record, what it exports: the name, the node, and the digest of what answers."""
    found: dict[int, set[tuple[int, int, bytes]]] = {}
    for record, *exported in cache.read("SELECT record, name, node, digest FROM exports"):
        found.setdefault(record, set()).add(tuple(exported))
    return found


def drop_rows(cache: Cache, rows: Collection[Row]) -> None:
    """Throw rows away: what they held is made anew when it is asked for."""

    def drop(db: sqlite3.Connection) -> bool:
        for table in dict.fromkeys(row.table for row in rows):
            numbers = [(row.number,) for row in rows if row.table == table]
            column = "record" if table == "exports" else "rowid"
            db.executemany(f"DELETE FROM {table} WHERE {column} = ?", numbers)  # noqa: S608 - our own names
        return True

    cache.transact(drop)


def forget(cache: Cache, nodes: Collection[int]) -> int:
    """Throw away every record of nodes; how many there were."""

    def drop(db: sqlite3.Connection) -> int:
        numbers = [(node,) for node in nodes]
        return db.executemany("DELETE FROM records WHERE node = ?", numbers).rowcount

    return cache.transact(drop) or 0


def collect(cache: Cache, *, most_bytes: int, days: int) -> Collected:
    """Throw away what no line needs: old versions, and above a size all others, the oldest first.

    If the cache is still above the size, snapshots go, those that were written longest ago first: they hold what
    commands keep of a whole tree, and are made anew. What a line has stays.

    Args:
        cache: The cache.
        most_bytes: The size to come down to.
        days: How long a line that nobody asks, and a record that no line has, are kept.
    """
    today = int(time.time()) // _DAY
    cache.trim(most_bytes)
    gone = cache.transact(lambda db: _collect(db, cache, today - days, most_bytes))
    if gone is None:
        return Collected()
    named = {key.hex() for (key,) in cache.read("SELECT key FROM outputs WHERE data IS NULL")}
    files = [path for path in list_blobs(cache.folder) if path.name not in named]
    for path in files:
        path.unlink(missing_ok=True)
    return gone._replace(files=len(files))


def _collect(db: sqlite3.Connection, cache: Cache, oldest: int, most_bytes: int) -> Collected:
    lines = db.execute("DELETE FROM lines WHERE used < ?", (oldest,)).rowcount
    used = _list_used(db, cache)
    doomed = []
    versions: dict[int, int] = {}
    excess = db.execute(USED_BYTES).fetchone()[0] - most_bytes
    rows = db.execute("SELECT id, node, used, length(reads) + length(digests) + length(exported) FROM records")
    for number, node, last, _ in sorted(rows, reverse=True):
        versions[node] = versions.get(node, 0) + 1
        if number not in used and (last < oldest or versions[node] > _KEPT_VERSIONS or excess > 0):
            doomed.append((number,))
    db.executemany("DELETE FROM records WHERE id = ?", doomed)
    outputs = db.execute("DELETE FROM outputs WHERE key NOT IN (SELECT output FROM records)").rowcount
    db.execute("DELETE FROM exports WHERE record NOT IN (SELECT id FROM records)")
    _collect_names(db)
    db.execute("UPDATE counters SET collected = collected + 1, collected_at = ?", (int(time.time()),))
    return Collected(lines, len(doomed), outputs, _collect_snapshots(db, most_bytes))


def _collect_snapshots(db: sqlite3.Connection, most_bytes: int) -> int:
    """Throw away snapshots while more is in use than may be; a row that is written anew comes last."""
    excess = db.execute(USED_BYTES).fetchone()[0] - most_bytes
    doomed = []
    for number, length in db.execute("SELECT rowid, length(data) FROM snapshots ORDER BY rowid"):
        if excess <= 0:
            break
        doomed.append((number,))
        excess -= length
    db.executemany("DELETE FROM snapshots WHERE rowid = ?", doomed)
    return len(doomed)


def _collect_names(db: sqlite3.Connection) -> None:
    """Throw away the names that nothing reads, exports or is called by, and readers that have no record any more."""
    readers: dict[int, set[int]] = {}
    for node, reads in db.execute("SELECT node, reads FROM records"):
        for name in unpack_numbers(reads):
            readers.setdefault(name, set()).add(node)
    changed = []
    for number, space, name, nodes in db.execute(
        "SELECT id, space, name, readers FROM names WHERE length(readers) > 0"
    ):
        still = readers.get(number, set())
        if len(still) * unpack_numbers(b"").itemsize != len(nodes):
            changed.append((number, space, name, pack_numbers(sorted(still))))
    update_readers(db, changed)
    db.execute(
        "DELETE FROM names WHERE length(readers) = 0"
        " AND id NOT IN (SELECT name FROM exports UNION SELECT node FROM records)"
    )


def _list_used(db: sqlite3.Connection, cache: Cache) -> set[int]:
    nodes = SqliteNodes(cache)
    used: set[int] = set()
    for (line,) in db.execute("SELECT name FROM lines").fetchall():
        state = nodes.load_state(line)
        used.update(state.records.numbers if state is not None else ())
    return used


def clear(cache: Cache) -> None:
    """Throw everything away."""

    def drop(db: sqlite3.Connection) -> bool:
        for table in ("facts", "snapshots", "lines", "records", "exports", "outputs", "names"):
            db.execute(f"DELETE FROM {table}")  # noqa: S608 - our own names
        db.execute("UPDATE counters SET collected = collected + 1")
        return True

    if not cache.transact(drop):
        return
    for path in list_blobs(cache.folder):
        path.unlink(missing_ok=True)
    cache.shrink()
