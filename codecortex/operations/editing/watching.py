"""Watches the files of buffers, so that what is changed outside is known before the next verb."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.git.worktree.watching import watch_worktree
from codecortex.operations.editing.results import EditRequest
from codecortex.operations.editing.status import edit_status
from codecortex.operations.editing.verbs import notice
from codecortex.operations.sessions.versions import list_sessions, open_worktree
from codecortex.store.paths import FOLDER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codecortex.git.repository import Repository
    from codecortex.git.worktree.watching import StopSignal
    from codecortex.operations.request import Request

_REMEMBERED = f"{FOLDER}/local/sessions/"


def watch_sessions(request: Request, stop: StopSignal) -> Iterator[frozenset[str]]:
    """Let buffers take notice of what is changed outside; yield the sessions that have something new.

    The first set, an empty one, says that the watch has begun.

    Args:
        request: The folder.
        stop: Checked five times a second.

    Raises:
        UsageError: The package watchfiles is not installed.
        GitStateError: There is no work tree, or it cannot be watched.
    """
    repository = open_worktree(request.folder)
    known = _list_versions(repository)
    begun = False
    for batch in watch_worktree(repository, _is_relevant, stop):
        if not begun:
            begun = True
            yield frozenset()
        if not batch:
            continue
        changed = {name for name in list_sessions(repository) if _notice_changes(request, name)}
        latest = _list_versions(repository)
        changed |= {name for name in latest.keys() | known.keys() if latest.get(name) != known.get(name)}
        known = latest
        if changed:
            yield frozenset(changed)


def _notice_changes(request: Request, session: str) -> bool:
    """Let the buffers of a session take notice of what was changed outside; whether anything was."""
    changed = [each.file for each in edit_status(request, session).buffers if each.changed]
    for file in changed:
        notice(EditRequest(request, file, session))
    return bool(changed)


def _is_relevant(path: str) -> bool:
    """Whether a path may be of a buffer, or tells that another process edits."""
    return not path.startswith(f"{FOLDER}/") or (path.startswith(_REMEMBERED) and path.endswith(".json"))


def _list_versions(repository: Repository) -> dict[str, str]:
    return {name: session.tip.id for name, session in list_sessions(repository).items()}
