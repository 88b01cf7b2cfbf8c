"""A folder of many files in, how each lies on disk out: the fastest way to see that none was touched."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_REGULAR = 0o100000


def stamp_folder(root: Path, folder: str) -> dict[str, tuple[int, int, int]]:
    """Modification time, size and inode of every file below a folder, by path from the root.

    Anything that is no regular file has an impossible stamp, so that it never equals what was written. A folder that
    does not exist holds nothing; one that is a link is not entered.
    """
    found: dict[str, tuple[int, int, int]] = {}
    waiting = [folder]
    while waiting:
        inside = waiting.pop()
        try:
            entries = os.scandir(root / inside)
        except (FileNotFoundError, NotADirectoryError):
            continue
        prefix = inside + "/"
        with entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(prefix + entry.name)
                    continue
                state = entry.stat(follow_symlinks=False)
                regular = state.st_mode & 0o170000 == _REGULAR
                found[prefix + entry.name] = (state.st_mtime_ns, state.st_size, state.st_ino) if regular else (0, -1, 0)
    return found


def stamp_files(root: Path, paths: list[str]) -> dict[str, tuple[int, int, int]]:
    """The same for named files; those that do not exist are left out."""
    found = {}
    base = os.fspath(root) + "/"
    for path in paths:
        try:
            state = os.lstat(base + path)
        except FileNotFoundError:
            continue
        found[path] = (state.st_mtime_ns, state.st_size, state.st_ino)
    return found
