"""Reads regular files below a root, or tells why they cannot be read; links are never followed."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from enum import StrEnum
from typing import TYPE_CHECKING

from codecortex.git.paths import decode_path
from codecortex.model.errors import GitStateError
from codecortex.model.work import DONE, Work

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

MAX_BYTES = 64 * 1024 * 1024

# Without O_NONBLOCK, opening a named pipe in place of a file would hang the run.
_READ = (
    os.O_RDONLY
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
)


class Problem(StrEnum):
    """Why a file that git lists has no readable bytes."""

    SYMLINK = "symbolic link"
    SUBMODULE = "submodule"
    MISSING = "missing"
    NOT_A_FILE = "not a regular file"
    UNREADABLE = "unreadable"
    TOO_LARGE = "too large"
    LFS_POINTER = "lfs pointer"


UNREADABLE = frozenset({Problem.NOT_A_FILE, Problem.UNREADABLE})
"""What hides a file of which git still has a version: it must not count as deleted."""


class Disk:
    """Reads regular files below one root; caches which folders are no links."""

    def __init__(self, root: Path) -> None:
        self._prefix = os.fsencode(root) + b"/"
        self._real: dict[bytes, bool] = {b"": True}

    def locate(self, path: bytes) -> bytes:
        """Where the file at `path` lies."""
        return self._prefix + path

    def read(self, path: bytes) -> bytes | Problem:
        """The content of the file at `path`, at most `MAX_BYTES`, or why there is none."""
        if not self._is_real(path.rpartition(b"/")[0]):
            return Problem.SYMLINK
        full = self.locate(path)
        if not hasattr(os, "O_NOFOLLOW") and os.path.islink(full):  # noqa: PTH114 - bytes, in a hot loop
            return Problem.SYMLINK
        try:
            descriptor = os.open(full, _READ)
        except OSError as error:
            return _name_problem(error)
        DONE[Work.FILES] += 1
        try:
            return _read_open(descriptor)
        except OSError as error:
            return _name_problem(error)
        finally:
            os.close(descriptor)

    def read_all(self, paths: Iterable[str]) -> dict[str, bytes]:
        """The content of each regular file, by path as `encode_path` writes it; unreadable files are left out."""
        found = {path: self.read(decode_path(path)) for path in paths}
        return {path: data for path, data in found.items() if isinstance(data, bytes)}

    def _is_real(self, folder: bytes) -> bool:
        known = self._real.get(folder)
        if known is None:
            above = folder.rpartition(b"/")[0]
            known = self._is_real(above) and not os.path.islink(self._prefix + folder)  # noqa: PTH114 - bytes
            self._real[folder] = known
        return known


def _read_open(descriptor: int) -> bytes | Problem:
    state = os.fstat(descriptor)
    if not stat.S_ISREG(state.st_mode):
        return Problem.NOT_A_FILE
    if state.st_size > MAX_BYTES:
        return Problem.TOO_LARGE
    data = os.read(descriptor, state.st_size + 1)
    if len(data) == state.st_size:
        return data
    parts = [data]
    while parts[-1] and sum(map(len, parts)) <= MAX_BYTES:
        parts.append(os.read(descriptor, MAX_BYTES))
    return b"".join(parts) if not parts[-1] else Problem.TOO_LARGE


def _name_problem(error: OSError) -> Problem:
    match error.errno:
        case errno.ENOENT | errno.ENOTDIR:
            return Problem.MISSING
        case errno.ELOOP:
            return Problem.SYMLINK
        case _:
            return Problem.UNREADABLE


def read_file(root: Path, path: str, hint: str, name: str = "") -> bytes | None:
    """The content of one file below a root, None if it does not exist; `name` is its name in messages.

    Raises:
        GitStateError: It is not a regular file, or cannot be read.
    """
    data = Disk(root).read(path.encode())
    if isinstance(data, bytes):
        return data
    if data is Problem.MISSING:
        return None
    raise GitStateError(f"{name or path} cannot be read: {data}.", hint)


def hash_blob(data: bytes, object_format: str) -> str:
    """The id that git gives a blob of these bytes in a `sha1` or `sha256` repository."""
    DONE[Work.HASHED] += len(data)
    return hash_object(b"blob", data, object_format)


def hash_object(kind: bytes, data: bytes, object_format: str) -> str:
    """The id that git gives an object of a kind, such as `blob` or `tree`, with these bytes."""
    digest = hashlib.new(object_format, b"%s %d\0" % (kind, len(data)), usedforsecurity=False)
    digest.update(data)
    return digest.hexdigest()


def fold_line_ends(data: bytes) -> bytes:
    """`data` as git stores it where line endings are converted."""
    return data.replace(b"\r\n", b"\n")
