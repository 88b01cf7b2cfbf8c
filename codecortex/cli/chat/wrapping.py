"""The window that is typed in: lines wrapped as the screen does it, and scrolled so that the cursor is always seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prompt_toolkit.application import get_app
from prompt_toolkit.layout import Window
from prompt_toolkit.layout.dimension import Dimension

from codecortex.cli.chat.plainly import measure
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from prompt_toolkit.layout.controls import UIContent

MARGIN = 2
"""Columns before each row, where the prompt stands."""

_LEAST_ROWS = 3
_SHARE = 3  # of the rows of the terminal


class Row(NamedTuple):
    """A row of wrapped text: the line, from 0, and which of its rows it is, from 0."""

    line: int
    row: int


def wrap(text: str, width: int) -> list[int]:
    """Where the rows of a line begin, in characters; a wide character that does not fit begins a row.

    Args:
        text: The line as it is shown.
        width: Columns of a row.
    """
    starts, used = [0], 0
    for place, char in enumerate(text):
        wide = measure(char)
        if used + wide > width and place > starts[-1]:
            starts.append(place)
            used = 0
        used += wide
    return starts


class Wrapped:
    """The rows of a text, each line wrapped when it is first asked about.

    Args:
        read: Gives the text of a line as it is shown, with the cell that the cursor may stand on behind it.
        lines: How many lines there are.
        width: Columns of a row.
    """

    def __init__(self, read: Callable[[int], str], lines: int, width: int) -> None:
        self._read = read
        self._lines = lines
        self._width = max(1, width)
        self._known: dict[int, list[int]] = {}

    def count(self, line: int) -> int:
        """How many rows a line has."""
        return len(self._starts(line))

    def find(self, line: int, place: int) -> Row:
        """The row that a character of a line stands on."""
        return Row(line, sum(start <= place for start in self._starts(line)) - 1)

    def go(self, row: Row, by: int) -> Row:
        """The row so many further down, or up; the last or the first where there are none."""
        line, at = row.line, row.row + by
        while at < 0 and line:
            line -= 1
            at += self.count(line)
        while line < self._lines - 1 and at >= self.count(line):
            at -= self.count(line)
            line += 1
        return Row(line, min(max(at, 0), self.count(line) - 1))

    @property
    def last(self) -> Row:
        """The last row."""
        return Row(self._lines - 1, self.count(self._lines - 1) - 1)

    def _starts(self, line: int) -> list[int]:
        if line not in self._known:
            self._known[line] = wrap(self._read(line), self._width)
        return self._known[line]


def choose_top(rows: Wrapped, top: Row, cursor: Row, height: int) -> Row:
    """The first row that is shown.

    It stays while the cursor is seen; else the cursor comes to two thirds of the height. No room is left empty below.
    """
    top = min(top, rows.last)
    top = top._replace(row=min(top.row, rows.count(top.line) - 1))
    if not top <= cursor <= rows.go(top, height - 1):
        top = rows.go(cursor, -(2 * height // 3))
    return min(top, rows.go(rows.last, 1 - height))


def count_rows(rows: Wrapped, lines: int, most: int) -> int:
    """How many rows a text has, no more than are asked about."""
    total = 0
    for line in range(lines):
        total += rows.count(line)
        if total >= most:
            return most
    return total


class InputWindow(Window):
    """The window that is typed in."""

    def _scroll_when_linewrapping(self, ui_content: UIContent, width: int, height: int) -> None:
        """Scroll by rows: the library scrolls by lines, and takes a wide character at the edge for one that fits."""
        self.horizontal_scroll = 0
        rows = make_rows(ui_content, width)
        cursor = rows.find(ui_content.cursor_position.y, ui_content.cursor_position.x)
        top = choose_top(rows, Row(self.vertical_scroll, self.vertical_scroll_2), cursor, max(1, height))
        self.vertical_scroll, self.vertical_scroll_2 = top


def make_rows(content: UIContent, width: int) -> Wrapped:
    """The rows of what a control shows in a window."""

    def read(line: int) -> str:
        return "".join(fragment[1] for fragment in content.get_line(line))

    return Wrapped(read, content.line_count, width - MARGIN)


def measure_box(show: Callable[[int], UIContent]) -> Dimension:
    """The height of the box: that of its text as shown in so many columns, at most a third of the terminal."""
    size = get_app().output.get_size()
    content = show(size.columns)
    most = max(_LEAST_ROWS, size.rows // _SHARE)
    rows = count_rows(make_rows(content, size.columns), content.line_count, most)
    return Dimension(min=1, max=most, preferred=rows)
