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
from typing import TYPE_CHECKING

from codecortex.git.process import Call
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
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
    """The stamps of some files, in order, and when they were taken, in nanoseconds: at 0 if one could not be had."""

    stamps: list[int]
    taken: int

    @property
    def settled(self) -> bool:
        """Whether all files were old enough when their stamps were taken."""
        youngest = max(max(self.stamps[::_FIELDS], default=0), max(self.stamps[1::_FIELDS], default=0))
        return youngest < self.taken - _YOUNG_NS

    @property
    def linked(self) -> bool:
        """Whether a file has further names, under which it may change without a notice."""
        return max(self.stamps[_LINKS::_FIELDS], default=0) > 1

    def list_young(self) -> Iterator[int]:
        """Yield the numbers of the files that were too young when their stamps were taken."""
        if not self.settled:
            limit = self.taken - _YOUNG_NS
            changes = zip(self.stamps[::_FIELDS], self.stamps[1::_FIELDS], strict=True)
            yield from (number for number, each in enumerate(changes) if max(each) >= limit)

    def list_changed(self, before: _FileStamps) -> Iterator[int]:
        """Yield the numbers of the files whose stamps differ."""
        if self.stamps != before.stamps:
            for at in range(0, len(self.stamps), _FIELDS):
                if self.stamps[at : at + _FIELDS] != before.stamps[at : at + _FIELDS]:
                    yield at // _FIELDS


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
        self._numbers: dict[bytes, int] = {}
        self._folders: list[bytes] = []
        self._index: Sequence[int] = ()
        self._taken: _Look | None = None
        self._doubtful: set[int] = set()  # files by number: another look must not believe their stamps
        self._notices: Notices | None = None
        self._noticed = True

    def find_changed(self) -> frozenset[bytes] | None:
        """The files that may have changed since they were taken, from the root; None if all has to be listed anew.

        They are taken as they are now: what changes one later than this is seen the next time.
        """
        taken = self._taken
        if taken is None or not _is_same(taken.state, _take(self._list_state_files())):
            return None
        touched = self._notices.read_touched() if self._notices is not None else None
        if touched is not None and self._notices is not None and self._notices.are_recent():
            numbers = self._take_again({self._numbers[path] for path in touched if path in self._numbers}, taken)
        else:
            numbers = self._look_again(taken)
        if numbers is None:
            return None
        start = len(self._root)
        return frozenset(self._paths[number][start:] for number in numbers)

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
            root = self._root
            wanted = [path for path in tracked if path.lower().endswith(self._suffixes)]
            self._paths = [root + path for path in dict.fromkeys((*wanted, *self._others))]
            self._numbers = {path: number for number, path in enumerate(self._paths)}
            self._folders = sorted({path.rpartition(b"/")[0] for path in self._paths})
            self._index = first.stamps
            self.close()
        self._listen()
        self._taken = _Look(_take(self._list_state_files()), *self._look())

    @property
    def _root(self) -> bytes:
        return os.fsencode(self._repository.require_root()) + b"/"

    def _take_again(self, numbers: set[int], taken: _Look) -> set[int] | None:
        """Take the stamps of some files anew; None if one cannot be had, or the file has further names now."""
        for number in numbers:
            stamp = _stamp_one_by_one(self._paths[number : number + 1])
            if stamp is None or stamp[_LINKS] > 1:
                return None
            taken.files.stamps[number * _FIELDS : (number + 1) * _FIELDS] = stamp
        self._doubtful |= numbers
        return numbers

    def _look_again(self, taken: _Look) -> set[int] | None:
        """Look at all files; None if folders changed, or not all can be looked at."""
        self._listen()
        doubtful = self._doubtful
        files, folders = self._look()
        if folders != taken.folders or not (files.taken and taken.files.taken):
            return None
        self._taken = taken._replace(files=files)
        if self._notices is not None:
            self._notices.believe()
        return doubtful.union(files.list_changed(taken.files))

    def _listen(self) -> None:
        """Have the kernel tell of files from now on, if it does not yet."""
        if self._notices is not None and self._notices.read_touched() is not None:
            return
        self.close()
        if self._paths and self._noticed:
            from codecortex.git.worktree.notices import Notices

            names = tuple(path.rpartition(b"/")[2] for path in self._others)
            try:
                self._notices = Notices(self._root[:-1], self._folders, (*self._suffixes, *names))
            except OSError:
                self._noticed = False  # not on this system: files are looked at

    def _look(self) -> tuple[_FileStamps, Sequence[int]]:
        """The stamps of all files and of their folders."""
        files = _take(self._paths)
        if files.linked:
            self._noticed = False
            self.close()
        self._doubtful = set(files.list_young())
        return files, _stamp_folders(self._folders)

    def _list_state_files(self) -> list[bytes]:
        """The index, HEAD and the refs it may point to, and the settings that decide what git calls changed."""
        own, shared = self._repository.git_dir, self._repository.common_dir
        return [
            os.fsencode(self._repository.index_file),
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
                return _FileStamps([], 0)
            stamps += found
    return _FileStamps(stamps, now)


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
