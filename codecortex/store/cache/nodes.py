"""The cognition graph in the local cache: a row a name, with the nodes that have ever read it, and a row a record.

Records and outputs are shared by all lines and never change; a line says which record each of its nodes has. So a new
line costs one row, and two processes that make the same at once only make it twice. Numbers of names and records are
never used again; what has been collected since a line was loaded is not referred to (`counters`).
"""

from __future__ import annotations

import time
from array import array
from collections import defaultdict
from collections.abc import Sequence
from itertools import repeat
from typing import TYPE_CHECKING, Any, TypeGuard, TypeVar
from zlib import crc32

from codecortex.model.cognition.records import (
    Change,
    Exported,
    Head,
    KindState,
    LineState,
    Record,
    cut_digests,
    digest_output,
)
from codecortex.model.cognition.table import RecordTable
from codecortex.store.cache.blobs import read_blob, write_blob
from codecortex.store.cache.rows import load_row, pack_row

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
    from pathlib import Path

    from codecortex.model.cognition.records import Name, Saved
    from codecortex.store.cache.cache import Cache

INLINE_BYTES = 65_536
_BATCH = 500
_DAY = 86_400
GONE = ("", "")
_RECORD = "id, node, mark, output, reads, digests, exports, exported, told, created, digest"
_EXPORTS = """
    SELECT asked.name, keys.name, node, record, digest
    FROM exports JOIN names AS asked ON asked.id = exports.name JOIN names AS keys ON keys.id = node WHERE {}
"""

_T = TypeVar("_T")


class LazyNames(Sequence["Name"]):
    """Names that are looked up when the first of them is needed."""

    def __init__(self, numbers: array[int], look_up: Callable[[Iterable[int]], list[Name]]) -> None:
        self.numbers = numbers
        self._look_up = look_up
        self._names: list[Name] | None = None

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, at: Any) -> Any:
        if self._names is None:
            self._names = self._look_up(self.numbers)
        return self._names[at]

    def __iter__(self) -> Iterator[Name]:
        return iter(self[:])


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
        return self._load_part(line, 0, _read_state)

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
        for batch, marks in _cut(missing):
            rows = self._cache.read(
                f"SELECT name, id FROM names WHERE space = ? AND name IN ({marks})",  # noqa: S608 - marks
                (space, *map(_to_column, batch)),
            )
            known.update((_from_column(name), number) for name, number in rows)
        return {name: known[name] for name in names if name in known}

    def list_ids(self, space: str) -> dict[str, int]:
        """The numbers of all known names of a space."""
        rows = self._cache.read("SELECT name, id FROM names WHERE space = ?", (space,))
        return {_from_column(name): number for name, number in rows}

    def _name(self, ids: Iterable[int]) -> None:
        """Have names at hand."""
        for batch, marks in _cut([each for each in dict.fromkeys(ids) if each not in self._names]):
            rows = self._cache.read(f"SELECT id, space, name FROM names WHERE id IN ({marks})", batch)  # noqa: S608
            for number, space, column in rows:
                name = _from_column(column)
                self._names[number] = (space, name)
                self._ids.setdefault(space, {})[name] = number

    # -- records

    def load_records(self, ids: Collection[int]) -> dict[int, Record]:
        """Records by number; what is damaged is left out."""
        rows: list[tuple[Any, ...]] = []
        for batch, marks in _cut(list(ids)):
            query = f"SELECT {_RECORD} FROM records WHERE id IN ({marks})"  # noqa: S608 - marks
            rows += [row for row in self._cache.read(query, batch) if digest_row(row[1:-1]) == row[-1]]
        return {row[0]: self._read_record(row) for row in rows}

    def list_records(self, nodes: Collection[int]) -> dict[int, list[int]]:
        """By node, the numbers of its records, newest first."""
        found: dict[int, list[int]] = {}
        for batch, marks in _cut(list(nodes)):
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
        """By name, the nodes that have ever read it, all by number."""
        found: dict[int, Sequence[int]] = {}
        for batch, marks in _cut(list(names)):
            rows = self._cache.read(f"SELECT id, readers FROM names WHERE id IN ({marks})", batch)  # noqa: S608 - marks
            found.update((name, unpack_numbers(readers)) for name, readers in rows)
        return found

    def find_exports(self, names: Collection[int]) -> list[Exported]:
        """Who exports or has exported these names."""
        return [
            each
            for batch, marks in _cut(list(names))
            for each in self._list_exports(f"exports.name IN ({marks})", batch)
        ]

    def list_exports(self, space: str) -> list[Exported]:
        """The same of all names of a space."""
        return self._list_exports("asked.space = ?", (space,))

    def _list_exports(self, where: str, values: Collection[object]) -> list[Exported]:
        rows = self._cache.read(_EXPORTS.format(where), tuple(values))
        return [Exported(_from_column(name), _from_column(key), *others) for name, key, *others in rows]

    # -- outputs

    def load_outputs(self, digests: Collection[bytes]) -> dict[bytes, bytes]:
        """Outputs by digest; what is damaged is left out."""
        found = {}
        for batch, marks in _cut(list(dict.fromkeys(digests))):
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
        readers = _write_records(db, saved.made, numbers, records)
        _write_names(db, new, readers, next_name)
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
        _write_line(db, saved, kept)
        return kept

    def _number_names(self, saved: Saved, first: int) -> tuple[dict[Name, int], list[tuple[int, Name]]]:
        """The numbers of all names that there are to write; new names get new ones, in the order of the table."""
        made = saved.made.values()
        every: set[Name] = {*saved.made, *saved.moved}
        every.update(*[each for record in made for each in (record.reads, record.exports) if not _are_numbered(each)])
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


def _write_names(
    db: sqlite3.Connection, new: Sequence[tuple[int, Name]], readers: Mapping[int, Sequence[int]], first: int
) -> None:
    """Add new names, which are numbered from `first` on, and new readers of others."""
    none: Sequence[int] = ()
    rows = ((number, name[0], _to_column(name[1]), pack_numbers(readers.get(number, none))) for number, name in new)
    db.executemany("INSERT INTO names(id, space, name, readers) VALUES (?, ?, ?, ?)", rows)
    more = [number for number in readers if number < first]
    known: dict[int, bytes] = {}
    for batch, marks in _cut(more):
        known.update(db.execute(f"SELECT id, readers FROM names WHERE id IN ({marks})", batch))  # noqa: S608 - marks
    grown = ((known[number] + pack_numbers(readers[number]), number) for number in more if number in known)
    db.executemany("UPDATE names SET readers = ? WHERE id = ?", grown)


def _list_read(db: sqlite3.Connection, nodes: Iterable[int]) -> dict[int, set[int]]:
    """By node, the names that any of its records has read."""
    found: dict[int, set[int]] = {}
    for batch, marks in _cut(list(nodes)):
        for node, reads in db.execute(f"SELECT node, reads FROM records WHERE node IN ({marks})", batch):  # noqa: S608
            found.setdefault(node, set()).update(unpack_numbers(reads))
    return found


def _write_records(
    db: sqlite3.Connection, made: Mapping[Name, Record], numbers: Mapping[Name, int], records: Mapping[Name, int]
) -> dict[int, list[int]]:
    """Add records; the readers that names have got by them."""
    now = int(time.time())
    rows: list[tuple[object, ...]] = []
    exports: list[tuple[int, int, int, bytes]] = []
    readers: dict[int, list[int]] = defaultdict(list)
    number_of = numbers.__getitem__
    known = _list_read(db, [number_of(node) for node, record in made.items() if not _are_numbered(record.reads)])
    for node_name, record in made.items():
        node, number = number_of(node_name), records[node_name]
        read, slices = (
            names.numbers if _are_numbered(names) else array("I", map(number_of, names))
            for names in (record.reads, record.exports)
        )
        if not _are_numbered(record.reads):  # else an older record has read the same
            before = known.get(node, ())
            for each in read:
                if each not in before:
                    readers[each].append(node)
        if slices:
            digests = cut_digests(record.exported)
            exports += zip(slices, repeat(number), repeat(node), digests)
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


def _are_numbered(names: Sequence[Name]) -> TypeGuard[LazyNames]:
    """Whether names come from the store, which knows their numbers."""
    return isinstance(names, LazyNames)


def _write_line(db: sqlite3.Connection, saved: Saved, records: RecordTable) -> None:
    state = _pack_state(saved.state._replace(records=records))
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


def digest_row(values: tuple[Any, ...]) -> int:
    """What guards a record against chance."""
    parts = [value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass") for value in values]
    return crc32(b"\0".join(parts))


def read_output(folder: Path, key: object, data: object) -> bytes | None:
    """An output as its row has it, or its file where `data` is None; None where it is not what its digest says."""
    output = read_blob(folder, key) if data is None and isinstance(key, bytes) else data
    return output if isinstance(output, bytes) and digest_output(output) == key else None


def _pack_state(state: LineState) -> bytes:
    stale = {
        kind: {key: [tuple(c) for c in each] for key, each in nodes.items()} for kind, nodes in state.stale.items()
    }
    kinds = {name: tuple(kind) for name, kind in state.kinds.items()}
    records = (state.records.nodes.tobytes(), state.records.numbers.tobytes())
    return pack_row((dict(state.tops), *records, stale, kinds, sorted(state.doubted)))


def _read_state(row: Any) -> LineState:
    tops, nodes, records, stale, kinds, doubted = row
    return LineState(
        tops,
        RecordTable(unpack_numbers(nodes), unpack_numbers(records)),
        {kind: {key: tuple(map(Change._make, c)) for key, c in each.items()} for kind, each in stale.items()},
        {name: KindState._make(kind) for name, kind in kinds.items()},
        frozenset(doubted),
    )


def pack_numbers(numbers: Iterable[int]) -> bytes:
    """Numbers as a column has them."""
    return array("I", numbers).tobytes()


def unpack_numbers(data: object) -> array[int]:
    """The numbers in a column; none where it is damaged."""
    numbers = array("I")
    if isinstance(data, bytes) and len(data) % numbers.itemsize == 0:
        numbers.frombytes(data)
    return numbers


def _cut(values: Collection[_T]) -> Iterator[tuple[list[_T], str]]:
    """Values in batches, with a mark for each."""
    every = list(values)
    for start in range(0, len(every), _BATCH):
        batch = every[start : start + _BATCH]
        yield batch, ",".join("?" * len(batch))


def _to_column(text: str) -> str | bytes:
    """A name as SQLite takes it: paths need not be text."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")
    return text


def _from_column(value: str | bytes) -> str:
    return value if isinstance(value, str) else value.decode("utf-8", "surrogatepass")
