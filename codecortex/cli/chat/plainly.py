"""Shows what is typed so that every terminal takes the same columns for it; the text itself stays as it is.

Tabs are shown as spaces. What joins emoji, or chooses their look, is not shown, and the letters of flags are shown as
letters: terminals differ in what they make of these, and a cursor can only stand right where all agree.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache
from typing import TYPE_CHECKING

from prompt_toolkit.layout.processors import Processor, Transformation
from prompt_toolkit.layout.screen import Char
from prompt_toolkit.layout.utils import explode_text_fragments

from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from prompt_toolkit.formatted_text import StyleAndTextTuples
    from prompt_toolkit.layout.processors import TransformationInput

_TAB = 4
_FIRST_FLAG, _LAST_FLAG = "\U0001f1e6", "\U0001f1ff"
_UNSEEN = frozenset(
    "\u200b\u200c\u200d\u2060\ufeff"
    + "".join(map(chr, (*range(0xFE00, 0xFE10), *range(0x1F3FB, 0x1F400), *range(0xE0000, 0xE0080))))
)


def show_char(char: str, column: int) -> str:
    """What is shown for a character of which so many columns precede on its line."""
    if char == "\t":
        return " " * (_TAB - column % _TAB)
    if _FIRST_FLAG <= char <= _LAST_FLAG:
        return chr(ord("A") + ord(char) - ord(_FIRST_FLAG))
    return "" if char in _UNSEEN else char


class Laid(NamedTuple):
    """What is shown of a line: its characters, and by character of the line the first that is shown for it."""

    chars: list[str]
    places: list[int]


def lay_out(text: str, width: int) -> Laid:
    """What is shown of a line.

    The library gives a mark that combines a cell of its own until the next character takes it. So no row ends with one:
    what a mark belongs to begins the next row where it would stand in the last column, and a column that is left
    before a wide character is filled.

    Args:
        text: The line.
        width: Columns of a row.
    """
    laid = Laid([], [])
    column = used = 0
    for place, char in enumerate(text):
        shown = show_char(char, column)
        wide = sum(map(measure, shown))
        room = width - used
        if char != "\t" and (wide > room or (0 < wide == room and _is_mark(text[place + 1 : place + 2]))):
            laid.chars.extend(" " * room)
            used = width
        laid.places.append(len(laid.chars))
        for each in shown:
            laid.chars.append(each)
            used = measure(each) + (used if used + measure(each) <= width else 0)
        column += wide
    return laid


@lru_cache(maxsize=4096)
def measure(char: str) -> int:
    """The columns that a character takes."""
    return Char(char).width


def _is_mark(char: str) -> bool:
    return bool(char) and bool(show_char(char, 0)) and not measure(char)


class ShowPlainly(Processor):
    """Shows lines as `lay_out` says.

    Args:
        margin: Columns before each row.
    """

    def __init__(self, margin: int) -> None:
        self._margin = margin

    def apply_transformation(self, transformation_input: TransformationInput) -> Transformation:
        """The line as it is shown, and where each of its characters went."""
        fragments = explode_text_fragments(transformation_input.fragments)
        text = "".join(fragment[1] for fragment in fragments)
        chars, places = lay_out(text, max(1, transformation_input.width - self._margin))
        sources = [bisect_right(places, at) - 1 if at >= places[0] else 0 for at in range(len(chars))]
        shown: StyleAndTextTuples = [(fragments[source][0], char) for source, char in zip(sources, chars, strict=True)]

        def to_shown(place: int) -> int:
            return places[place] if place < len(places) else len(chars) + place - len(places)

        def to_source(place: int) -> int:
            return sources[place] if place < len(sources) else len(places) + place - len(chars)

        return Transformation(shown, to_shown, to_source)
