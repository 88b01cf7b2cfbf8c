"""Watches the files of buffers, so that what is changed outside is known before the next verb."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from codecortex.git.paths import decode_path
from codecortex.git.worktree.watching import PROMPT, watch_worktree
from codecortex.operations.editing.files import read_bytes
from codecortex.operations.editing.results import EditRequest
from codecortex.operations.editing.verbs import notice
from codecortex.operations.sessions.remembered import read_remembered
from codecortex.operations.sessions.versions import list_sessions, open_worktree
from codecortex.store.paths import FOLDER

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from codecortex.git.repository import Repository
    from codecortex.git.worktree.watching import StopSignal
    from codecortex.operations.request import Request
    from codecortex.operations.sessions.versions import Session

_REMEMBERED = f"{FOLDER}/local/sessions/"


def watch_sessions(request: Request, stop: StopSignal) -> Iterator[frozenset[str]]:
    """Let buffers take notice of what is changed outside; yield the sessions that have something new.

    The first set, an empty one, says that the watch has begun.

    Args:
        request: The folder.
        stop: Checked at least twice a second.

    Raises:
        UsageError: The package watchfiles is not installed.
        GitStateError: There is no work tree, or it cannot be watched.
    """
    repository = open_worktree(request.folder)
    known = _list_versions(list_sessions(repository))
    begun = False
    for batch in watch_worktree(repository, _is_relevant, stop, PROMPT):
        if not begun:
            begun = True
            yield frozenset()
        if not batch:
            continue
        sessions = list_sessions(repository)
        changed = {name for name in sessions if _notice_changes(request, repository, name, batch)}
        if changed:
            sessions = list_sessions(repository)
        latest = _list_versions(sessions)
        changed |= {name for name in latest.keys() | known.keys() if latest.get(name) != known.get(name)}
        known = latest
        if changed:
            yield frozenset(changed)


def _notice_changes(request: Request, repository: Repository, session: str, batch: frozenset[str]) -> bool:
    """Let the buffers of a session take notice of what was changed outside; whether anything was."""
    buffers = read_remembered(repository, session).buffers
    touched = [file for file in buffers if _is_touched(file, batch)]
    changed = [file for file in touched if read_bytes(repository, file).fingerprint != buffers[file].disk]
    for file in changed:
        notice(EditRequest(request, file, session))
    return bool(changed)


def _is_touched(file: str, batch: frozenset[str]) -> bool:
    """Whether a file, or a folder that it lies in, is among some paths of the file system."""
    path = os.fsdecode(decode_path(file))
    while path and path not in batch:
        path = path.rpartition("/")[0]
    return bool(path)


def _is_relevant(path: str) -> bool:
    """Whether a path may be of a buffer, or tells that another process edits."""
    return not path.startswith(f"{FOLDER}/") or (path.startswith(_REMEMBERED) and path.endswith(".json"))


def _list_versions(sessions: Mapping[str, Session]) -> dict[str, str]:
    return {name: session.tip.id for name, session in sessions.items()}
