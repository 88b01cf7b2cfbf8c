"""Matches the segments of a query against FQNs, and tells how well each matches."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol, TypeVar

from codecortex.model.code.types import cut_simple_name
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later
from codecortex.model.text.wildcards import translate_wildcards
from codecortex.symbols.hits import Flag, Match

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from codecortex.symbols.query import Query, Segment


class Named(Protocol):
    """Something with an FQN."""

    @property
    def id(self) -> str:
        """Its id."""

    @property
    def fqn(self) -> str:
        """Its FQN."""


N = TypeVar("N", bound=Named)

_LEVELS = compile_later(r"[.+]")

PARTIAL, WILDCARD, FUZZY = 40, 60, 80
"""Scores of inexact hits; lower is better, 0 is exact."""


class Fit(NamedTuple):
    """How well a name matches a query.

    Attributes:
        score: 0 for an exact match, 10 for another arity, 20 for another case, 30 for both; 40 if only the end of the
            name matches, plus a third of these.
        flags: What was ignored.
        match: The match as a single word.
    """

    score: int
    flags: tuple[Flag, ...]
    match: Match


def match_names(query: Query, names: Iterable[N]) -> list[tuple[N, Fit]]:
    """The names that match a path: whole names, and names that end with it unless it is anchored.

    Matches in another case are dropped if there is one in the same case. Matches with another arity are dropped if a
    whole name matches exactly and the path has several segments.
    """
    wanted = query.segments
    lower = wanted[-1].lower
    found = []
    for each in names:
        if cut_simple_name(each.fqn).lower() == lower:
            fit = fit_path(wanted, split_name(each.fqn), anchored=query.anchored)
            if fit is not None:
                found.append((each, fit))
    return prefer_exact(query, found)


def prefer_exact(query: Query, found: list[tuple[N, Fit]]) -> list[tuple[N, Fit]]:
    """Applies the rules of `match_names` to the names that match."""
    whole = [pair for pair in found if Flag.PARTIAL not in pair[1].flags]
    partial = [pair for pair in found if Flag.PARTIAL in pair[1].flags]
    kept = [*_drop_other_case(whole), *_drop_other_case(partial)]
    if len(query.segments) > 1 and any(not fit.flags for _, fit in kept):
        return [pair for pair in kept if not {Flag.ARITY_INSENSITIVE, Flag.IGNORE_CASE} & set(pair[1].flags)]
    return kept


def _drop_other_case(found: list[tuple[N, Fit]]) -> list[tuple[N, Fit]]:
    same = [pair for pair in found if Flag.IGNORE_CASE not in pair[1].flags]
    return same or found


def split_name(fqn: str) -> list[tuple[str, int]]:
    """The segments of an FQN with their arities."""
    segments = []
    for part in _LEVELS.split(fqn):
        name, tick, arity = part.partition("`")
        segments.append((name, int(arity) if tick and arity.isdecimal() else 0))
    return segments


def fit_path(wanted: Sequence[Segment], own: Sequence[tuple[str, int]], *, anchored: bool) -> Fit | None:
    """How well a name matches a path, or None if it does not."""
    if len(wanted) > len(own) or (anchored and len(wanted) != len(own)):
        return None
    arity = case = False
    for segment, (name, count) in zip(reversed(wanted), reversed(own), strict=False):
        if segment.name != name:
            if segment.lower != name.lower():
                return None
            case = True
        if segment.is_open:
            if not count:
                return None
            arity |= count != 1
        elif segment.arity != count:
            if segment.arity:
                return None
            arity = True
    partial = len(wanted) < len(own)
    return Fit(_score(arity=arity, case=case, partial=partial), _list_flags(arity=arity, case=case, partial=partial),
               _name_match(wanted[-1], own[-1][1], case=case, partial=partial))  # fmt: skip


def _score(*, arity: bool, case: bool, partial: bool) -> int:
    relaxed = 10 * arity + 20 * case
    return PARTIAL + relaxed // 3 if partial else relaxed


def _list_flags(*, arity: bool, case: bool, partial: bool) -> tuple[Flag, ...]:
    flags = ((Flag.ARITY_INSENSITIVE, arity), (Flag.IGNORE_CASE, case), (Flag.PARTIAL, partial))
    return tuple(flag for flag, is_set in flags if is_set)


def _name_match(last: Segment, arity: int, *, case: bool, partial: bool) -> Match:
    if arity and (partial or last.generic or last.arity != arity):
        return Match.GENERIC_BASE
    if partial:
        return Match.SUFFIX
    return Match.EXACT_IGNORE_CASE if case else Match.EXACT


def make_pattern(segments: Sequence[Segment], *, anchored: bool) -> Callable[[str], object]:
    """A function that tells whether a plain name (no arities, only dots) matches a pattern, ignoring case.

    `*` stands for any text, so that `App.*.Node*` spans namespaces; `?` for one character. Unless anchored, the pattern
    may also match the end of a name after a dot.
    """
    text = ".".join(segment.name for segment in segments)
    start = "" if anchored or not text or text.startswith("*") else r"(?:.*\.)?"
    return re.compile(start + translate_wildcards(text), re.IGNORECASE | re.DOTALL).fullmatch


def write_doc_id(fqn: str) -> str:
    """The documentation id of a type, with dots before nested types and the arity after a backtick on every level."""
    return "T:" + fqn.replace("+", ".")
