"""Writes files atomically, keeping their modes; files that already have the right bytes are not touched.

All new content is written to temporary files before the first target changes, so that a full disk changes nothing.
The caller has the lock; a killed run leaves only temporary files, which the next run in that folder removes.
"""

from __future__ import annotations

import hashlib
import os
import time
from contextlib import suppress
from functools import cache, partial
from itertools import count
from typing import TYPE_CHECKING

from codecortex.git.paths import decode_path, encode_path
from codecortex.git.worktree.folders import Folder, attempt, refuse_link
from codecortex.model.errors import GitStateError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later
from codecortex.model.work import DONE, Work

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from pathlib import Path

    from codecortex.git.worktree.stamps import Stamp

_BINARY = getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY
_READ = os.O_RDONLY | _BINARY
_TEMPORARY = compile_later(rb"\.codecortex-tmp-(\d{1,9})-([0-9a-f]{8})-(\d{1,20})")
_ABANDONED = 3600.0
_WORTH_A_FOLDER = 64
_FIRST = time.time_ns()  # tells the files of this process from those of a killed one that had its number
_NUMBERS = count(_FIRST)
_AS_IT_IS: Mapping[str, bool] = {}


class FileState(NamedTuple):
    """The result of `stat` for a file; while it is the same, so are the bytes (except for deliberate forgery)."""

    mtime_ns: int
    size: int
    inode: int


class WriteResult(NamedTuple):
    """The paths that changed on disk, in the order they were requested.

    Attributes:
        written: What was written.
        removed: What was removed.
        states: The stamp of each written file before it took its name: what anybody makes of it later has another.
    """

    written: tuple[str, ...]
    removed: tuple[str, ...]
    states: Mapping[str, Stamp]


class _Staged(NamedTuple):
    temporary: bytes
    target: bytes


def apply_writes(
    root: Path,
    writes: Mapping[str, bytes],
    removals: Collection[str] = (),
    *,
    durable: bool = False,
    executable: Mapping[str, bool] = _AS_IT_IS,
) -> WriteResult:
    """Write these files below `root`, and remove others together with the folders that become empty.

    Args:
        root: The work tree.
        writes: Path (see `paths.encode_path`) to content; targets change in this order, after the removals.
        removals: Paths to remove; a path that is also written is not removed.
        durable: Whether new bytes reach the disk before they take a name, so that a crash of the machine cannot leave
            a file without content.
        executable: Path of a write to whether those who may read it may run it; others stay as they are.

    Raises:
        GitStateError: A folder or target is a symbolic link or no file, or the disk refuses; no file is half-written.
    """
    base = os.fsencode(root)
    staged: dict[str, _Staged] = {}
    made: dict[bytes, _Staged] = {}
    states: dict[str, Stamp] = {}
    try:
        groups = _group(writes)
        folders = {name: Folder(base, name) for name in groups}
        new = {} if executable or durable else _list_new_folders(base, groups)
        for name, paths in groups.items():
            if not any(name == top or name.startswith(top + b"/") for top in new):
                _stage_folder(folders[name], paths, _Stage(writes, executable, staged, states))
        if durable:
            for path, each in staged.items():
                attempt(path, _flush, each.temporary)
        for name, inside in new.items():  # last: staging files removes stray temporary folders
            made[name] = _stage_new_folder(Folder(base, name), inside, writes, states)
        removed = _remove(base, [path for path in dict.fromkeys(removals) if path not in writes])
        written = tuple(path for path in writes if path in states)
        for name in list(made):
            attempt(encode_path(name), os.rename, *made[name])
            del made[name]
        for path in list(staged):
            attempt(path, os.replace, *staged[path])
            del staged[path]
    finally:
        _discard(staged, made)
    return WriteResult(written, removed, states)


def _remove_folder(folder: bytes) -> None:
    """Remove a temporary folder as far as possible."""
    import shutil  # which loads every format of archives, and is seldom needed

    shutil.rmtree(folder, ignore_errors=True)


def _discard(staged: Mapping[str, _Staged], made: Mapping[bytes, _Staged]) -> None:
    """Remove temporary files of a failed call; the next run removes what stays."""
    for temporary, _ in staged.values():
        with suppress(OSError):
            os.unlink(temporary)  # noqa: PTH108 - bytes
    for temporary, _ in made.values():
        _remove_folder(temporary)


def list_files(root: Path, folder: str) -> dict[str, FileState]:
    """The state of every regular file in `folder` and its subfolders, by path from `root`.

    Links and temporary files are left out; a folder that does not exist is empty.

    Raises:
        GitStateError: The folder is reached through a symbolic link, or cannot be read.
    """
    base = os.fsencode(root)
    found: dict[str, FileState] = {}
    waiting = [decode_path(folder)]
    while waiting:
        inside = waiting.pop()
        for entry in Folder(base, inside).scan():
            path = inside + b"/" + entry.name if inside else entry.name
            if entry.is_dir(follow_symlinks=False):
                waiting.append(path)
            elif entry.is_file(follow_symlinks=False) and not _TEMPORARY.fullmatch(entry.name):
                state = entry.stat(follow_symlinks=False)
                found[encode_path(path)] = FileState(state.st_mtime_ns, state.st_size, state.st_ino)
    return found


_Groups = dict[bytes, list[tuple[bytes, str]]]


def _group(paths: Iterable[str]) -> _Groups:
    """Folder -> list of (file name, path as given)."""
    groups: _Groups = {}
    for path in paths:
        folder, _, name = decode_path(path).rpartition(b"/")
        if name in (b"", b".", b".."):
            raise GitStateError(f"{path} is not a path of a file.")
        groups.setdefault(folder, []).append((name, path))
    return groups


def _list_new_folders(base: bytes, groups: _Groups) -> dict[bytes, _Groups]:
    """The folders with many files that do not exist yet, each with the groups in it by their paths within it."""
    tops: dict[bytes, _Groups] = {}
    missing: dict[bytes, bytes] = {}  # folder to the outermost one of those around it, or itself, that is missing
    for name, paths in groups.items():
        above = name.rpartition(b"/")[0]
        if above not in missing:
            missing[above] = _find_missing(base, above)
        top = missing[above] or _find_missing(base, name)
        if top:
            tops.setdefault(top, {})[name[len(top) + 1 :]] = paths
    return {top: inside for top, inside in tops.items() if sum(map(len, inside.values())) >= _WORTH_A_FOLDER}


def _find_missing(base: bytes, folder: bytes) -> bytes:
    """The outermost of a folder and those around it that does not exist; empty if all do."""
    if not folder:
        return b""
    return _find_missing(base, folder.rpartition(b"/")[0]) or (b"" if os.path.lexists(base + b"/" + folder) else folder)


class _Stage(NamedTuple):
    """What is to be written, and what was written to temporary files so far."""

    writes: Mapping[str, bytes]
    executable: Mapping[str, bool]
    staged: dict[str, _Staged]
    states: dict[str, Stamp]


def _stage_folder(folder: Folder, paths: list[tuple[bytes, str]], stage: _Stage) -> None:
    writes, executable, staged, states = stage
    folder.make()
    present = {entry.name: entry for entry in folder.scan()}
    _sweep(present)
    host = _hash_host()
    for name, path in paths:
        entry = present.get(name)
        may_run = executable.get(path)
        if entry is not None and _holds(entry, path, writes[path]) and may_run in (None, _may_run(entry)):
            continue
        DONE[Work.WRITTEN] += 1
        temporary = _name_temporary(folder.path, host)
        staged[path] = _Staged(temporary, folder.path + b"/" + name)
        states[path] = attempt(path, _write_new, temporary, writes[path])
        if entry is not None and os.name != "nt":  # there, a read-only file cannot replace another
            attempt(path, os.chmod, temporary, entry.stat(follow_symlinks=False).st_mode & 0o7777)
        if may_run is not None and os.name != "nt":
            attempt(path, _let_run, temporary, may_run)


def _may_run(entry: os.DirEntry[bytes]) -> bool:
    return bool(entry.stat(follow_symlinks=False).st_mode & 0o100)


def _let_run(path: bytes, may_run: bool) -> None:  # noqa: FBT001 - called through `attempt`
    """Let those who may read a file run it, or nobody."""
    mode = os.stat(path).st_mode & 0o7777  # noqa: PTH116 - bytes
    os.chmod(path, mode | (mode & 0o444) >> 2 if may_run else mode & ~0o111)  # noqa: PTH101 - bytes


def _stage_new_folder(
    folder: Folder, inside: _Groups, writes: Mapping[str, bytes], states: dict[str, Stamp]
) -> _Staged:
    """Write a whole new folder beside its target: for thousands of files, a third of the work of renaming each."""
    above = os.path.dirname(folder.path)  # noqa: PTH120 - bytes
    temporary = _name_temporary(above, _hash_host())
    attempt(folder.name, os.makedirs, temporary)
    try:
        for within, paths in inside.items():
            below = temporary + b"/" + within if within else temporary
            if within:
                attempt(folder.name, partial(os.makedirs, below, exist_ok=True))
            DONE[Work.WRITTEN] += len(paths)
            for name, path in paths:
                states[path] = attempt(path, _write_new, below + b"/" + name, writes[path])
    except BaseException:
        _remove_folder(temporary)
        raise
    return _Staged(temporary, folder.path)


def _name_temporary(folder: bytes, host: bytes) -> bytes:
    return b"%b/.codecortex-tmp-%d-%b-%d" % (folder, os.getpid(), host, next(_NUMBERS))


def _holds(entry: os.DirEntry[bytes], path: str, data: bytes) -> bool:
    if entry.is_symlink():
        raise refuse_link(path)
    if not entry.is_file(follow_symlinks=False):
        raise GitStateError(f"{path} is not a file.", "Move what stands there away, then run this again.")
    if entry.stat(follow_symlinks=False).st_size != len(data):
        return False
    return attempt(path, _read, entry.path, len(data)) == data


def _read(path: bytes, size: int) -> bytes:
    descriptor = os.open(path, _READ)
    try:
        return os.read(descriptor, size + 1)
    finally:
        os.close(descriptor)


def _write_new(path: bytes, data: bytes) -> Stamp:
    descriptor = os.open(path, _CREATE, 0o666)
    try:
        done = os.write(descriptor, data)
        while done < len(data):
            done += os.write(descriptor, memoryview(data)[done:])
        state = os.fstat(descriptor)
    finally:
        os.close(descriptor)
    return state.st_mtime_ns, state.st_size, state.st_ino


def _flush(path: bytes) -> None:
    descriptor = os.open(path, os.O_RDWR | _BINARY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _remove(base: bytes, paths: Iterable[str]) -> tuple[str, ...]:
    removed: list[str] = []
    for name, files in _group(paths).items():
        folder = Folder(base, name)
        present = {entry.name for entry in folder.scan()}
        for file, path in files:
            if file in present:
                attempt(path, os.unlink, folder.path + b"/" + file)
                removed.append(path)
        _remove_empty(base, name)
    return tuple(removed)


def _remove_empty(base: bytes, folder: bytes) -> None:
    while folder:
        try:
            os.rmdir(base + b"/" + folder)  # noqa: PTH106 - bytes
        except OSError:
            return  # not empty, or in use; git ignores empty folders
        folder = folder.rpartition(b"/")[0]


def _sweep(present: dict[bytes, os.DirEntry[bytes]]) -> None:
    """Remove the temporary files that killed runs left in this folder."""
    for name, entry in present.items():
        match = _TEMPORARY.fullmatch(name)
        if match:
            attempt(encode_path(entry.path), _remove_abandoned, entry, int(match[1]), match[2], int(match[3]))


def _remove_abandoned(entry: os.DirEntry[bytes], process: int, host: bytes, number: int) -> None:
    with suppress(FileNotFoundError):  # its writer, or the sweep of another run, was first
        if _is_abandoned(entry, process, host, number):
            if entry.is_dir(follow_symlinks=False):
                _remove_folder(entry.path)
            else:
                os.unlink(entry.path)  # noqa: PTH108 - bytes


def sweep_temporary(root: Path, folders: Iterable[str]) -> None:
    """Remove the temporary files and folders that killed runs left in these folders, none of them behind a link."""
    for folder in folders:
        with suppress(GitStateError):  # what stays is in nobody's way, and the next run tries again
            _sweep({entry.name: entry for entry in Folder(os.fsencode(root), decode_path(folder)).scan()})


def is_temporary(path: str) -> bool:
    """Whether a path names a temporary file of a run, or lies in a temporary folder."""
    return any(_TEMPORARY.fullmatch(part) for part in decode_path(path).split(b"/"))


def _is_abandoned(entry: os.DirEntry[bytes], process: int, host: bytes, number: int) -> bool:
    if host == _hash_host() and process == os.getpid():
        return number < _FIRST  # else another thread of this process writes it
    if host == _hash_host() and os.name != "nt":
        return not _is_alive(process)
    return time.time() - entry.stat(follow_symlinks=False).st_mtime > _ABANDONED


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


@cache
def _hash_host() -> bytes:
    import platform

    return hashlib.sha256(platform.node().encode()).hexdigest()[:8].encode()
