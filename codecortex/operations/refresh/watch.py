"""Watches the sources and refreshes after each change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.git.ignored import list_ignored
from codecortex.git.repository import open_repository
from codecortex.git.worktree.watching import find_obstacle, watch_worktree
from codecortex.model.errors import BusyError, CodecortexError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.folder import require_folder
from codecortex.operations.reading.sources import PROJECT_SUFFIXES, SDK_CHOICE, SOLUTION_SUFFIXES, SOURCE_SUFFIXES
from codecortex.operations.refresh.refresh import refresh
from codecortex.operations.sessions.watching import record_worktree
from codecortex.store.paths import CONFIG, FOLDER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codecortex.git.repository import Repository
    from codecortex.git.worktree.watching import StopSignal
    from codecortex.operations.refresh.result import RefreshResult
    from codecortex.operations.request import Request

_SUFFIXES = (*SOURCE_SUFFIXES, *PROJECT_SUFFIXES, *SOLUTION_SUFFIXES, f"/{SDK_CHOICE}")
_PATIENCE = 4
"""Number of checks, at two per second, after which the obstacle is reported."""


class WatchEvent(NamedTuple):
    """One event of a watch.

    Attributes:
        paths: Sources that changed since the last refresh, sorted; empty at the start, and if only git's state changed.
        result: Result of the refresh; None if there was none, as in the first event, which says that watching began.
        problem: Why the refresh failed.
        waiting: What the next refresh is waiting for; else empty.
    """

    paths: tuple[str, ...]
    result: RefreshResult | None = None
    problem: CodecortexError | None = None
    waiting: str = ""


def watch(request: Request, stop: StopSignal) -> Iterator[WatchEvent]:
    """Refresh now and whenever a source changes, one refresh at a time, until stopped.

    While git holds its index lock or is in the middle of a rebase, a cherry-pick, a revert or a bisect, changes are
    gathered; one refresh follows when that is over. After a failed refresh, watching goes on. Before each, the work
    tree is kept as a version of the watch's own session.

    Raises:
        UsageError: The package watchfiles is not installed, or there is no `.codecortex`.
        GitStateError: There is no work tree, or it cannot be watched.
    """
    request = request._replace(lasting=True)
    repository = open_repository(request.folder, lasting=True)
    require_folder(repository)
    begun, pending, waited, recorded = False, True, 0, False
    paths: set[str] = set()
    for batch in watch_worktree(repository, _is_relevant, stop):
        if not begun:
            begun = True
            yield WatchEvent(())
        if batch:
            relevant = _drop_ignored(repository, batch)
            pending |= bool(relevant)
            paths |= set(filter(_is_relevant, relevant))
        if not pending:
            continue
        obstacle = find_obstacle(repository)
        if not obstacle:
            problem = _record(repository, beginning=not recorded)
            recorded = recorded or problem is None
            if problem is not None:
                yield WatchEvent((), problem=problem)
            try:
                yield WatchEvent(tuple(sorted(paths)), result=refresh(request))
            except BusyError as error:
                obstacle = error.message.rstrip(".")
            except (CodecortexError, OSError) as error:
                yield WatchEvent(tuple(sorted(paths)), problem=_translate(error))
        if obstacle:
            waited += 1
            if waited == _PATIENCE:
                yield WatchEvent((), waiting=obstacle)
        else:
            pending, waited = False, 0
            paths.clear()


def _record(repository: Repository, *, beginning: bool) -> CodecortexError | None:
    """Keep the work tree as a version; why that failed, if it did."""
    try:
        record_worktree(repository, beginning=beginning)
    except (CodecortexError, OSError) as error:
        return _translate(error)
    return None


def _is_relevant(path: str) -> bool:
    """Whether a refresh may depend on the file at a path, judging by its name."""
    if path.startswith((f"{FOLDER}/", ".git/")):
        return path == CONFIG
    return f"/{path.lower()}".endswith(_SUFFIXES)


def _drop_ignored(repository: Repository, paths: frozenset[str]) -> set[str]:
    """The paths that git does not ignore; all of them if git fails."""
    own = {CONFIG, ".git/index"}
    try:
        return set(paths) - list_ignored(repository, sorted(paths - own))
    except CodecortexError:
        return set(paths)  # one refresh too many does no harm


def _translate(error: CodecortexError | OSError) -> CodecortexError:
    return error if isinstance(error, CodecortexError) else CodecortexError(str(error))
