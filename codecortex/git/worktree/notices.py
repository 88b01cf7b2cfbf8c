"""Notices of the Linux kernel (inotify) about folders: what in them was touched, without looking.

The kernel queues a notice within the very call that changes a file, so an empty queue proves that nothing which ended
before it was read has changed any; a queue that overflowed says so itself. What notices do not tell is kept out: file
systems that others can write to (network, FUSE, folders shared with a virtual machine), and folders on another one than
the root. The caller keeps out files with further hard links. What is written through a memory map is told when the map
is closed, and a file system mounted over a folder is not told at all: silence is believed for `TRUSTED_SECONDS`.
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

TRUSTED_SECONDS = 5.0
"""For how long silence counts; then everything is looked at once more."""

_NEW = os.O_CLOEXEC | os.O_NONBLOCK if sys.platform == "linux" else 0
_MODIFY, _ATTRIB, _CLOSE_WRITE, _MOVED, _CREATE, _DELETE = 0x2, 0x4, 0x8, 0xC0, 0x100, 0x200
_GONE = 0x400 | 0x800  # the folder itself was removed or moved
_ONLY_FOLDERS, _NO_LINKS, _IS_FOLDER = 0x01000000, 0x02000000, 0x40000000
_WANTED = _MODIFY | _ATTRIB | _CLOSE_WRITE | _MOVED | _CREATE | _DELETE | _GONE
_HEAD = struct.Struct("iIII")
_BUFFER = 1 << 16
_LOCAL = {0xEF53, 0x58465342, 0x9123683E, 0xF2F52010, 0x2FC12FC1, 0xCA451A4E, 0x01021994, 0x794C7630}
"""File systems that only this kernel writes to: ext, XFS, Btrfs, F2FS, ZFS, bcachefs, tmpfs, overlayfs."""


class Notices:
    """Notices about some folders; for use by one thread.

    Args:
        root: An absolute path.
        folders: Paths at or below the root; those that are missing are told of by the folder above.
        endings: Lower-case endings of the names that matter, besides those of folders.

    Raises:
        OSError: The kernel has no notices, or none for so many folders or for such a file system.
    """

    def __init__(self, root: bytes, folders: Iterable[bytes], endings: tuple[bytes, ...]) -> None:
        self._root, self._endings = root, endings
        self._library = _open_library()
        self._require_local()
        self._place = _identify(root)
        self._queue = self._ask("inotify_init1", _NEW)
        self._folders: dict[int, bytes] = {}
        self._believed_from = time.monotonic()
        try:
            for folder in sorted({above for each in folders for above in _list_above(root, each)}):
                self._add(folder)
        except OSError:
            self.close()
            raise

    def read_touched(self) -> set[bytes] | None:
        """The files that were touched since this was last asked, of those that matter.

        Returns:
            None if that cannot be told: then these notices are closed.
        """
        touched = self._gather() if self._queue >= 0 and self._is_same_root() else None
        if touched is None:
            self.close()
        return touched

    def _gather(self) -> set[bytes] | None:
        touched = set()
        for number, what, name in self._read():
            if what & _IS_FOLDER or not name or number not in self._folders:
                return None  # folders came or went, a watched one was touched, or the queue overflowed
            if name.lower().endswith(self._endings):
                touched.add(self._folders[number] + b"/" + name)
        return touched

    def are_recent(self) -> bool:
        """Whether what they do not tell still counts as untouched without a look."""
        return time.monotonic() - self._believed_from < TRUSTED_SECONDS

    def believe(self) -> None:
        """Count from now: everything was looked at, and was as at the start."""
        self._believed_from = time.monotonic()

    def close(self) -> None:
        """Ask for no more notices."""
        queue, self._queue = self._queue, -1
        if queue >= 0:
            os.close(queue)

    def _add(self, folder: bytes) -> None:
        try:
            if os.lstat(folder).st_dev != self._place[0]:
                raise OSError(f"{os.fsdecode(folder)} is on another file system")
            number = self._ask("inotify_add_watch", self._queue, folder, _WANTED | _ONLY_FOLDERS | _NO_LINKS)
            self._folders[number] = folder
        except (FileNotFoundError, NotADirectoryError):
            if folder == self._root:
                raise
            # git does not follow a link, and the folder above tells when a folder takes this place

    def _read(self) -> Iterator[tuple[int, int, bytes]]:
        """Of each notice the number of its folder, what it tells, and a name."""
        while True:
            try:
                data = os.read(self._queue, _BUFFER)
            except BlockingIOError:
                return
            at = 0
            while at < len(data):
                number, what, _, length = _HEAD.unpack_from(data, at)
                at += _HEAD.size + length
                yield number, what, data[at - length : at].rstrip(b"\0")

    def _is_same_root(self) -> bool:
        try:
            return _identify(self._root) == self._place
        except OSError:
            return False

    def _require_local(self) -> None:
        found = ctypes.create_string_buffer(1024)
        self._ask("statfs", self._root, found)
        if ctypes.c_long.from_buffer(found).value & 0xFFFFFFFF not in _LOCAL:
            raise OSError("others may write to this file system")

    def _ask(self, name: str, *arguments: Any) -> int:
        answer: int = getattr(self._library, name)(*arguments)
        if answer < 0:
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number))
        return answer


def _open_library() -> ctypes.CDLL:
    if sys.platform != "linux":
        raise OSError("only Linux tells this without delay")
    return ctypes.CDLL(None, use_errno=True)


def _identify(path: bytes) -> tuple[int, int]:
    state = os.lstat(path)
    return state.st_dev, state.st_ino


def _list_above(root: bytes, folder: bytes) -> Iterator[bytes]:
    """A folder and all above it, up to the root: each may be moved away."""
    while len(folder) > len(root):
        yield folder
        folder = folder.rpartition(b"/")[0]
    yield root
