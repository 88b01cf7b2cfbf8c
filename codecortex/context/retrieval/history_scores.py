"""A question and the commits before it in; what history says for each file, feature by feature, out.

Ages count from the newest commit, never from a clock: the same commit gives the same answer at any time.
"""

from __future__ import annotations

from collections import defaultdict
from math import log, sqrt
from typing import TYPE_CHECKING

from codecortex.context.retrieval.text_scores import find_idf
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

MOST_FILES = 60
_MOST_TOLD = 25
_DAY = 86_400
_MESSAGE_DAYS, _FREQUENCY_DAYS, _RECENT_DAYS, _FRESH_DAYS = 730.0, 365.0, 90.0, 3.0
_LATE_COMMITS, _MOST_LATE = 5.0, 50
_KEPT, _POWER = 0.3, 1.5
_K1, _B = 1.2, 0.6
_OFTEN = 3.0


class Commits(NamedTuple):
    """The commits that a tip reaches, merges and those of very many files left out; oldest first.

    Attributes:
        times: When each was committed.
        norms: Of each message, the root of the sum of its terms, each counted twice at most.
        firsts: Where the files of each begin in `files`; one more at the end.
        files: Numbers of paths.
        paths: Every path that a commit touched.
        sums: Of each: how often it was touched, the recent counting more; the terms of its messages; when last.
        find: The commits that have a term, and how often.
    """

    times: Sequence[int]
    norms: Sequence[float]
    firsts: Sequence[int]
    files: Sequence[int]
    paths: Sequence[str]
    sums: tuple[Sequence[float], Sequence[float], Sequence[int]]
    find: Callable[[str], Sequence[tuple[int, int]]]


def score_history(terms: Mapping[str, float], commits: Commits, paths: Sequence[str]) -> dict[str, dict[int, float]]:
    """`msg`, `hdoc`, `freq`, `rec`, `fresh` and `late` of documents.

    Args:
        terms: Of the question, with their weights.
        commits: The history.
        paths: Of today's documents; empty where there is none.
    """
    today = _find_today(commits.paths, paths)
    now = max(commits.times, default=0)
    frequency: defaultdict[int, float] = defaultdict(float)
    lengths: defaultdict[int, float] = defaultdict(float)
    last: dict[int, int] = {}
    for document, amount, length, time in zip(today, *commits.sums, strict=True):
        if document >= 0:
            frequency[document] += amount
            lengths[document] += length
            last[document] = max(time, last.get(document, 0))
    messages, told = _score_messages(terms, commits, now), _tell_messages(terms, commits, today, lengths)
    by_file: defaultdict[int, float] = defaultdict(float)
    for number, score in sorted(messages.items()):
        for file in commits.files[commits.firsts[number] : commits.firsts[number + 1]]:
            if today[file] >= 0:
                by_file[today[file]] += score**_POWER
    return {
        "msg": by_file,
        "hdoc": told,
        "freq": {document: log(1 + amount) for document, amount in frequency.items()},
        "rec": {document: _decay(now - time, _RECENT_DAYS) for document, time in last.items()},
        "fresh": {document: _decay(now - time, _FRESH_DAYS) for document, time in last.items()},
        "late": _score_late(commits, today),
    }


def _score_late(commits: Commits, today: Sequence[int]) -> dict[int, float]:
    """What the newest commits touched: work goes on where it was, whatever the days between."""
    scores: dict[int, float] = {}
    count = len(commits.times)
    for number in range(max(count - _MOST_LATE, 0), count):
        for file in commits.files[commits.firsts[number] : commits.firsts[number + 1]]:
            if today[file] >= 0:
                scores[today[file]] = float(2.0 ** ((number + 1 - count) / _LATE_COMMITS))
    return scores


def score_shared(commits: Commits, known: Mapping[str, float], others: Sequence[str]) -> dict[str, float]:
    """How much some paths share commits with files that are wanted.

    Args:
        commits: The history.
        known: By path, how likely it is wanted.
        others: The paths to be scored, each as it is called today; those that share no commit are left out.
    """
    now = max(commits.times, default=0)
    today = _find_today(commits.paths, [*known, *others])
    likely = list(known.values())
    worth = {file: likely[place] for file, place in enumerate(today) if 0 <= place < len(likely)}
    scores: defaultdict[str, float] = defaultdict(float)
    for number, time in enumerate(commits.times):
        files = commits.files[commits.firsts[number] : commits.firsts[number + 1]]
        if worth.keys().isdisjoint(files):
            continue
        share = sum(worth.get(file, 0.0) for file in files) / sqrt(len(files))
        share *= _KEPT + (1 - _KEPT) * _decay(now - time, _MESSAGE_DAYS)
        for file in files:
            if today[file] >= len(known):
                scores[others[today[file] - len(known)]] += share / sqrt(_OFTEN + commits.sums[0][file])
    return scores


def sum_by_path(
    times: Sequence[int], sizes: Sequence[int], firsts: Sequence[int], files: Sequence[int]
) -> tuple[list[float], list[float], list[int]]:
    """The sums of `Commits`."""
    now, count = max(times, default=0), max(files, default=-1) + 1
    frequency, lengths, last = [0.0] * count, [0.0] * count, [0] * count
    for number, time in enumerate(times):
        touched = files[firsts[number] : firsts[number + 1]]
        worth = _decay(now - time, _FREQUENCY_DAYS)
        length = sizes[number] / sqrt(len(touched))
        for file in touched:
            frequency[file] += worth
            lengths[file] += length
            last[file] = max(time, last[file])
    return frequency, lengths, last


def _decay(seconds: int, days: float) -> float:
    return float(2.0 ** (-max(seconds, 0) / (_DAY * days)))


def _find_today(olds: Sequence[str], paths: Sequence[str]) -> list[int]:
    """By number of an old path: today's document there, else the only one of that base name, else -1."""
    by_path = {path: document for document, path in enumerate(paths) if path}
    by_name: dict[str, int] = {}
    for path, document in by_path.items():
        name = path.rpartition("/")[2]
        by_name[name] = -1 if name in by_name else document
    return [found if (found := by_path.get(old, -1)) >= 0 else by_name.get(old.rpartition("/")[2], -1) for old in olds]


def _score_messages(terms: Mapping[str, float], commits: Commits, now: int) -> dict[int, float]:
    """How like the question each message is."""
    sums: defaultdict[int, float] = defaultdict(float)
    asked = 0.0
    for term in terms:
        found = commits.find(term)
        idf = find_idf(len(commits.times), len(found))
        asked += idf * idf
        for number, _ in found:
            sums[number] += idf * idf
    scores = {}
    for number, shared in sums.items():
        files = commits.firsts[number + 1] - commits.firsts[number]
        if files <= _MOST_TOLD:
            age = _KEPT + (1 - _KEPT) * _decay(now - commits.times[number], _MESSAGE_DAYS)
            scores[number] = shared / (sqrt(asked) * commits.norms[number]) * age / sqrt(files)
    return scores


def _tell_messages(
    terms: Mapping[str, float], commits: Commits, today: Sequence[int], lengths: Mapping[int, float]
) -> dict[int, float]:
    """BM25 of the question over the messages of each file's commits, joined."""
    mean = sum(lengths.values()) / max(len(lengths), 1) or 1.0
    norms = {document: _K1 * (1 - _B + _B * length / mean) for document, length in lengths.items()}
    scores: defaultdict[int, float] = defaultdict(float)
    for term, weight in terms.items():
        amounts: defaultdict[int, float] = defaultdict(float)
        for number, count in commits.find(term):
            files = commits.files[commits.firsts[number] : commits.firsts[number + 1]]
            worth = count / sqrt(len(files))
            for file in files:
                if today[file] >= 0:
                    amounts[today[file]] += worth
        worth = weight * find_idf(len(lengths), len(amounts)) * (1 + _K1)
        for document, amount in amounts.items():
            scores[document] += worth * amount / (amount + norms[document])
    return scores
