"""Checks investigations: damaged, in conflict, or resting on what changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.model.errors import StoreFormatError
from codecortex.operations.catalog.workspace import Workspace
from codecortex.operations.check.files import tell_format
from codecortex.operations.check.findings import Code, Finding, Level
from codecortex.operations.investigations.states import judge_investigations
from codecortex.operations.notes.investigations import parse_investigation
from codecortex.operations.notes.moves import list_unmerged
from codecortex.store.committed.investigation_md import decode_investigation
from codecortex.store.paths import INVESTIGATIONS, investigation_slug

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from codecortex.operations.check.files import Question
    from codecortex.operations.reading.tree import Tree

_UPDATE = "codecortex investigate --update"


def list_conflicts(tree: Tree) -> Collection[str]:
    """Paths of the investigations of a work tree that both sides of a merge changed."""
    return list_unmerged(tree.repository, INVESTIGATIONS) if tree.request.reads_worktree else ()


def judge_answers(question: Question, blobs: Collection[str]) -> Iterator[Finding]:
    """Findings about the investigations of a tree.

    Args:
        question: The state to check.
        blobs: The path of every file in `.codecortex`.
    """
    named = {path: slug for path in blobs if (slug := investigation_slug(path)) is not None}
    if not named:
        return
    conflicts, files = list_conflicts(question.tree), []
    for path, data in question.files.read(named).items():
        if path in conflicts:
            said = (
                "both sides of a merge changed this answer: take `--ours` or `--theirs`, `git add` it, then update it"
            )
            yield Finding(Code.MERGE_MARKER, Level.ERROR, path, 1, said, f"{_UPDATE} {named[path]}")
            continue
        try:
            decode_investigation(data, path)
        except StoreFormatError as error:
            yield tell_format(error, path, Code.INVESTIGATION_DAMAGED, "")
            continue
        files.append(parse_investigation(named[path], path, data))
    with Workspace(question.tree.request) as workspace:
        for state in judge_investigations(workspace, files):
            if state.reasons:
                said = f"the answer to {state.file.question!r} may not hold: {state.reasons[0]}"
                command = f"{_UPDATE} {state.file.slug}"
                yield Finding(Code.INVESTIGATION_STALE, Level.WARNING, state.file.path, 1, said, command)
