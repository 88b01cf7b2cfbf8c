"""A repository in; its `.codecortex` folder made from the template, what was there left alone, out."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from codecortex import __version__
from codecortex.git.repository import open_repository
from codecortex.git.worktree.writing import apply_writes
from codecortex.store.paths import FOLDER
from codecortex.store.template import template_files, workflow_files

if TYPE_CHECKING:
    from pathlib import Path


class InitResult(NamedTuple):
    """Paths made, and paths that were there and are as they were."""

    made: tuple[str, ...]
    kept: tuple[str, ...]


WORKFLOWS = ".github/workflows"
_VERSION = b"==VERSION"


def init(folder: Path, *, github: bool = False) -> InitResult:
    """Make what is missing of `.codecortex`; nothing outside it is touched.

    Args:
        folder: Anywhere in the work tree.
        github: Whether the workflows for GitHub are wanted too, in the folder where it looks for them.

    Raises:
        GitStateError: There is no work tree, or it cannot be written.
    """
    root = open_repository(folder).require_root()
    files = {f"{FOLDER}/{name}": data for name, data in template_files().items()}
    if github:
        files |= {f"{WORKFLOWS}/{name}": _name_version(data) for name, data in workflow_files().items()}
    kept = tuple(path for path in files if (root / path).exists())
    made = apply_writes(root, {path: data for path, data in files.items() if path not in kept})
    return InitResult(made.written, kept)


def _name_version(workflow: bytes) -> bytes:
    # The version that writes the files is the one that checks them, until somebody raises it.
    return workflow.replace(_VERSION, f"=={__version__}".encode())
