"""Keeps what was typed and not sent yet, in `local/chat`, so that it outlives the process."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.git.worktree.disk import read_file
from codecortex.git.worktree.writing import apply_writes
from codecortex.operations.local_files import write_local
from codecortex.store.paths import draft_path

if TYPE_CHECKING:
    from pathlib import Path


def read_draft(root: Path, name: str) -> str:
    """What was typed in a conversation and not sent; empty for nothing."""
    data = read_file(root, draft_path(name), "Move what stands there away.")
    return data.decode("utf-8", "replace") if data is not None else ""


def keep_draft(root: Path, name: str, text: str) -> None:
    """Keep what is typed in a conversation; an empty text is forgotten.

    Raises:
        GitStateError: The disk refuses.
    """
    if text:
        write_local(root, {draft_path(name): text.encode("utf-8", "replace")})
    else:
        apply_writes(root, {}, [draft_path(name)])
