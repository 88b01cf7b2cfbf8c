"""A text and a needle that it does not hold in; the passages that come nearest, and what differs in them, out."""

from __future__ import annotations

import re
from enum import StrEnum
from itertools import combinations
from typing import TYPE_CHECKING

from codecortex.editing.matching import shorten
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MOST_NEAR = 3
_MOST_TOKENS = 2000
_ENOUGH = 0.5  # of the words of both lines together
_TOKEN = compile_later(r"\w+|[^\w\s]")
_WORD = compile_later(r"\w+")
_SPACE = compile_later(r"\s+")
_QUOTES = {"'": "'‘’‚‛`´", '"': '"“”„‟«»'}  # noqa: RUF001 - the characters that are mistaken for each other
_PLAIN = str.maketrans({each: plain for plain, all_ in _QUOTES.items() for each in all_})


class Differs(StrEnum):
    """What keeps a passage from being the needle."""

    SPACE = "white space"
    CASE = "case"
    QUOTES = "quotes"
    TEXT = "text"


class Passage(NamedTuple):
    """A passage that comes near.

    Attributes:
        start: Where it begins, in characters.
        end: Where it ends.
        line: The line that it begins on, from 1.
        preview: What it says, shortened.
        differs: What differs from the needle.
    """

    start: int
    end: int
    line: int
    preview: str
    differs: tuple[Differs, ...]


_FOLDS: dict[Differs, Callable[[str], str]] = {
    Differs.SPACE: lambda text: _SPACE.sub("", text),
    Differs.CASE: str.casefold,
    Differs.QUOTES: lambda text: text.translate(_PLAIN),
}


def find_nearest(text: str, needle: str, within: tuple[int, int] | None = None) -> tuple[Passage, ...]:
    """At most `MOST_NEAR` passages of a range: those that only look different, else the lines that share most words."""
    first, last = within or (0, len(text))
    part = text[first:last]
    found = list(_find_alike(part, needle)) or _find_akin(part, needle)
    lines = text.count("\n", 0, first)
    return tuple(
        each._replace(start=each.start + first, end=each.end + first, line=each.line + lines) for each in found
    )


def _find_alike(text: str, needle: str) -> Iterator[Passage]:
    """What equals the needle but for white space, case and quotes, in the order of the text."""
    tokens = _TOKEN.findall(needle)
    if not 0 < len(tokens) <= _MOST_TOKENS:
        return
    pattern = re.compile(r"\s*".join(map(_write_pattern, tokens)), re.IGNORECASE)
    found = 0
    for match in pattern.finditer(text):
        differs = _name_differences(match.group(), needle.strip())
        if differs is not None:
            yield _make_passage(text, match.start(), match.end(), differs or (Differs.SPACE,))
            found += 1
        if found == MOST_NEAR:
            return


def _write_pattern(token: str) -> str:
    quotes = _QUOTES.get(token.translate(_PLAIN))
    return f"[{quotes}]" if quotes else re.escape(token)


def _name_differences(passage: str, needle: str) -> tuple[Differs, ...] | None:
    """The fewest differences that, overlooked, make both equal; None where even all of them do not."""
    for count in range(len(_FOLDS) + 1):
        for kinds in combinations(_FOLDS, count):
            one, other = passage, needle
            for kind in kinds:
                one, other = _FOLDS[kind](one), _FOLDS[kind](other)
            if one == other:
                return kinds
    return None


def name_differences(passage: str, needle: str) -> tuple[Differs, ...]:
    """What keeps a passage from being the needle: the fewest differences that, overlooked, make both equal."""
    found = _name_differences(passage, needle)
    return (Differs.TEXT,) if found is None else found or (Differs.SPACE,)


def _find_akin(text: str, needle: str) -> list[Passage]:
    """The lines that share most words with the line of the needle that has most."""
    lines = needle.split("\n")
    wanted = max((frozenset(_WORD.findall(line)) for line in lines), key=len)
    if not wanted:
        return []
    scored: list[tuple[float, int, int]] = []
    position = 0
    for line in text.split("\n"):
        words = frozenset(_WORD.findall(line)) if line else frozenset()
        shared = len(words & wanted)
        if shared and shared / len(words | wanted) >= _ENOUGH:
            scored.append((-shared / len(words | wanted), position, position + len(line)))
        position += len(line) + 1
    return [_make_passage(text, start, end, (Differs.TEXT,)) for _, start, end in sorted(scored)[:MOST_NEAR]]


def _make_passage(text: str, start: int, end: int, differs: tuple[Differs, ...]) -> Passage:
    return Passage(start, end, text.count("\n", 0, start) + 1, shorten(text[start:end]), differs)
