"""Callers, tests and files that had no room in; the lines that an answer ends with, within its budget, out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.text.visible import show_line

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_NEIGHBOURS, _TESTS, _FURTHER = 0.1, 0.04, 0.03


class EndLine(NamedTuple):
    """A line that may be shown with less than all that it lists.

    Attributes:
        head: How it begins; the whole line where it lists nothing.
        parts: What it lists, the most important first.
        left: How many more there are.
        whole: Whether that is all, so that no part is left that nobody looked for.
    """

    head: str
    parts: tuple[str, ...] = ()
    left: int = 0
    whole: bool = True

    def write(self, most: int) -> str:
        """The line with so many of its parts."""
        left = self.left + len(self.parts) - most
        if left:
            more = f" and {left} more" if self.whole else f" and at least {left} more"
        else:
            more = "" if self.whole else " and perhaps more"
        return self.head + "; ".join(self.parts[:most]) + more


def choose_ending(near: Sequence[EndLine], tests: Sequence[str], budget: int, count: Callable[[str], int]) -> list[str]:
    """The lines behind the files, the least important last.

    Args:
        near: Lines on callers and siblings, the most important first.
        tests: Paths of tests, the likeliest first.
        budget: The most tokens of the answer.
        count: What counts them.
    """
    room = budget * _NEIGHBOURS
    lines = []
    for each in near:
        texts = (each.write(most) for most in range(len(each.parts), min(len(each.parts), 1) - 1, -1))
        line = next((text for text in texts if count(f"{text}\n") <= room), None)
        if line is None:
            break
        room -= count(f"{line}\n")
        lines.append(line)
    return lines + _write_list("tests", tests, budget * _TESTS, count)


def name_further(paths: Sequence[str], budget: int, used: int, count: Callable[[str], int]) -> list[str]:
    """The line that names files which are not shown, in what the budget has left.

    Args:
        paths: The files, best first.
        budget: The most tokens of the answer.
        used: Those that are taken.
        count: What counts them.
    """
    return _write_list("further", paths, min(budget - used, budget * _FURTHER), count)


def _write_list(head: str, paths: Sequence[str], room: float, count: Callable[[str], int]) -> list[str]:
    """A line with the first of some paths, as many as there is room for; none where there is none for the first."""
    taken: list[str] = []
    room -= count(f"{head}:\n")
    for path in map(show_line, paths):
        room -= count(f", {path}")
        if room < 0:
            break
        taken.append(path)
    return [f"{head}: {', '.join(taken)}"] if taken else []
