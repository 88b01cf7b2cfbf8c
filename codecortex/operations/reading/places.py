"""A path as a user writes it in; the same from the top of the repository out."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from codecortex.git.repository import Repository
    from codecortex.operations.request import Request


def place_path(request: Request, repository: Repository, text: str) -> str | None:
    """Where a path leads that is relative to the folder of the request; None where that is outside the repository.

    Nothing is looked up on disk but the way to the folder itself: `..` steps back in the text.
    """
    if repository.root is None:
        return os.path.normpath(text).replace(os.sep, "/")
    folder = Path(os.path.realpath(request.folder))
    root = Path(os.path.realpath(repository.root))
    whole = Path(os.path.normpath(folder / text))
    if whole == root or not whole.is_relative_to(root):
        return None
    return str(PurePosixPath(*whole.relative_to(root).parts))
