"""Chooses the backend for a repository.

Importing pygit2 takes as long as some twenty processes of git's (45 to 110 ms against 2 to 5 each). So a process that
lasts (`Repository.lasting`: the MCP server, `watch`) has libgit2 from its first question on, and any other from the
question on by which it has spent as much on processes: then it is known to ask many. At worst that costs twice what the
better choice would. Measured on Polly, as medians of runs in turn: a warm `changes HEAD~50..HEAD` of its own process
takes 22 % longer with the import, 11 % with the import in a thread beside it; in a process that lasts, libgit2 takes
31 % off it, 26 % off `diff`, and 92 % off asking whether a revision is still the same.
"""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

from codecortex.git.objects.plumbing import Plumbing
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from codecortex.git.objects.interface import Objects
    from codecortex.git.repository import Repository

_PATIENCE = 20
"""Number of questions after which importing pygit2 pays off."""

_LEFT_TO_GIT = (
    *("GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_COMMON_DIR", "GIT_NAMESPACE"),
    *("GIT_GRAFT_FILE", "GIT_SHALLOW_FILE", "GIT_DEFAULT_HASH", "GIT_REF_PARANOIA"),
)
"""Environment variables that change what git sees, such as the quarantine of a push; libgit2 ignores them."""


class _Opened(NamedTuple):
    """An open backend, with its repository, the stamps it was opened at, and the process that opened it."""

    repository: Repository
    stamps: tuple[int, ...]
    process: int
    objects: Objects


class _Held(threading.local):
    """The open backend of one thread: libgit2 objects must not be shared between threads."""

    def __init__(self) -> None:
        self.asked = 0
        self.opened: _Opened | None = None


_held = _Held()


def open_objects(repository: Repository) -> Objects:
    """The objects of a repository, by whichever backend is the cheaper; both give the same answers.

    Ask anew for each piece of work: what is held open belongs to one thread, and is opened again in a forked process
    and where another repository lies in its place.
    """
    _held.asked += 1
    if not repository.lasting and _held.asked <= _PATIENCE:
        return Plumbing(repository)
    return open_lasting(repository)


def open_lasting(repository: Repository) -> Objects:
    """The same, for callers that will ask many questions."""
    git = Plumbing(repository)
    stamps = _stamp(repository)
    if repository.object_format != "sha1" or not stamps or any(name in os.environ for name in _LEFT_TO_GIT):
        return git
    sight = (repository, stamps, os.getpid())
    if _held.opened is None or _held.opened[:3] != sight:
        from codecortex.git.objects.in_process import open_in_process

        _held.opened = None
        _held.opened = _Opened(*sight, open_in_process(repository, git) or git)
    return _held.opened.objects


def _stamp(repository: Repository) -> tuple[int, ...]:
    """Stamps that change if another repository is put here or its format changes; empty if there is no repository."""
    try:
        states = [os.stat(path) for path in (repository.git_dir, repository.common_dir / "objects")]  # noqa: PTH116
        files = [os.stat(repository.common_dir / "config")]  # noqa: PTH116
    except OSError:
        return ()
    with suppress(OSError):
        files.append(os.stat(repository.common_dir / "objects/info/alternates"))  # noqa: PTH116
    places = [number for state in states for number in (state.st_dev, state.st_ino)]
    return (*places, *(number for state in files for number in (state.st_ino, state.st_mtime_ns, state.st_size)))
