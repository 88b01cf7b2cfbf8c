"""Tells whether a work tree has a `.codecortex`."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from codecortex.model.errors import UsageError
from codecortex.store.paths import FOLDER, LOCAL

if TYPE_CHECKING:
    from pathlib import Path

    from codecortex.git.repository import Repository

_OF_SPARSE = f"Run `git sparse-checkout add {FOLDER}` first; `check` reads git's own with --staged or --rev HEAD."


def require_folder(repository: Repository, hint: str = "Run `codecortex init` first.") -> Path:
    """The work tree, after checking that it has a `.codecortex`.

    Raises:
        GitStateError: There is no work tree.
        UsageError: It has no `.codecortex`.
    """
    root = repository.require_root()
    if not has_folder(root):
        refuse_sparse(repository)
        raise UsageError(f"There is no {FOLDER} folder in {root}.", hint)
    return root


def is_left_out(repository: Repository) -> bool:
    """Whether a sparse checkout keeps files of `.codecortex` out of the work tree."""
    from codecortex.git.hooks.staging import list_staged

    return any(entry.sparse for entry in list_staged(repository, FOLDER).values())


def refuse_sparse(repository: Repository) -> None:
    """Refuse a work tree that a sparse checkout keeps `.codecortex` out of: what is made there would hide git's.

    Raises:
        UsageError: It is such a one.
    """
    if is_left_out(repository):
        raise UsageError(f"A sparse checkout leaves {FOLDER} out of this work tree.", _OF_SPARSE)


def has_folder(root: Path) -> bool:
    """Whether a work tree has a `.codecortex`; one with only `local`, left by another branch, does not count."""
    try:
        return [entry.name for entry in islice((root / FOLDER).iterdir(), 2)] != [LOCAL.rpartition("/")[2]]
    except (FileNotFoundError, NotADirectoryError):
        return False
