"""Who is at work with a cache: commands hold a shared lock on its folder, which the kernel takes back when they end.

Only work that nobody waits for looks at it. Where folders cannot be locked, nobody seems to be there.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

if sys.platform != "win32":
    import fcntl


def announce(folder: Path) -> int | None:
    """Say that a command is at work with the cache in a folder; what `withdraw` takes."""
    return _lock(folder, alone=False)


def withdraw(descriptor: int | None) -> None:
    """Say that it is done; closing alone would leave the lock to forked workers, which share it."""
    if descriptor is not None and sys.platform != "win32":
        with suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_UN)
        os.close(descriptor)


def _lock(folder: Path, *, alone: bool) -> int | None:
    """A descriptor that holds a lock on a folder; None where it cannot be had."""
    if sys.platform == "win32":
        return None
    descriptor = None
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
        fcntl.flock(descriptor, (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | fcntl.LOCK_NB)
    except OSError:
        if descriptor is not None:
            os.close(descriptor)
        return None
    return descriptor


def is_anybody_there(folder: Path) -> bool:
    """Whether some command is at work with the cache in a folder."""
    if sys.platform == "win32":
        return False
    descriptor = _lock(folder, alone=True)
    withdraw(descriptor)
    return descriptor is None and folder.is_dir()
