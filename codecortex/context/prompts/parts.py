"""Fits source text, diffs and prose into a budget; returns fenced text and a list of what was cut."""

from __future__ import annotations

from textwrap import dedent
from typing import TYPE_CHECKING

from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

_FENCE = compile_later(r"`{3,}")
_LONGEST_LINE = 400
_LEAST = 40
"""Below this many tokens, the beginning of a text is not worth showing."""


class Affected(NamedTuple):
    """A changed member, or another change of a type.

    Attributes:
        title: Its name and how it changed, on one line.
        text: Its diff or its source; empty if the title says everything.
        language: The language of the text: `diff` or `csharp`.
        visible: Whether another assembly sees it.
    """

    title: str
    text: str
    language: str
    visible: bool


class Chunk(NamedTuple):
    """Some lines of a type's source.

    Attributes:
        name: The member that they declare; empty for lines between members.
        text: The lines.
        rank: The priority; the lowest comes first.
    """

    name: str
    text: str
    rank: int


class Source(NamedTuple):
    """The source of a type.

    Attributes:
        why: Why it is shown, as a sentence.
        chunks: The whole source, in order.
        members: The number of members it declares.
    """

    why: str
    chunks: tuple[Chunk, ...]
    members: int


def fence(text: str, language: str) -> str:
    """A text between two fences that are longer than any fence in it."""
    marks = "`" * max([3, *(len(found) + 1 for found in _FENCE.findall(text))])
    return f"{marks}{language}\n{text}\n{marks}"


def join_names(names: Sequence[str], most: int = 12) -> str:
    """Names separated by commas; if there are too many, the first ones and how many more there are."""
    more = len(names) - most
    shown = names if more <= 1 else names[:most]
    return ", ".join(shown) + (f" and {more:,} more" if more > 1 else "")


def fit_lines(text: str, room: int, count: Callable[[str], int]) -> tuple[str, int]:
    """The first lines of a text that fit, and the number of lines that do not."""
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
    """A line; if it is too long, its beginning and the number of missing characters."""
    return line if len(line) <= _LONGEST_LINE else f"{line[:_LONGEST_LINE]} ... ({len(line) - _LONGEST_LINE:,} more)"


def fit_members(affected: Sequence[Affected], room: int, count: Callable[[str], int]) -> tuple[str, list[str]]:
    """The changed members, visible ones first, and a list of what was cut.

    All titles are reserved before any text; budget that a short text leaves goes to the next.
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
    """As much of a source as fits, in source order, and a list of what was cut."""
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
