"""Finds a repository by looking at the file system, for cases not worth starting git.

What must be right uses `open_repository`. This agrees with git in ordinary layouts and finds nothing in others.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from pathlib import Path


class RepositoryFolders(NamedTuple):
    """The folders of a repository.

    Attributes:
        common_dir: The git directory shared by all linked work trees.
        root: The work tree; None for a bare repository.
    """

    common_dir: Path
    root: Path | None


def look_for_repository(start: Path) -> RepositoryFolders | None:
    """The repository around a folder, honouring GIT_DIR and GIT_WORK_TREE; None for none or another user's."""
    try:
        found = _look(start)
        # Like git, do not trust a repository that another user owns.
        trusted = found is not None and (os.name == "nt" or found.common_dir.stat().st_uid == os.geteuid())
    except (OSError, ValueError, RuntimeError):
        return None
    return found if trusted else None


def _look(start: Path) -> RepositoryFolders | None:
    if "GIT_DIR" in os.environ:
        root = start / os.environ.get("GIT_WORK_TREE", ".")
        return RepositoryFolders(_find_common(start / os.environ["GIT_DIR"]), root)
    here = start.resolve()
    for folder in (here, *here.parents):
        git_dir = folder / ".git"
        if git_dir.is_file():
            git_dir = folder / git_dir.read_text("utf-8").removeprefix("gitdir:").strip()
        if (git_dir / "HEAD").is_file():
            return RepositoryFolders(_find_common(git_dir), folder)
        if (folder / "HEAD").is_file() and (folder / "objects").is_dir():
            return RepositoryFolders(folder, None)
    return None


def _find_common(git_dir: Path) -> Path:
    shared = git_dir / "commondir"
    return git_dir / shared.read_text("utf-8").strip() if shared.is_file() else git_dir
