"""Creates the `.codecortex` folder from the template; existing files stay."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex import __version__
from codecortex.git.repository import open_repository
from codecortex.git.worktree.writing import apply_writes
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.folder import has_folder, refuse_sparse
from codecortex.store.paths import FOLDER
from codecortex.store.template import template_files, workflow_files

if TYPE_CHECKING:
    from pathlib import Path


class InitResult(NamedTuple):
    """Paths created, and paths that already existed and were left alone."""

    made: tuple[str, ...]
    kept: tuple[str, ...]


WORKFLOWS = ".github/workflows"
_VERSION = b"==VERSION"
_RELEASE = " @ git+https://github.com/codecortex/git-codecortex@v{}"
"""What the workflows install, by version; `=={}` once there are versions on the package index."""


def init(folder: Path, *, github: bool = False) -> InitResult:
    """Create what is missing of `.codecortex`; without `github`, nothing outside it is touched.

    Args:
        folder: Any folder in the work tree.
        github: Whether to create the workflows in GitHub's folder too.

    Raises:
        GitStateError: There is no work tree, or it cannot be written.
        UsageError: A sparse checkout leaves the folder out.
    """
    repository = open_repository(folder)
    root = repository.require_root()
    if not has_folder(root):
        refuse_sparse(repository)
    files = {f"{FOLDER}/{name}": data for name, data in template_files().items()}
    if github:
        files |= {f"{WORKFLOWS}/{name}": _name_version(data) for name, data in workflow_files().items()}
    kept = tuple(path for path in files if (root / path).exists())
    made = apply_writes(root, {path: data for path, data in files.items() if path not in kept})
    return InitResult(made.written, kept)


def _name_version(workflow: bytes) -> bytes:
    # Pinned: the version that writes the files also checks them, until somebody raises it.
    return workflow.replace(_VERSION, _RELEASE.format(__version__).encode())
