"""Files and ranges of lines as somebody asks for them, and texts, in; numbered lines that fit one budget out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

LONGEST_LINE = 2_000
"""Characters of one line that are shown."""

_SPAN = r"\d{1,9}(?:-\d{0,9})?"
_ASKED = compile_later(rf"(.+?):(?:({_SPAN}(?:,{_SPAN})*)|(\d{{1,9}}):\d{{1,9}})", re.DOTALL)


class Lines(NamedTuple):
    """Lines that are asked for, from 1; `last` is None for the end of the file."""

    first: int = 1
    last: int | None = None

    @property
    def problem(self) -> str:
        """Why they make no sense, or empty."""
        if self.first < 1:
            return "lines count from 1"
        if self.last is not None and self.last < self.first:
            return f"the range {self.first}-{self.last} is reversed"
        return ""


class Piece(NamedTuple):
    """Lines of one file that are to be shown.

    Attributes:
        first: The number of the first.
        lines: Their texts.
    """

    first: int
    lines: Sequence[str]


def split_asked(text: str) -> tuple[str, list[tuple[str, Lines]]]:
    """The path and the ranges, each as it is written and what it means, of `FILE:A-B,C-D` and `FILE:LINE:COLUMN`.

    `A` is one line, `A-` all from there on; without a range, the whole file is meant.
    """
    found = _ASKED.fullmatch(text)
    if found is None:
        return text, [("", Lines())]
    return found[1], [(span, _read_span(span)) for span in (found[2] or found[3]).split(",")]


def split_odd(text: str) -> tuple[str, str]:
    """The path, and what stands behind its colon and is no range."""
    path, _, rest = text.partition(":")
    return path, rest


def _read_span(text: str) -> Lines:
    first, dash, last = text.partition("-")
    if not dash:
        return Lines(int(first), int(first))
    return Lines(int(first), int(last) if last else None)


def number_lines(piece: Piece, shown: int) -> str:
    """The first lines of a piece, each with its number; what is left of a very long one says how long it is."""
    width = len(str(piece.first + len(piece.lines)))
    return "\n".join(
        f"{piece.first + at:>{width}}  {shorten_line(line)}".rstrip() for at, line in enumerate(piece.lines[:shown])
    )


def shorten_line(line: str) -> str:
    """A line, or the beginning of a very long one and how long that is."""
    return line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE]} ... ({len(line):,} characters)"


def share_budget(pieces: Sequence[Piece], budget: int, count: Callable[[str], int]) -> list[int]:
    """How many lines of each piece fit: short pieces whole, the others in equal shares of what is left.

    Args:
        pieces: What is to be shown.
        budget: Tokens for all of them together.
        count: Counts the tokens of a text.
    """
    costs = [_measure(piece, budget, count) for piece in pieces]
    left = budget
    shown = [0] * len(pieces)
    waiting = sorted(range(len(pieces)), key=lambda number: sum(costs[number]))
    while waiting:
        number = waiting.pop(0)
        share, used = left // (len(waiting) + 1), 0
        for cost in costs[number]:
            if used + cost > share:
                break
            used += cost
            shown[number] += 1
        left -= used
    return shown


def _measure(piece: Piece, budget: int, count: Callable[[str], int]) -> list[int]:
    """The tokens of each line, of no more lines than could ever fit."""
    costs: list[int] = []
    total = 0
    for at in range(len(piece.lines)):
        if total > budget:
            break
        costs.append(count(number_lines(Piece(piece.first + at, piece.lines[at : at + 1]), 1) + "\n"))
        total += costs[-1]
    return costs
