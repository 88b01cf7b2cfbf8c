"""Stamps of files on disk: the fastest way to see that none of many files was touched."""

from __future__ import annotations

import os
from hashlib import sha256
from itertools import starmap
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

_REGULAR = 0o100000
_FOLDER = 0o040000
_KIND = 0o170000
_NUMBER_BYTES = 8
_DIGEST_BYTES = 16
_MASK = (1 << 64) - 1

Stamp = tuple[int, int, int]
"""Modification time in nanoseconds, size, inode."""


def stamp_folder(root: Path, folder: str) -> dict[str, Stamp]:
    """The stamp of every file below a folder, by path from the root.

    Anything but a regular file gets an impossible stamp, which never equals that of a written file. A folder that does
    not exist is empty, and so is one that a link stands for; links inside are not followed.
    """
    found: dict[str, Stamp] = {}
    waiting = [] if (root / folder).is_symlink() else [folder]
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
                regular = state.st_mode & _KIND == _REGULAR
                found[prefix + entry.name] = (state.st_mtime_ns, state.st_size, state.st_ino) if regular else (0, -1, 0)
    return found


def stamp_files(root: Path, paths: Iterable[str]) -> dict[str, Stamp]:
    """The stamps of the given files; those that do not exist are left out."""
    found = {}
    base = os.fspath(root) + "/"
    for path in paths:
        try:
            state = os.lstat(base + path)
        except FileNotFoundError:
            continue
        found[path] = (state.st_mtime_ns, state.st_size, state.st_ino)
    return found


def exchange_stamps(digest: str, gone: Mapping[str, Stamp], come: Mapping[str, Stamp]) -> str:
    """The digest of the same files after some stamps went and others came, without a look at any file.

    If somebody touched one of them in between, it is the digest of no state of the disk, which the next look tells.
    """
    if not digest:
        return ""
    total = int(digest, 16) + sum(starmap(_weigh, come.items())) - sum(starmap(_weigh, gone.items()))
    return f"{total & _MASK:016x}"


def _weigh(path: str, stamp: tuple[int, ...]) -> int:
    """A number for a file with a stamp; no nearly linear one, for then files that change places have the same sum."""
    return int.from_bytes(sha256(os.fsencode(f"{path}\0{stamp}")).digest()[:_NUMBER_BYTES], "big")


class StampDigest:
    """One digest of the stamps of all files in some folders and of some other files, computed in a forked process.

    It stays the same while nothing is touched; if it differs, something was touched, but not what. Of a link in place
    of a folder it is the link's own stamp that counts. It is the sum of a number for each file.
    """

    def __init__(self, root: Path, folders: tuple[str, ...], files: tuple[str, ...]) -> None:
        self._known = ""
        self._pipe = self._child = -1
        if not hasattr(os, "fork"):
            self._known = _digest(root, folders, files)
            return
        self._pipe, writing = os.pipe()
        self._child = os.fork()
        if self._child == 0:
            try:
                os.write(writing, _digest(root, folders, files).encode())
            finally:
                os._exit(0)
        os.close(writing)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.result()

    def result(self) -> str:
        """Wait for the digest; empty if the process failed."""
        if self._pipe >= 0:
            self._known = os.read(self._pipe, _DIGEST_BYTES).decode()
            os.close(self._pipe)
            os.waitpid(self._child, 0)
            self._pipe = -1
        return self._known


def _digest(root: Path, folders: tuple[str, ...], files: tuple[str, ...]) -> str:
    base, total = os.fspath(root) + "/", 0
    waiting: list[str] = []
    for name in (*files, *folders):
        total += _look(base, name, waiting)
    while waiting:
        inside = waiting.pop()
        try:
            names = os.listdir(base + inside)  # noqa: PTH208 - names alone, at half the cost
        except (FileNotFoundError, NotADirectoryError):
            continue
        for name in names:
            total += _look(base, f"{inside}/{name}", waiting)
    return f"{total & _MASK:016x}"


def _look(base: str, path: str, folders: list[str]) -> int:
    try:
        found = os.lstat(base + path)
    except FileNotFoundError:
        return 0
    kind = found.st_mode & _KIND
    if kind == _FOLDER:
        folders.append(path)
        return 0
    stamp = found.st_mtime_ns, found.st_size, found.st_ino
    return _weigh(path, stamp if kind == _REGULAR else (*stamp, kind))
