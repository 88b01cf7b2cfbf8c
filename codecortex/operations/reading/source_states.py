"""For each source, a text that changes whenever it has to be read again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from codecortex.git.listing import Entry
    from codecortex.model.code.projects import Project
    from codecortex.operations.reading.tree import Tree

MOST_CHANGES = 200
"""With more changed sources than this, reading everything is no slower."""


class _Stated(NamedTuple):
    """What was stated last, and of what."""

    projects: Sequence[Project]
    sources: Mapping[str, Entry]
    states: dict[str, str]


_last: list[_Stated] = []
_MOST_KEPT = 2  # those of a tree and of the one before


def state_sources(tree: Tree, projects: Sequence[Project]) -> Mapping[str, str]:
    """For each source that is read its blob, and the positions (among the sorted projects) of its projects.

    Where the very same projects were asked for last, only sources that changed since are looked at.
    """
    sources = tree.sources.sources
    same = [each for each in _last if each.projects is projects]
    known = next((each for each in same if each.sources is sources), same[0] if same else None)
    if known is not None and known.sources is sources:
        return known.states
    if known is not None and known.sources.keys() == sources.keys():
        changed = [path for path, entry in sources.items() if known.sources[path] is not entry]
        ends = {path: known.states[path].partition("|")[2] for path in changed if path in known.states}
        states = {**known.states, **{path: f"{sources[path].blob}|{end}" for path, end in ends.items()}}
    else:
        places: dict[str, str] = {}
        for place, project in enumerate(sorted(projects, key=lambda each: each.path)):
            new = dict.fromkeys(project.files, str(place))
            places |= new | {path: f"{places[path]},{place}" for path in places.keys() & new.keys()}
        states = {path: f"{entry.blob}|{places[path]}" for path, entry in sources.items() if path in places}
    _last[:] = [_Stated(projects, sources, states), *_last[: _MOST_KEPT - 1]]
    return states


def state_unread(state: str) -> str:
    """The state of a source that could not be read: no blob, and the same projects."""
    return "|" + state.partition("|")[2]


def list_blobs(states: Mapping[str, str]) -> dict[str, str]:
    """The blob of each source that was read."""
    blobs = ((path, state.partition("|")[0]) for path, state in states.items())
    return {path: blob for path, blob in blobs if blob}


def read_state(state: str) -> tuple[str, list[int]]:
    """The blob that a state tells, empty if it was not read, and the positions of its projects."""
    blob, _, places = state.partition("|")
    return blob, [int(place) for place in places.split(",") if place]


def compile_alike(states: Mapping[str, str], others: Mapping[str, str], changed: Iterable[str]) -> bool:
    """Whether the same projects compile something, given the sources that changed, came or went."""
    ends, before = ([each[path].partition("|")[2] for path in changed if path in each] for each in (states, others))
    return sorted(ends) == sorted(before) or _list_compiling(states) == _list_compiling(others)


def _list_compiling(states: Mapping[str, str]) -> set[str]:
    """The positions of the projects that compile something."""
    return {place for state in set(states.values()) for place in state.partition("|")[2].split(",")}
