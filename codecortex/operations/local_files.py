"""Writes files in `.codecortex/local`, which git ignores on every branch."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from codecortex.git.worktree.writing import apply_writes
from codecortex.store.paths import LOCAL_IGNORE

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


def write_local(root: Path, files: Mapping[str, bytes]) -> None:
    """Write files that belong to this machine alone.

    The folder ignores itself: it stays when a branch without `.codecortex/.gitignore` is checked out, and the next
    `git add -A` would commit it there.


    Args:
        root: The work tree, which has a `.codecortex`.
        files: Path from the root to content.

    Raises:
        GitStateError: A file cannot be written.
    """
    ignore = {} if os.path.lexists(root / LOCAL_IGNORE) else {LOCAL_IGNORE: b"*\n"}
    apply_writes(root, ignore | dict(files))
