"""Counts the notes on what is staged that do not hold, where that is quick."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.git.hooks.staging import list_staged
from codecortex.git.paths import encode_path
from codecortex.operations.request import Request
from codecortex.store.paths import SEMANTIC

if TYPE_CHECKING:
    from codecortex.git.repository import Repository

MOST_SOURCES = 50
"""Staged sources above which nothing is counted: nobody waits for that in a commit."""


def count_stale_notes(repository: Repository, *, caches: bool = True) -> int:
    """Number of stale notes on types that a commit changes; 0 where they are not to be told, or counting takes long.

    Raises:
        GitStateError: Git cannot read the index.
        ConfigError: The staged configuration is invalid.
    """
    question = ("diff", "--cached", "--name-only", "-z", "--no-renames", "--", ":(icase)*.cs")
    answer = repository.ask("list what is staged", *question)
    changed = {encode_path(path) for path in answer.split(b"\0") if path}
    if not changed or len(changed) > MOST_SOURCES or not list_staged(repository, SEMANTIC):
        return 0
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.notes.texts import judge_workspace_notes

    request = Request(repository.require_root(), staged=True, jobs=1, caches=caches, warn=lambda _: None)
    with Workspace(request) as workspace:
        if not workspace.tree.config.hooks.notes:
            return 0
        touched = {entry.id for entry in workspace.catalog.types if not changed.isdisjoint(entry.files)}
        return sum(bool(note.causes) for note in judge_workspace_notes(workspace, touched).notes)
