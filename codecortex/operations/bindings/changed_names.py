"""Which names may mean something else since sources changed: where only members did, those of their names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.git.listing import Entry
from codecortex.operations.reading.facts_library import FactsLibrary

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from codecortex.model.code.projects import Project
    from codecortex.operations.catalog.workspace import Workspace

_MOST_CHANGED = 50
"""With more changed files than this, it is not worth finding out."""


def list_changed_names(
    workspace: Workspace, projects: Sequence[Project], before: Mapping[str, str], after: Mapping[str, str]
) -> set[str] | None:
    """The names of members that sources declare otherwise than before.

    Args:
        workspace: The tree.
        projects: The projects that may see them.
        before: The blob of each source, before.
        after: The same now.

    Returns:
        None if anything else may mean something else too.
    """
    from codecortex.analysis.binding.inputs.files import list_changed_members

    changed = sorted({path for path, _ in before.items() ^ after.items()})
    if before.keys() != after.keys() or len(changed) > _MOST_CHANGED:
        return None
    sources = workspace.tree.sources.sources
    symbols = {path: [each.symbols for each in projects if path in each.files] for path in changed}
    pairs = [(Entry(path, before[path]), sources[path], symbols[path]) for path in changed]
    old, new = (FactsLibrary(workspace.request, workspace.repository, workspace.cache) for _ in range(2))
    old.load({entry.path: (entry, sets) for entry, _, sets in pairs})
    new.load({entry.path: (entry, sets) for _, entry, sets in pairs})
    names: set[str] = set()
    for was, entry, sets in pairs:
        for each in sets:
            facts, others = old.get(was, each), new.get(entry, each)
            found = list_changed_members(facts, others) if facts is not None and others is not None else None
            if found is None:
                return None
            names |= found
    return names
