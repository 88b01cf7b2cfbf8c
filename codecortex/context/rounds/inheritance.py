"""Earlier rounds and a question in; the files that they speak for, each with what that adds to its score, out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.context.retrieval.question import read_question
from codecortex.context.retrieval.weights import INHERITED, MOST_INHERITED

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from codecortex.model.conversations import Round

_LIKENESS, _OVERLAP, _AGE = 0.5, 0.3, 0.2
_THRESHOLD, _LOWERED, _LAST = 0.4, 0.2, 3


def list_edited(before: Mapping[str, str], now: Mapping[str, str]) -> tuple[str, ...]:
    """The paths whose blob is another one than before, or that are new; both map paths to blobs."""
    return tuple(path for path, blob in sorted(now.items()) if before.get(path) != blob)


def inherit_edited(edited: Sequence[str]) -> dict[str, float]:
    """What files that were edited since the last round gain; the ranking takes the best of them."""
    return dict.fromkeys(edited, INHERITED)


def inherit_classic(question: str, named: Collection[str], rounds: Sequence[Round]) -> dict[str, float]:
    """What the files of related rounds gain: more, the more their round is related.

    Args:
        question: The new one.
        named: Files that it names.
        rounds: The earlier ones, the oldest first.
    """
    terms = frozenset(read_question(question).terms)
    newest = rounds[::-1]
    related = [_relate(terms, frozenset(named), each, age) for age, each in enumerate(newest, 1)]
    close = sum(related[:_LAST]) / _LAST
    found: dict[str, float] = {}
    for each, relation in sorted(zip(newest, related, strict=True), key=lambda pair: -pair[1]):
        if relation >= _THRESHOLD - _LOWERED * close:
            for path in list_files(each):
                found.setdefault(path, round(INHERITED * relation, 6))
    return dict(list(found.items())[:MOST_INHERITED])


def _relate(terms: frozenset[str], named: frozenset[str], earlier: Round, age: int) -> float:
    """How related a round is to a question, from 0 to 1."""
    likeness = measure_likeness(terms, frozenset(read_question(earlier.question).terms))
    overlap = len(named & frozenset(list_files(earlier))) / len(named) if named else 0.0
    return _LIKENESS * likeness + _OVERLAP * overlap + _AGE / age


def measure_likeness(one: frozenset[str], other: frozenset[str]) -> float:
    """The share of the terms of two questions that both have."""
    return len(one & other) / len(one | other) if one or other else 0.0


def list_files(each: Round) -> list[str]:
    """The files of a round: those that were named, edited, answered with, then those that were shown."""
    answered = each.answer.files if each.answer is not None else ()
    return list(dict.fromkeys((*each.named, *each.edited, *answered, *(file.path for file in each.shown))))


def list_seen(rounds: Sequence[Round]) -> dict[str, int]:
    """By digest of a body, the last round in which it was shown."""
    return {digest: each.number for each in rounds for file in each.shown for digest in file.members}
