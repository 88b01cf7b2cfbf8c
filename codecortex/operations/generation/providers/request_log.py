"""A workspace in; the log in `local/logs` of what was sent to models, ready to be added to, out."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from codecortex.git.worktree.folders import Folder
from codecortex.model.errors import GitStateError
from codecortex.store.local.request_log import FILE_NAME, append_request
from codecortex.store.paths import LOGS

if TYPE_CHECKING:
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.store.local.request_log import RequestRecord


class RequestLog:
    """The log of one work tree; several threads may add to it.

    Args:
        workspace: A workspace at the work tree.

    Raises:
        GitStateError: What is sent could not be logged: there can be no such folder.
    """

    def __init__(self, workspace: Workspace) -> None:
        root = workspace.repository.require_root()
        Folder(os.fsencode(root), LOGS.encode()).make()  # refuses links: what is logged stays in the repository
        self._folder = root / LOGS
        self._warn = workspace.request.warn

    def require(self, record: RequestRecord) -> None:
        """Add a record of what is about to be given out.

        Raises:
            GitStateError: It could not be written.
        """
        try:
            append_request(self._folder, record)
        except OSError as problem:
            told = f"{LOGS}/{FILE_NAME} cannot be written: {problem.strerror}."
            raise GitStateError(told, "Make room, or move what stands there away.") from problem

    def add(self, record: RequestRecord) -> None:
        """Add a record of what is done already: where that fails, it is a warning."""
        try:
            self.require(record)
        except GitStateError as problem:
            self._warn(f"A request could not be logged: {problem.message} {problem.hint}")


def write_now() -> str:
    """The time of day for a record, as ISO 8601 in UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")
