"""A workspace and paths in; the corpus that questions are asked of out: from the local cache, and what changed since.

A base segment holds the files of the tree that it was made for, by blob. Files of another tree that it lacks are an
overlay, read anew or from a row for each blob; base files that the tree lacks are passed over. Past a tenth of the
files, both are folded into a new base. Every number that the ranking uses is taken over the files of the tree alone,
so that how they are spread over base and overlay changes nothing.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from codecortex.context.retrieval.corpus import Corpus, Found
from codecortex.context.retrieval.graph_scores import count_referring
from codecortex.context.retrieval.segments import PostingBuilder, unpack_posting
from codecortex.model.code.units import Unit
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.context.documents import list_documents, read_units
from codecortex.operations.context.segment import (
    MARK,
    NOTHING,
    Columns,
    Segment,
    join_columns,
    load_segment,
    make_columns,
    pack_units,
    save_segment,
)
from codecortex.store.cache.rows import load_row, pack_row

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from codecortex.context.retrieval.segments import PostingRow
    from codecortex.model.code.units import BlobUnits
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.context.documents import Document
    from codecortex.store.cache.cache import Cache

_FOLD = 10
_WORTH_FOLDING = 50


class _Overlay(NamedTuple):
    """Documents that the base lacks."""

    columns: Columns
    cards: Sequence[bytes]
    postings: Mapping[str, PostingRow]


class Index:
    """The files of one tree, ready for questions.

    Attributes:
        corpus: What the ranking reads.
        degrees: How many files name each document.
        alike: By document, the paths of all files with its bytes, where these are several; sorted.
        unread: Path to reason of files that could not be read.
    """

    def __init__(
        self, base: Segment, overlay: _Overlay, named: Sequence[Sequence[str]], unread: Mapping[str, str]
    ) -> None:
        paths = [each[0] if each else "" for each in named]
        self.alike = {document: tuple(each) for document, each in enumerate(named) if len(each) > 1}
        self._base, self._overlay = base, overlay
        self._first = len(base.columns.keys)
        self.unread = unread
        joined = base.columns
        if overlay.columns.keys:
            joined = join_columns(joined, range(self._first), overlay.columns)
        starts, at = [], 0
        for count in joined.unit_counts:
            starts.append(at)
            at += count
        self.keys = joined.keys
        self.corpus = Corpus(
            paths, sum(map(bool, paths)), joined.sizes, joined.lengths, joined.types, starts, joined.unit_lengths, self
        )
        self.degrees: Sequence[float] = ()

    @property
    def broken(self) -> bool:
        """Whether a row of the local cache turned out to be missing."""
        return self._base.broken

    def find(self, terms: Iterable[str]) -> Mapping[str, Sequence[Found]]:
        """The postings of each term that there is."""
        wanted = dict.fromkeys(terms)
        found: dict[str, list[Found]] = {}
        for rows in self._base.load(wanted):
            for term in wanted.keys() & rows.keys():
                found[term] = [Found(0, unpack_posting(rows[term]))]
        later = self._overlay.postings
        for term in wanted.keys() & later.keys():
            found.setdefault(term, []).append(Found(self._first, unpack_posting(later[term])))
        return found

    def find_spelt(self, names: Iterable[str]) -> Mapping[str, Mapping[str, Sequence[Found]]]:
        """By each name in lower case, the names spelt so, whatever their case."""
        wanted = {f"#{name.lower()}" for name in names}
        spellings = {
            term
            for rows in (*self._base.load(wanted), self._overlay.postings)
            for term in rows
            if term.startswith("#") and term.lower() in wanted
        }
        found: dict[str, dict[str, Sequence[Found]]] = {}
        for term, each in sorted(self.find(spellings).items()):
            found.setdefault(term[1:].lower(), {})[term[1:]] = each
        return found

    def read_units(self, document: int) -> tuple[Unit, ...]:
        """The units of a document."""
        first = self._first
        card = self._base.cards[document] if document < first else self._overlay.cards[document - first]
        start = self.corpus.first_units[document]
        rows = load_row(card, list) or []
        return tuple(Unit._make((*row, self.corpus.unit_lengths[start + at])) for at, row in enumerate(rows))


def open_index(workspace: Workspace, paths: Sequence[str], variant: str) -> Index:
    """The index of some sources of a tree.

    Args:
        workspace: The tree.
        paths: The sources.
        variant: Names which of the tree's sources they are.
    """
    name = _name(workspace, variant)
    base = load_segment(workspace, name)
    index = workspace.keep(name, (workspace.tree, base.stamp), lambda: _make_index(workspace, name, base, paths))
    if index.unread:
        workspace.drop(name)  # what could not be read is tried again at the next question
    return index


def _make_index(workspace: Workspace, name: str, base: Segment, paths: Sequence[str]) -> Index:
    documents = list_documents(workspace, paths)
    known = {key: number for number, key in enumerate(base.columns.keys)}
    missing = _list_missing(documents, known)
    first = bool(missing) and not base.columns.keys
    if first or (len(missing) > _WORTH_FOLDING and len(missing) * _FOLD > len(documents)):
        base = _fold(workspace, name, base, documents)
        known = {key: number for number, key in enumerate(base.columns.keys)}
        missing = _list_missing(documents, known)
    read = read_units(workspace, missing, keep=True)
    overlay = _make_overlay(read.units)
    known |= {key: number for number, key in enumerate(overlay.columns.keys, len(known))}
    index = Index(base, overlay, _place(documents, known, len(known)), read.unread)
    index.degrees = _load_degrees(workspace.cache, name, index)
    return index


def choose_paths(index: Index, named: Mapping[int, str], takes: Callable[[str], bool]) -> Corpus:
    """The corpus, where a document that several files are alike with is the named one, else the first wanted one."""
    if not index.alike:
        return index.corpus
    paths = list(index.corpus.paths)
    for document, alike in index.alike.items():
        first = (named[document], *alike) if document in named else alike
        paths[document] = next(filter(takes, first), alike[0])
    return index.corpus._replace(paths=paths)


def forget_index(workspace: Workspace, variant: str) -> None:
    """Have the index of a variant made anew when it is opened next."""
    name = _name(workspace, variant)
    workspace.cache.put(name, b"")
    workspace.cache.put(f"{name}/degrees", b"")
    workspace.drop(name, f"{name}/base")


def _name(workspace: Workspace, variant: str) -> str:
    return f"context/{variant}/{'work' if workspace.request.reads_worktree else 'other'}"


def _list_missing(documents: Iterable[Document], known: Mapping[bytes, int]) -> list[Document]:
    return [each for each in documents if each.keys[0] not in known and each.keys[1] not in known]


def _place(documents: Sequence[Document], known: Mapping[bytes, int], count: int) -> list[list[str]]:
    """The paths of each document; more than one where files are alike."""
    paths: list[list[str]] = [[] for _ in range(count)]
    for each in documents:
        number = known.get(each.keys[0], known.get(each.keys[1]))
        if number is not None:
            paths[number].append(each.entry.path)
    return paths


def _make_overlay(units: Mapping[bytes, BlobUnits]) -> _Overlay:
    builder = PostingBuilder()
    for number, each in enumerate(units.values()):
        builder.add_document(number, each.postings)
    return _Overlay(make_columns(units), [pack_units(each) for each in units.values()], builder.close())


def _load_degrees(cache: Cache, name: str, index: Index) -> Sequence[float]:
    digest = sha256("\n".join(index.corpus.paths).encode("utf-8", "surrogatepass"))
    digest.update(MARK + b"".join(index.keys))
    row = load_row(cache.get(f"{name}/degrees"), tuple)
    if row is not None and row[0] == digest.digest():
        return list(row[1])
    degrees = count_referring(index.corpus)
    if index.broken:  # counted without the rows that are gone
        return degrees
    cache.put(f"{name}/degrees", pack_row((digest.digest(), degrees)))
    return degrees


def _fold(workspace: Workspace, name: str, base: Segment, documents: Sequence[Document]) -> Segment:
    """A new base: the documents of the old one that the tree has, and those that it lacks."""
    known = {key: number for number, key in enumerate(base.columns.keys)}
    read = read_units(workspace, _list_missing(documents, known), keep=False)
    alive = {key for each in documents for key in each.keys}
    kept = [number for key, number in known.items() if key in alive]
    numbers = [-1] * len(known)
    for new, old in enumerate(kept):
        numbers[old] = new
    builder = PostingBuilder()
    for rows in base.iter_buckets() if kept else ():
        for term, row in rows.items():
            builder.add_posting(term, unpack_posting(row), numbers)
    cards = [base.cards[old] for old in kept]
    if base.broken:  # a row is gone, so nothing of it is of use
        return _fold(workspace, name, Segment(workspace.cache, name, b"", NOTHING), documents)
    for number, each in enumerate(read.units.values(), len(kept)):
        builder.add_document(number, each.postings)
    cards += [pack_units(each) for each in read.units.values()]
    columns = join_columns(base.columns, kept, make_columns(read.units))
    return save_segment(workspace.cache, name, columns, cards, builder.close())
