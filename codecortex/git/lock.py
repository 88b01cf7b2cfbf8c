"""Exclusive lock files between processes; the kernel releases a lock when its process dies."""

from __future__ import annotations

import os
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from codecortex.git.process import abandon_git
from codecortex.model.errors import BusyError, CodecortexError, GitStateError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from codecortex.git.repository import Repository

_PAUSE = 0.02
_PATIENCE = 10.0
_OPEN = os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)

if sys.platform == "win32":
    import msvcrt

    def _try_lock(descriptor: int) -> bool:
        os.lseek(descriptor, 1 << 20, os.SEEK_SET)  # Windows forbids reading a locked byte, and the pid is read
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except PermissionError:
            return False
        return True

    def _unlock(descriptor: int) -> None:
        os.lseek(descriptor, 1 << 20, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _try_lock(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _unlock(descriptor: int) -> None:
        # Closing alone would leave the lock to forked workers, which share it.
        fcntl.flock(descriptor, fcntl.LOCK_UN)


_early: dict[Path, int] = {}  # descriptors of locks taken for who asks for them next


def lock_early(repository: Repository) -> bool:
    """Take the lock that `lock_repository` will be asked for; whether it is held, until the process ends if need be.

    It is left to who asks where another process has it, where there never was one, and where it cannot be taken.
    """
    path = _name(repository)
    try:
        descriptor = os.open(path, _OPEN & ~os.O_CREAT)
    except OSError:
        return False
    try:
        _acquire(descriptor, path, 0)
    except CodecortexError:
        return False
    _early[path] = descriptor
    return True


@contextmanager
def lock_repository(repository: Repository, *, wait: float = _PATIENCE) -> Iterator[None]:
    """Hold the lock that every writer to this work tree or its index takes; see `hold_lock`.

    What git was asked before it was taken may be older than what its last holder wrote: git is asked again.
    """
    path = _name(repository)
    if path in _early:
        with _release_after(_early.pop(path)):
            yield
        return
    with hold_lock(path, wait=wait):
        abandon_git()
        yield


def _name(repository: Repository) -> Path:
    return repository.local_dir / "lock"


@contextmanager
def hold_lock(path: Path, *, wait: float) -> Iterator[None]:
    """Hold the lock file at `path`; it is created with its folder if missing, and never removed.

    Args:
        path: Best below the git directory, where no work tree operation touches it.
        wait: Seconds to wait while another process has it.

    Raises:
        BusyError: Another process still has it.
        GitStateError: The file cannot be created or locked, as on a read-only file system.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, _OPEN, 0o666)
    except OSError as error:
        raise _cannot_lock(path, error) from error
    _acquire(descriptor, path, wait)
    with _release_after(descriptor):
        yield


@contextmanager
def _release_after(descriptor: int) -> Iterator[None]:
    try:
        yield
    finally:
        try:
            _unlock(descriptor)
        finally:
            os.close(descriptor)


def _acquire(descriptor: int, path: Path, wait: float) -> None:
    """Lock an open file, or close it."""
    try:
        _wait_for(descriptor, path, wait)
    except BaseException:
        os.close(descriptor)
        raise


def _wait_for(descriptor: int, path: Path, wait: float) -> None:
    deadline = time.monotonic() + wait
    try:
        while not _try_lock(descriptor):
            if time.monotonic() >= deadline:
                raise _busy(descriptor, path)
            time.sleep(_PAUSE)
        os.ftruncate(descriptor, 0)
        os.lseek(descriptor, 0, os.SEEK_SET)
        os.write(descriptor, b"%d\n" % os.getpid())
    except OSError as error:
        raise _cannot_lock(path, error) from error


def _busy(descriptor: int, path: Path) -> BusyError:
    os.lseek(descriptor, 0, os.SEEK_SET)
    holder = os.read(descriptor, 32).decode(errors="replace").strip() or "unknown"
    return BusyError(
        f"Another codecortex (process {holder}) is at work in this repository.",
        f"Wait for it to end, or end it; it holds {path}.",
        holder=holder,
    )


def _cannot_lock(path: Path, error: OSError) -> GitStateError:
    return GitStateError(
        f"Cannot lock {path}: {error.strerror}.", "Writing needs a git directory that this user may write to."
    )
