"""Starts a codecortex command as a detached background process that outlives the caller."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from codecortex.model.errors import GitStateError
from codecortex.model.work import DONE, Work

if TYPE_CHECKING:
    from codecortex.git.repository import Repository

_SOURCE = Path(__file__).parents[2]


def start_detached(repository: Repository, *arguments: str) -> None:
    """Start `codecortex ARGUMENTS` in a repository, without output and in its own session, and do not wait for it.

    Raises:
        GitStateError: The process cannot be started.
    """
    places = [str(_SOURCE), os.environ.get("PYTHONPATH", "")]
    variables = dict(repository.variables) | {"PYTHONPATH": os.pathsep.join(filter(None, places))}
    detached = getattr(subprocess, "DETACHED_PROCESS", 0) | getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
    DONE[Work.PROCESSES] += 1
    try:
        subprocess.Popen(  # noqa: S603 - our own interpreter and module
            [sys.executable, "-P", "-X", "utf8", "-m", "codecortex", *arguments],
            cwd=repository.folder,
            env={**os.environ, **variables},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            creationflags=detached,
        )
    except OSError as error:
        raise GitStateError(f"{sys.executable} cannot be started: {error.strerror}.") from error
