"""For each source, a text that changes whenever it has to be read again."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from codecortex.model.code.projects import Project
    from codecortex.operations.reading.tree import Tree

MOST_CHANGES = 200
"""With more changed sources than this, reading everything is no slower."""


def state_sources(tree: Tree, projects: Sequence[Project]) -> dict[str, str]:
    """For each source that is read its blob, and the positions (among the sorted projects) of its projects."""
    places: dict[str, list[str]] = defaultdict(list)
    for place, project in enumerate(sorted(projects, key=lambda each: each.path)):
        for path in project.files:
            places[path].append(str(place))
    return {
        path: f"{entry.blob}|{','.join(places[path])}" for path, entry in tree.sources.sources.items() if path in places
    }


def list_compiling(states: Mapping[str, str]) -> set[str]:
    """The positions of the projects that compile something."""
    return {place for state in set(states.values()) for place in state.partition("|")[2].split(",")}
