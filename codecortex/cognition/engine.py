"""The engine of one line: what is asked for is fresh, and as little as possible is made anew for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.cognition.ask import Ask, UnknownSpaceError
from codecortex.cognition.changes import is_same, list_changes, list_exported
from codecortex.cognition.digests import Digests
from codecortex.cognition.exports import ExportTable
from codecortex.cognition.line import Line
from codecortex.model.cognition.records import ABSENT, Head, Record, Saved, digest_output, digest_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from codecortex.cognition.interface import NodeStore
    from codecortex.cognition.kinds import Inputs, Kind, LineName
    from codecortex.model.cognition.records import Change, Name


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
        # Of these, a line is told each name that answers otherwise.
        self._told = {*self._given, *self._makers}
        self._below = _close(self._kinds, self._makers)
        self._digests = Digests(self._look_up)
        self._marks = {kind.name: kind.mark for kind in kinds}
        self._fresh: dict[Name, Record] = {}
        self._held: dict[bytes, bytes] = {}
        self._names: dict[Name, Name] = {}  # what nodes have read, each once
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

    def find_holding(self, kind: str, key: str) -> Record | None:
        """The record, of whatever line, that a node has without being built."""
        self._bring_up(kind, (key,), build=False)
        return self._fresh.get((kind, key))

    def list_made(self, kind: str) -> list[str]:
        """The keys of the nodes of a kind that the line had when it was saved."""
        return sorted(self._line.list_keys(kind))

    def value_of(self, space: str, name: str) -> str | None:
        """The value that was given under a name."""
        return self._given[space].get(name)

    def digests(self, space: str, names: Sequence[str]) -> dict[str, bytes]:
        """The digest of what answers to each name in a space; `ABSENT` where nothing does."""
        return self._digests.find(space, names)

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
        if known is not None and known.settled and known.mark == self._marks[kind]:
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
        described, line, mark = self._kinds[kind], self._line, self._marks[kind]
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
            if record is not None and key not in stale and record.mark == mark:
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
        had = {key: [records[key]] for key in keys if key in records}
        for key, record in self._find_holding(kind, had, current=True).items():
            self._take(kind, key, record, record)
        left = [key for key in keys if (kind.name, key) not in self._fresh]
        found = self._line.list_records(kind.name, left) if left else {}
        older = {
            key: [each for each in every if key not in had or each.id != had[key][0].id] for key, every in found.items()
        }
        for key, record in self._find_holding(kind, older, current=False).items():
            changes += self._take(kind, key, record, records.get(key))
        self._line.propagate(changes, self._fresh)
        return [key for key in left if (kind.name, key) not in self._fresh]

    def _find_holding(self, kind: Kind, records: Mapping[str, Sequence[Record]], *, current: bool) -> dict[str, Record]:
        """By key, the first of some records all of whose inputs are what they were.

        What has to be looked up for it is looked up all at once: most of it is asked for again where none holds.
        """
        mark = self._marks[kind.name]
        wanted = {key: [each for each in found if each.mark == mark] for key, found in records.items()}
        self._preload(kind, wanted, current=current)
        found = {}
        for key, each in wanted.items():
            for record in each:
                if self._digests.hold(record, self._known):
                    found[key] = record
                    break
        return found

    def _preload(self, kind: Kind, records: Mapping[str, Sequence[Record]], *, current: bool) -> None:
        """Have what answers to the names at hand that nodes have read; `current`: the records are those of the line."""
        self._store.name_all([record for found in records.values() for record in found])
        missing: dict[str, dict[str, None]] = {}
        for key, found in records.items():
            changed = self._line.list_changed(kind.name, key) if current else None
            for record in found:
                for space, name in self._digests.recall(record, self._told, changed):
                    missing.setdefault(space, {})[name] = None
        for space in kind.reads:
            names = list(missing.get(space, ()))
            if space not in self._kinds:
                self._digests.find(space, names)
            elif names:  # nothing is built for it: that may rest on what comes before
                self._bring_up(space, names, build=False)
                fresh = {name: self._fresh[space, name].output for name in names if (space, name) in self._fresh}
                self._digests.put(space, fresh)

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
            if known is None or known.mark != self._marks[below] or below in line.doubted or line.stale.get(below):
                return False
        return True

    def _build(self, kind: str, keys: Sequence[str]) -> None:
        described, line, mark = self._kinds[kind], self._line, self._marks[kind]
        known = line.find_records(kind, keys)
        self._load_read(described, known.values())
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
            before = self._fresh.get((kind, key)) or known.get(key)
            shared = self._names.setdefault
            reads: Sequence[Name] = tuple([shared(name, name) for name in ask.read])
            if before is not None and reads == tuple(before.reads):
                reads = before.reads  # whose numbers the store knows
            told = "\n".join(ask.told)
            record = Record(0, mark, digest, reads, b"".join(ask.read.values()), names, slices, told)
            if before is not None and is_same(record, before):
                record = before
            else:
                self._made[kind, key] = record
            changes += self._take(described, key, record, known.get(key))
        for key in left:  # it could not be made now; the next time it is asked for, it is tried again
            self._fresh[kind, key] = Record(0, mark, ABSENT, (), b"")
            line.postpone(kind, key)
        self.built[kind] = self.built.get(kind, 0) + len(asks) - len(left)
        line.propagate(changes, self._fresh)

    def _load_read(self, kind: Kind, records: Iterable[Record]) -> None:
        """Load the outputs of fresh nodes that nodes have read before, all at once."""
        kept = {space for space in kind.reads if space in self._kinds and self._kinds[space].keep}
        if kept:
            read = {name for record in records for name in record.reads if name[0] in kept and name in self._fresh}
            outputs = {self._fresh[name].output for name in read}
            missing = [digest for digest in outputs if digest != ABSENT and digest not in self._held]
            self._held.update(self._store.load_outputs(missing) if missing else {})

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
            self._exports[space].put(key, list_exported(record, space))
        return list_changes(node, before, record) if self._line.records else []

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


def digest_given(value: str | None) -> bytes:
    """The digest of a given value."""
    return ABSENT if value is None else digest_text(value)


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
