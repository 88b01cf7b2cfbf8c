"""Counts the files in folders, and again only in those that were touched since."""

from __future__ import annotations

import os
import time
from stat import S_ISDIR
from typing import TYPE_CHECKING

from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

SETTLED = 2_000_000_000
"""Nanoseconds after which the times of a folder tell any change: clocks of file systems may tick as slowly."""

_TELLS_CHANGES = os.name == "posix"  # elsewhere no time is one that nobody can set


class FolderCount(NamedTuple):
    """What lay in a folder when its files were counted.

    Attributes:
        modified: When a name in it came or went last, in nanoseconds; anyone can set it.
        changed: The same, or when the folder itself was changed; nobody can set it.
        inode: Its inode.
        files: How many files lay in it.
        folders: The names of the folders in it.
    """

    modified: int
    changed: int
    inode: int
    files: int
    folders: tuple[str, ...]


FolderCounts = dict[str, FolderCount]
"""By the path of each folder from the root."""


def count_files(
    root: Path, folders: Iterable[str], files: Iterable[str], known: Mapping[str, FolderCount]
) -> tuple[int, FolderCounts]:
    """How many files are in some folders, and which of others are there; -1 if that cannot be told.

    Args:
        root: What paths begin at.
        folders: The folders, with all that is in them; some may be missing.
        files: The other files.
        known: What was counted earlier; where a folder's times are what they were, so is what lies in it.

    Returns:
        The number, and what was counted in each folder; nothing of those that were touched just now, whose times might
        not tell that they are touched again.
    """
    base = f"{os.fspath(root)}/"
    number = sum(os.path.lexists(base + file) for file in files)
    counts: FolderCounts = {}
    settled = time.time_ns() - SETTLED if _TELLS_CHANGES else 0
    waiting = [*folders]
    try:
        while waiting:
            folder = waiting.pop()
            try:
                state = os.lstat(base + folder)
            except FileNotFoundError:
                continue
            if not S_ISDIR(state.st_mode):
                return -1, {}
            times = state.st_mtime_ns, state.st_ctime_ns, state.st_ino
            count = known.get(folder)
            if count is None or count[:3] != times:
                count = FolderCount(*times, *_count(base + folder))
            if max(times[:2]) < settled:
                counts[folder] = count
            number += count.files
            waiting += [f"{folder}/{name}" for name in count.folders]
    except OSError:
        return -1, {}
    return number, counts


def _count(folder: str) -> tuple[int, tuple[str, ...]]:
    """How many files are in a folder, and the names of the folders in it."""
    number, folders = 0, []
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                folders.append(entry.name)
            else:
                number += 1
    return number, tuple(folders)
