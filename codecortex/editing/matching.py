"""A text and a needle in, every place of the needle out; candidates to choose from, and the text with them marked."""

from __future__ import annotations

from codecortex.editing.values import Candidate
from codecortex.model.startup.named_tuple import NamedTuple

MOST_SHOWN = 5
MOST_COUNTED = 1000
"""Counting stops here: nobody chooses among more."""

_AROUND = 20
_LONGEST_PREVIEW = 100


class Selection(NamedTuple):
    """Passages of which one is to be chosen.

    Attributes:
        needle: What all of them say.
        replacement: What takes the place of the chosen one, unless another text is given.
        snapshot: The fingerprint of the text that they were found in.
        starts: Where each candidate begins, in characters as shown.
        total: How many match, counted up to `MOST_COUNTED`.
    """

    needle: str
    replacement: str
    snapshot: str
    starts: tuple[int, ...]
    total: int


def find_places(text: str, needle: str) -> list[int]:
    """Where the needle stands, overlapping places included; at most `MOST_COUNTED`."""
    found: list[int] = []
    position = text.find(needle)
    while position >= 0 and len(found) < MOST_COUNTED:
        found.append(position)
        position = text.find(needle, position + 1)
    return found


def make_candidates(text: str, selection: Selection) -> tuple[Candidate, ...]:
    """The candidates of a selection within the text that it was made of."""
    size = len(selection.needle)
    return tuple(
        _make_candidate(text, number, start, start + size) for number, start in enumerate(selection.starts, start=1)
    )


def _make_candidate(text: str, number: int, start: int, end: int) -> Candidate:
    line_start = text.rfind("\n", 0, start) + 1
    line_end = text.find("\n", end)
    first = max(line_start, start - _AROUND)
    last = min(line_end if line_end >= 0 else len(text), end + _AROUND)
    before = "..." if first > line_start else ""
    return Candidate(number, before + shorten(text[first:last]), number - 1, first, last)


def shorten(text: str) -> str:
    """The text, or its beginning and end where it is long."""
    half = _LONGEST_PREVIEW // 2
    return text if len(text) <= _LONGEST_PREVIEW else f"{text[:half]}...{text[-half:]}"


def mark_candidates(text: str, selection: Selection) -> str:
    """The text with the markers of every candidate around it."""
    size = len(selection.needle)
    marks: list[tuple[int, int, str]] = []
    for candidate, start in zip(make_candidates(text, selection), selection.starts, strict=True):
        marks += [(start, 1, candidate.marker_start), (start + size, 0, candidate.marker_end)]
    parts, last = [], 0
    for position, _, marker in sorted(marks):  # at one place, what ends stands before what begins
        parts += [text[last:position], marker]
        last = position
    return "".join([*parts, text[last:]])
