"""Lines of a long file around the places that matter, and an index of its members, each within a number of tokens."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from codecortex.context.ranges import Piece, shorten_line

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from codecortex.context.live.values import MemberLine

    Count = Callable[[str], int]

CHARACTERS_PER_TOKEN = 20
"""A text that is longer than this for each token that there is room for counts as too long, without being counted."""


def fits(text: str, room: int, count: Count) -> bool:
    """Whether a text has no more tokens than there is room for."""
    return len(text) <= CHARACTERS_PER_TOKEN * room and count(text) <= room


def find_most(low: int, high: int, holds: Callable[[int], bool]) -> int:
    """The greatest number up to `high` for which something holds that holds for `low` and for no number beyond one."""
    step = 1
    while low + step <= high and holds(low + step):
        low, step = low + step, step * 2
    high = min(high, low + step - 1)
    while low < high:
        middle = (low + high + 1) // 2
        if holds(middle):
            low = middle
        else:
            high = middle - 1
    return low


def cut_window(lines: Sequence[str], places: Sequence[int], room: int, count: Count) -> tuple[Piece, ...]:
    """As many lines around each place as there is room for, the same number for each; fewer places where none fits.

    Args:
        lines: The lines of the file, without line feeds.
        places: Numbers of lines from 1, the most important first.
        room: How many tokens the lines may have.
        count: Counts tokens.
    """
    for kept in range(len(places), 0, -1):
        cut = partial(_cut, lines, places[:kept])
        radius = find_most(-1, len(lines), partial(_fit_pieces, cut, room, count))
        if radius >= 0:
            return cut(radius)
    return ()


def _fit_pieces(cut: Callable[[int], tuple[Piece, ...]], room: int, count: Count, radius: int) -> bool:
    return fits("".join(map(write_piece, cut(radius))), room, count)


def write_piece(piece: Piece) -> str:
    """The lines of a piece of a window; what is left of a very long one says how long it is."""
    return "".join(f"{shorten_line(line)}\n" for line in piece.lines)


def _cut(lines: Sequence[str], places: Sequence[int], radius: int) -> tuple[Piece, ...]:
    spans: list[tuple[int, int]] = []
    for place in sorted({min(max(1, place), len(lines)) for place in places}):
        first, last = max(1, place - radius), min(len(lines), place + radius)
        if spans and first <= spans[-1][1] + 1:
            spans[-1] = spans[-1][0], last
        else:
            spans.append((first, last))
    return tuple(Piece(first, lines[first - 1 : last]) for first, last in spans)


def choose_members(
    members: Sequence[MemberLine], places: Sequence[int], room: int, count: Count
) -> tuple[MemberLine, ...]:
    """The types and members that there is room for: types first, then what is nearest to the most important place."""
    place = places[0] if places else 1
    ranked = sorted(members, key=lambda each: (each.depth, min(abs(each.first - place), abs(each.last - place))))

    def choose(number: int) -> list[MemberLine]:
        return sorted(ranked[:number], key=lambda each: (each.first, -each.last))

    def holds(number: int) -> bool:
        return fits("".join(f"{write_member(each)}\n" for each in choose(number)), room, count)

    return tuple(choose(find_most(0, len(ranked), holds)))


def write_member(member: MemberLine) -> str:
    """The lines and the name of a member, below the type that it is nested in."""
    return f"{'  ' * member.depth}{member.first}-{member.last} {member.name}"
