"""A repository in; whether anything that a listing of its work tree or index depends on moved since a moment, out.

Listing asks git, which takes processes; this asks the file system alone. A file counts as unmoved while its stamp
stays: times of content and of state, size, inode, mode. A stamp can hide an edit only if two fall within one tick of
the file system's clock, so one that was young when it was taken proves nothing; whatever cannot be told has moved.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, NamedTuple

from codecortex.git.process import Call

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from codecortex.git.repository import Repository

_YOUNG_NS = 2_500_000_000
"""Longer than a tick of any file system (FAT counts two seconds), and than clocks of one network drift apart."""

_TRACKED = Call("list the index", ("ls-files", "-z"))

_FIELDS = 6
_CHUNK = 64  # of which, where one is missing, each is looked at by itself


class _FileStamps(NamedTuple):
    """The stamps of some files, in order, and whether all of them were old when they were taken."""

    stamps: Sequence[int]
    settled: bool


class Freshness:
    """What a listing depends on, watched from just before it was made.

    Args:
        repository: Where.
        suffixes: Lower-case name endings of the files that are listed.
        others: Files below the work tree that count even if git does not track them.
    """

    def __init__(self, repository: Repository, suffixes: tuple[str, ...], others: tuple[str, ...] = ()) -> None:
        self._repository = repository
        self._suffixes = tuple(suffix.encode() for suffix in suffixes)
        self._others = tuple(map(os.fsencode, others))
        self._paths: list[bytes] = []
        self._folders: list[bytes] = []
        self._index: Sequence[int] = ()
        self._taken: _FileStamps | None = None

    def holds(self) -> bool:
        """Whether a listing made after the last `take` would be the same now."""
        if self._taken is None or not self._taken.settled:
            return False
        return self._look().stamps == self._taken.stamps

    def take(self, *, files: bool = True) -> None:
        """Remember how everything lies, just before it is listed.

        Args:
            files: Whether the files of the work tree count; without them, the index and HEAD alone.
        """
        state = self._list_state_files()
        first = _take(state[:1])
        if files and (first.stamps != self._index or not first.settled):
            tracked = self._repository.ask_all(_TRACKED)[0].split(b"\0")
            root = os.fsencode(self._repository.require_root()) + b"/"
            wanted = [path for path in tracked if path.lower().endswith(self._suffixes)]
            self._paths = [root + path for path in dict.fromkeys((*wanted, *self._others))]
            self._folders = sorted({path.rpartition(b"/")[0] for path in self._paths})
            self._index = first.stamps
        self._taken = self._look()

    def _look(self) -> _FileStamps:
        state, files = _take(self._list_state_files()), _take(self._paths)
        folders = _stamp_folders(self._folders)
        return _FileStamps([*state.stamps, *files.stamps, *folders], state.settled and files.settled)

    def _list_state_files(self) -> list[bytes]:
        """The index, HEAD and what it points to, and the settings that say what git calls changed."""
        own, shared = self._repository.git_dir, self._repository.common_dir
        index = os.environ.get("GIT_INDEX_FILE")
        return [
            os.fsencode(self._repository.folder / index if index else own / "index"),
            *map(os.fsencode, _list_references(own, shared)),
            *(os.fsencode(shared / name) for name in ("config", "info/attributes", "info/exclude")),
            *(os.fsencode(own / name) for name in ("config.worktree", "info/sparse-checkout")),
        ]


def _list_references(own: Path, shared: Path) -> list[Path]:
    """The files in which HEAD and what it points to may stand."""
    head = own / "HEAD"
    try:
        text = head.read_text("utf-8", "surrogateescape")
    except OSError:
        return [head]
    name = text.removeprefix("ref:").strip() if text.startswith("ref:") else ""
    files = [head, shared / "packed-refs", shared / "reftable" / "tables.list", own / "reftable" / "tables.list"]
    return [*files, shared / name, own / name] if name else files


def _take(paths: Sequence[bytes]) -> _FileStamps:
    now = time.time_ns()
    stamps: list[int] = []
    for at in range(0, len(paths), _CHUNK):
        chunk = paths[at : at + _CHUNK]
        try:
            stamps += _stamp(chunk)
        except OSError:
            found = _stamp_one_by_one(chunk)
            if found is None:
                return _FileStamps((), settled=False)
            stamps += found
    youngest = max(max(stamps[::_FIELDS], default=0), max(stamps[1::_FIELDS], default=0))
    return _FileStamps(stamps, youngest < now - _YOUNG_NS)


def _stamp_one_by_one(paths: Sequence[bytes]) -> list[int] | None:
    """The same where some do not exist; None where something else keeps one from being looked at, which is doubt."""
    stamps = []
    for path in paths:
        try:
            stamps += _stamp((path,))
        except (FileNotFoundError, NotADirectoryError):
            stamps += [-1] * _FIELDS
        except OSError:
            return None
    return stamps


def _stamp(paths: Iterable[bytes]) -> list[int]:
    """Numbers alone, one after another: thousands of small values would set off Python's search for garbage."""
    return [
        number
        for state in map(os.lstat, paths)
        for number in (state.st_mtime_ns, state.st_ctime_ns, state.st_size, state.st_ino, state.st_mode, state.st_dev)
    ]


def _stamp_folders(paths: Iterable[bytes]) -> list[int]:
    """That each is the folder it was: a link in its place leads to the same files, but git follows none."""
    found = []
    for path in paths:
        try:
            state = os.lstat(path)
        except OSError:
            found.append(-1)  # the stamps of what it held tell the rest
        else:
            found += (state.st_ino, state.st_mode, state.st_dev)
    return found
