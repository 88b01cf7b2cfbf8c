"""Has git look at a work tree while a command still loads what it needs to go on; it then finds the answers."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from codecortex.git.lock import lock_early
from codecortex.git.process import Call, abandon_git
from codecortex.git.repository import forget_opened, open_repository
from codecortex.git.worktree.folder_digest import begin_digest
from codecortex.model.errors import GitStateError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from codecortex.git.repository import Repository

INDEX = Call("list the index", ("ls-files", "-s", "-t", "-z"))
CHANGES = Call("compare the work tree with the index", ("diff-files", "--raw", "-z", "--ignore-submodules=all"))
HEAD = Call("resolve HEAD", ("rev-parse", "--verify", "--quiet", "HEAD^{commit}"), accept=(0, 1, 128))
_BUT_OUTLINES = ("--", ":(top)", ":(top,exclude,glob).codecortex/types/**/*.outline.md")


def leave_out_outlines(call: Call) -> Call:
    """A call about files without the outlines, of which there is one for each type."""
    return call._replace(arguments=(*call.arguments, *_BUT_OUTLINES))


@contextmanager
def head_start(repository: Repository) -> Iterator[None]:
    """Have git list the work tree, for the listing that comes within this context, without untracked files.

    What it cannot begin is left to that listing, which tells why. Nothing is begun where files change all at once right
    now: what a killed process left of it is put right before anything is listed.
    """
    with _ending():
        if repository.root is not None and not repository.is_applying:
            with suppress(GitStateError):
                _begin(repository)
        yield


@contextmanager
def head_start_under_lock(folder: Path, folders: tuple[str, ...], files: tuple[str, ...]) -> Iterator[None]:
    """As `head_start`, for who takes the lock of the work tree and then has it listed: the lock is taken at once.

    Nothing is begun where another process has it. What was begun and nobody took up is left to the end of the process.

    Args:
        folder: A folder in the work tree.
        folders: The folders of the `FolderDigest` that is asked for under the lock.
        files: The files of that digest.
    """
    with _ending():
        with suppress(GitStateError):
            repository = open_repository(folder, again=True)
            if repository.root is not None and lock_early(repository) and not repository.is_applying:
                begin_digest(repository, folders, files)
                _begin(repository)
        yield


@contextmanager
def _ending() -> Iterator[None]:
    """End and forget what was begun and nobody took up."""
    try:
        yield
    finally:
        abandon_git()
        forget_opened()


def _begin(repository: Repository) -> None:
    repository.begin(leave_out_outlines(INDEX), leave_out_outlines(CHANGES), HEAD)
