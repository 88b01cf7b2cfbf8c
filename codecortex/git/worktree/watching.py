"""Watches a work tree and yields batches of changed paths; the only module that needs watchfiles."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Protocol

from codecortex.git.worktree.underway import Operation, find_underway
from codecortex.model.errors import GitStateError, UsageError
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from codecortex.git.repository import Repository

_TICK_MS = 500
_LOCK = "index.lock"


class Pace(NamedTuple):
    """How changes are gathered: for how long at most, and how long nothing more may happen before; in milliseconds."""

    longest: int
    quiet: int


UNHURRIED = Pace(800, 200)
PROMPT = Pace(100, 20)


class StopSignal(Protocol):
    """Tells when to stop, such as `threading.Event`."""

    def is_set(self) -> bool:
        """Whether to stop."""
        ...


def watch_worktree(
    repository: Repository, wanted: Callable[[str], bool], stop: StopSignal, pace: Pace = UNHURRIED
) -> Iterator[frozenset[str]]:
    """Yield the changed paths, `/`-separated from the root, at least twice a second; an empty set if nothing changed.

    Changes that follow each other closely form one batch. A new folder is reported itself, since files may have been
    put into it before it was watched; so is git's index, as `.git/index`, since the set of tracked files may have
    changed.

    Args:
        repository: The repository.
        wanted: Whether a path outside the git directory matters.
        stop: Checked at least twice a second.
        pace: How changes are gathered.

    Raises:
        UsageError: The package watchfiles is not installed.
        GitStateError: The system cannot watch so many folders, or the work tree is gone.
    """
    try:
        from watchfiles import Change, watch
    except ImportError as error:
        message = "`codecortex watch` needs the package watchfiles, which is not installed."
        raise UsageError(message, "Run `pip install 'git-codecortex[watch]'`.") from error
    root = repository.require_root()
    naming = _Naming(os.fspath(root), os.fspath(repository.git_dir), wanted)
    folders = [root] if repository.git_dir.is_relative_to(root) else [root, repository.git_dir]
    try:
        for changes in watch(
            *folders,
            watch_filter=lambda change, path: naming.name(path, new=change is Change.added) is not None,
            debounce=pace.longest,
            step=pace.quiet,
            stop_event=stop,
            rust_timeout=_TICK_MS,
            yield_on_timeout=True,
        ):
            if not root.is_dir():
                raise GitStateError(f"{root} is gone.")
            found = (naming.name(path, new=change is Change.added) for change, path in changes)
            yield frozenset(name for name in found if name is not None)
    except (OSError, RuntimeError) as error:
        hint = "Raise fs.inotify.max_user_watches, or set WATCHFILES_FORCE_POLLING=1."
        raise GitStateError(f"{root} cannot be watched: {error}.", hint) from error


class _Naming:
    """Maps absolute paths to reported names."""

    def __init__(self, root: str, git_dir: str, wanted: Callable[[str], bool]) -> None:
        self._root = root.rstrip("/\\") + os.sep
        self._git_dir = git_dir.rstrip("/\\") + os.sep
        self._wanted = wanted

    def name(self, path: str, *, new: bool) -> str | None:
        """The reported name of a path that matters, else None."""
        if path.startswith(self._git_dir):
            return ".git/index" if path == f"{self._git_dir}index" else None
        name = path.removeprefix(self._root).replace(os.sep, "/")
        if self._wanted(name):
            return name
        return name if new and not name.startswith(".") and os.path.isdir(path) else None  # noqa: PTH112 - a hot loop


def find_obstacle(repository: Repository) -> str:
    """The git operation under way that forbids touching the work tree; empty if there is none."""
    if (repository.git_dir / _LOCK).exists():
        return f"{repository.git_dir / _LOCK} is there"
    underway = find_underway(repository) - {Operation.MERGE}
    return f"{min(underway, key=list(Operation).index).name.lower()} under way" if underway else ""
