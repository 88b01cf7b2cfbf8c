"""Tells whether anything that a listing of the work tree or index depends on has changed since a moment.

Listing starts git processes; this only asks the system. Where the kernel tells what is touched (`notices`), silence
says that files are unchanged, and none is looked at. Elsewhere a file counts as unchanged while its stamp is the same:
mtime, ctime, size, inode, mode, device, number of links. A stamp can miss an edit only if two edits fall within one
tick of the file system's clock, so one that was young when taken proves nothing; whatever cannot be checked counts as
changed.
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
    from codecortex.git.worktree.notices import Notices

_YOUNG_NS = 2_500_000_000
"""Longer than a tick of any file system (FAT: two seconds) and than the clock drift within a network."""

_TRACKED = Call("list the index", ("ls-files", "-z"))

_FIELDS = 7
_LINKS = 6
_CHUNK = 64  # if a file of a chunk is missing, each file of it is checked by itself


class _FileStamps(NamedTuple):
    """The stamps of some files, in order, and whether all of them were old enough when taken."""

    stamps: Sequence[int]
    settled: bool

    @property
    def linked(self) -> bool:
        """Whether a file has further names, under which it may change without a notice."""
        return max(self.stamps[_LINKS::_FIELDS], default=0) > 1


class _Look(NamedTuple):
    """The stamps of git's own files, of those of the work tree, and of their folders."""

    state: _FileStamps
    files: _FileStamps
    folders: Sequence[int]


class Freshness:
    """Watches what a listing depends on, from just before it is made.

    Args:
        repository: The repository.
        suffixes: Lower-case name endings of the files that are listed.
        others: Files of the work tree that count even if git does not track them.
    """

    def __init__(self, repository: Repository, suffixes: tuple[str, ...], others: tuple[str, ...] = ()) -> None:
        self._repository = repository
        self._suffixes = tuple(suffix.encode() for suffix in suffixes)
        self._others = tuple(map(os.fsencode, others))
        self._paths: list[bytes] = []
        self._folders: list[bytes] = []
        self._index: Sequence[int] = ()
        self._taken: _Look | None = None
        self._notices: Notices | None = None
        self._noticed = True

    def holds(self) -> bool:
        """Whether a listing made after the last `take` would still be the same."""
        if self._taken is None:
            return False
        state = _take(self._list_state_files())
        return _is_same(self._taken.state, state) and self._files_hold(self._taken)

    def close(self) -> None:
        """Watch nothing any more."""
        notices, self._notices = self._notices, None
        if notices is not None:
            notices.close()

    def take(self, *, files: bool = True) -> None:
        """Take the stamps, just before a listing is made.

        Args:
            files: Whether to include the files of the work tree, not only the index and HEAD.
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
            self.close()
        self._listen()
        self._taken = self._look()

    def _files_hold(self, taken: _Look) -> bool:
        """Whether the files of the work tree are as they were taken."""
        if self._listen() and self._notices is not None and self._notices.are_recent():
            return True
        files, folders = _take(self._paths), _stamp_folders(self._folders)
        held = _is_same(taken.files, files) and folders == taken.folders
        if held and self._notices is not None:
            self._notices.believe()
        return held

    def _listen(self) -> bool:
        """Whether the kernel tells of files, and told of none since it was asked to; if not, it is asked again."""
        if self._notices is not None and self._notices.are_silent():
            return True
        self.close()
        if self._paths and self._noticed:
            from codecortex.git.worktree.notices import Notices

            root = os.fsencode(self._repository.require_root())
            names = tuple(path.rpartition(b"/")[2] for path in self._others)
            try:
                self._notices = Notices(root, self._folders, (*self._suffixes, *names))
            except OSError:
                self._noticed = False  # not on this system: files are looked at
        return False

    def _look(self) -> _Look:
        found = _Look(_take(self._list_state_files()), _take(self._paths), _stamp_folders(self._folders))
        if found.files.linked:
            self._noticed = False
            self.close()
        return found

    def _list_state_files(self) -> list[bytes]:
        """The index, HEAD and the refs it may point to, and the settings that decide what git calls changed."""
        own, shared = self._repository.git_dir, self._repository.common_dir
        index = os.environ.get("GIT_INDEX_FILE")
        return [
            os.fsencode(self._repository.folder / index if index else own / "index"),
            *map(os.fsencode, _list_references(own, shared)),
            *(os.fsencode(shared / name) for name in ("config", "info/attributes", "info/exclude")),
            *(os.fsencode(own / name) for name in ("config.worktree", "info/sparse-checkout")),
        ]


def _list_references(own: Path, shared: Path) -> list[Path]:
    """The files that may contain HEAD and the ref it points to."""
    head = own / "HEAD"
    try:
        text = head.read_text("utf-8", "surrogateescape")
    except OSError:
        return [head]
    name = text.removeprefix("ref:").strip() if text.startswith("ref:") else ""
    files = [head, shared / "packed-refs", shared / "reftable" / "tables.list", own / "reftable" / "tables.list"]
    return [*files, shared / name, own / name] if name else files


def _is_same(taken: _FileStamps, now: _FileStamps) -> bool:
    """Whether files are certainly as they were when their stamps were taken."""
    return taken.settled and now.stamps == taken.stamps


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
    """The stamps of files of which some may not exist; None if one cannot be checked."""
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
    """All stamps as one flat list of numbers: thousands of small objects would trigger Python's garbage collection."""
    return [
        number
        for state in map(os.lstat, paths)
        for number in (
            state.st_mtime_ns,
            state.st_ctime_ns,
            state.st_size,
            state.st_ino,
            state.st_mode,
            state.st_dev,
            state.st_nlink,
        )
    ]


def _stamp_folders(paths: Iterable[bytes]) -> list[int]:
    """The identity of each folder: a link in its place would show the same files, but git does not follow it."""
    found = []
    for path in paths:
        try:
            state = os.lstat(path)
        except OSError:
            found.append(-1)  # the stamps of its files tell the rest
        else:
            found += (state.st_ino, state.st_mode, state.st_dev)
    return found
