"""The session that a batch is made in: one that there is, one that begins, or one that lasts only as long."""

from __future__ import annotations

from contextlib import suppress
from itertools import count
from typing import TYPE_CHECKING

from codecortex.git.objects.opening import open_objects
from codecortex.git.paths import decode_path
from codecortex.git.worktree.disk import Disk
from codecortex.model.errors import UsageError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.catalog.workspace import Workspace
from codecortex.operations.sessions.manage import drop_session, open_session
from codecortex.operations.sessions.versions import (
    add_version,
    check_name,
    find_session,
    list_sessions,
    list_versions,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from codecortex.git.repository import Repository
    from codecortex.operations.request import Request

_NAME = "batch"
_OPENED = "batch-open"
_FILE = 0o100644


class BatchSession(NamedTuple):
    """A session, and the commit whose tree is what the work tree said when it began."""

    name: str
    base: str


def open_batch(request: Request, repository: Repository, name: str | None) -> BatchSession:
    """A session for a batch, with the sources of the work tree that git does not know too.

    Args:
        request: The work tree.
        repository: The same.
        name: Its name, which may be that of a session that is there; None for a new one.

    Raises:
        UsageError: It cannot be a name.
    """
    known = list_sessions(repository)
    if name is not None:
        check_name(name)
    if name is None or name not in known:
        name = name or _find_free(known)
        open_session(request.folder, name)
        _add_untracked(request, repository, name)
    versions = list_versions(repository, find_session(repository, name))
    first = [each.id for each in versions[-2:] if each.facts.get("op") == _OPENED] or [versions[-1].id]
    return BatchSession(name, first[0])


def drop_scratch(request: Request, session: BatchSession) -> None:
    """Let go of a session."""
    with suppress(UsageError):  # somebody else did
        drop_session(request.folder, session.name)


def _find_free(known: Iterable[str]) -> str:
    taken = {each.lower() for each in known}
    names = (f"{_NAME}-{number}" if number > 1 else _NAME for number in count(1))
    return next(each for each in names if each not in taken)


def _add_untracked(request: Request, repository: Repository, name: str) -> None:
    """Add the sources that git does not know yet."""
    session = find_session(repository, name)
    objects = open_objects(repository)
    tracked = {each.path for each in objects.list_tree(session.tree).entries}
    disk = Disk(repository.require_root())
    entries: dict[bytes, tuple[int, str] | None] = {}
    with Workspace(request._replace(untracked=True)) as workspace:
        files = workspace.tree.sources
        for path in sorted({*files.sources, *files.projects}):
            data = disk.read(decode_path(path)) if decode_path(path) not in tracked else None
            if isinstance(data, bytes):
                entries[decode_path(path)] = _FILE, objects.write_blob(data)
    if entries:
        add_version(repository, session, entries, "Sources that git does not know", {"op": _OPENED})
