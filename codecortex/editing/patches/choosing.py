"""The parts of a patch, one that stands in several places, and which of them is meant in; the parts that say so out."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from codecortex.editing.patches.values import Failure, FilePatch, Stage


def choose_place(stages: Sequence[Stage], failure: Failure, place: int) -> tuple[Stage, ...]:
    """The parts of a patch, where the one that failed is said to be about one of its places, counted from 0."""
    return tuple(tuple(_choose(part, failure, place) for part in stage) for stage in stages)


def _choose(part: FilePatch, failure: Failure, place: int) -> FilePatch:
    if part.replacement is not None:
        chosen = part.replacement._replace(chosen=place)
        return part._replace(replacement=chosen) if part.line == failure.line else part
    hunks = tuple(each._replace(chosen=place) if each.line == failure.line else each for each in part.hunks)
    return part._replace(hunks=hunks)
