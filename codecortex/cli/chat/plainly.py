"""Shows what is typed so that every terminal takes the same columns for it; the text itself stays as it is.

Tabs are shown as spaces. What joins emoji, or chooses their look, is not shown, and the letters of flags are shown as
letters: terminals differ in what they make of these, and a cursor can only stand right where all agree.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from prompt_toolkit.layout.processors import Processor, Transformation
from prompt_toolkit.layout.screen import Char
from prompt_toolkit.layout.utils import explode_text_fragments

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


class ShowPlainly(Processor):
    """Puts what is shown in place of each character."""

    def apply_transformation(self, transformation_input: TransformationInput) -> Transformation:
        """The line as it is shown, and where each of its characters went."""
        shown: StyleAndTextTuples = []
        places: list[int] = []  # by character of the text, the first of what is shown for it
        sources: list[int] = []  # by shown character, the character of the text
        column = 0
        for place, fragment in enumerate(explode_text_fragments(transformation_input.fragments)):
            text = show_char(fragment[1], column)
            column += sum(Char(char).width for char in text)
            places.append(len(sources))
            sources += [place] * len(text)
            if text:
                shown.append((fragment[0], text))

        def to_shown(place: int) -> int:
            return places[place] if place < len(places) else len(sources) + place - len(places)

        def to_source(place: int) -> int:
            return sources[place] if place < len(sources) else len(places) + place - len(sources)

        return Transformation(shown, to_shown, to_source)
