"""Edits as ranges in the text of a file; all of them applied or none."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

from codecortex.editing.drafts import Draft
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.text.columns import count_units

if TYPE_CHECKING:
    from collections.abc import Iterable


class Edit(NamedTuple):
    """A range of a file's text and what is to stand there.

    Attributes:
        start: Where the range begins, in bytes of `FileEdits.source`, as the nodes of a syntax tree count.
        end: Where it ends.
        text: The new text, with a line feed for every line end.
    """

    start: int
    end: int
    text: str


def measure_edit(edit: Edit) -> int:
    """By how much an edit moves what stands behind it."""
    return len(edit.text.encode()) - (edit.end - edit.start)


class EditRow(NamedTuple):
    """An edit for people and programs.

    Attributes:
        file: The file.
        line: The line that the range begins on, from 1.
        column: Where in that line it begins, from 1 and in UTF-16 units.
        length: How many units it has; a line end counts as one.
        text: What is to stand there.
    """

    file: str
    line: int
    column: int
    length: int
    text: str


@dataclass(frozen=True)
class FileEdits:
    """What is to become of one file.

    Attributes:
        path: Where it is.
        before: What it says; None where it is to be made.
        edits: Ranges and their new texts, in the order of the file; those of a new file are one insertion at 0.
        moved_to: Where it is to be afterwards; empty where it stays.
        removed: Whether it is to go.

    Raises:
        ValueError: Two edits overlap, or one lies outside of the text or cuts a character.
    """

    path: str
    before: Draft | None
    edits: tuple[Edit, ...] = ()
    moved_to: str = ""
    removed: bool = False

    def __post_init__(self) -> None:
        if self.before is None and (self.moved_to or self.removed):
            raise ValueError(self.path)
        for one, other in pairwise(self.edits):
            if one.end > other.start or one == other:
                raise ValueError(one, other)
        if any(not 0 <= each.start <= each.end <= len(self.source) for each in self.edits):
            raise ValueError(self.path)

    @cached_property
    def source(self) -> bytes:
        """The text as parsers read it: UTF-8, a line feed for every line end."""
        return self.before.shown.encode() if self.before is not None else b""

    @cached_property
    def after(self) -> Draft | None:
        """What the file is to say; None where it is to go."""
        if self.removed:
            return None
        return (self.before or Draft()).splice_all(
            [(start, end, each.text) for each, start, end in self._in_characters()]
        )

    @property
    def target(self) -> str:
        """Where the file is afterwards."""
        return self.moved_to or self.path

    def move(self, place: int, *, is_end: bool = False) -> int:
        """Where a place is afterwards; what is inserted at it stands before it, unless it ends something."""
        before = [each for each in self.edits if each.end <= place and not (is_end and each.start == place)]
        return place + sum(map(measure_edit, before))

    def list_ranges(self) -> list[tuple[int, int]]:
        """Where the new texts stand afterwards."""
        ranges, shift = [], 0
        for each in self.edits:
            start = each.start + shift
            ranges.append((start, start + len(each.text.encode())))
            shift += measure_edit(each)
        return ranges

    def list_rows(self) -> list[EditRow]:
        """The edits for people and programs."""
        source, line, passed = self.source, 1, 0
        rows = []
        for each in self.edits:
            line += source.count(b"\n", passed, each.start)
            passed = each.start
            before = source[source.rfind(b"\n", 0, passed) + 1 : passed]
            length = count_units(source[passed : each.end])
            rows.append(EditRow(self.path, line, count_units(before) + 1, length, each.text))
        return rows

    def _in_characters(self) -> list[tuple[Edit, int, int]]:
        """The edits with their ranges in characters."""
        if self.source.isascii():
            return [(each, each.start, each.end) for each in self.edits]
        found = []
        position = passed = 0
        for each in self.edits:
            start = passed + len(self.source[position : each.start].decode())
            end = start + len(self.source[each.start : each.end].decode())
            found.append((each, start, end))
            position, passed = each.end, end
        return found


def sort_edits(edits: Iterable[Edit]) -> tuple[Edit, ...]:
    """Edits in the order of the file, each once."""
    return tuple(sorted(set(edits)))
