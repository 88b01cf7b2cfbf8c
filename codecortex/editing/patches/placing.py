"""Lines of a text and hunks in; which lines give way to what out, or the hunk whose place cannot be told."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from codecortex.editing.patches.values import GONE, NEW
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from codecortex.editing.patches.values import Hunk

_NAMED = 5
_MOST_PLACES = 200


class Change(NamedTuple):
    """Lines from `first` up to before `end`, from 0, and the text that takes their place."""

    first: int
    end: int
    new: str


class Miss(NamedTuple):
    """A hunk whose place cannot be told, and why.

    Attributes:
        hunk: The hunk.
        reason: A sentence.
        near: The line, from 0, that first differs where most of the hunk's lines stand; None for none.
        expected: What the hunk has there.
        places: The lines, from 0, on which its lines stand, where that is several.
    """

    hunk: Hunk
    reason: str
    near: int | None = None
    expected: str = ""
    places: tuple[int, ...] = ()


class Lines:
    """The lines of a text, each with its line end where it has one.

    A text without a line end at its end is taken to have one where the hunks say nothing about that; `is_closed` then
    says that it has to be taken away again.
    """

    def __init__(self, text: str, hunks: Sequence[Hunk]) -> None:
        lines = text.split("\n")
        self.lines = [f"{line}\n" for line in lines[:-1]]
        says_end = any(not row.text.endswith("\n") for hunk in hunks for row in hunk.rows)
        self.is_closed = bool(lines[-1]) and not says_end
        if lines[-1]:
            self.lines.append(f"{lines[-1]}\n" if self.is_closed else lines[-1])
        self._places: dict[str, list[int]] = {}
        for place, line in enumerate(self.lines):
            self._places.setdefault(line, []).append(place)

    def place(self, hunks: Sequence[Hunk]) -> tuple[list[Change], list[Miss]]:
        """What becomes of the lines, and the hunks whose place cannot be told."""
        changes: list[Change] = []
        misses: list[Miss] = []
        done = shift = 0
        for hunk in hunks:
            found = self._find(hunk, done, shift)
            if isinstance(found, Miss):
                misses.append(found)
                continue
            changes += _list_changes(hunk, found)
            done = found + len(hunk.before)
            shift = found - (hunk.at - 1) if hunk.at is not None else shift
        return changes, misses

    def list_ranges(self, changes: Sequence[Change]) -> list[tuple[int, int, str]]:
        """The same in characters of the text; one that has no line end at its end has none afterwards."""
        starts = [0]
        for line in self.lines:
            starts.append(starts[-1] + len(line))
        size = starts[-1] - self.is_closed
        ranges = []
        for first, end, new in changes:
            is_last = self.is_closed and end == len(self.lines)
            if is_last and first == end:
                ranges.append((size, size, "\n" + new.removesuffix("\n")))
            else:
                ranges.append((starts[first], min(starts[end], size), new.removesuffix("\n") if is_last else new))
        return ranges

    def _find(self, hunk: Hunk, done: int, shift: int) -> int | Miss:
        before = hunk.before
        for header in hunk.below:
            found = self._find_header(hunk, header, done)
            if isinstance(found, Miss):
                return found
            done = found
        if not before:
            return self._find_room(hunk, done)
        expected = hunk.at - 1 + shift if hunk.at is not None else -1
        if expected >= done and self._fits(before, expected):
            return expected
        places = [place for place in self._places.get(before[0], ()) if place >= done and self._fits(before, place)]
        if hunk.at_end:
            places = [place for place in places if place + len(before) == len(self.lines)]
        if not places:
            return self._miss(hunk, done)
        meant = 0 if len(places) == 1 or hunk.below else hunk.chosen
        return places[meant] if meant is not None and meant < len(places) else _tell_several(hunk, places)

    def _fits(self, before: list[str], place: int) -> bool:
        return self.lines[place : place + len(before)] == before

    def _find_header(self, hunk: Hunk, header: str, done: int) -> int | Miss:
        for fits in (lambda line: line.strip() == header, lambda line: header in line):
            places = [place for place in range(done, len(self.lines)) if fits(self.lines[place])]
            if places:
                return places[0]
        return Miss(hunk, f"No line below the hunk before says {header!r}.", None, header)

    def _find_room(self, hunk: Hunk, done: int) -> int | Miss:
        """Where lines go that stand beside no other: into an empty file, below a header, or at the end of a file."""
        if not self.lines:
            return 0
        if hunk.at is not None:
            return Miss(hunk, "It has no line that stays or goes, so that nothing tells its place.")
        return done + 1 if hunk.below and not hunk.at_end else len(self.lines)

    def _miss(self, hunk: Hunk, done: int) -> Miss:
        """Where most of a hunk's lines stand, and the first that differs there."""
        before = hunk.before
        votes = Counter(
            place - offset for offset, line in enumerate(before) if line.strip()
            for place in self._places.get(line, ())[:_MOST_PLACES] if place - offset >= done
        )  # fmt: skip
        where = "below the part before" if done else "in the file"
        reason = f"Its lines stand nowhere {where}."
        for start, _ in votes.most_common(1):
            for offset, line in enumerate(before):
                if start + offset >= len(self.lines):
                    return Miss(hunk, f"{reason} The file ends on line {len(self.lines)}.", len(self.lines) - 1, line)
                if self.lines[start + offset] != line:
                    return Miss(hunk, reason, start + offset, line)
        return Miss(hunk, reason)


def _tell_several(hunk: Hunk, places: Sequence[int]) -> Miss:
    told = ", ".join(str(place + 1) for place in places[:_NAMED])
    more = f" and {len(places) - _NAMED} more" if len(places) > _NAMED else ""
    reason = f"Its lines stand in {len(places)} places, on line {told}{more}: give it more lines around."
    return Miss(hunk, reason, places=tuple(places))


def _list_changes(hunk: Hunk, place: int) -> Iterator[Change]:
    """Each run of lines that go or come; those that stay are left as the file has them."""
    first = end = place
    new: list[str] = []
    for row in hunk.rows:
        if row.sign == NEW:
            new.append(row.text)
        elif row.sign == GONE:
            end += 1
        else:
            if new or end > first:
                yield Change(first, end, "".join(new))
            first = end = end + 1
            new = []
    if new or end > first:
        yield Change(first, end, "".join(new))
