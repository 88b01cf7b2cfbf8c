"""A corpus and the files that the text is about in; which files name them, and how many name each, out."""

from __future__ import annotations

from collections import defaultdict
from math import log, sqrt
from typing import TYPE_CHECKING

from codecortex.model.code.units import FIELD_BITS, Field

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from codecortex.context.retrieval.corpus import Corpus, Found, TypeName

_MOST_DECLARERS = 5
_BEST = 30
_REFERRING = frozenset({Field.SIGNATURE, Field.BODY})
_REFERS = [code >> FIELD_BITS in _REFERRING for code in range(256)]


def name_whole(declared: TypeName) -> str:
    """The term that the name of a type of several parts is as a whole."""
    return declared.name.strip("_").lower()


def list_declarers(corpus: Corpus) -> dict[str, list[int]]:
    """By name in lower case, of several parts: the few documents that declare a type so called."""
    declarers: defaultdict[str, list[int]] = defaultdict(list)
    for document, types in enumerate(corpus.types):
        if corpus.paths[document]:
            for name in {name_whole(each) for each in types if len(each.parts) > 1}:
                declarers[name].append(document)
    return {name: found for name, found in declarers.items() if len(found) <= _MOST_DECLARERS}


def count_referring(corpus: Corpus) -> list[float]:
    """How many files name what each document declares."""
    declarers = list_declarers(corpus)
    degrees = [0.0] * len(corpus.paths)
    for name, found in sorted(corpus.postings.find(declarers).items()):
        documents = declarers[name]
        amount = len(list_referring(found, corpus).difference(documents)) / len(documents)
        for document in documents:
            degrees[document] += amount
    return degrees


def list_referring(found: Iterable[Found], corpus: Corpus) -> set[int]:
    """The documents that have a name in a signature or in a body."""
    documents = set()
    for first, posting in found:
        at = 0
        for number, count in zip(posting.documents, posting.counts, strict=True):
            end = at + count
            if corpus.paths[first + number]:
                for place in range(at, end):
                    if _REFERS[posting.codes[place]]:
                        documents.add(first + number)
                        break
            at = end
    return documents


def score_graph(
    corpus: Corpus, first: Mapping[int, float], degrees: Sequence[float], documents: Iterable[int]
) -> dict[str, dict[int, float]]:
    """`indeg` and `refin`.

    Args:
        corpus: The tree.
        first: What the text alone gives each document.
        degrees: As `count_referring` gives them.
        documents: Those to be ranked.
    """
    best = sorted(first.items(), key=lambda each: (-round(each[1], 9), corpus.paths[each[0]]))[:_BEST]
    top = best[0][1] if best else 1.0
    weights = {document: (score / top) ** 3 / sqrt(1 + degrees[document]) for document, score in best if score > 0}
    names = {name_whole(each) for document in weights for each in corpus.types[document] if len(each.parts) > 1}
    holders: defaultdict[str, list[int]] = defaultdict(list)
    for document, types in enumerate(corpus.types):
        if corpus.paths[document]:
            for each in types:
                if len(each.parts) > 1 and (whole := name_whole(each)) in names and document not in holders[whole]:
                    holders[whole].append(document)
    few = {name: found for name, found in holders.items() if len(found) <= _MOST_DECLARERS}
    sums: defaultdict[int, float] = defaultdict(float)
    for name, found in sorted(corpus.postings.find(few).items()):
        declaring = few[name]
        amount = sum(weights.get(document, 0.0) for document in declaring) / len(declaring)
        for document in list_referring(found, corpus).difference(declaring):
            sums[document] += amount
    return {
        "indeg": {document: log(1 + degrees[document]) for document in documents},
        "refin": {document: log(1 + amount) for document, amount in sums.items()},
    }
