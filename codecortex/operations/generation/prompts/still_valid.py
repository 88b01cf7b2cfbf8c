"""Decides whether the text of a stale note is certain to be still valid, so that no prompt is needed.

A note becomes stale when the structure of a dependency changes. If members were added, removed or changed there that
neither the sources of the note's types nor its text mention, nothing in the note can have become wrong, and a prompt
would only confirm that. Where a change may affect a type without naming the member (inheritance, construction, implicit
calls by the language, lookup at run time), a prompt is needed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.notes.jobs import STRUCTURE_DEPENDENCY
from codecortex.analysis.notes.still_valid import NoteWords, TypeDifference, collect_words, may_concern
from codecortex.operations.generation.prompts.answers import read_texts
from codecortex.operations.generation.prompts.dependencies import list_changed
from codecortex.operations.generation.prompts.past import fits_base

if TYPE_CHECKING:
    from collections.abc import Iterable

    from codecortex.model.code.types import TypeId
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.generation.prompts.dependencies import Compared
    from codecortex.operations.generation.prompts.notes import PromptContext


def is_still_valid(context: PromptContext) -> bool:
    """Whether no change concerns anything that the job's note mentions or its types use."""
    workspace, job, changed = context.workspace, context.job, list_changed(context.job)
    if job.change_class != STRUCTURE_DEPENDENCY or context.past.whole or len(changed) < len(job.causes):
        return False
    if not context.compared.keys() >= set(changed):
        return False
    inner = tuple(f"{name}+" for name in job.names)
    own = [*job.types, *(entry.id for entry in workspace.catalog.types if entry.fqn.startswith(inner))]
    if not _list_bases(workspace, own).isdisjoint(changed) or not _are_as_noted(context):
        return False
    words = _read_words(context)
    return words is not None and not any(
        may_concern(_describe(each), job.names, words) for each in context.compared.values()
    )


def _describe(compared: Compared) -> TypeDifference:
    return TypeDifference(compared.before.type, compared.after.type, compared.found)


def _are_as_noted(context: PromptContext) -> bool:
    """Whether all fingerprints of a note's types, internal ones included, equal those in its header."""
    found, bases = context.types, context.past.bases
    return all(each in found and fits_base(bases[each][0])(found[each].prints) for each in context.job.types)


def _list_bases(workspace: Workspace, types: Iterable[TypeId]) -> set[str]:
    """The types in the repository that some types inherit from or implement, transitively."""
    found: set[str] = set()
    waiting = list(types)
    while waiting:
        bases = {edge.target for edge in workspace.graph.dependencies_of(waiting.pop()) if edge.base} - found
        waiting += bases
        found |= bases
    return found


def _read_words(context: PromptContext) -> NoteWords | None:
    """The words of a note and its sources; None if a source cannot be read."""
    workspace, types = context.workspace, context.job.types
    known = workspace.catalog.by_id
    texts = read_texts(workspace, types)
    if not texts.keys() >= {path for each in types for path in known[each].files}:
        return None
    return collect_words(texts.values(), "\n".join(text for each in context.past.texts for _, text in each.texts))
