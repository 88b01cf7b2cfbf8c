"""Fingerprints of types and token counts of their outlines, kept in the cognition graph: nothing is read twice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codecortex.analysis.types.fingerprints import Fingerprints
from codecortex.context.tokens import estimate_tokens
from codecortex.model.versions import HASH_VERSION, OUTLINE_VERSION, TOKENS_VERSION
from codecortex.operations.catalog.describe import write_plain_outline
from codecortex.operations.catalog.nodes import Question, recall
from codecortex.operations.reading.hashes import rules_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from codecortex.analysis.changes.states import TypeAt
    from codecortex.model.code.types import TypeId
    from codecortex.operations.catalog.workspace import Workspace


def read_prints(workspace: Workspace, type_ids: Iterable[str]) -> dict[TypeId, Fingerprints]:
    """The fingerprints of those of the types that exist and whose files can be read."""
    found = recall(workspace, type_ids, ask_prints(workspace))
    return {type_id: Fingerprints(*row) for type_id, row in found.items()}


def prints_of(workspace: Workspace, found: TypeAt) -> Fingerprints:
    """The fingerprints of a type that was read."""
    type_id = found.type.id
    if not workspace.has_meanings:
        return read_prints(workspace, (type_id,)).get(type_id) or found.prints
    made: dict[TypeId, Fingerprints] = workspace.keep("prints", (workspace.tree, workspace.catalog.digest), dict)
    if type_id not in made:
        made[type_id] = found.prints
    return made[type_id]


def measure_outlines(workspace: Workspace, type_ids: Iterable[str]) -> dict[TypeId, int]:
    """The estimated tokens of each type's outline, for those of the types that exist and can be read."""
    return recall(workspace, type_ids, ask_tokens(workspace))


def ask_prints(workspace: Workspace) -> Question:
    """What the fingerprints of a type are; they depend on what the names in its files mean."""
    rules = rules_of(workspace.tree.config)
    settings = (HASH_VERSION, sorted(rules.cosmetic_attributes), rules.include_internal, rules.include_docs)
    return Question("prints", settings, _list_prints, words=True)


def ask_tokens(workspace: Workspace) -> Question:
    """How many tokens the outline of a type has."""
    settings = (OUTLINE_VERSION, TOKENS_VERSION, workspace.tree.config.outline.max_dependencies)
    return Question("tokens", settings, _count_tokens, links=True)


def _list_prints(_: Workspace, found: TypeAt) -> tuple[Any, ...]:
    return tuple(found.prints)


def _count_tokens(workspace: Workspace, found: TypeAt) -> int:
    return estimate_tokens(write_plain_outline(workspace, found))
