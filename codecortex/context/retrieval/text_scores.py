"""A question and a corpus in; what the text of each file says for it, feature by feature, out."""

from __future__ import annotations

from collections import defaultdict
from math import log, sqrt
from typing import TYPE_CHECKING

from codecortex.context.retrieval.weights import BASE_NAME, FIELD, FOLDER, UNIT_FIELD
from codecortex.model.code.facts import is_generated_name
from codecortex.model.code.units import FIELD_BITS, Field
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.text.terms import WORD, compile_some, split_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from codecortex.context.retrieval.corpus import Corpus, Found
    from codecortex.context.retrieval.question import Question

_FIELDS = [code >> FIELD_BITS for code in range(256)]
_COUNTS = [code & (1 << FIELD_BITS) - 1 for code in range(256)]
_FILE_COUNTS = [FIELD[field] * count for field, count in zip(_FIELDS, _COUNTS, strict=True)]
_UNIT_COUNTS = [UNIT_FIELD[field] * count for field, count in zip(_FIELDS, _COUNTS, strict=True)]
_TURN, _K1, _UNIT_B, _PAIR_B, _FILE_B = 4.0, 1.2, 0.5, 0.4, 0.3
_PAIR_SHARE, _MOST_PAIRS = 0.7, 2
_SAME_CASE, _ANY_CASE, _TYPE_SAME_CASE = 0.35, 0.1, 0.6

Feature = dict[int, float]
"""By document."""


class TextScores(NamedTuple):
    """What the text says.

    Attributes:
        features: By name of the feature.
        units: By number of a unit, its score without pairs.
        pairs: By number of a unit, what its pairs add.
        idf: Of the terms of the question.
    """

    features: Mapping[str, Feature]
    units: Mapping[int, float]
    pairs: Mapping[int, float]
    idf: Mapping[str, float]


class PathTerms(NamedTuple):
    """The terms of a path: of the file's base name, of its folders."""

    base: frozenset[str]
    folders: frozenset[str]


def score_text(question: Question, corpus: Corpus) -> TextScores:
    """Every text feature of every file that shares a term with the question."""
    named = _split_paths(question, corpus.paths)
    found = corpus.postings.find([*question.terms, *question.pairs])
    idf = _weigh_terms(question.terms, corpus, found, named)
    features, units = _score_terms(question, corpus, found, (idf, named))
    big, pairs = _score_pairs(question, corpus, found)
    features["big"] = big
    features["umax"] = _find_best_units(corpus, units, pairs)
    features["tprec"] = _score_type_names(question, corpus)
    features["exact"], features["mexact"] = _score_exact(question, corpus)
    features["generated"] = {at: 1.0 for at in features["bm25f"] if is_generated_name(corpus.paths[at])}
    largest = max((log(1 + size) for size, path in zip(corpus.sizes, corpus.paths, strict=True) if path), default=1.0)
    features["size"] = {document: log(1 + corpus.sizes[document]) / largest for document in features["bm25f"]}
    return TextScores(features, units, pairs, idf)


def find_idf(count: int, having: int) -> float:
    """How much a term tells that so many of so many documents have."""
    return log(1 + (count - having + 0.5) / (having + 0.5))


def _split_paths(question: Question, paths: Sequence[str]) -> dict[int, PathTerms]:
    """The terms of those paths that may hold one of the question's."""
    some = compile_some(question.terms)
    known: dict[str, frozenset[str]] = {}
    named = {}
    for document, path in enumerate(paths):
        if path and some(path.lower()):
            folders, _, name = path.rpartition("/")
            if folders not in known:
                known[folders] = split_words(folders)
            named[document] = PathTerms(split_words(name.removesuffix(".cs")), known[folders])
    return named


def split_words(text: str) -> frozenset[str]:
    """The terms of all words of a text."""
    terms: set[str] = set()
    for word in WORD.findall(text):
        split = split_name(word)
        terms.update(split.parts)
        if split.whole:
            terms.add(split.whole)
    return frozenset(terms)


def iter_documents(found: Iterable[Found], paths: Sequence[str]) -> Iterable[int]:
    """The documents of the tree that postings name."""
    for first, posting in found:
        yield from (first + document for document in posting.documents if paths[first + document])


def _weigh_terms(
    terms: Mapping[str, float],
    corpus: Corpus,
    found: Mapping[str, Sequence[Found]],
    named: Mapping[int, PathTerms],
) -> dict[str, float]:
    by_base: defaultdict[str, set[int]] = defaultdict(set)
    for document, path in named.items():
        for term in path.base & terms.keys():
            by_base[term].add(document)
    idf = {}
    for term in terms:
        having = set(iter_documents(found.get(term, ()), corpus.paths)) | by_base[term]
        idf[term] = find_idf(corpus.total, len(having)) if having else 0.0
    return idf


def _average(numbers: Sequence[int], corpus: Corpus) -> float:
    total = sum(number for number, path in zip(numbers, corpus.paths, strict=True) if path)
    return max(total / max(corpus.total, 1), 1e-9)


def _score_terms(
    question: Question,
    corpus: Corpus,
    found: Mapping[str, Sequence[Found]],
    weighed: tuple[Mapping[str, float], Mapping[int, PathTerms]],
) -> tuple[dict[str, Feature], dict[int, float]]:
    """`bm25f` and `cover` of files, and the scores of units."""
    idf, named = weighed
    norms = _list_norms(corpus)
    by_term: defaultdict[str, list[tuple[int, float]]] = defaultdict(list)
    for document, path in named.items():
        for term in question.terms:
            amount = BASE_NAME * (term in path.base) + FOLDER * (term in path.folders)
            if amount:
                by_term[term].append((document, amount))
    bm25f: defaultdict[int, float] = defaultdict(float)
    cover: defaultdict[int, float] = defaultdict(float)
    units: defaultdict[int, float] = defaultdict(float)
    # A unit's length counts as the mean of all: units of files that changed must not move those of all others.
    mean = _UNIT_B / _find_mean_unit(corpus)
    total = sum(weight * idf[term] for term, weight in question.terms.items()) or 1.0
    for term, weight in question.terms.items():
        worth = weight * idf[term]
        amounts = dict(by_term[term])
        for each in found.get(term, ()):
            _add_posting(each, corpus, norms, (amounts, units, worth, mean))
        for document, amount in amounts.items():
            bm25f[document] += worth * amount / (amount + _TURN)
            cover[document] += worth / total
    return {"bm25f": bm25f, "cover": cover}, units


def _find_mean_unit(corpus: Corpus) -> float:
    """Terms in a unit, on the average of the tree."""
    terms = sum(sum(column) for column in _live_columns(corpus)[: Field.PAIR])
    first, lengths = corpus.first_units, corpus.unit_lengths
    ends = [*first[1:], len(lengths)]
    amount = sum(ends[at] - first[at] for at, path in enumerate(corpus.paths) if path)
    return max(terms / max(amount, 1), 1e-9)


def _live_columns(corpus: Corpus) -> list[list[int]]:
    return [[number for number, path in zip(column, corpus.paths, strict=True) if path] for column in corpus.lengths]


def _list_norms(corpus: Corpus) -> list[list[float]]:
    """By field and document: what a count is divided by, upside down."""
    norms = []
    for column in corpus.lengths:
        mean = _FILE_B / _average(column, corpus)
        norms.append([1 / (1 - _FILE_B + mean * length) for length in column])
    return norms


def _add_posting(
    found: Found,
    corpus: Corpus,
    norms: Sequence[Sequence[float]],
    sums: tuple[dict[int, float], dict[int, float], float, float],
) -> None:
    amounts, units, worth, mean = sums
    first, posting = found
    paths, starts, lengths = corpus.paths, corpus.first_units, corpus.unit_lengths
    at = 0
    numbers, codes = posting.units, posting.codes
    for number, count in zip(posting.documents, posting.counts, strict=True):
        end = at + count
        document = first + number
        if paths[document]:
            amount = 0.0
            last, inside = -1, 0.0
            start = starts[document]
            for place in range(at, end):
                code, unit = codes[place], numbers[place]
                amount += _FILE_COUNTS[code] * norms[_FIELDS[code]][document]
                if unit != last:
                    if last >= 0:
                        key = start + last
                        units[key] += worth * inside / (inside + _K1 * (1 - _UNIT_B + mean * lengths[key]))
                    last, inside = unit, 0.0
                inside += _UNIT_COUNTS[code]
            key = start + last
            units[key] += worth * inside / (inside + _K1 * (1 - _UNIT_B + mean * lengths[key]))
            amounts[document] = amounts.get(document, 0.0) + amount
        at = end


def _score_pairs(
    question: Question, corpus: Corpus, found: Mapping[str, Sequence[Found]]
) -> tuple[Feature, dict[int, float]]:
    column = corpus.lengths[Field.PAIR]
    mean = _PAIR_B / _average(column, corpus)
    big: defaultdict[int, float] = defaultdict(float)
    units: defaultdict[int, float] = defaultdict(float)
    for pair in question.pairs:
        each = found.get(pair, ())
        having = len(set(iter_documents(each, corpus.paths)))
        if not having:
            continue
        idf = find_idf(corpus.total, having)
        for first, posting in each:
            at = 0
            for number, count in zip(posting.documents, posting.counts, strict=True):
                end, document = at + count, first + number
                if corpus.paths[document]:
                    amount = 0
                    for place in range(at, end):
                        times = _COUNTS[posting.codes[place]]
                        amount += times
                        units[corpus.first_units[document] + posting.units[place]] += min(times, _MOST_PAIRS) * idf
                    norm = _K1 * (1 - _PAIR_B + mean * column[document])
                    big[document] += idf * amount * (1 + _K1) / (amount + norm)
                at = end
    return big, units


def _find_best_units(corpus: Corpus, units: Mapping[int, float], pairs: Mapping[int, float]) -> Feature:
    """The best unit of each file."""
    from bisect import bisect_right

    best: dict[int, float] = {}
    starts = corpus.first_units
    for unit, score in units.items():
        document = bisect_right(starts, unit) - 1
        value = score * (1 + _K1) + _PAIR_SHARE * pairs.get(unit, 0.0)
        if value > best.get(document, 0.0):
            best[document] = value
    return best


def _score_type_names(question: Question, corpus: Corpus) -> Feature:
    """How much of a type's name the question holds, by how rare its parts are in names of types."""
    having: defaultdict[str, int] = defaultdict(int)
    hits = []
    for document, types in enumerate(corpus.types):
        if corpus.paths[document]:
            for part in {part for each in types for part in each.parts}:
                having[part] += 1
            if any(part in question.terms for each in types for part in each.parts):
                hits.append(document)
    idf = {part: find_idf(corpus.total, count) for part, count in having.items()}
    best: dict[int, float] = {}
    for document in hits:
        for each in corpus.types[document]:
            held = sum(idf[part] for part in each.parts if part in question.terms)
            whole = sum(idf[part] for part in each.parts)
            if held:
                best[document] = max(best.get(document, 0.0), held / whole * held / (held + _TURN))
    return best


def _score_exact(question: Question, corpus: Corpus) -> tuple[Feature, Feature]:
    """Types and members that are named as they are called."""
    types: Feature = {}
    members: Feature = {}
    spelt = corpus.postings.find_spelt(question.names)
    for name in question.names:
        compound = bool(split_name(name).whole)
        holders = spelt.get(name.lower(), {})
        files = {document for each in holders.values() for document in _list_declaring(each, corpus, Field.MEMBER)}
        for spelling, each in holders.items():
            same = spelling == name
            if compound or same:
                for document in _list_declaring(each, corpus, Field.TYPE):
                    types[document] = max(types.get(document, 0.0), 1.0 if compound else _TYPE_SAME_CASE)
            worth = 1.0 if compound else _SAME_CASE if same else _ANY_CASE
            for document in _list_declaring(each, corpus, Field.MEMBER):
                members[document] = max(members.get(document, 0.0), worth / sqrt(len(files)))
    return types, members


def _list_declaring(found: Iterable[Found], corpus: Corpus, field: Field) -> set[int]:
    """The documents that declare a name, as a type or as a member."""
    documents = set()
    for first, posting in found:
        at = 0
        for number, count in zip(posting.documents, posting.counts, strict=True):
            codes = posting.codes[at : at + count]
            at += count
            if corpus.paths[first + number] and any(_FIELDS[code] == field for code in codes):
                documents.add(first + number)
    return documents
