"""Gets the facts of files from the local cache, and parses the rest in several processes."""

from __future__ import annotations

from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING

from codecortex.model.errors import StoreFormatError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.versions import PARSER_VERSION
from codecortex.model.work import DONE, Work
from codecortex.operations.request import Count, Unread
from codecortex.operations.workers import count_processes, hand_out
from codecortex.store.cache.facts_codec import CODEC_VERSION, compile_type_name, decode_facts, encode_facts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from codecortex.git.listing import Entry
    from codecortex.git.repository import Repository
    from codecortex.model.code.facts import FileFacts
    from codecortex.operations.request import Request
    from codecortex.store.cache.cache import Cache

_CHUNK = 32
_WORTH_PROCESSES = 96
_WORTH_PATTERNS = 40
_MARK = sha256(f"{PARSER_VERSION}|{CODEC_VERSION}".encode()).digest()[:6]
_ANY = bytes(8)
_NOTHING_READ: Mapping[bytes, FileFacts] = {}  # of a kind that can be sent from process to process
_CONDITIONAL = b"?"  # the row under the key without symbols, for a file whose facts depend on symbols

Symbols = frozenset[str]


class Job(NamedTuple):
    """One file to parse, under each of these symbol sets, given by their digests."""

    entry: Entry
    sets: tuple[bytes, ...]


class Parsed(NamedTuple):
    """The result of parsing one file: its entry as read, its facts as bytes by cache key, or why there are none.

    `read` has the facts themselves, by the same keys, where this process parsed the file.
    """

    path: str
    entry: Entry
    facts: tuple[tuple[bytes, bytes], ...]
    problem: str
    read: Mapping[bytes, FileFacts] = _NOTHING_READ


def digest_symbols(symbols: Symbols) -> bytes:
    """An eight-byte digest of a symbol set."""
    return sha256("\0".join(sorted(symbols)).encode()).digest()[:8]


def make_key(blob: str, symbols: bytes) -> bytes:
    """The cache key of one blob's facts under one symbol set."""
    return bytes.fromhex(blob) + _MARK + symbols


class FactsStore:
    """Facts by blob and symbol set; each is decoded once, when first asked for."""

    def __init__(self) -> None:
        self.unread: list[Unread] = []
        self._rows: dict[bytes, bytes] = {}
        self._decoded: dict[bytes, FileFacts] = {}
        self._blobs: dict[str, str] = {}
        self._asked: dict[tuple[str, bytes], FileFacts] = {}

    def get(self, path: str, symbols: bytes) -> FileFacts | None:
        """The facts of a file, or None if it could not be read."""
        asked = path, symbols
        known = self._asked.get(asked)
        if known is not None:
            return known
        key = self._find_key(path, symbols)
        facts = self._decoded.get(key)
        if facts is None:
            row = self._rows.get(key)
            if row is None:
                return None
            facts = self._decoded[key] = _decode(row)
        self._asked[asked] = facts
        return facts

    def get_without_members(self, path: str, symbols: bytes) -> FileFacts | None:
        """The same of types alone, in a fraction of the time; members that are decoded already are there."""
        key = self._find_key(path, symbols)
        row = self._rows.get(key)
        return self._decoded.get(key) or (_decode(row, members=False) if row is not None else None)

    def _find_key(self, path: str, symbols: bytes) -> bytes:
        """The key of a file's facts; empty if there are none."""
        blob = self._blobs.get(path)
        if blob is None:
            return b""
        key = make_key(blob, _ANY)
        return make_key(blob, symbols) if self._rows.get(key) == _CONDITIONAL else key

    def forget_decoded(self) -> None:
        """Let the facts go that were decoded; the bytes stay."""
        self._decoded.clear()
        self._asked.clear()

    def find_type(self, word: str) -> set[str]:
        """Paths of files whose facts may declare a type with a simple name, in any case; nothing is decoded."""
        needle, declares = word.lower().encode(), compile_type_name(word)
        holders = {
            key[: -len(_MARK + _ANY)].hex()
            for key, row in self._rows.items()
            if needle in (lower := row.lower()) and declares.search(lower)
        }
        return {path for path, blob in self._blobs.items() if blob in holders}

    def load(self, wanted: Mapping[str, tuple[Entry, Sequence[bytes]]], cache: Cache) -> list[Job]:
        """Take facts from the cache; returns jobs for the misses."""
        rows = cache.get_many([make_key(entry.blob, _ANY) for entry, _ in wanted.values()])
        second = [
            make_key(entry.blob, digest)
            for entry, sets in wanted.values()
            if rows.get(make_key(entry.blob, _ANY)) == _CONDITIONAL
            for digest in sets
        ]
        if second:
            rows |= cache.get_many(second)
        self._rows |= rows
        self._asked.clear()
        jobs = []
        for path, (entry, sets) in wanted.items():
            self._blobs[path] = entry.blob
            first = rows.get(make_key(entry.blob, _ANY))
            if first is None:
                jobs.append(Job(entry, tuple(sets)))
            elif first == _CONDITIONAL:
                missing = tuple(digest for digest in sets if make_key(entry.blob, digest) not in rows)
                if missing:
                    jobs.append(Job(entry, missing))
        return jobs

    def add(self, parsed: Parsed) -> None:
        """Add the result of parsing a file."""
        self._asked.clear()
        if parsed.problem:
            self._blobs.pop(parsed.path, None)
            self.unread.append(Unread(parsed.path, parsed.problem))
        else:
            self._blobs[parsed.path] = parsed.entry.blob
            self._rows.update(parsed.facts)
            self._decoded.update(parsed.read)


def _decode(row: bytes, *, members: bool = True) -> FileFacts:
    try:
        return decode_facts(row, members=members)
    except (ValueError, EOFError, TypeError) as problem:
        raise StoreFormatError(
            "The local cache holds damaged facts.", "`codecortex cache clear` throws it away; it costs time only."
        ) from problem


def extract(
    request: Request, repository: Repository, wanted: Mapping[str, tuple[Entry, Sequence[Symbols]]], cache: Cache
) -> FactsStore:
    """Get the facts of every wanted file.

    Args:
        request: Has the number of processes and the callbacks for progress and counts.
        repository: The repository with the bytes.
        wanted: Path to entry and the symbol sets of the projects that compile it.
        cache: Read first, and filled with what was parsed.
    """
    sets = {digest_symbols(symbols): symbols for _, each in wanted.values() for symbols in each}
    digests = {symbols: digest for digest, symbols in sets.items()}
    store = FactsStore()
    jobs = store.load({path: (entry, [digests[s] for s in each]) for path, (entry, each) in wanted.items()}, cache)
    request.tally(Count.CACHED, len(wanted) - len(jobs))
    request.tally(Count.PARSED, len(jobs))
    if not jobs:
        return store
    new: list[tuple[bytes, bytes]] = []
    for done, parsed in enumerate(_parse_all(request, repository, jobs, sets), 1):
        store.add(parsed)
        new.extend(parsed.facts)
        request.progress("Reading C#", done, len(jobs))
    cache.put_many(new)
    store.unread.sort()
    return store


def _parse_all(
    request: Request, repository: Repository, jobs: Sequence[Job], sets: Mapping[bytes, Symbols]
) -> Iterator[Parsed]:
    processes = count_processes(request)
    if processes == 1 or len(jobs) < _WORTH_PROCESSES:
        yield from _parse(repository, jobs, sets, patterns=len(jobs) >= _WORTH_PATTERNS)
        return
    chunks = [jobs[at : at + _CHUNK] for at in range(0, len(jobs), _CHUNK)]
    lost: list[Sequence[Job]] = []
    for chunk in hand_out(partial(_parse_chunk, repository, dict(sets)), chunks, processes, lost):
        DONE[Work.PARSED] += len(chunk)
        yield from chunk
    for left in lost:
        yield from _parse(repository, left, sets, patterns=True)


def _parse_chunk(repository: Repository, sets: Mapping[bytes, Symbols], jobs: Sequence[Job]) -> list[Parsed]:
    found = _parse(repository, jobs, sets, patterns=True)
    return [parsed._replace(read=_NOTHING_READ) for parsed in found]  # bytes alone are sent


def _parse(
    repository: Repository, jobs: Sequence[Job], sets: Mapping[bytes, Symbols], *, patterns: bool
) -> Iterator[Parsed]:
    from codecortex.git.contents import read_contents

    by_path = {job.entry.path: job for job in jobs}
    for entry, data, problem in read_contents(repository, [job.entry for job in jobs]):
        if data is None:
            yield Parsed(entry.path, entry, (), str(problem))
            continue
        wanted = {digest: sets[digest] for digest in by_path[entry.path].sets}
        yield _pack(entry, _read_under(data, wanted, patterns=patterns))


def _pack(entry: Entry, read: Mapping[bytes, FileFacts]) -> Parsed:
    """The result for a file with these facts by digest of symbols."""
    facts = next(iter(read.values()))
    if not facts.conditional:
        key = make_key(entry.blob, _ANY)
        return Parsed(entry.path, entry, ((key, encode_facts(facts)),), "", {key: facts})
    encoded = {id(facts): encode_facts(facts) for facts in read.values()}
    keyed = {make_key(entry.blob, digest): facts for digest, facts in read.items()}
    rows = [(key, encoded[id(facts)]) for key, facts in keyed.items()]
    return Parsed(entry.path, entry, (*rows, (make_key(entry.blob, _ANY), _CONDITIONAL)), "", keyed)


def _read_under(data: bytes, sets: Mapping[bytes, Symbols], *, patterns: bool) -> dict[bytes, FileFacts]:
    """The facts of one file by digest of symbols, under the first alone if they do not depend on symbols.

    Symbol sets that differ only in what the file does not test share one reading.
    """
    from codecortex.parsing.csharp.read import list_tested, read_csharp

    read: dict[bytes, FileFacts] = {}
    known: dict[Symbols, FileFacts] = {}
    tested: Symbols = frozenset()
    for digest, symbols in sets.items():
        facts = known.get(symbols & tested) if known else None
        if facts is None:
            facts = read_csharp(data, symbols, patterns=patterns)
            if not facts.conditional:
                return {digest: facts}
            if len(sets) > 1:
                tested = tested or list_tested(data)
            known[symbols & tested] = facts
        read[digest] = facts
    return read
