"""A sentence and a catalog in; the symbols that hold some of its words, each with what those weigh together, out.

A word weighs the more the fewer symbols hold it. Words that very many hold are not looked for themselves: they only
weigh in where a rarer one was found.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from itertools import compress, count, repeat
from math import log
from operator import contains
from typing import TYPE_CHECKING

from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later
from codecortex.model.text.terms import ENGLISH

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from codecortex.model.code.catalog import Catalog

MOST_WORDS = 12
"""Of a longer sentence the rarest are taken."""

_PIECE = compile_later(r"[^\W_]+")
_SOURCE = compile_later(r"(?<=\w)\.cs\b", re.IGNORECASE)
_HUMP = compile_later(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_]+|\d+")
_SHORTEST = 2
_MOST_TRIED = 60
_ENDINGS = (("ies", 3), ("ing", 4), ("ed", 3), ("es", 4), ("s", 3))
"""What is cut off a word, and how much has to be left of it."""

_FEW, _MANY = 200, 4_000
"""Symbols beyond which a further word is looked for only where it adds few; and how many that may be."""

_OF_OWNER, _OF_DOC, _OF_PATH = 0.5, 0.4, 0.15
"""What a word weighs where not the name itself holds it, but the type's, the documentation, the namespace."""

_COVERED = 0.4
"""The part of a name's weight that hangs on how much of it the words make up."""


class SomeWords(NamedTuple):
    """How a symbol answers: what the words that it holds weigh together, and which they are."""

    weight: float
    words: tuple[str, ...]


class _Found(NamedTuple):
    """Where a term stands: numbers of types, of member names, of types whose documentation holds it."""

    types: Sequence[int]
    members: Sequence[int]
    docs: Sequence[int]


def list_terms(words: Iterable[str]) -> list[str]:
    """The words of a sentence that may tell something, each once: names are taken to pieces, stop words left out."""
    pieces = [piece for word in words for piece in _PIECE.findall(_SOURCE.sub(" ", word))]
    told = [piece for piece in pieces if piece.lower() not in ENGLISH] or pieces
    return list({piece.lower(): piece for piece in reversed(told) if len(piece) >= _SHORTEST}.values())[::-1]


def cut_ending(word: str) -> str:
    """What is left of a word, in lower case, without the ending that nouns and verbs take in a sentence."""
    lower = word.lower()
    for ending, least in _ENDINGS:
        if lower.endswith(ending) and not lower.endswith(("ss", "eed")) and len(lower) - len(ending) >= least:
            return lower[: -len(ending)]
    return lower


class WordIndex:
    """The names and the documentation of a catalog, as terms are looked for in them.

    Args:
        catalog: What is searched.
        numbers: See `MemberIndex.numbers`.
        words: What is looked for; see `list_terms`.
    """

    def __init__(self, catalog: Catalog, numbers: Sequence[int], words: Sequence[str]) -> None:
        self._spelled, self._catalog, self._words = catalog.spelled, catalog, words[:_MOST_TRIED]
        self._docs = self._spelled.ascii_docs if "".join(words).isascii() else self._spelled.lower_docs
        self._simple = [name.lower() for name in self._spelled.simple_names]
        self._borne = Counter(numbers)
        self._symbols = len(catalog.types) + len(numbers)

    def rank(self) -> _Ranking | None:
        """Where the words stand; None where no symbol holds any."""
        found = [each for word in self._words for each in self._look_for(word)]
        rarest = sorted(found, key=self._count)[:MOST_WORDS]
        if not rarest:
            return None
        counts = {word: self._count((word, where)) for word, where in rarest}
        weights = [log(1 + self._symbols / counts[word]) for word, _ in rarest]
        seeds, total = 0, 0
        for place, (word, _) in enumerate(rarest):
            if total >= _FEW and total + counts[word] > _MANY:
                break
            seeds |= 1 << place
            total += counts[word]
        return _Ranking(self._catalog, self._docs, rarest, (weights, seeds))

    def _look_for(self, word: str) -> Iterator[tuple[str, _Found]]:
        """A word with its places; where there are none, the parts of a name written in humps with theirs."""
        whole = self._place(word)
        if whole is not None:
            yield word, whole
        elif len(humps := _HUMP.findall(word)) > 1:
            parts = [(part, self._place(part)) for part in humps if len(part) > _SHORTEST]
            yield from [(part, where) for part, where in parts if where is not None]

    def _place(self, word: str) -> _Found | None:
        stem, spelled = cut_ending(word), self._spelled
        found = _Found(
            list(_list_begun(stem, spelled.simple_names, self._simple)),
            list(_list_begun(stem, self._catalog.member_names, spelled.lower_members)),
            list(compress(count(), map(contains, self._docs, repeat(stem)))) if len(stem) > _SHORTEST else (),
        )
        return found if any(found) else None

    def _count(self, term: tuple[str, _Found]) -> int:
        """How many symbols hold a term."""
        _, where = term
        return len(where.types) + sum(map(self._borne.__getitem__, where.members)) + len(where.docs)


class _Ranking:
    """Where the terms of a sentence stand.

    Args:
        catalog: What is searched.
        blocks: The documentation of each type, in lower case.
        terms: Words and their places.
        worth: What each term weighs, and which of them are looked for: a bit for each.
    """

    def __init__(
        self,
        catalog: Catalog,
        blocks: Sequence[str],
        terms: Sequence[tuple[str, _Found]],
        worth: tuple[Sequence[float], int],
    ) -> None:
        self._catalog, self._blocks = catalog, blocks
        self._words = tuple(word for word, _ in terms)
        self._stems = [cut_ending(word) for word in self._words]
        self._weights, self._seeds = worth
        self.types = _join_masks(where.types for _, where in terms)
        self.members = _join_masks(where.members for _, where in terms)
        self._docs = _join_masks(where.docs for _, where in terms)
        self._weighed: dict[tuple[int, int, int, int], tuple[float, int, float, tuple[str, ...]]] = {}
        self._stems_of: dict[int, Sequence[tuple[int, str]]] = {}
        self._paths: dict[int, int] = {}

    def is_sought(self, mask: int) -> bool:
        """Whether a mask holds a term that is looked for, and not one alone that only weighs in."""
        return bool(mask & self._seeds)

    def list_documented(self) -> Iterator[tuple[int, int, int]]:
        """For each line of documentation that holds a term looked for: the type, the member or -1, the terms."""
        for number, mask in self._docs.items():
            if not mask & self._seeds:
                continue
            lines = self._blocks[number].split("\n")[:-1]
            alone = len(lines) == 1
            for line in lines:
                inside = mask if alone else sum(bit for bit, stem in self._list_stems(mask) if stem in line)
                if inside & self._seeds:
                    place = line.partition("\t")[0]
                    yield number, int(place) if place else -1, inside

    def weigh(self, number: int, name: str, own: int, doc: int, *, member: bool) -> SomeWords:
        """What a symbol is worth; `own` and `doc` are the terms in its name and in its documentation."""
        key = own, self.types.get(number, 0) if member else 0, doc, self._mask_path(number)
        found = self._weighed.get(key)
        if found is None:
            found = self._weighed[key] = self._weigh(*key)
        of_name, letters, beside, words = found
        covered = min(1.0, letters / len(name)) if own else 0.0
        return SomeWords(of_name * (1 - _COVERED + _COVERED * covered) + beside, words)

    def _weigh(self, own: int, owner: int, doc: int, path: int) -> tuple[float, int, float, tuple[str, ...]]:
        """What the terms in a name weigh, their letters, what those beside it weigh, and the words."""
        owner &= ~own
        doc &= ~(own | owner)
        path &= ~(own | owner | doc)
        beside = _OF_OWNER * self._sum(owner) + _OF_DOC * self._sum(doc) + _OF_PATH * self._sum(path)
        letters = sum(len(stem) for place, stem in enumerate(self._stems) if own >> place & 1)
        mask = own | owner | doc | path
        words = tuple(word for place, word in enumerate(self._words) if mask >> place & 1)
        return self._sum(own), letters, beside, words

    def _mask_path(self, number: int) -> int:
        found = self._paths.get(number)
        if found is None:
            path = self._catalog.spelled.lower_paths[number].rpartition(".")[0]
            found = self._paths[number] = sum(1 << n for n, stem in enumerate(self._stems) if stem in path)
        return found

    def _sum(self, mask: int) -> float:
        return sum((weight for place, weight in enumerate(self._weights) if mask >> place & 1), 0.0)

    def _list_stems(self, mask: int) -> Sequence[tuple[int, str]]:
        """The stems in a mask, each with its bit."""
        found = self._stems_of.get(mask)
        if found is None:
            every = ((1 << place, stem) for place, stem in enumerate(self._stems))
            found = self._stems_of[mask] = [each for each in every if mask & each[0]]
        return found


def _join_masks(places: Iterable[Sequence[int]]) -> Mapping[int, int]:
    """For each number the terms that stand there: a bit for each."""
    masks: defaultdict[int, int] = defaultdict(int)
    for place, numbers in enumerate(places):
        for number in numbers:
            masks[number] |= 1 << place
    return masks


def _list_begun(stem: str, names: Sequence[str], lowers: Sequence[str]) -> Iterator[int]:
    """The numbers of the names in which a word begins so."""
    for number in compress(count(), map(contains, lowers, repeat(stem))):
        name, at = names[number], lowers[number].find(stem)
        while at >= 0:
            if at == 0 or not name[at - 1].isalpha() or (at < len(name) and name[at].isupper()):
                yield number
                break
            at = lowers[number].find(stem, at + 1)
