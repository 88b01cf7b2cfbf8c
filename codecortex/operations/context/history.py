"""A workspace in; the messages and files of the commits that its tree stands on out, kept by commit id."""

from __future__ import annotations

import zlib
from collections import Counter
from math import sqrt
from typing import TYPE_CHECKING, Any

from codecortex.context.retrieval.history_scores import MOST_FILES, Commits, sum_by_path
from codecortex.context.retrieval.segments import grow, pack_numbers
from codecortex.git.history import list_messages
from codecortex.git.revisions import find_merge_base, read_shallow
from codecortex.model.errors import GitStateError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later
from codecortex.model.text.terms import WORD, split_name
from codecortex.store.cache.rows import load_row, pack_row

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from codecortex.git.history import Message
    from codecortex.operations.catalog.workspace import Workspace

_VERSION = 4
_LEVEL = 6
_LONGEST = 4000
_SOURCES = ":(top,icase)*.cs"
_MOST_COUNT = 2
_TRAILER = compile_later(r"(?m)^[A-Z][A-Za-z-]*-by: .*$|^git-svn-id:.*$|^Change-Id:.*$")


class _Told(NamedTuple):
    """One commit as it is kept: its id's beginning, its time, its files, how often its message has each term."""

    id: bytes
    time: int
    paths: tuple[str, ...]
    terms: tuple[tuple[str, int], ...]


def open_history(workspace: Workspace) -> Commits | None:
    """The history of the tree's commit; None where there is none, or not all of it is here."""
    tip = workspace.tree.listing.head
    if tip is None or read_shallow(workspace.repository):
        return None
    try:
        return workspace.keep("context/history", tip, lambda: _read_history(workspace, tip))
    except GitStateError as problem:
        workspace.request.warn(f"history is left out: {problem.message}")
        return None


def _read_history(workspace: Workspace, tip: str) -> Commits | None:
    name = f"context/history/{'work' if workspace.request.reads_worktree else 'other'}"
    held = _load(workspace.cache.get(name))
    if held is not None and held[0] == tip:
        return held[1]
    told: list[_Told] = []
    since = None
    if held is not None and find_merge_base(workspace.repository, held[0], tip) == held[0]:
        since, told = held[0], _list_told(held[1], held[2])
    workspace.request.progress("Reading history", 0, 1)
    told += map(_tell, _select(list_messages(workspace.repository, tip, since, _SOURCES)))
    told.sort(key=lambda each: (each.time, each.id))
    workspace.request.progress("Reading history", 1, 1)
    data = _pack(tip, told)
    workspace.cache.put(name, data)
    held = _load(data)
    return held[1] if held is not None else None


def _select(messages: Iterable[Message]) -> Iterable[Message]:
    return (each for each in messages if 0 < len(each.paths) <= MOST_FILES)


def _tell(message: Message) -> _Told:
    counts: Counter[str] = Counter()
    for word in WORD.findall(_TRAILER.sub("", message.text[:_LONGEST])):
        split = split_name(word)
        counts.update(split.parts)
        if split.whole:
            counts[split.whole] += 1
    begun, paths = bytes.fromhex(message.id)[:8], tuple(sorted(message.paths))
    return _Told(begun, message.time, paths, tuple(sorted(counts.items())))


def _pack(tip: str, told: Sequence[_Told]) -> bytes:
    numbers: dict[str, int] = {}
    files, firsts, norms, sizes = [], [0], [], []
    rows: dict[str, tuple[list[int], list[int]]] = {}
    for number, each in enumerate(told):
        files += [numbers.setdefault(path, len(numbers)) for path in each.paths]
        firsts.append(len(files))
        norms.append(sqrt(sum(min(count, _MOST_COUNT) for _, count in each.terms)))
        sizes.append(sum(count for _, count in each.terms))
        for term, count in each.terms:
            row = rows.setdefault(term, ([], []))
            row[0].append(number)
            row[1].append(count)
    postings = {term: (pack_numbers(found), pack_numbers(counts)) for term, (found, counts) in rows.items()}
    sums = sum_by_path([each.time for each in told], sizes, firsts, files)
    row_ = (
        _VERSION, tip, b"".join(each.id for each in told), [each.time for each in told], norms, sums,
        pack_numbers(firsts), pack_numbers(files), list(numbers), postings,
    )  # fmt: skip
    return zlib.compress(pack_row(row_), _LEVEL)


def _load(data: bytes | None) -> tuple[str, Commits, tuple[bytes, dict[str, tuple[bytes, bytes]]]] | None:
    try:
        return load_row(zlib.decompress(data), _unpack) if data is not None else None
    except zlib.error:
        return None


def _unpack(row: Any) -> tuple[str, Commits, tuple[bytes, dict[str, tuple[bytes, bytes]]]]:
    version, tip, ids, times, norms, sums, firsts, files, paths, postings = row
    if version != _VERSION:
        raise ValueError
    known: dict[str, list[tuple[int, int]]] = {}

    def find(term: str) -> Sequence[tuple[int, int]]:
        if term not in known:
            found = postings.get(term)
            known[term] = list(zip(grow(found[0]), grow(found[1]), strict=True)) if found is not None else []
        return known[term]

    commits = Commits(times, norms, grow(firsts), grow(files), paths, sums, find)
    return tip, commits, (ids, postings)


def _list_told(commits: Commits, rest: tuple[bytes, dict[str, tuple[bytes, bytes]]]) -> list[_Told]:
    """The commits as they were told."""
    ids, postings = rest
    terms: list[list[tuple[str, int]]] = [[] for _ in commits.times]
    for term in postings:
        for number, count in commits.find(term):
            terms[number].append((term, count))
    told = []
    for number, time in enumerate(commits.times):
        files = commits.files[commits.firsts[number] : commits.firsts[number + 1]]
        paths = tuple(commits.paths[file] for file in files)
        told.append(_Told(ids[8 * number : 8 * number + 8], time, paths, tuple(sorted(terms[number]))))
    return told
