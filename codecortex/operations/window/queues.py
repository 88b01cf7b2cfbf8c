"""Ranks the types of each section of the prompt window."""

from __future__ import annotations

from math import log10
from typing import TYPE_CHECKING

from codecortex.context.window import WindowSection
from codecortex.model.code.types import TypeId
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.queries.access_log import read_access
from codecortex.store.local.window_json import WindowMark

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.window.state import Follow
    from codecortex.store.local.window_json import WindowState

QUERIES = 8
"""Number of types accessed last that are in the Focus."""

_DEPENDENCIES = 5
"""Number of dependencies that come with a type in the Focus: those that its surface names most often."""

_PACK_WEIGHT = 1.5
_FAN_IN_WEIGHT = 0.25
_LARGEST_FAN_IN = 3
"""Upper bound of the fan-in, as a power of ten."""


class Queues(NamedTuple):
    """The candidates for the window.

    Attributes:
        places: The types of each section, most wanted first; a type may be in several.
        because: Why each type is in the Focus.
        gone: Marks of types that are not in the tree.
    """

    places: Mapping[WindowSection, Sequence[TypeId]]
    because: Mapping[TypeId, str]
    gone: tuple[WindowMark, ...]


def count_asked(workspace: Workspace, follow: Follow) -> dict[TypeId, int]:
    """How often each type was accessed, by today's TypeId, latest first."""
    counts: dict[TypeId, int] = {}
    for type_id, count in read_access(workspace).counts.items():
        found = follow(WindowMark(TypeId(type_id), ""))
        if found is not None:
            counts[found] = counts.get(found, 0) + count
    return counts


def plan_queues(workspace: Workspace, state: WindowState, follow: Follow, pack: Sequence[TypeId] = ()) -> Queues:
    """Rank the types of each section.

    Args:
        workspace: The tree.
        state: The marks made by people.
        follow: Maps a mark to today's TypeId.
        pack: The types of the active pack.
    """
    asked = count_asked(workspace, follow)
    hidden = {i for mark in state.dismissed if (i := follow(mark)) is not None and asked.get(i, 0) == mark.number}
    pinned, added = _follow_all(state.pinned, follow), _follow_all(reversed(state.added), follow)
    shown = [type_id for type_id in asked if type_id not in hidden]
    because: dict[TypeId, str] = dict.fromkeys(added, "added")
    for type_id in shown[:QUERIES]:
        because.setdefault(type_id, "asked for")
    near = [(i, why) for i, why in _list_neighbours(workspace, list(because)) if i not in hidden]
    for type_id, why in near:
        because.setdefault(type_id, why)
    recent = _sort_recent(workspace, [i for i in shown if i not in because], [i for i in pack if i not in hidden])
    gone = {mark.id: mark for mark in (*state.added, *state.pinned) if follow(mark) is None}
    places = {WindowSection.PINNED: pinned, WindowSection.FOCUS: list(because), WindowSection.RECENT: recent}
    return Queues(places, because, tuple(gone.values()))


def _follow_all(marks: Iterable[WindowMark], follow: Follow) -> list[TypeId]:
    return list(dict.fromkeys(found for mark in marks if (found := follow(mark)) is not None))


def _list_neighbours(workspace: Workspace, centre: Sequence[TypeId]) -> Iterator[tuple[TypeId, str]]:
    """Bases and interfaces of the given types, then the other types that their surfaces name most."""
    known = workspace.catalog.by_id
    found = {
        type_id: [each for each in workspace.graph.dependencies_of(type_id) if each.exact and each.structural]
        for type_id in centre
    }
    for type_id, edges in found.items():
        for each in edges:
            if each.base:
                yield each.target, f"base of {known[type_id].display}"
    for type_id, edges in found.items():
        named = sorted((each for each in edges if not each.base), key=lambda each: (-each.count, each.target))
        for each in named[:_DEPENDENCIES]:
            yield each.target, f"dependency of {known[type_id].display}"


def _sort_recent(workspace: Workspace, asked: Sequence[TypeId], pack: Sequence[TypeId]) -> list[TypeId]:
    """Rank by how recently a type was accessed and by fan-in; types of the active pack weigh more."""
    lately = {type_id: 1 - rank / len(asked) for rank, type_id in enumerate(asked)}
    packed = set(pack)

    def weigh(type_id: TypeId) -> float:
        fan_in = min(log10(1 + workspace.graph.fan_in_of(type_id)), _LARGEST_FAN_IN) / _LARGEST_FAN_IN
        weight = lately.get(type_id, 0) + _FAN_IN_WEIGHT * fan_in
        return weight * _PACK_WEIGHT if type_id in packed else weight

    return sorted(dict.fromkeys((*asked, *pack)), key=lambda type_id: (-weigh(type_id), type_id))
