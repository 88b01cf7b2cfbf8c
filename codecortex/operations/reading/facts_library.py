"""Facts and summaries of files by blob and symbol set, each read once however many trees contain the file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codecortex.analysis.types.assemble import iter_owned
from codecortex.analysis.types.identity import names_of
from codecortex.git.listing import Entry
from codecortex.model.code.facts import Using
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.reading.facts import FactsStore, digest_symbols, extract, make_key
from codecortex.store.cache.rows import load_row, pack_row

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from codecortex.analysis.types.meanings import Meanings
    from codecortex.git.repository import Repository
    from codecortex.model.code.facts import FileFacts
    from codecortex.operations.reading.facts import Symbols
    from codecortex.operations.request import Request
    from codecortex.store.cache.cache import Cache

_SUMMARY = b"card1"
_MOST_HELD = 4000
"""The most files whose facts are kept in memory; dropped ones can be read from the cache again."""


FactsKey = tuple[str, bytes]
"""Blob id of a file and digest of the symbols it is read under."""


class FileSummary(NamedTuple):
    """The part of a file's facts that is small enough to keep for every file of a tree.

    Attributes:
        types: FQN and kind of each declaration, and whether it is file-local.
        names: Every simple name in the surfaces of its types and in its alias and static using directives.
        usings: Its global usings.
        degraded: Why its facts may be incomplete; empty if they are complete.
    """

    types: tuple[tuple[str, str, bool], ...]
    names: frozenset[str]
    usings: tuple[Using, ...]
    degraded: str


class FactsLibrary:
    """The facts of the files of one repository, by blob and symbol set."""

    def __init__(self, request: Request, repository: Repository, cache: Cache) -> None:
        self.cache = cache
        self.problems: dict[str, str] = {}  # blob -> why it has no facts
        self.summaries: dict[FactsKey, FileSummary] = {}  # those read so far
        self.meanings: dict[object, Meanings] = {}  # what names mean, by all that this depends on
        self._request = request
        self._repository = repository
        self._facts: dict[FactsKey, FileFacts] = {}
        self._ahead = FactsStore()
        self._digests: dict[Symbols, bytes] = {}

    def digest(self, symbols: Symbols) -> bytes:
        """The digest of a symbol set."""
        found = self._digests.get(symbols)
        if found is None:
            found = self._digests[symbols] = digest_symbols(symbols)
        return found

    def prefetch(self, blobs: Mapping[str, Sequence[Symbols]]) -> None:
        """Parse unknown blobs in parallel; replaces the result of the previous prefetch."""
        wanted = {blob: (Entry(blob, blob), sets) for blob, sets in blobs.items()}
        self._ahead = extract(self._request, self._repository, wanted, self.cache)

    def load(self, wanted: Mapping[str, tuple[Entry, Sequence[Symbols]]]) -> None:
        """Read the facts of files that are not in memory."""
        missing = self._list_missing(wanted)
        if not missing:
            return
        if len(self._facts) > _MOST_HELD:
            self._facts.clear()
        store = self._extract(missing)
        for path, (entry, sets) in missing.items():
            for digest in map(self.digest, sets):
                facts = store.get(path, digest)
                if facts is not None:
                    self._facts[entry.blob, digest] = facts

    def _list_missing(
        self, wanted: Mapping[str, tuple[Entry, Sequence[Symbols]]]
    ) -> dict[str, tuple[Entry, Sequence[Symbols]]]:
        """Those that are not in memory."""
        return {
            path: (entry, sets)
            for path, (entry, sets) in wanted.items()
            if any(self._find(entry.blob, self.digest(symbols)) is None for symbols in sets)
        }

    def _extract(self, wanted: Mapping[str, tuple[Entry, Sequence[Symbols]]]) -> FactsStore:
        store = extract(self._request, self._repository, wanted, self.cache)
        self.problems.update((wanted[path][0].blob, reason) for path, reason in store.unread)
        return store

    def get(self, entry: Entry, symbols: Symbols) -> FileFacts | None:
        """The facts of a file under a symbol set; None if it cannot be read."""
        digest = self.digest(symbols)
        facts = self._find(entry.blob, digest)
        if facts is None and entry.blob not in self.problems:
            self.load({entry.path: (entry, [symbols])})
            facts = self._find(entry.blob, digest)
        return facts

    def _find(self, blob: str, digest: bytes) -> FileFacts | None:
        key = (blob, digest)
        facts = self._facts.get(key)
        if facts is None:
            facts = self._ahead.get(blob, digest)
            if facts is not None:
                self._facts[key] = facts
        return facts

    def read_summaries(self, wanted: Mapping[str, tuple[Entry, Sequence[Symbols]]]) -> dict[FactsKey, FileSummary]:
        """The summary of every readable file, by blob and digest of the symbols."""
        summaries = self.find_summaries(wanted)
        rest = {
            path: (entry, left)
            for path, (entry, sets) in wanted.items()
            if (left := [symbols for symbols in sets if (entry.blob, self.digest(symbols)) not in summaries])
        }
        made: list[tuple[bytes, bytes]] = []
        missing = self._list_missing(rest)
        store = self._extract(missing) if missing else FactsStore()
        for path, (entry, sets) in rest.items():
            for digest in map(self.digest, sets):
                place = entry.blob, digest
                facts = self._find(*place) or store.get_without_members(path, digest)
                if facts is not None:
                    summaries[place] = self.summaries[place] = _make_summary(facts)
                    made.append((make_key(*place) + _SUMMARY, _pack(summaries[place])))
        self.cache.put_many(made)
        return summaries

    def find_summaries(self, wanted: Mapping[str, tuple[Entry, Sequence[Symbols]]]) -> dict[FactsKey, FileSummary]:
        """Those of the same that are in the cache."""
        places = {(entry.blob, digest) for entry, sets in wanted.values() for digest in map(self.digest, sets)}
        keys = {place: make_key(*place) + _SUMMARY for place in places if place not in self.summaries}
        rows = self.cache.get_many(list(keys.values()))
        for place, key in keys.items():
            summary = load_row(rows.get(key), _read_summary)
            if summary is not None:
                self.summaries[place] = summary
        return {place: self.summaries[place] for place in places if place in self.summaries}


def _make_summary(facts: FileFacts) -> FileSummary:
    names: set[str] = set()
    for scope in facts.scopes:
        for using in scope.usings:
            if using.alias or using.static:
                names |= names_of(using.target)
    for declared in facts.types:
        for name, _ in declared.surface:
            names |= names_of(name)
    types = tuple((declared.fqn, declared.kind, owner == "file") for declared, owner in iter_owned(facts, "", "file"))
    usings = tuple(using for using in facts.scopes[0].usings if using.everywhere)
    return FileSummary(types, frozenset(names), usings, facts.degraded)


def _pack(summary: FileSummary) -> bytes:
    usings = tuple((using.target, using.alias, using.static, using.everywhere) for using in summary.usings)
    return pack_row((summary.types, summary.names, usings, summary.degraded))


def _read_summary(row: tuple[Any, ...]) -> FileSummary:
    types, names, usings, degraded = row
    return FileSummary(types, names, tuple(Using(*using) for using in usings), degraded)
