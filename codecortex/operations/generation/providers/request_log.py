"""Appends to the log, in `local/logs`, of requests to models."""

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
    """The log of one work tree; safe to use from several threads.

    Args:
        workspace: A workspace on the work tree.

    Raises:
        GitStateError: The log folder cannot be created.
    """

    def __init__(self, workspace: Workspace) -> None:
        root = workspace.repository.require_root()
        Folder(os.fsencode(root), LOGS.encode()).make()  # refuses links, so that the log stays in the repository
        self._folder = root / LOGS
        self._warn = workspace.request.warn

    def require(self, record: RequestRecord) -> None:
        """Append a record before its prompt is given out.

        Raises:
            GitStateError: The record cannot be written.
        """
        try:
            append_request(self._folder, record)
        except OSError as problem:
            told = f"{LOGS}/{FILE_NAME} cannot be written: {problem.strerror}."
            raise GitStateError(told, "Make room, or move what stands there away.") from problem

    def add(self, record: RequestRecord) -> None:
        """Append a record afterwards; a failure is only warned of."""
        try:
            self.require(record)
        except GitStateError as problem:
            self._warn(f"A request could not be logged: {problem.message} {problem.hint}")


def write_now() -> str:
    """The current time, as ISO 8601 in UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")
