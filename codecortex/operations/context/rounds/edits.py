"""A workspace and the sources as an earlier round left them in; which of them were edited since out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.context.rounds.inheritance import list_edited
from codecortex.git.listing import list_revision
from codecortex.git.revisions import find_commit
from codecortex.model.conversations import SourceState

if TYPE_CHECKING:
    from collections.abc import Mapping

    from codecortex.operations.catalog.workspace import Workspace

_SUFFIXES = (".cs",)


def read_state(workspace: Workspace) -> tuple[SourceState, dict[str, str]]:
    """The sources of the work tree as they are, and by path the blobs of the commit that it stands on."""
    listing = workspace.tree.listing
    committed = _list_blobs(workspace, listing.head or "")
    changed = {path: blob for path, blob in _list_sources(workspace).items() if committed.get(path) != blob}
    listed = {entry.path for entry in listing.entries}
    changed |= {path: "" for path in committed if path not in listed}
    return SourceState(listing.head or "", changed), committed


def find_edited(workspace: Workspace, before: SourceState, committed: Mapping[str, str]) -> tuple[str, ...]:
    """The sources that differ from what they were: by commits since, in the index, in the work tree.

    Args:
        workspace: The work tree.
        before: The sources then.
        committed: By path, the blobs of the commit that the work tree stands on.
    """
    if before.head not in {"", workspace.tree.listing.head}:
        if find_commit(workspace.repository, before.head) is None:
            told = (
                f"commit {before.head[:12]}, at which the last round was asked, is gone; what was edited is not known"
            )
            workspace.request.warn(told)
            return ()
        committed = _list_blobs(workspace, before.head)
    then = {**(committed if before.head else {}), **before.changed}
    return list_edited(then, _list_sources(workspace))


def _list_sources(workspace: Workspace) -> dict[str, str]:
    return {path: entry.blob for path, entry in workspace.tree.sources.sources.items()}


def _list_blobs(workspace: Workspace, head: str) -> dict[str, str]:
    """Path to blob of the sources of a commit; none where there is no commit."""
    if not head:
        return {}
    return {entry.path: entry.blob for entry in list_revision(workspace.repository, head, _SUFFIXES).entries}
