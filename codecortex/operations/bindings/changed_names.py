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
    library = FactsLibrary(workspace.request, workspace.repository, workspace.cache)
    names: set[str] = set()
    for path in changed:
        sets = list(dict.fromkeys(each.symbols for each in projects if path in each.files))
        old, new = Entry(path, before[path]), sources[path]
        library.load({path: (old, sets)})
        library.load({path: (new, sets)})
        for each in sets:
            was, facts = library.get(old, each), library.get(new, each)
            found = list_changed_members(was, facts) if was is not None and facts is not None else None
            if found is None:
                return None
            names |= found
    return names
