"""Which types need no extract; what reads sources for it is loaded where nothing is remembered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.model.versions import EXTRACT_VERSION
from codecortex.operations.catalog.nodes import Question, recall

if TYPE_CHECKING:
    from collections.abc import Iterable

    from codecortex.analysis.changes.states import TypeAt
    from codecortex.model.code.types import TypeId
    from codecortex.operations.catalog.workspace import Workspace


def list_silent_types(workspace: Workspace, type_ids: Iterable[TypeId]) -> set[TypeId]:
    """Those of the types whose sources state nothing besides their outline; remembered in the local cache."""
    return {type_id for type_id, found in recall(workspace, type_ids, SILENT).items() if found}


def _is_silent(workspace: Workspace, found: TypeAt) -> bool:
    from codecortex.operations.generation.extract import is_silent

    return is_silent(workspace, found)


SILENT = Question("silent", (EXTRACT_VERSION,), _is_silent)
"""Whether an extract on a type would be empty."""
