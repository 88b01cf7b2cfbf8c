"""Whether nothing bears a name yet: under such a name nothing is hidden, and nothing is taken for something else."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codecortex.editing.refactoring.names import is_plain
from codecortex.operations.queries.usage_sources import SourceSearch

if TYPE_CHECKING:
    from collections.abc import Iterable

    from codecortex.operations.bindings.kept import KeptBindings
    from codecortex.operations.catalog.workspace import Workspace


def are_unused(workspace: Workspace, kept: KeptBindings, names: Iterable[str]) -> bool:
    """Whether names are written nowhere: in no source, no project file's usings and no assembly, nor in the language.

    Args:
        workspace: The tree.
        kept: What names mean in it.
        names: The names.
    """
    wanted = sorted(names)
    if not all(map(is_plain, wanted)):
        return False
    word = re.compile("|".join(rf"\b{re.escape(each)}\b" for each in wanted))
    imported = (each for project in kept.plan.projects for each in project.usings)
    added = (each for usings in kept.plan.assemblies.usings.values() for each in usings)
    if any(map(word.search, (*imported, *added))):
        return False
    references = set(kept.plan.assemblies.references.values())  # most projects share theirs
    if not references or any(each.writes(wanted) for each in references):
        return False
    written, _ = SourceSearch(workspace).find(wanted)
    return not written
