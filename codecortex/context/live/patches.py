"""Two texts in, a unified diff out; taken back from the second text it gives the first, character by character."""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from operator import ne
from typing import TYPE_CHECKING

from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_CONTEXT = 3
_MOST_EDITS = 400
"""Lines that come or go in the middle of a text; beyond, the middle counts as replaced, so that time stays bounded."""
_UNENDED = "\\ No newline at end of file"


class Change(NamedTuple):
    """Lines `first` to before `last` of one text that became lines `new_first` to before `new_last`; from 0."""

    first: int
    last: int
    new_first: int
    new_last: int


class Patch(NamedTuple):
    """What lies between two texts.

    Attributes:
        text: The hunks of a unified diff, without a line feed at the end; empty where the texts are equal.
        first: The first line of the second text that is new, or where lines are missing; from 1, 0 without hunks.
        last: The last one.
    """

    text: str
    first: int = 0
    last: int = 0


def split_lines(text: str) -> list[str]:
    """The lines of a text, each with its line feed, which the last one may lack."""
    lines = [f"{line}\n" for line in text.split("\n")]
    lines[-1] = lines[-1].removesuffix("\n")
    return lines if lines[-1] else lines[:-1]


def make_patch(before: str, after: str, *, aligned: bool = False) -> Patch:
    """The unified diff that leads from one text to another.

    Args:
        before: The one.
        after: The other.
        aligned: Whether each line became one line, so that none has to be looked for.
    """
    old, new = split_lines(before), split_lines(after)
    changes = list(_list_changed(old, new)) if aligned and len(old) == len(new) else compare_lines(old, new)
    if not changes:
        return Patch("")
    hunks = "\n".join(line for group in _group(changes) for line in _write_hunk(group, old, new))
    first = max(1, min(changes[0].new_first + 1, len(new)))
    return Patch(hunks, first, max(first, changes[-1].new_last))


def compare_lines(old: Sequence[str], new: Sequence[str]) -> list[Change]:
    """The changes between two texts, in their order: the fewest lines, unless they are very many."""
    start, shorter = 0, min(len(old), len(new))
    while start < shorter and old[start] == new[start]:
        start += 1
    end = 0
    while end < shorter - start and old[-1 - end] == new[-1 - end]:
        end += 1
    middle, new_middle = old[start : len(old) - end], new[start : len(new) - end]
    if not middle and not new_middle:
        return []
    pairs = _match(middle, new_middle)
    return [Change(*(start + place for place in change)) for change in _list_gaps(pairs, middle, new_middle)]


def _list_changed(old: Sequence[str], new: Sequence[str]) -> Iterator[Change]:
    """The changes between as many lines."""
    start = 0
    for differs, lines in groupby(map(ne, old, new)):
        end = start + sum(1 for _ in lines)
        if differs:
            yield Change(start, end, start, end)
        start = end


def _match(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Pairs of equal lines, as many as there can be, after Myers (1986); none beyond the bound."""
    common = sum((Counter(old) & Counter(new)).values())
    if not common or len(old) + len(new) - 2 * common > _MOST_EDITS:
        return []  # not even in another order would there be fewer
    furthest = {1: 0}
    before: list[dict[int, int]] = []
    for depth in range(min(len(old) + len(new), _MOST_EDITS) + 1):
        before.append(furthest.copy())
        for diagonal in range(-depth, depth + 1, 2):
            down = diagonal == -depth or (diagonal != depth and furthest[diagonal - 1] < furthest[diagonal + 1])
            x = furthest[diagonal + 1] if down else furthest[diagonal - 1] + 1
            y = x - diagonal
            while x < len(old) and y < len(new) and old[x] == new[y]:
                x, y = x + 1, y + 1
            furthest[diagonal] = x
            if diagonal == len(old) - len(new) and x >= len(old):
                return _walk_back(before, len(old), len(new))
    return []


def _walk_back(before: list[dict[int, int]], x: int, y: int) -> list[tuple[int, int]]:
    """The pairs on the way that led to the end, given how far each diagonal had come before each step."""
    pairs: list[tuple[int, int]] = []
    for depth in range(len(before) - 1, -1, -1):
        known, diagonal = before[depth], x - y
        down = diagonal == -depth or (diagonal != depth and known[diagonal - 1] < known[diagonal + 1])
        above = diagonal + 1 if down else diagonal - 1
        from_x = known[above]
        from_y = from_x - above
        while x > max(from_x, 0) and y > max(from_y, 0):
            x, y = x - 1, y - 1
            pairs.append((x, y))
        x, y = from_x, from_y
    return pairs[::-1]


def _list_gaps(pairs: list[tuple[int, int]], old: Sequence[str], new: Sequence[str]) -> Iterator[Change]:
    """What lies between pairs of equal lines."""
    first = new_first = 0
    for last, new_last in [*pairs, (len(old), len(new))]:
        if last > first or new_last > new_first:
            yield Change(first, last, new_first, new_last)
        first, new_first = last + 1, new_last + 1


def _group(changes: list[Change]) -> list[list[Change]]:
    """Changes that are so near to each other that they make one hunk."""
    groups = [[changes[0]]]
    for change in changes[1:]:
        if change.first - groups[-1][-1].last <= 2 * _CONTEXT:
            groups[-1].append(change)
        else:
            groups.append([change])
    return groups


def _write_hunk(group: list[Change], old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    start, end = max(0, group[0].first - _CONTEXT), min(len(old), group[-1].last + _CONTEXT)
    new_start = group[0].new_first - (group[0].first - start)
    new_end = group[-1].new_last + (end - group[-1].last)
    yield f"@@ -{_write_range(start, end)} +{_write_range(new_start, new_end)} @@"
    for change in group:
        yield from _write_lines(" ", old[start : change.first])
        yield from _write_lines("-", old[change.first : change.last])
        yield from _write_lines("+", new[change.new_first : change.new_last])
        start = change.last
    yield from _write_lines(" ", old[start:end])


def _write_range(start: int, end: int) -> str:
    count = end - start
    first = start + 1 if count else start
    return f"{first}" if count == 1 else f"{first},{count}"


def _write_lines(sign: str, lines: Sequence[str]) -> Iterator[str]:
    for line in lines:
        yield sign + line.removesuffix("\n")
        if not line.endswith("\n"):
            yield _UNENDED
