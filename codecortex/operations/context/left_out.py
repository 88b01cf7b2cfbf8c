"""What an answer lacks in; the sentences that say so, out: alike files, files that are not ranked, an empty answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.context.retrieval.endings import EndLine
from codecortex.model.text.visible import show_line
from codecortex.operations.reading.sources import matches_globs
from codecortex.operations.wording import count_noun

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from codecortex.context.retrieval.rendering import Candidate
    from codecortex.operations.context.index import Index


def tell_alike(candidates: Sequence[Candidate], index: Index, takes: Callable[[str], bool]) -> list[EndLine]:
    """Which of the first files stand elsewhere too, with the same bytes."""
    lines = []
    for each in candidates:
        others = [path for path in index.alike.get(each.file.document, ()) if path != each.file.path and takes(path)]
        if others:
            lines.append(EndLine(f"{show_line(each.file.path)} has the bytes of: ", tuple(map(show_line, others))))
    return lines


def tell_aside(paths: Sequence[str]) -> list[EndLine]:
    """The files that the question names and that are not ranked."""
    head = "named, but not ranked (--tests ranks tests, samples and benchmarks too): "
    return [EndLine(head, tuple(map(show_line, paths)))] if paths else []


def tell_nothing(first: str, budget: int, globs: tuple[str, ...], listed: tuple[Sequence[str], Sequence[str]]) -> str:
    """Why an answer is empty, and what to ask for instead.

    Args:
        first: The best file; empty where none has anything of the question.
        budget: The most tokens of the answer.
        globs: What files have to fit.
        listed: The sources that are ranked, and those that could be.
    """
    if first:
        return (
            f"{budget:,} tokens have no room for {show_line(first)}, the first file about that: try a larger --budget."
        )
    ranked, others = listed
    if globs and not any(matches_globs(path, globs) for path in ranked):
        return f"No source that is ranked fits {', '.join(map(show_line, globs))}."
    if len(others) > len(ranked):
        told = count_noun(len(others) - len(ranked), "source")
        return f"Nothing is about that; left out: {told} of tests, samples and benchmarks, which --tests ranks too."
    return "Nothing in this tree is about that."
