"""A ranked file and its units in; its members, best first, with how likely each is wanted, out."""

from __future__ import annotations

from math import exp, log
from typing import TYPE_CHECKING

from codecortex.context.retrieval.weights import MEMBER, MEMBER_SURE
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.text.terms import compile_some, split_name

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from codecortex.context.retrieval.text_scores import TextScores
    from codecortex.model.code.units import Unit

_MOST_PAIRS = 12.0
_KINDS = {"constructor": MEMBER["constructor"]} | dict.fromkeys(("field", "constant", "enumMember"), MEMBER["field"])
_MENTIONED = 4.0
_DIGITS = 6


class RankedMember(NamedTuple):
    """One member: what it is, its position in the file, its score, how likely it is wanted if its file is."""

    unit: Unit
    place: int
    score: float
    sure: float


class Asked(NamedTuple):
    """What members are judged by.

    Attributes:
        text: The scores of units.
        names: The words of the question.
        total: How many files there are.
    """

    text: TextScores
    names: Collection[str]
    total: int


def rank_members(
    units: Sequence[Unit], first: int, asked: Asked, mentioned: Collection[int] = ()
) -> list[RankedMember]:
    """The members of a file, best first.

    Args:
        units: Its units, the rest of the file first.
        first: The number of the first of them.
        asked: The question.
        mentioned: Positions of those that the question names.
    """
    best = max((asked.text.units.get(first + at, 0.0) for at in range(1, len(units))), default=0.0) or 1.0
    lines = sum(unit.end_line - unit.line + 1 for unit in units[1:]) or 1
    lower = {name.lower() for name in asked.names}
    some = compile_some(asked.text.idf)
    rows = []
    for at, unit in enumerate(units[1:], 1):
        own = unit.end_line - unit.line + 1
        name = unit.name.lower()
        score = MEMBER["text"] * asked.text.units.get(first + at, 0.0) / best
        score += MEMBER["lines"] * log(1 + own) + MEMBER["share"] * own / lines
        if first + at in asked.text.pairs:
            score += MEMBER["pairs"] * min(asked.text.pairs[first + at], _MOST_PAIRS) / _MOST_PAIRS
        if name in lower or any(each.lower() in lower for each in unit.inner):
            score += MEMBER["exact"]
        if some(name):
            score += MEMBER["name"] * _find_share(unit.name, asked.text.idf, asked.total)
        score += _KINDS.get(unit.kind, 0.0) + MEMBER["abstract"] * unit.abstract + _MENTIONED * (at in mentioned)
        rows.append((round(score, _DIGITS), at))
    rows.sort(key=lambda row: (-row[0], units[row[1]].line, units[row[1]].name))
    sure = _find_sureness([score for score, _ in rows])
    return [RankedMember(units[at], at, score, likely) for (score, at), likely in zip(rows, sure, strict=True)]


def _find_share(name: str, idf: Mapping[str, float], count: int) -> float:
    """How much of a name the question holds; parts that it does not hold are of middling weight."""
    parts = split_name(name).parts
    other = log(1 + count) / 2 or 1.0
    whole = sum(idf.get(part, 0.0) or other for part in parts)
    return sum(idf.get(part, 0.0) for part in parts) / whole if whole else 0.0


def _find_sureness(scores: Sequence[float]) -> list[float]:
    if not scores:
        return []
    by_share, by_count, base = MEMBER_SURE
    total = log(sum(exp(score - scores[0]) for score in scores))
    fixed = by_count * log(len(scores)) + base
    return [round(1 / (1 + exp(-(by_share * (score - scores[0] - total) + fixed))), _DIGITS) for score in scores]
