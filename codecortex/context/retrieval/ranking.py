"""Features of files in; the files, best first, with what each feature brought, out."""

from __future__ import annotations

from math import exp, log
from typing import TYPE_CHECKING

from codecortex.context.retrieval.graph_scores import score_graph
from codecortex.context.retrieval.history_scores import score_history
from codecortex.context.retrieval.text_scores import TextScores, score_text
from codecortex.context.retrieval.weights import (
    CLASSIC,
    FILE_SURE,
    FIRST,
    MENTIONED,
    MOST_INHERITED,
    TOLD,
    WITH_HISTORY,
    WITHOUT_HISTORY,
)
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from codecortex.context.retrieval.corpus import Corpus
    from codecortex.context.retrieval.history_scores import Commits
    from codecortex.context.retrieval.question import Question

_DIGITS = 6
"""Of scores that decide an order: what differs beyond may do so by machine."""


_ASKED = frozenset({"bm25f", "exact", "mexact", "msg", "told"})
"""Features that only a file has which the question, or `--mention`, speaks of."""

_WHOLE = frozenset({"fresh", "late"})
"""Features that count as they are: where no file was touched lately, the least old one is not new."""


class Evidence(NamedTuple):
    """What a ranking is made from besides the text.

    Attributes:
        degrees: How many files name each document.
        commits: The history; None where there is none.
        mentioned: By document, what of it the question names: keys of `MENTIONED`.
        allowed: Which documents count.
        told: Documents that come first whatever speaks for others.
        inherited: By document, what earlier rounds of a conversation add; it counts for the best of them.
        classic: Whether to rank by the weights set by hand.
    """

    degrees: Sequence[float]
    commits: Commits | None
    mentioned: Mapping[int, frozenset[str]]
    allowed: Callable[[int], bool]
    told: AbstractSet[int] = frozenset()
    inherited: Mapping[int, float] = {}
    classic: bool = False


class RankedFile(NamedTuple):
    """One file.

    Attributes:
        document: Its number.
        path: Where it stands.
        score: The sum of its parts.
        sure: How likely it is one of those that are wanted.
        parts: What each feature brought.
    """

    document: int
    path: str
    score: float
    sure: float
    parts: Mapping[str, float]


class Ranking(NamedTuple):
    """The files, best first, and the scores of their units."""

    files: tuple[RankedFile, ...]
    text: TextScores


class Features(NamedTuple):
    """What speaks for each file.

    Attributes:
        columns: By name of the feature and document: shares of the largest of the question's files, most of them.
        documents: Those to be ranked.
        weights: Those in force.
        text: What the columns of the text were made from.
    """

    columns: Mapping[str, Mapping[int, float]]
    documents: Collection[int]
    weights: Mapping[str, float]
    text: TextScores


def list_features(question: Question, corpus: Corpus, evidence: Evidence) -> Features:
    """What speaks for every file that has something of the question."""
    text = score_text(question, corpus)
    columns = dict(text.features)
    documents = columns["bm25f"].keys() | columns["exact"].keys() | columns["mexact"].keys()
    shares = {name: _share(name, columns[name], documents) for name in FIRST}
    first = {each: sum(weight * shares[name].get(each, 0.0) for name, weight in FIRST.items()) for each in documents}
    columns |= score_graph(corpus, first, evidence.degrees, documents)
    weights = WITHOUT_HISTORY
    if evidence.commits is not None and evidence.commits.times:
        columns |= score_history(question.terms, evidence.commits, corpus.paths)
        weights = WITH_HISTORY
        documents |= columns["msg"].keys()
    documents |= evidence.mentioned.keys() | evidence.inherited.keys() | evidence.told
    kept = {each for each in documents if evidence.allowed(each)}
    if evidence.classic:
        weights = {name: weight for name, weight in CLASSIC.items() if name in columns}
    return Features({name: _share(name, columns[name], kept) for name in weights}, kept, weights, text)


def rank_files(question: Question, corpus: Corpus, evidence: Evidence) -> Ranking:
    """Every file that has something of the question, best first."""
    features = list_features(question, corpus, evidence)
    rows: dict[int, dict[str, float]] = {document: {} for document in features.documents}
    for name, weight in features.weights.items():
        for document, share in features.columns[name].items():
            rows[document][name] = weight * share
    for document, told in evidence.mentioned.items():
        if document in rows:
            rows[document] |= {f"mentioned {each}": MENTIONED[each] for each in sorted(told)}
    _add_rounds(rows, corpus, evidence)
    scored = [(round(sum(parts.values()), _DIGITS), corpus.paths[each], each) for each, parts in rows.items()]
    scored.sort(key=lambda each: (each[2] not in evidence.told, -each[0], each[1]))
    sure = find_sureness([score for score, _, _ in scored])
    files = (
        RankedFile(document, path, score, likely, rows[document])
        for (score, path, document), likely in zip(scored, sure, strict=True)
    )
    return Ranking(tuple(files), features.text)


def _add_rounds(rows: dict[int, dict[str, float]], corpus: Corpus, evidence: Evidence) -> None:
    """Add what `--mention` and earlier rounds say; of the files that are inherited, to the best alone.

    The others go where they have nothing of the question.
    """
    for document in evidence.told & rows.keys():
        rows[document]["told"] = TOLD
    best = sorted(
        rows.keys() & evidence.inherited.keys(),
        key=lambda each: (
            -evidence.inherited[each],
            -round(sum(rows[each].values()), _DIGITS),
            corpus.paths[each],
        ),
    )
    for document in best[:MOST_INHERITED]:
        rows[document]["inherited"] = evidence.inherited[document]
    for document in best[MOST_INHERITED:]:
        if rows[document].keys().isdisjoint(_ASKED) and document not in evidence.mentioned:
            del rows[document]


def _share(name: str, column: Mapping[int, float], documents: Collection[int]) -> dict[int, float]:
    """The values of some documents, as shares of the largest."""
    kept = {document: value for document, value in column.items() if value and document in documents}
    largest = 1.0 if name in _WHOLE else max(kept.values(), default=0.0)
    return {document: value / largest for document, value in kept.items()} if largest > 0 else {}


def find_sureness(scores: Sequence[float]) -> list[float]:
    """How likely each of some scores, best first, belongs to a file that is wanted."""
    if not scores:
        return []
    by_share, by_rank, base = FILE_SURE
    total = log(sum(exp(score - scores[0]) for score in scores))
    out = []
    for rank, score in enumerate(scores, 1):
        value = by_share * (score - scores[0] - total) + by_rank * log(rank) + base
        out.append(round(1 / (1 + exp(-value)), _DIGITS))
    return out
