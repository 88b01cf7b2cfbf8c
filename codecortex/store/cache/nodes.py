"""The cognition graph in the local cache: a row a name, with the nodes that have ever read it, and a row a record.

Records and outputs are shared by all lines and never change; a line says which record each of its nodes has. So a new
line costs one row, and two processes that make the same at once only make it twice. Numbers of names and records are
never used again; what has been collected since a line was loaded is not referred to (`counters`).
"""

from __future__ import annotations

from itertools import repeat
from typing import TYPE_CHECKING, Any, TypeVar
from zlib import crc32

from codecortex.model.cognition.records import Exported, Head, LineState, Record, digest_output
from codecortex.store.cache.blobs import read_blob, write_blob
from codecortex.store.cache.database import DamagedRowError
from codecortex.store.cache.node_columns import (
    MOST_NUMBER,
    LazyNames,
    cut,
    digest_row,
    from_column,
    read_state,
    to_column,
    unpack_numbers,
)
from codecortex.store.cache.node_writing import are_numbered, write_line, write_names, write_records
from codecortex.store.cache.rows import load_row

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from pathlib import Path

    from codecortex.model.cognition.records import Name, Saved
    from codecortex.model.cognition.table import RecordTable
    from codecortex.store.cache.cache import Cache

INLINE_BYTES = 65_536
GONE = ("", "")
_RECORD = "id, node, mark, output, reads, digests, exports, exported, told, created, digest"
_EXPORTS = """
    SELECT asked.name, keys.name, node, record, exports.digest
    FROM exports JOIN names AS asked ON asked.id = exports.name JOIN names AS keys ON keys.id = node WHERE {}
"""

_T = TypeVar("_T")


class SqliteNodes:
    """The nodes that a local cache holds. Where there is none, nothing is found and nothing is kept."""

    def __init__(self, cache: Cache) -> None:
        self._cache = cache
        self._names: dict[int, Name] = {}
        self._ids: dict[str, dict[str, int]] = {}
        counters = cache.read("SELECT collected FROM counters")
        self._collected: int | None = counters[0][0] if counters else None

    # -- lines

    def load_head(self, line: str) -> Head | None:
        """The beginning of a line."""
        rows = self._cache.read("SELECT top, counter FROM lines WHERE name = ?", (line,))
        return Head(*rows[0]) if rows else None

    def load_state(self, line: str) -> LineState | None:
        """All else of a line but what was given to it; None where it is missing or damaged."""
        return self._load_part(line, 0, read_state)

    def load_given(self, line: str) -> Mapping[str, Mapping[str, str]] | None:
        """By space, the names and values that were given to a line when it was saved; None as above."""
        return self._load_part(line, 1, dict)

    def _load_part(self, line: str, part: int, read: Callable[[Any], _T]) -> _T | None:
        column = ("state", "given")[part]
        rows = self._cache.read(f"SELECT {column}, digests FROM lines WHERE name = ?", (line,))  # noqa: S608 - columns
        if not rows or not isinstance(rows[0][0], bytes):
            return None
        data, digests = rows[0]
        return load_row(data, read) if str(digests).split()[part : part + 1] == [str(crc32(data))] else None

    # -- names

    def find_ids(self, space: str, names: Collection[str]) -> dict[str, int]:
        """The numbers of those names of a space that are known."""
        known = self._ids.setdefault(space, {})
        missing = [name for name in names if name not in known]
        for batch, marks in cut(missing):
            rows = self._cache.read(
                f"SELECT name, id FROM names WHERE space = ? AND name IN ({marks})",  # noqa: S608 - marks
                (space, *map(to_column, batch)),
            )
            known.update((from_column(name), number) for name, number in rows)
        return {name: known[name] for name in names if name in known}

    def list_ids(self, space: str) -> dict[str, int]:
        """The numbers of all known names of a space."""
        rows = self._cache.read("SELECT name, id FROM names WHERE space = ?", (space,))
        return {from_column(name): number for name, number in rows}

    def _name(self, ids: Iterable[int]) -> None:
        """Have names at hand."""
        for batch, marks in cut([each for each in dict.fromkeys(ids) if each not in self._names]):
            rows = self._cache.read(f"SELECT id, space, name FROM names WHERE id IN ({marks})", batch)  # noqa: S608
            for number, space, column in rows:
                name = from_column(column)
                self._names[number] = (space, name)
                self._ids.setdefault(space, {})[name] = number

    # -- records

    def load_records(self, ids: Collection[int]) -> dict[int, Record]:
        """Records by number; what is damaged is left out."""
        rows: list[tuple[Any, ...]] = []
        for batch, marks in cut(list(ids)):
            query = f"SELECT {_RECORD} FROM records WHERE id IN ({marks})"  # noqa: S608 - marks
            rows += [row for row in self._cache.read(query, batch) if digest_row(row[1:-1]) == row[-1]]
        return {row[0]: self._read_record(row) for row in rows}

    def list_records(self, nodes: Collection[int]) -> dict[int, list[int]]:
        """By node, the numbers of its records, newest first."""
        found: dict[int, list[int]] = {}
        for batch, marks in cut(list(nodes)):
            query = f"SELECT node, id FROM records WHERE node IN ({marks}) ORDER BY id DESC"  # noqa: S608 - marks
            for node, number in self._cache.read(query, batch):
                found.setdefault(node, []).append(number)
        return found

    def _read_record(self, row: tuple[Any, ...]) -> Record:
        number, _, mark, output, reads, digests, exports, exported, told, created, _ = row
        read, slices = (
            LazyNames(unpack_numbers(reads), self.names_of),
            LazyNames(unpack_numbers(exports), self.names_of),
        )
        return Record(number, mark, output, read, digests, slices, exported, told, created)

    def name_all(self, records: Collection[Record]) -> None:
        """Have the names that some records read at hand; else each is looked up when it is first needed."""
        self._name(number for each in records if isinstance(each.reads, LazyNames) for number in each.reads.numbers)

    def names_of(self, numbers: Iterable[int]) -> list[Name]:
        """Names by number; one that is gone, by damage, is one that nothing answers to."""
        numbers = list(numbers)
        names = self._names
        try:
            return [names[each] for each in numbers]
        except KeyError:
            self._name(numbers)
        return [names.get(each, GONE) for each in numbers]

    def find_readers(self, names: Collection[int]) -> dict[int, Sequence[int]]:
        """By name, the nodes that have ever read it, all by number; what is damaged is left out."""
        found: dict[int, Sequence[int]] = {}
        for batch, marks in cut(list(names)):
            query = f"SELECT id, space, name, readers, digest FROM names WHERE id IN ({marks})"  # noqa: S608 - marks
            whole = [row for row in self._cache.read(query, batch) if digest_row(row[:-1]) == row[-1]]
            found.update((row[0], unpack_numbers(row[3])) for row in whole)
        return found

    def find_exports(self, names: Collection[int]) -> list[Exported]:
        """Who exports or has exported these names."""
        return [
            each
            for batch, marks in cut(list(names))
            for each in self._list_exports(f"exports.name IN ({marks})", batch)
        ]

    def list_exports(self, space: str) -> list[Exported]:
        """The same of all names of a space."""
        return self._list_exports("asked.space = ?", (space,))

    def _list_exports(self, where: str, values: Collection[object]) -> list[Exported]:
        rows = self._cache.read(_EXPORTS.format(where), tuple(values))
        return [Exported(from_column(name), from_column(key), *others) for name, key, *others in rows]

    # -- outputs

    def load_outputs(self, digests: Collection[bytes]) -> dict[bytes, bytes]:
        """Outputs by digest; what is damaged is left out."""
        found = {}
        for batch, marks in cut(list(dict.fromkeys(digests))):
            query = f"SELECT key, data FROM outputs WHERE key IN ({marks})"  # noqa: S608 - marks
            for key, data in self._cache.read(query, batch):
                output = read_output(self._cache.folder, key, data)
                if output is not None:
                    found[key] = output
        return found

    # -- writing

    def save(self, saved: Saved) -> RecordTable | None:
        """Keep all of it, or nothing.

        Returns:
            The records that the nodes of the line have as it was kept; None where only the records were kept, because
            another process has moved the line on, or nothing.
        """
        if self._collected is None:
            return None
        written = {key: data for key, data in saved.outputs.items() if len(data) > INLINE_BYTES}
        if not all(write_blob(self._cache.folder, key, data) for key, data in written.items()):
            return None
        return self._cache.transact(lambda db: self._save(db, saved))

    def _save(self, db: sqlite3.Connection, saved: Saved) -> RecordTable | None:
        collected, next_name, next_record, _ = db.execute("SELECT * FROM counters").fetchone()
        if collected != self._collected:
            return None
        numbers, new = self._number_names(saved, next_name)
        records = dict(zip(saved.made, range(next_record, next_record + len(saved.made)), strict=True))
        every = (next_name, next_record, *numbers.values(), *records.values())
        if {*map(type, every)} != {int} or min(every) < 1 or max(every) > MOST_NUMBER:
            raise DamagedRowError
        readers = write_records(db, saved.made, numbers, records)
        write_names(db, new, readers, next_name)
        db.executemany(
            "INSERT OR REPLACE INTO outputs(key, size, data) VALUES (?, ?, ?)",
            [(key, len(data), data if len(data) <= INLINE_BYTES else None) for key, data in saved.outputs.items()],
        )
        counters = (next_name + len(new), next_record + len(saved.made))
        db.execute("UPDATE counters SET next_name = ?, next_record = ?", counters)
        row = db.execute("SELECT counter FROM lines WHERE name = ?", (saved.line,)).fetchone()
        if not saved.line or (row[0] if row else 0) != saved.head.counter:
            return None
        changed = {numbers[node]: number for node, number in {**saved.moved, **records}.items()}
        kept = saved.state.records.change(changed)
        write_line(db, saved, kept)
        return kept

    def _number_names(self, saved: Saved, first: int) -> tuple[dict[Name, int], list[tuple[int, Name]]]:
        """The numbers of all names that there are to write; new names get new ones, in the order of the table."""
        made = saved.made.values()
        every: set[Name] = {*saved.made, *saved.moved}
        every.update(*[record.reads for record in made if not are_numbered(record.reads)])
        every.update(*[record.exports for record in made])
        wanted: dict[str, list[str]] = {}
        for space, name in every:
            wanted.setdefault(space, []).append(name)
        numbers: dict[Name, int] = {}
        new: list[tuple[int, Name]] = []
        for space in sorted(wanted):
            known = self.find_ids(space, wanted[space]) if first > 1 else {}
            others = sorted([name for name in wanted[space] if name not in known] if known else wanted[space])
            numbers.update(((space, name), number) for name, number in known.items())
            new += enumerate(zip(repeat(space), others, strict=False), first + len(new))
        numbers.update((name, number) for number, name in new)
        return numbers, new


def read_output(folder: Path, key: object, data: object) -> bytes | None:
    """An output as its row has it, or its file where `data` is None; None where it is not what its digest says."""
    output = read_blob(folder, key) if data is None and isinstance(key, bytes) else data
    return output if isinstance(output, bytes) and digest_output(output) == key else None
