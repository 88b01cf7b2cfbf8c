"""The engine of one line: what is asked for is fresh, and as little as possible is made anew for it."""

from __future__ import annotations

from itertools import groupby, repeat
from operator import itemgetter
from typing import TYPE_CHECKING

from codecortex.cognition.ask import Ask, UnknownSpaceError
from codecortex.cognition.exports import ExportTable
from codecortex.cognition.line import Line
from codecortex.model.cognition.records import ABSENT, WIDTH, Change, Head, Record, Saved, digest_output, digest_text

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from codecortex.cognition.interface import NodeStore
    from codecortex.cognition.kinds import Inputs, Kind, LineName
    from codecortex.model.cognition.records import Name

_SPACE = itemgetter(0)


class Engine:
    """Nodes of some kinds on one line, brought up to what is given.

    Attributes:
        built: How many nodes this process has built, by kind.
        before: By node that has another record now, the one that it had on the line.
    """

    def __init__(self, store: NodeStore, line: LineName, kinds: Sequence[Kind], inputs: Inputs) -> None:
        """Open a line; nothing is made yet.

        Args:
            store: Where it is kept.
            line: Which.
            kinds: Each after those that it reads.
            inputs: What it is brought up to.
        """
        self._store = store
        self._kinds = {kind.name: kind for kind in kinds}
        self._given = inputs.given
        self._spaces = {space.name: space for space in inputs.spaces}
        self._line = Line(store, line, inputs)
        self._makers = {space: kind.name for kind in kinds for space in kind.spaces}
        self._exports = {space: ExportTable(store, space, self._line) for space in self._makers}
        self._known = {*self._given, *self._spaces, *self._kinds, *self._makers}
        # Nothing is built for their answers, once what exports is settled: they are asked all at once.
        self._plain = {*self._given, *self._spaces, *self._makers}
        self._below = _close(self._kinds, self._makers)
        self._memo: dict[str, dict[str, bytes]] = {}
        self._fresh: dict[Name, Record] = {}
        self._held: dict[bytes, bytes] = {}
        self._made: dict[Name, Record] = {}
        self._moved: dict[Name, int] = {}
        self._new: dict[bytes, bytes] = {}
        self._done: set[str] = set()
        self.built: dict[str, int] = {}
        self.before: dict[Name, Record] = {}

    # -- answers

    def get(self, kind: str, key: str) -> bytes | None:
        """The fresh output of a node; None if there is no such node."""
        return self.get_many(kind, (key,))[key]

    def get_many(self, kind: str, keys: Sequence[str]) -> dict[str, bytes | None]:
        """The fresh outputs of nodes, by key."""
        self._bring_up(kind, keys)
        wanted = {key: self._fresh[kind, key].output for key in keys}
        missing = [digest for digest in wanted.values() if digest != ABSENT and digest not in self._held]
        if missing and self._kinds[kind].keep:
            self._held.update(self._store.load_outputs(missing))
        lost = [key for key, digest in wanted.items() if digest != ABSENT and digest not in self._held]
        if lost:  # not kept, or damaged: what the same inputs give is the same again
            self._build(kind, lost)
            wanted = {key: self._fresh[kind, key].output for key in keys}
        return {key: None if digest == ABSENT else self._held[digest] for key, digest in wanted.items()}

    def get_kept(self, kind: str, keys: Sequence[str]) -> dict[str, bytes]:
        """The fresh outputs of those of some nodes that need not be built for it."""
        self._bring_up(kind, keys, build=False)
        wanted = {key: self._fresh[kind, key].output for key in keys if (kind, key) in self._fresh}
        missing = [digest for digest in wanted.values() if digest != ABSENT and digest not in self._held]
        self._held.update(self._store.load_outputs(missing) if missing else {})
        return {key: self._held[digest] for key, digest in wanted.items() if digest in self._held}

    def find_record(self, kind: str, key: str) -> Record | None:
        """The record that a node had when the line was saved; nothing is built."""
        return self._line.find_records(kind, (key,)).get(key) if kind in self._kinds else None

    def find_newest(self, kind: str, key: str) -> Record | None:
        """The newest record of a node, whatever line it is of; nothing is built."""
        return next(iter(self._line.list_records(kind, (key,)).get(key, ())), None)

    def list_made(self, kind: str) -> list[str]:
        """The keys of the nodes of a kind that the line had when it was saved."""
        return sorted(self._line.list_keys(kind))

    def value_of(self, space: str, name: str) -> str | None:
        """The value that was given under a name."""
        return self._given[space].get(name)

    def digests(self, space: str, names: Sequence[str]) -> dict[str, bytes]:
        """The digest of what answers to each name in a space; `ABSENT` where nothing does."""
        memo = self._memo.setdefault(space, {})
        try:
            return {name: memo[name] for name in names}
        except KeyError:
            missing = [name for name in dict.fromkeys(names) if name not in memo]
        memo.update(zip(missing, self._look_up(space, missing), strict=True))
        return {name: memo[name] for name in names}

    def exporters(self, space: str, name: str) -> list[str]:
        """The keys of the nodes that export a name, in order."""
        self.settle(self._makers[space])
        return sorted(self._exports[space].find((name,))[0])

    def list_keys(self, kind: str) -> list[str]:
        """The keys of all nodes of a kind that has a space of keys."""
        over = self._kinds[kind].over
        if over in self._exports:
            self.settle(self._makers[over])
            return sorted(self._exports[over].list_names())
        return sorted(self._given[over])

    # -- bringing up

    def settle(self, kind: str) -> None:
        """Bring up every node of a kind that has a space of keys."""
        if kind in self._done:
            return
        described, line = self._kinds[kind], self._line
        for space in (*described.reads, described.over):
            below = self._makers.get(space, space)
            if below in self._kinds and self._kinds[below].over:
                self.settle(below)
        line.spread_doubt(kind)
        known = line.kinds.get(kind)
        if known is not None and known.settled and known.mark == described.mark:
            keys = list(line.stale.get(kind, ()))
        else:
            keys = sorted({*self.list_keys(kind), *line.list_keys(kind)})
        self._bring_up(kind, keys)
        line.settle(described)
        self._done.add(kind)

    def _bring_up(self, kind: str, keys: Sequence[str], *, build: bool = True) -> None:
        wanted = [key for key in dict.fromkeys(keys) if (kind, key) not in self._fresh]
        if not wanted:
            return
        described, line = self._kinds[kind], self._line
        for space in described.reads:
            if space in self._makers:  # any node that is not fresh may export what was missing
                self.settle(self._makers[space])
        records = line.find_records(kind, wanted)
        if not self._is_quiet(kind):
            self._bring_up_inputs(kind, records)
        line.spread_doubt(kind)
        stale = line.stale.get(kind, {})
        if len(records) < len(wanted) and line.list_lost(kind, wanted):
            line.doubted.update(above for above, below in self._below.items() if kind in below)
        doubtful = []
        for key in wanted:
            record = records.get(key)
            if record is not None and key not in stale and record.mark == described.mark:
                self._fresh[kind, key] = record
            else:
                doubtful.append(key)
        if doubtful:
            line.meet(described)
            left = self._revive(described, doubtful, records)
            if left and build:
                self._build(kind, left)

    def _revive(self, kind: Kind, keys: Sequence[str], records: Mapping[str, Record]) -> list[str]:
        """Have nodes stand on the record they had, or an older one, where all its inputs are what they were.

        Returns:
            The keys of those that have none.
        """
        changes: list[Change] = []
        had = {key: records[key] for key in keys if key in records}
        self._preload(kind, had.values())
        for key, record in self._find_holding(kind, {key: [record] for key, record in had.items()}).items():
            self._take(kind, key, record, record)
        left = [key for key in keys if (kind.name, key) not in self._fresh]
        older = {
            key: [each for each in found if key not in had or each.id != had[key].id]
            for key, found in (self._line.list_records(kind.name, left) if left else {}).items()
        }
        for key, record in self._find_holding(kind, older).items():
            changes += self._take(kind, key, record, records.get(key))
        self._line.propagate(changes, self._fresh)
        return [key for key in left if (kind.name, key) not in self._fresh]

    def _preload(self, kind: Kind, records: Iterable[Record]) -> dict[str, dict[str, Record]]:
        """Look up all at once what nodes have read before: most of them will read it again.

        Returns:
            By kind and key, the records that the nodes among it have.
        """
        known = [record for record in records if record.mark == kind.mark]
        self._store.name_all(known)
        spaces = _group(known)
        for space in spaces.keys() & self._plain.intersection(kind.reads):
            self.digests(space, spaces[space])
        below = spaces.keys() & self._kinds.keys()
        return {space: self._line.find_records(space, spaces[space]) for space in below}

    def _preload_outputs(self, kind: Kind, records: Iterable[Record]) -> None:
        """The same, with the outputs of the nodes among it."""
        found = self._preload(kind, records)
        kept = [record.output for name, each in found.items() if self._kinds[name].keep for record in each.values()]
        missing = [digest for digest in kept if digest != ABSENT and digest not in self._held]
        if missing:
            self._held.update(self._store.load_outputs(missing))

    def _find_holding(self, kind: Kind, records: Mapping[str, Sequence[Record]]) -> dict[str, Record]:
        """By key, the first of some records all of whose inputs are what they were."""
        every = [record for found in records.values() for record in found if record.mark == kind.mark]
        self._store.name_all(every)
        holding = self._list_holding(every) if self._plain.issuperset(kind.reads) else None
        found = {}
        for key, each in records.items():
            for record in each:
                if record.mark == kind.mark and (self._holds(record) if holding is None else record.id in holding):
                    found[key] = record
                    break
        return found

    def _list_holding(self, records: Collection[Record]) -> set[int]:
        """The numbers of those of the records all of whose inputs are what they were; nothing is built for them."""
        answers: dict[Name, bytes] = {}
        for space, names in _group(records).items():
            if space in self._plain:
                digests = self.digests(space, names).values()
                answers.update(zip(zip(repeat(space), names, strict=False), digests, strict=True))
        return {
            record.id for record in records if b"".join([answers.get(n, b"") for n in record.reads]) == record.digests
        }

    def _bring_up_inputs(self, kind: str, records: Mapping[str, Record]) -> None:
        """Bring up the nodes that nodes stand on which no change has reached yet; these mark what they change."""
        stale = self._line.stale.get(kind, {})
        self._store.name_all([record for key, record in records.items() if key not in stale])
        wanted: dict[str, dict[str, None]] = {}
        for key, record in records.items():
            if key not in stale:
                for space, name in record.reads:
                    if space in self._kinds:
                        wanted.setdefault(space, {})[name] = None
        for below, keys in wanted.items():
            self._bring_up(below, list(keys))

    def _is_quiet(self, kind: str) -> bool:
        """Whether nothing that nodes of a kind stand on can have changed without being noted with them."""
        line = self._line
        for below in self._below[kind]:
            if below in self._done:
                continue
            known = line.kinds.get(below)
            if known is None or known.mark != self._kinds[below].mark or below in line.doubted or line.stale.get(below):
                return False
        return True

    def _holds(self, record: Record) -> bool:
        """Whether its inputs are what they were; in the order they were asked for, as later ones rest on earlier."""
        at = 0
        for space, group in groupby(record.reads, key=_SPACE):
            names = [name for _, name in group]
            end = at + WIDTH * len(names)
            if space not in self._known:
                return False  # what it was made from is damaged
            if b"".join(self.digests(space, names).values()) != record.digests[at:end]:
                return False
            at = end
        return True

    def _build(self, kind: str, keys: Sequence[str]) -> None:
        described, line, mark = self._kinds[kind], self._line, self._kinds[kind].mark
        known = line.find_records(kind, keys)
        self._preload_outputs(described, known.values())
        asks = {key: Ask(self, kind, described.reads) for key in keys}
        changes: list[Change] = []
        left = dict.fromkeys(keys)
        for key, output in described.build(asks):
            del left[key]
            ask = asks[key]
            exported: Mapping[str, Mapping[str, bytes]] = {}
            digest = ABSENT if output is None else digest_output(output)
            if output is not None:
                self._held[digest] = output
                if described.keep:
                    self._new[digest] = output
                if described.exports is not None:
                    exported = described.exports(output)
            names = [(space, name) for space, each in exported.items() for name in each]
            slices = b"".join([part for each in exported.values() for part in each.values()])
            read, told = ask.read, "\n".join(ask.told)
            record = Record(0, mark, digest, tuple(read), b"".join(read.values()), names, slices, told)
            before = self._fresh.get((kind, key)) or known.get(key)
            if before is not None and _is_same(record, before):
                record = before
            else:
                self._made[kind, key] = record
            changes += self._take(described, key, record, known.get(key))
        for key in left:  # it could not be made now; the next time it is asked for, it is tried again
            self._fresh[kind, key] = Record(0, mark, ABSENT, (), b"")
            line.postpone(kind, key)
        self.built[kind] = self.built.get(kind, 0) + len(asks) - len(left)
        line.propagate(changes, self._fresh)

    def _take(self, kind: Kind, key: str, record: Record, before: Record | None) -> list[Change]:
        """Make a record the one of its node; what answers otherwise now."""
        node = (kind.name, key)
        self._fresh[node] = record
        self._line.freshen(kind.name, key)
        if record is before:
            return []
        if record.id:
            self._moved[node] = record.id
        if before is not None:
            self.before.setdefault(node, before)
        for space in kind.spaces:
            self._exports[space].put(key, _list_exported(record, space))
        return _list_changes(node, before, record) if self._line.records else []

    def _look_up(self, space: str, names: Sequence[str]) -> Iterable[bytes]:
        if space in self._spaces:
            return self._spaces[space].look_up(names)
        if space in self._kinds:
            self._bring_up(space, names)
            return [self._fresh[space, name].output for name in names]
        if space in self._makers:
            self.settle(self._makers[space])
            return self._exports[space].digests(names)
        if space not in self._given:
            raise UnknownSpaceError(f"Nothing answers for the space {space}.")
        return [digest_given(self._given[space].get(name)) for name in names]

    # -- keeping

    def save(self) -> bool:
        """Keep what was made; whether the line was kept too (`NodeStore.save`)."""
        line = self._line
        if not (self._made or self._moved or self._new or line.changed):
            return True
        records = self._store.save(
            Saved(
                line.name,
                Head(line.top, line.counter),
                line.write_state(),
                self._given if line.moved else None,
                self._made,
                self._moved,
                self._new,
            )
        )
        self._made, self._moved, self._new = {}, {}, {}
        if records is not None:
            line.move_on(records)
        return records is not None


def _group(records: Iterable[Record]) -> dict[str, list[str]]:
    """By space, the names that records have read."""
    every: set[Name] = set().union(*[record.reads for record in records])
    spaces: dict[str, list[str]] = {}
    for space, name in every:
        spaces.setdefault(space, []).append(name)
    return spaces


def digest_given(value: str | None) -> bytes:
    """The digest of a given value."""
    return ABSENT if value is None else digest_text(value)


def _is_same(record: Record, other: Record) -> bool:
    return (record.mark, record.output, record.digests) == (other.mark, other.output, other.digests) and [
        *record.reads
    ] == [*other.reads]


def _list_exported(record: Record, space: str) -> list[tuple[str, bytes]]:
    exported = record.exported
    return [
        (name, exported[at * WIDTH : at * WIDTH + WIDTH])
        for at, (where, name) in enumerate(record.exports)
        if where == space
    ]


def _list_changes(node: Name, before: Record | None, record: Record) -> list[Change]:
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


def _close(kinds: Mapping[str, Kind], makers: Mapping[str, str]) -> dict[str, set[str]]:
    """By kind, all kinds that it stands on."""
    below: dict[str, set[str]] = {}
    for name, kind in kinds.items():
        direct = {makers.get(space, space) for space in (*kind.reads, kind.over)} & kinds.keys()
        missing = direct - below.keys()
        if missing:
            raise UnknownSpaceError(f"{name} reads {', '.join(sorted(missing))}, which does not stand before it.")
        below[name] = direct.union(*(below[each] for each in direct))
    return below
