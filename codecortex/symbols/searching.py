"""Searches symbols by words, and ranks them with the reason why each was found.

Symbols are kept as rows of numbers until they are shown: a common word matches tens of thousands of them.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from heapq import nsmallest
from itertools import compress, count, repeat
from operator import contains
from typing import TYPE_CHECKING, Any

from codecortex.model.code.types import rank_accessibility
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later
from codecortex.model.text.terms import ENGLISH
from codecortex.symbols.hits import Hit, HitKind, Match
from codecortex.symbols.members import name_member
from codecortex.symbols.query import MEMBER_KINDS
from codecortex.symbols.rarity import MOST_WORDS, SomeWords, WordIndex, list_terms

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping, Sequence

    from codecortex.model.code.catalog import Catalog

_HUMPS = compile_later(r"(?:[A-Z][a-z0-9]*){2,}")
_HUMP = compile_later(r"[A-Z][a-z0-9]*")
_SHORT = 2
_PUNCTUATION = ".,;:!?'\"`()[]{}\u2026\u201c\u201d\u2018\u2019"
_NUMBER_OF_KINDS = {HitKind.TYPE: 0, HitKind.NAMESPACE: 1, HitKind.MEMBER: 2}
_KINDS = (HitKind.TYPE, HitKind.NAMESPACE, HitKind.MEMBER)

SCORES: dict[Match, int] = {
    Match.EXACT: 0, Match.NAME: 5, Match.PREFIX: 20, Match.INITIALS: 30, Match.SUFFIX: 40, Match.CONTAINS: 50,
    Match.PATH: 55, Match.DOC: 70, Match.WORDS: 90,
}  # fmt: skip
_OTHER_CASE = 3
_LAST_NAMED = SCORES[Match.NAME] + _OTHER_CASE
"""The score up to which a symbol bears the very name that was asked for."""

_OF_MEMBERS = MEMBER_KINDS | {HitKind.MEMBER}
_REASONS = {score: match for match, score in SCORES.items()} | {
    SCORES[Match.EXACT] + _OTHER_CASE: Match.EXACT,
    SCORES[Match.NAME] + _OTHER_CASE: Match.NAME,
    SCORES[Match.WORDS] - 1: Match.WORDS,  # all of them, in other forms
}


_Key = tuple[int, int]
"""The number of a type, and the number of a member in it or -1."""

_Answer = tuple[int, int, SomeWords]
"""A score, the length of the name that answers, and what it holds where it does not hold all words."""

_ALL = SomeWords(0.0, ())


class RankedRow(NamedTuple):
    """A symbol in sort order: each field breaks ties of the fields before it.

    Attributes:
        late: 0 for exact names in product code, then exact names in tests, then other product code, then other tests.
        score: See `SCORES`.
        weight: Of the words that it holds, negative; 0 where it holds all.
        kind: Types, then namespaces, then members.
        depth: Number of levels in the FQN of the type or namespace.
        hidden: Rank of the type's accessibility, 0 for public.
        recency: Position of the type among those asked for most recently.
        length: Length of its own name, if the name matched.
        name: FQN of the type, of the member's type, or name of the namespace.
        number: Number of the type in the catalog; -1 for a namespace.
        place: Number of the member in its type; -1 for a type.
        words: The words that it matches; none if it matches all.
    """

    late: int
    score: int
    weight: float
    kind: int
    depth: int
    hidden: int
    recency: int
    length: int
    name: str
    number: int
    place: int
    words: tuple[str, ...]


class _Words:
    """The words searched for, and how well names match them."""

    def __init__(self, words: Sequence[str]) -> None:
        telling = [word for word in words if word.lower() not in ENGLISH] or words
        self.lower = tuple(dict.fromkeys(word.lower() for word in telling))
        self.all = (1 << len(self.lower)) - 1
        self.joined = "".join(words)
        self.joined_lower = self.joined.lower()
        humps = "[a-z0-9_]*".join(_HUMP.findall(self.joined)) if _HUMPS.fullmatch(self.joined) else ""
        self.initials = re.compile(humps).match if humps else None
        self._initials_in = re.compile("\n" + humps).finditer if humps else None

    def mask(self, text: str) -> int:
        """The words that a text in lower case contains, as a bit mask."""
        found = 0
        for place, word in enumerate(self.lower):
            if word in text:
                found |= 1 << place
        return found

    def masks(self, texts: Sequence[str]) -> list[int]:
        """The masks of many texts, computed word by word."""
        found = [0] * len(texts)
        for place, word in enumerate(self.lower):
            for number in compress(count(), map(contains, texts, repeat(word))):
                found[number] |= 1 << place
        return found

    def find_all(self, texts: Sequence[str], masks: Mapping[int, int]) -> list[int]:
        """The numbers of the texts that hold every word, but for those that the mask of a text has already."""
        left: Sequence[int] | None = None
        for place, word in sorted(enumerate(self.lower), key=lambda each: -len(each[1])):  # the long ones are rare
            bit = 1 << place
            if left is None:
                having = compress(count(), map(contains, texts, repeat(word)))
                left = sorted({*having, *(number for number, mask in masks.items() if mask & bit)})
            else:
                left = [number for number in left if masks.get(number, 0) & bit or word in texts[number]]
        return list(left or ())

    def choose(self, text: str, holding: Sequence[int]) -> list[int]:
        """The numbers of the names to examine, with possible repeats; `text` has a line feed before each name."""
        found = list(holding)
        if self._initials_in is None:
            return found
        number, at = -1, 0
        for match in self._initials_in(text):
            number += text.count("\n", at, match.start() + 1)
            at = match.start() + 1
            found.append(number)
        return found

    def score_name(self, name: str, lower: str) -> int | None:
        """The score of a simple name for all words together, or None if it does not match."""
        if lower == self.joined_lower:
            return SCORES[Match.NAME] + (0 if name == self.joined else _OTHER_CASE)
        if lower.startswith(self.joined_lower):
            return SCORES[Match.PREFIX]
        if self.initials is not None and self.initials(name):
            return SCORES[Match.INITIALS]
        if len(self.joined) > _SHORT and self.mask(lower) == self.all:
            return SCORES[Match.CONTAINS]
        return None

    def score_path(self, path: str, lower: str) -> int | None:
        """The score of a full name, apart from its simple name."""
        wanted = self.joined_lower
        if lower == wanted:
            return SCORES[Match.EXACT] + (0 if path == self.joined else _OTHER_CASE)
        if "." in wanted and lower.startswith(wanted):
            return SCORES[Match.PREFIX]
        if "." in wanted and lower.endswith("." + wanted.lstrip(".")):
            return SCORES[Match.SUFFIX]
        if len(self.joined) > _SHORT and self.mask(lower) == self.all:
            return SCORES[Match.PATH]
        return None


def split_words(text: str) -> list[str]:
    """The words of a text, without marks of sentences and the root that C# and documentation ids write first."""
    words = [re.sub(r"^(?:[TMPFEN]:)?(?:global::)?", "", word).replace("+", ".") for word in text.split()]
    if len(words) > 1:
        words = [word.strip(_PUNCTUATION) for word in words]
    return [word for word in words if word]


class MemberIndex(NamedTuple):
    """The names of all members, ordered by type and position, as numbers, without `Catalog.member_lines`.

    Attributes:
        numbers: For each member the index of its name in `Catalog.member_names`.
        firsts: For each type the index of its first member in `numbers`.
    """

    numbers: Sequence[int]
    firsts: Sequence[int]


def index_members(catalog: Catalog) -> MemberIndex:
    """Build the index of a catalog's members."""
    places = {name: place for place, name in enumerate(catalog.member_names)}
    lines = catalog.member_lines
    numbers, firsts = array("I"), array("I")
    for number in range(len(catalog.types)):
        firsts.append(len(numbers))
        numbers.extend([places[line.partition("\t")[0]] for line in lines.at(number)])
    return MemberIndex(numbers, firsts)


class SearchTerms(NamedTuple):
    """What to search for.

    Attributes:
        words: The words, at least one.
        kinds: Allowed kinds, as in `Query.kinds`.
        ranks: The position of types among those asked for most recently.
        members: The index of the catalog's members.
        among: Numbers of the types that may be found, with their members; None for all types and namespaces.
    """

    words: Sequence[str]
    kinds: frozenset[str]
    ranks: Mapping[str, int]
    members: MemberIndex
    among: Container[int] | None = None

    def allows(self, kind: HitKind) -> bool:
        """Whether a kind may be found at all."""
        return not self.kinds or kind in self.kinds

    def takes(self, key: _Key, catalog: Catalog) -> bool:
        """Whether a type, or a member of one, may be found."""
        number, place = key
        if self.among is not None and number not in self.among:
            return False
        entry = catalog.types[number]
        if place < 0:
            return self.allows(HitKind.TYPE) or entry.kind in self.kinds
        return self.allows(HitKind.MEMBER) or catalog.members_of(entry.id)[place].kind in self.kinds


def search_symbols(sought: SearchTerms, catalog: Catalog, most: int) -> tuple[list[RankedRow], int]:
    """The symbols that words are about, best first, at most so many; and how many there are in all.

    Those that hold all of the words go before those that hold some, code of tests after all other.
    """
    found: dict[_Key, _Answer] = {}
    wanted = _Words(sought.words)
    if len(wanted.lower) <= MOST_WORDS:
        _add_all(found, wanted, sought, catalog)
    spaces = _list_spaces(wanted, catalog) if sought.among is None and sought.allows(HitKind.NAMESPACE) else []
    if (len(sought.words) > 1 or not (found or spaces)) and sought.kinds != {HitKind.NAMESPACE}:
        _add_some(found, sought, catalog)
    if sought.kinds or sought.among is not None:
        found = {key: answer for key, answer in found.items() if sought.takes(key, catalog)}
    rows = [*_make_rows(found, catalog, sought.ranks), *spaces]
    return [RankedRow._make(row) for row in nsmallest(most, rows)], len(rows)


def _add_all(found: dict[_Key, _Answer], wanted: _Words, sought: SearchTerms, catalog: Catalog) -> None:
    """Add what holds all of the words."""
    masks = _add_types(found, wanted, catalog)
    if not sought.kinds or sought.kinds & _OF_MEMBERS:
        _add_members(found, wanted, catalog, sought.members)
    if sought.kinds != {HitKind.NAMESPACE}:
        _add_documented(found, wanted, catalog, masks)


def _add_some(found: dict[_Key, _Answer], sought: SearchTerms, catalog: Catalog) -> None:
    """Add what holds some of the words, unless it is there already."""
    index, score = sought.members, SCORES[Match.WORDS]
    terms = list_terms(sought.words)
    ranking = WordIndex(catalog, index.numbers, terms).rank()
    if ranking is None:
        return
    own: dict[_Key, int] = {(number, -1): mask for number, mask in ranking.types.items() if ranking.is_sought(mask)}
    if not sought.kinds or sought.kinds & _OF_MEMBERS:
        names = {number: mask for number, mask in ranking.members.items() if ranking.is_sought(mask)}
        for at in compress(count(), map(names.__contains__, index.numbers)):
            owner = bisect_right(index.firsts, at) - 1
            own[owner, at - index.firsts[owner]] = names[index.numbers[at]]
    told = {(number, place): mask for number, place, mask in ranking.list_documented()}
    simple = catalog.spelled.simple_names
    for key in own.keys() | told.keys():
        if key in found:
            continue
        number, place = key
        at = index.firsts[number] + place
        name, masks = simple[number], ranking.types
        if place >= 0:
            name, masks = catalog.member_names[index.numbers[at]], ranking.members
        mask = masks.get(index.numbers[at] if place >= 0 else number, 0)
        answer = ranking.weigh(number, name, mask, told.get(key, 0), member=place >= 0)
        found[key] = score - (len(answer.words) == len(terms)), len(name), answer


def _add_types(found: dict[_Key, _Answer], wanted: _Words, catalog: Catalog) -> list[int]:
    """Add the types whose names match; returns for each type the mask of the words in its name."""
    paths, lowers = catalog.spelled.paths, catalog.spelled.lower_paths
    names = catalog.spelled.simple_names
    masks = wanted.masks(lowers)
    holding = list(compress(count(), map(wanted.all.__eq__, masks)))
    for number in wanted.choose(catalog.spelled.simple_text, holding):
        path, lower, name = paths[number], lowers[number], names[number]
        scores = (wanted.score_name(name, name.lower()), wanted.score_path(path, lower))
        best = min((score for score in scores if score is not None), default=None)
        if best is not None:
            found[number, -1] = best, len(name), _ALL
    return masks


def _add_members(found: dict[_Key, _Answer], wanted: _Words, catalog: Catalog, index: MemberIndex) -> None:
    """Add the members whose names match."""
    names, lowers = catalog.member_names, catalog.spelled.lower_members
    numbers: dict[int, _Answer] = {}
    for number in wanted.choose(catalog.spelled.member_text, wanted.find_all(lowers, {})):
        score = wanted.score_name(names[number], lowers[number])
        if score is not None:
            numbers[number] = score, len(lowers[number]), _ALL
    places = map(numbers.__contains__, index.numbers) if numbers else ()
    for at in compress(count(), places):
        owner = bisect_right(index.firsts, at) - 1
        found[owner, at - index.firsts[owner]] = numbers[index.numbers[at]]


def _add_documented(found: dict[_Key, _Answer], wanted: _Words, catalog: Catalog, masks: Sequence[int]) -> None:
    """Add what has the words in its documentation; some of the words may be in the type's name instead."""
    if len(wanted.joined) <= _SHORT:
        return
    blocks = catalog.spelled.ascii_docs if wanted.joined_lower.isascii() else catalog.spelled.lower_docs
    named = {number: masks[number] for number in compress(count(), masks)}
    for number in wanted.find_all(blocks, named):
        mask = masks[number]
        for line in blocks[number].split("\n"):
            if (inside := wanted.mask(line)) and inside | mask == wanted.all:
                place = line.partition("\t")[0]
                found.setdefault((number, int(place) if place else -1), (SCORES[Match.DOC], 0, _ALL))


def _make_rows(found: Mapping[_Key, _Answer], catalog: Catalog, ranks: Mapping[str, int]) -> Iterator[tuple[Any, ...]]:
    """The fields of a row for each symbol found: rows themselves are made of those that are shown."""
    kinds = _NUMBER_OF_KINDS[HitKind.TYPE], _NUMBER_OF_KINDS[HitKind.MEMBER]
    known: dict[int, tuple[int, int, int, str, bool]] = {}
    for (number, place), (score, length, (weight, words)) in found.items():
        told = known.get(number)
        if told is None:
            entry = catalog.types[number]
            hidden = rank_accessibility(entry.accessibility)
            depth = entry.fqn.count(".") + entry.fqn.count("+")
            told = known[number] = depth, hidden, ranks.get(entry.id, len(ranks)), entry.fqn, entry.test
        depth, hidden, recency, fqn, test = told
        named = score <= _LAST_NAMED and (not test or place < 0)
        late = test + 2 * (not named)
        yield late, score, -weight, kinds[place >= 0], depth, hidden, recency, length, fqn, number, place, words


def _list_spaces(wanted: _Words, catalog: Catalog) -> list[RankedRow]:
    rows = []
    kind = _NUMBER_OF_KINDS[HitKind.NAMESPACE]
    for path in catalog.namespaces:
        name = path.rpartition(".")[2]
        scores = (wanted.score_name(name, name.lower()), wanted.score_path(path, path.lower()))
        best = min((score for score in scores if score is not None), default=None)
        if best is not None:
            late = 2 * (best > _LAST_NAMED)
            rows.append(RankedRow(late, best, 0.0, kind, path.count("."), 0, 0, len(name), path, -1, -1, ()))
    return rows


def read_hit(row: RankedRow, catalog: Catalog) -> Hit:
    """The hit for a row."""
    match = _REASONS[row.score]
    kind = _KINDS[row.kind]
    if kind is HitKind.NAMESPACE:
        return Hit(kind, row.name, None, None, match, (), row.score)
    entry = catalog.types[row.number]
    member = catalog.members_of(entry.id)[row.place] if kind is HitKind.MEMBER else None
    name = name_member(entry, member) if member is not None else entry.display
    return Hit(kind, name, entry, member, match, (), row.score, words=row.words)
