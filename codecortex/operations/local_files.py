"""A work tree and files of `.codecortex/local` in; written where git does not see them, on whatever branch."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from codecortex.git.worktree.writing import apply_writes
from codecortex.store.paths import LOCAL_IGNORE

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


def write_local(root: Path, files: Mapping[str, bytes]) -> None:
    """Write files that are this machine's alone.

    The folder ignores itself: it stays where a branch is checked out that has no `.codecortex/.gitignore`, and would
    be committed there with the next `git add -A`.

    Args:
        root: The work tree, which has a `.codecortex`.
        files: Path to content.

    Raises:
        GitStateError: The disk refuses.
    """
    ignore = {} if os.path.lexists(root / LOCAL_IGNORE) else {LOCAL_IGNORE: b"*\n"}
    apply_writes(root, ignore | dict(files))
