"""Source text, diffs and prose with a budget in; as much of them as fits, fenced, and what does not fit, out."""

from __future__ import annotations

import re
from textwrap import dedent
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

_FENCE = re.compile(r"`{3,}")
_LONGEST_LINE = 400
_LEAST = 40
"""Tokens below which the beginning of something is not worth showing."""


class Affected(NamedTuple):
    """A member that changed, or what else of a type did.

    Attributes:
        title: What it is called and how it changed, on one line.
        text: Its diff, or its source; empty where the title says all.
        language: Of the text: `diff` or `csharp`.
        visible: Whether another assembly sees it.
    """

    title: str
    text: str
    language: str
    visible: bool


class Chunk(NamedTuple):
    """Some lines of a type's source.

    Attributes:
        name: The member that they declare; empty for what stands between members.
        text: The lines.
        rank: What is wanted first has the lowest.
    """

    name: str
    text: str
    rank: int


class Source(NamedTuple):
    """The source of a type.

    Attributes:
        why: Why it is shown, as a sentence.
        chunks: All of it, in order.
        members: How many members it declares.
    """

    why: str
    chunks: tuple[Chunk, ...]
    members: int


def fence(text: str, language: str) -> str:
    """A text between two fences, longer than any that it holds itself."""
    marks = "`" * max([3, *(len(found) + 1 for found in _FENCE.findall(text))])
    return f"{marks}{language}\n{text}\n{marks}"


def join_names(names: Sequence[str], most: int = 12) -> str:
    """Names with commas between them; of very many, the first and how many more."""
    more = len(names) - most
    shown = names if more <= 1 else names[:most]
    return ", ".join(shown) + (f" and {more:,} more" if more > 1 else "")


def fit_lines(text: str, room: int, count: Callable[[str], int]) -> tuple[str, int]:
    """The first lines of a text that fit, and how many do not."""
    lines = [shorten_line(line) for line in text.split("\n")]
    whole = "\n".join(lines)
    if count(whole) <= room:
        return whole, 0
    taken = 0
    for line in lines:
        room -= count(line) + 1
        if room < 0:
            break
        taken += 1
    return "\n".join(lines[:taken]), len(lines) - taken


def shorten_line(line: str) -> str:
    """A line, or its beginning and how many characters are missing."""
    return line if len(line) <= _LONGEST_LINE else f"{line[:_LONGEST_LINE]} ... ({len(line) - _LONGEST_LINE:,} more)"


def fit_members(affected: Sequence[Affected], room: int, count: Callable[[str], int]) -> tuple[str, list[str]]:
    """The members that changed, visible ones first, and what of them is not shown.

    The title of each comes before the text of any; what a long text leaves, the next may take.
    """
    order = sorted(affected, key=lambda each: not each.visible)
    room -= sum(count(each.title) + 4 for each in order)
    while order and room < 0:
        room += count(order[-1].title) + 4
        order = order[:-1]
    cut = [f"{len(affected) - len(order):,} more members that changed."] if len(order) < len(affected) else []
    blocks, waiting = [], sum(bool(each.text) for each in order)
    for each in order:
        block = each.title
        if each.text:
            share = max(room // waiting, min(room, _LEAST * 4))
            shown, more = fit_lines(each.text, share, count)
            waiting -= 1
            room -= count(shown) + 8
            if more:
                cut.append(f"{more:,} lines of: {each.title}")
            if shown:
                block += "\n" + fence(shown, each.language)
        blocks.append(block)
    return "\n\n".join(blocks), cut


def fit_source(source: Source, room: int, count: Callable[[str], int]) -> tuple[str, list[str]]:
    """As much of a source as fits, in its own order, and what of it is not shown."""
    costs = [count(chunk.text) + 1 for chunk in source.chunks]
    room -= count(source.why) + 8
    taken: set[int] = set()
    for at in sorted(range(len(costs)), key=lambda at: (source.chunks[at].rank, at)):
        if costs[at] <= room:
            taken.add(at)
            room -= costs[at]
    missed = [chunk.name for at, chunk in enumerate(source.chunks) if at not in taken and chunk.name]
    cut = [f"The source of {join_names(missed)}."] if missed else []
    text = "\n".join(map(shorten_line, "\n".join(_join(source.chunks, taken)).split("\n")))
    return (f"{source.why}\n{fence(dedent(text), 'csharp')}" if taken else ""), cut


def _join(chunks: Iterable[Chunk], taken: set[int]) -> Iterator[str]:
    gap = False
    for at, chunk in enumerate(chunks):
        if at in taken:
            yield chunk.text
        elif not gap:
            yield "    // ..."
        gap = at not in taken
