"""Has git look at a work tree while a command still loads what it needs to go on; it then finds the answers."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from codecortex.git.lock import lock_early
from codecortex.git.repository import forget_opened, open_repository
from codecortex.git.worktree.look import CHANGES, HEAD, INDEX, abandon_looks, begin_look, leave_out_outlines
from codecortex.model.errors import GitStateError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from codecortex.git.repository import Repository


@contextmanager
def head_start(repository: Repository) -> Iterator[None]:
    """Have git list the work tree, for the listing that comes within this context, without untracked files.

    Where the index turns out to be known, that listing ends what lists it. What it cannot begin is left to that
    listing, which tells why. Nothing is begun where files change all at once right now: what a killed process left of
    it is put right before anything is listed.
    """
    with _ending():
        if repository.root is not None and not repository.is_applying:
            with suppress(GitStateError):
                repository.begin(leave_out_outlines(INDEX), leave_out_outlines(CHANGES), HEAD)
        yield


@contextmanager
def head_start_under_lock(folder: Path, folders: tuple[str, ...], files: tuple[str, ...]) -> Iterator[None]:
    """As `head_start`, for who takes the lock of the work tree and then a `Look`: the lock is taken at once.

    Nothing is begun where another process has it. What was begun and nobody took up is left to the end of the process.

    Args:
        folder: A folder in the work tree.
        folders: The folders of the look.
        files: Its files.
    """
    with _ending():
        with suppress(GitStateError):
            repository = open_repository(folder, again=True)
            if repository.root is not None and lock_early(repository) and not repository.is_applying:
                begin_look(repository, folders, files)
        yield


@contextmanager
def _ending() -> Iterator[None]:
    """End and forget what was begun and nobody took up."""
    try:
        yield
    finally:
        abandon_looks()
        forget_opened()
