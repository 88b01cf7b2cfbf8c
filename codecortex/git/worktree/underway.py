"""Finds out which multi-step git operation is under way in a repository."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from codecortex.git.repository import Repository


class Operation(StrEnum):
    """A git operation under way; the value is the file or folder in the git directory that shows it."""

    REBASE = "rebase-merge"
    APPLY = "rebase-apply"
    CHERRY_PICK = "CHERRY_PICK_HEAD"
    REVERT = "REVERT_HEAD"
    SEQUENCE = "sequencer"
    BISECT = "BISECT_LOG"
    MERGE = "MERGE_HEAD"


def find_underway(repository: Repository) -> frozenset[Operation]:
    """Every operation that was started and not finished."""
    return frozenset(each for each in Operation if (repository.git_dir / each).exists())
