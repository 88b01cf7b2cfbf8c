"""One line: what its nodes' records were when it was last saved, and which of them changes have reached since."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from codecortex.model.cognition.records import (
    ABSENT,
    EMPTY_LINE,
    Change,
    KindState,
    LineState,
    digest_output,
    digest_text,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from codecortex.cognition.interface import NodeStore
    from codecortex.cognition.kinds import Inputs, Kind, LineName
    from codecortex.model.cognition.records import Name, Record
    from codecortex.model.cognition.table import RecordTable

_MOST_REASONS = 8
_MOST_RECORDS = 16  # of a node: what is edited all day has hundreds, and to try one costs half of making it anew


class Line:
    """The nodes of one line.

    Attributes:
        name: Its name.
        top: A digest of all names and values that are given to it now.
        counter: How often it was saved; 0 for a new one.
        moved: Whether something else was given to it when it was saved.
        changed: Whether there is more to save than records.
    """

    def __init__(self, store: NodeStore, line: LineName, inputs: Inputs) -> None:
        self.name = name = line.name
        self._store = store
        self._tops = {space.name: space.top for space in inputs.spaces}
        self._spaces = inputs.spaces
        self._before: Mapping[str, Mapping[str, str]] | None = None  # what was given before, if it was not the same
        self._ids: dict[str, dict[str, int]] = {}
        self._loaded: dict[int, Record] = {}
        self.top = _digest_given(inputs.given)
        head = store.load_head(name) if name else None
        self.counter = head.counter if head is not None else 0
        self._from = name
        if head is None and line.basis:
            head, self._from = store.load_head(line.basis), line.basis
        self._new = head is None
        self.moved = head is None or head.top != self.top or self._from != name
        self.changed = self.moved
        if head is not None and head.top != self.top:
            before = store.load_given(self._from)
            if before is None:
                self._new = True
            else:
                self._before = before
                self._find_changes(before, inputs.given)

    @cached_property
    def _state(self) -> LineState:
        state = None if self._new else self._store.load_state(self._from)
        self._new = state is None
        return EMPTY_LINE if state is None else state

    @property
    def records(self) -> RecordTable:
        """Which record each node has."""
        return self._state.records

    @cached_property
    def stale(self) -> dict[str, dict[str, tuple[Change, ...]]]:
        """By kind and key, the nodes that are to be looked at, and what changed of what they were made from."""
        return {kind: dict(nodes) for kind, nodes in self._state.stale.items()}

    @cached_property
    def kinds(self) -> dict[str, KindState]:
        """By kind, what is known of it."""
        return dict(self._state.kinds)

    @cached_property
    def doubted(self) -> set[str]:
        """The kinds of which every node is to be looked at: those that read a provided space which has changed."""
        before = self._state.tops
        moved = {name for name, top in self._tops.items() if before.get(name) != top}
        self.changed |= bool(moved)
        narrowed = {name: names for name in moved & before.keys() if (names := self._list_moved(name)) is not None}
        moved -= narrowed.keys()
        known = {*self._state.doubted, *(kind for kind, known in self.kinds.items() if moved.intersection(known.reads))}
        self.doubted = known  # already here: what follows may doubt more
        self.propagate([Change((space, name), b"", b"") for space in narrowed for name in narrowed[space]], ())
        return known

    def _list_moved(self, name: str) -> list[str] | None:
        """The names in a provided space, of those that nodes have read, that may answer otherwise; None if any may."""
        space = next(each for each in self._spaces if each.name == name)
        if space.find_moved is None or self._before is None:
            return None
        may = space.find_moved(self._before)
        return None if may is None else [each for each in self._store.list_ids(name) if may(each)]

    def write_state(self) -> LineState:
        """The state to keep, with the records that the line was loaded with."""
        stale = {kind: nodes for kind, nodes in self.stale.items() if nodes}
        tops = {**self._state.tops, **self._tops}
        return LineState(tops, self.records, stale, self.kinds, frozenset(self.doubted))

    def _find_changes(self, before: Mapping[str, Mapping[str, str]], given: Mapping[str, Mapping[str, str]]) -> None:
        changes = []
        nothing: Mapping[str, str] = {}
        for space in {**before, **given}:
            old, new = before.get(space, nothing), given.get(space, nothing)
            gone = [name for name in old if name not in new]
            for name in (*gone, *(name for name, value in new.items() if old.get(name) != value)):
                was, is_now = old.get(name), new.get(name)
                changes.append(
                    Change(
                        (space, name),
                        ABSENT if was is None else digest_text(was),
                        ABSENT if is_now is None else digest_text(is_now),
                    )
                )
        self.propagate(changes, ())

    def propagate(self, changes: Sequence[Change], fresh: Collection[Name]) -> None:
        """Note with each node that has read a changed name that it is to be looked at."""
        if not changes or not self.records:
            return
        self._note_keys(changes, fresh)
        by_id: dict[int, Change] = {}
        spaces: dict[str, dict[str, Change]] = {}
        for change in changes:
            spaces.setdefault(change.name[0], {})[change.name[1]] = change
        for space, named in spaces.items():
            by_id.update((number, named[name]) for name, number in self._find_ids(space, list(named)).items())
        records = self.records
        found = self._store.find_readers(by_id)
        if len(found) < len(by_id):  # whoever read a name whose row is damaged, every node is to be looked at
            self.doubted |= self.kinds.keys()
        reading = [(name, [node for node in nodes if node in records]) for name, nodes in found.items()]
        numbers = list({node for _, nodes in reading for node in nodes})
        called = dict(zip(numbers, self._store.names_of(numbers), strict=True))
        for name, nodes in reading:
            for kind, key in (called[node] for node in nodes):
                if (kind, key) not in fresh:
                    stale = self.stale.setdefault(kind, {})
                    reasons = stale.get(key)
                    if reasons is None:
                        stale[key] = (by_id[name],)
                    elif reasons and len(reasons) < _MOST_REASONS and by_id[name] not in reasons:
                        stale[key] = (*reasons, by_id[name])
        self.changed = True

    def _note_keys(self, changes: Iterable[Change], fresh: Collection[Name]) -> None:
        """Note the nodes that there may be now, because the space of their kind's keys has a new name."""
        over: dict[str, list[str]] = {}
        for kind, known in self.kinds.items():
            if known.over and known.settled:
                over.setdefault(known.over, []).append(kind)
        for (space, name), before, after in changes:
            if ABSENT in (before, after):
                for kind in over.get(space, ()):
                    if (kind, name) not in fresh:
                        self.stale.setdefault(kind, {}).setdefault(name, ())

    def spread_doubt(self, kind: str) -> None:
        """Note with each node of a doubted kind that it is to be looked at."""
        if kind in self.doubted:
            nodes = self.stale.setdefault(kind, {})
            nodes.update(dict.fromkeys(self.list_keys(kind), ()))  # whatever is known to have changed, more may have
            self.doubted.discard(kind)
            self.changed = True

    def list_changed(self, kind: str, key: str) -> set[Name] | None:
        """The names that answer otherwise than when a node was made; None where more may than are known."""
        reasons = self.stale.get(kind, {}).get(key, ())
        return {change.name for change in reasons} if 0 < len(reasons) < _MOST_REASONS else None

    def freshen(self, kind: str, key: str) -> None:
        """Note that a node is fresh."""
        if self.stale.get(kind, {}).pop(key, None) is not None:
            self.changed = True

    def postpone(self, kind: str, key: str) -> None:
        """Note that a node could not be brought up."""
        self.stale.setdefault(kind, {}).setdefault(key, ())
        self.changed = True

    def move_on(self, records: RecordTable) -> None:
        """Note that the line was saved, with these records."""
        self._state = self._state._replace(records=records)
        self.counter += 1
        self.moved = self.changed = False

    def meet(self, kind: Kind) -> None:
        """Note of a kind of which nodes are brought up what it reads, so that a change there is told to it later.

        Until all of its nodes are, some may be of an earlier version: then it has no mark.
        """
        known = self.kinds.get(kind.name, KindState(kind.mark, kind.over, (), settled=False))
        if known.mark != kind.mark:
            known = KindState(b"", kind.over, known.reads, settled=False)
        self.kinds[kind.name] = known._replace(reads=tuple(dict.fromkeys((*known.reads, *kind.reads))))

    def settle(self, kind: Kind) -> None:
        """Note that every node of a kind is fresh."""
        state = KindState(kind.mark, kind.over, kind.reads, settled=True)
        self.changed |= self.kinds.get(kind.name) != state
        self.kinds[kind.name] = state

    # -- records

    def _find_ids(self, space: str, names: Sequence[str]) -> dict[str, int]:
        known = self._ids.setdefault(space, {})
        missing = [name for name in names if name not in known]
        if missing:
            known.update(self._store.find_ids(space, missing))
        return {name: known[name] for name in names if name in known}

    def find_records(self, kind: str, keys: Sequence[str]) -> dict[str, Record]:
        """By key, the record that each node had when the line was saved; undamaged ones only."""
        records = self.records
        if not records:
            return {}
        found = {key: records.get(node) for key, node in self._find_ids(kind, keys).items()}
        wanted = {key: number for key, number in found.items() if number is not None}
        loaded = self._load(wanted.values())
        return {key: loaded[number] for key, number in wanted.items() if number in loaded}

    def _load(self, numbers: Collection[int]) -> Mapping[int, Record]:
        missing = [number for number in numbers if number not in self._loaded]
        if missing:
            self._loaded.update(self._store.load_records(missing))
        return self._loaded

    def list_lost(self, kind: str, keys: Sequence[str]) -> list[str]:
        """The keys of nodes whose record is damaged."""
        records = self.records
        found = {key: records.get(node) for key, node in (self._find_ids(kind, keys) if records else {}).items()}
        return [key for key, number in found.items() if number is not None and number not in self._loaded]

    def list_records(self, kind: str, keys: Sequence[str]) -> dict[str, list[Record]]:
        """By key, the newest records of each node, of whatever line, the newest first."""
        ids = self._find_ids(kind, keys)
        found = self._store.list_records(ids.values()) if ids else {}
        newest = {node: numbers[:_MOST_RECORDS] for node, numbers in found.items()}
        loaded = self._load([number for each in newest.values() for number in each])
        return {
            key: [loaded[number] for number in newest.get(node, ()) if number in loaded] for key, node in ids.items()
        }

    def list_keys(self, kind: str) -> list[str]:
        """The keys of all nodes of a kind that the line had when it was saved."""
        records = self.records
        return [key for key, node in (self._store.list_ids(kind) if records else {}).items() if node in records]


def _digest_given(given: Mapping[str, Mapping[str, str]]) -> bytes:
    parts = []
    for space in sorted(given):
        names, values = "\0".join(given[space]), "\0".join(given[space].values())
        if names.count("\0") + values.count("\0") > 2 * max(len(given[space]) - 1, 0):
            raise ValueError("no given name or value may hold a NUL")
        parts += [space, str(len(given[space])), names, values]
    return digest_output("\0".join(parts).encode("utf-8", "surrogatepass"))
