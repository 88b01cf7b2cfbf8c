"""One digest of all files in some folders: what lies there, whoever put it there.

It is a sum, modulo 2^64, of a number for each file, so that a run can follow it over what it writes itself. While git
says of nearly all files that they are as its index has them, the number is that of path and blob id, and the few others
are read: a commit, a checkout to and fro leave the digest as it is. Else it is that of path and stamp.
"""

from __future__ import annotations

import os
from hashlib import sha256
from stat import S_IFMT, S_ISDIR, S_ISREG
from typing import TYPE_CHECKING, Self

from codecortex.git.paths import decode_path
from codecortex.git.worktree.disk import Disk, Problem, hash_blob
from codecortex.git.worktree.look import CHANGES, INDEX, UNTRACKED, hides_files
from codecortex.git.worktree.records import choose_changes, cut, pair_changes
from codecortex.model.errors import GitStateError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.work import DONE, Work

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from codecortex.git.repository import Repository
    from codecortex.git.worktree.look import Look
    from codecortex.git.worktree.stamps import Stamp

_CALLS = INDEX, CHANGES, UNTRACKED
_AS_IN_INDEX = (b"H 100644 ", b"H 100755 ")
_BLOB_AT = len(_AS_IN_INDEX[0])
_FEW = 64
"""Up to so many files are read; a stamp of each of all files costs less than more of them."""

_CONTENTS, _STAMPS = "c", "s"
_NUMBER_BYTES = 8
_MASK = (1 << 64) - 1
_MOST_TOLD = 64
"""More bytes than a forked process tells."""


class FolderDigest:
    """The digest of all files in some folders and of some other files, computed in a forked process if that takes long.

    It stays the same while nothing is touched; if it differs, something may have been touched, but not what.

    Args:
        repository: The repository.
        folders: The folders.
        files: The other files.
        look: What git says of all of them, if it was asked; it is waited for.
    """

    def __init__(
        self, repository: Repository, folders: tuple[str, ...], files: tuple[str, ...], look: Look | None = None
    ) -> None:
        self._told = ""
        self._pipe = self._child = -1
        answers = _choose(look, folders, files) if look is not None and look.sees_folders else None
        if answers is not None and answers.total and (found := _sum_contents(repository, answers)) is not None:
            self._told = _write(*found)
            return
        if not hasattr(os, "fork"):
            self._told = _digest(repository, folders, files, answers)
            return
        self._pipe, writing = os.pipe()
        self._child = os.fork()
        if self._child == 0:
            try:
                os.write(writing, _digest(repository, folders, files, answers).encode())
            finally:
                os._exit(0)
        os.close(writing)
        DONE[Work.PROCESSES] += len(_CALLS) if look is None else 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.result()

    def result(self) -> str:
        """Wait for the digest; empty if the process failed."""
        if self._pipe >= 0:
            self._told = os.read(self._pipe, _MOST_TOLD).decode()
            os.close(self._pipe)
            os.waitpid(self._child, 0)
            self._pipe = -1
        return self._told.partition(" ")[0]

    @property
    def index_total(self) -> str:
        """The sum for the files as the index has them, in hexadecimal, once there is a result; empty if not known."""
        return self._told.partition(" ")[2].partition(" ")[0]

    @property
    def index_number(self) -> int:
        """How many files that sum is of."""
        return int(self._told.rpartition(" ")[2]) if self.index_total else 0


class FollowedDigest:
    """Follows a digest over what a run writes and removes itself; no other file is looked at.

    If somebody else touches one of these files meanwhile, it becomes the digest of no state of the disk, which the next
    look tells.
    """

    def __init__(self, repository: Repository, digest: str) -> None:
        self._repository = repository
        self._kind = digest[:1]
        self._total = int(digest[1:], 16) if digest else 0
        self._paths: set[str] = set()

    def begin(self, paths: Iterable[str]) -> None:
        """Look at files that will be written or removed."""
        new = set(paths) - self._paths
        self._paths |= new
        if self._kind == _CONTENTS and len(self._paths) > _FEW:
            self._kind = ""  # the next look will be at stamps
        self._total -= self._weigh(new, {}, {})

    def finish(self, contents: Mapping[str, bytes], stamps: Mapping[str, Stamp]) -> str:
        """The digest after the run.

        Args:
            contents: What was written, as far as it is known; other files are looked at.
            stamps: The stamps of what was written, likewise.

        Returns:
            Empty if it is not known.
        """
        self._total += self._weigh(self._paths, contents, stamps)
        return f"{self._kind}{self._total & _MASK:016x}" if self._kind else ""

    def _weigh(self, paths: set[str], contents: Mapping[str, bytes], stamps: Mapping[str, Stamp]) -> int:
        root = self._repository.require_root()
        if self._kind == _STAMPS:
            base = os.fspath(root) + "/"
            return sum(_weigh_stamp(each, stamps[each]) if each in stamps else _look(base, each, []) for each in paths)
        if self._kind == _CONTENTS:
            found = {decode_path(each): contents.get(each) for each in paths}
            total = _read(self._repository, found)
            if total is not None:
                return total
            self._kind = ""
        return 0


class _Answers(NamedTuple):
    """What git says of some files.

    Attributes:
        changed: Path of each file that differs from the index, to the blob id that it has there.
        untracked: Paths of untracked files, and of folders of such.
        listed: The records of the index; none where their sum is known.
        total: Their sum in hexadecimal, if it is known.
    """

    changed: dict[bytes, bytes]
    untracked: list[bytes]
    listed: bytes
    total: str = ""


def _choose(look: Look, folders: tuple[str, ...], files: tuple[str, ...]) -> _Answers | None:
    """What a look says of some files; None if git could not say it."""
    listed = []
    try:
        changed = _read_blobs(choose_changes(look.changes, folders, files))
        untracked = look.untracked.split(b"\0")[:-1]
        if look.known is not None and all(blob.strip(b"0") for blob in changed.values()):
            return _Answers(changed, untracked, b"", look.known.total)
        rest = look.index
        for path in (*(f"{folder}/" for folder in folders), *sorted(files)):
            found, rest = cut(rest, path.encode())
            listed.append(found)
    except GitStateError:
        return None
    return _Answers(changed, untracked, b"".join(listed))


def _ask(repository: Repository, paths: tuple[str, ...]) -> _Answers | None:
    """The same, asked of git."""
    encoded = [path.encode() for path in paths]
    try:
        listed, changed, untracked = repository.ask_all(*(call.narrow(encoded) for call in _CALLS))
    except GitStateError:
        return None
    return _Answers(_read_blobs(pair_changes(changed)), untracked.split(b"\0")[:-1], listed)


def _read_blobs(changes: Iterable[tuple[bytes, bytes]]) -> dict[bytes, bytes]:
    """Each changed path, and the blob id in the index: zeros if the file is only intended to be added."""
    return {path: facts.split(b" ", 3)[2] for path, facts in changes}


def _digest(repository: Repository, folders: tuple[str, ...], files: tuple[str, ...], answers: _Answers | None) -> str:
    """The digest, and after spaces the sum of what the index has and its number, where git looks at all of it."""
    if answers is None and not hides_files(repository, folders):
        answers = _ask(repository, (*files, *folders))
    found = _sum_contents(repository, answers) if answers is not None else None
    if found is None:
        return f"{_STAMPS}{_sum_stamps(repository.require_root(), folders, files) & _MASK:016x}"
    return _write(*found)


def _write(total: int, index_total: str, number: int) -> str:
    told = f"{_CONTENTS}{total & _MASK:016x}"
    return f"{told} {index_total} {number}" if index_total else told


def _sum_contents(repository: Repository, answers: _Answers) -> tuple[int, str, int] | None:
    """The sum by contents, that of what the index has, and its number; None where git vouches for too few.

    The second is empty if git does not look at all of it, or several of its paths may be one file.
    """
    rows = answers.listed.split(b"\0")[:-1]
    odd = {row.partition(b"\t")[2] for row in rows if not row.startswith(_AS_IN_INDEX)}
    try:
        unsure = {*odd, *answers.changed, *_list_files(repository.require_root(), answers.untracked)}
    except (GitStateError, OSError):
        return None
    others = _read(repository, dict.fromkeys(unsure)) if len(unsure) <= _FEW else None
    if others is None:
        return None
    if answers.total:
        total, replaced = int(answers.total, 16), [b"%s 0\t%s" % (blob, path) for path, blob in answers.changed.items()]
    else:
        total = sum(map(_number, [row[_BLOB_AT:] for row in rows]))
        replaced = [row[_BLOB_AT:] for row in rows if row.partition(b"\t")[2] in unsure] if unsure else []
    tells = not odd and _are_distinct(rows)
    return total - sum(map(_number, replaced)) + others, f"{total & _MASK:x}" if tells else "", len(rows)


def _are_distinct(rows: Sequence[bytes]) -> bool:
    """Whether records of an index are of as many files also where names that differ in case or accents are the same."""
    paths = os.fsdecode(b"\0".join([row.partition(b"\t")[2] for row in rows])).lower()
    if not paths.isascii():
        from unicodedata import normalize

        paths = normalize("NFC", paths)
    names = paths.split("\0")
    return len(set(names)) == len(names)


def _list_files(root: Path, paths: list[bytes]) -> list[bytes]:
    """Untracked files, also those in folders that git names as a whole; once they are many, no further ones."""
    found: list[bytes] = []
    waiting = list(paths)
    while waiting and len(found) <= _FEW:
        path = waiting.pop()
        if not path.endswith(b"/"):
            found.append(path)
            continue
        with os.scandir(os.fsencode(root) + b"/" + path) as entries:
            waiting += [path + entry.name + (b"/" if entry.is_dir(follow_symlinks=False) else b"") for entry in entries]
    return found


def _read(repository: Repository, files: Mapping[bytes, bytes | None]) -> int | None:
    """The sum over some files, given with what is known to be in them; None if one that is there cannot be read."""
    disk = Disk(repository.require_root())
    total = 0
    for path, known in files.items():
        data = disk.read(path) if known is None else known
        if data is Problem.MISSING:
            continue
        if isinstance(data, Problem):
            return None
        total += _number(b"%s 0\t%s" % (hash_blob(data, repository.object_format).encode(), path))
    return total


def _sum_stamps(root: Path, folders: tuple[str, ...], files: tuple[str, ...]) -> int:
    """The sum by stamps; of a link in place of a folder it is the link's own stamp that counts."""
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
    return total


def _look(base: str, path: str, folders: list[str]) -> int:
    try:
        found = os.lstat(base + path)
    except FileNotFoundError:
        return 0
    if S_ISDIR(found.st_mode):
        folders.append(path)
        return 0
    stamp = found.st_mtime_ns, found.st_size, found.st_ino
    return _weigh_stamp(path, stamp if S_ISREG(found.st_mode) else (*stamp, S_IFMT(found.st_mode)))


def _weigh_stamp(path: str, stamp: tuple[int, ...]) -> int:
    return _number(os.fsencode(f"{path}\0{stamp}"))


def _number(row: bytes) -> int:
    """A number for what a file is; no nearly linear one, for then files that change places have the same sum."""
    return int.from_bytes(sha256(row).digest()[:_NUMBER_BYTES], "big")
