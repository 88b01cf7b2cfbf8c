"""Reads the bytes of entries from the work tree or through `git cat-file --batch`."""

from __future__ import annotations

import subprocess
from collections import deque
from itertools import islice
from typing import IO, TYPE_CHECKING, NamedTuple

from codecortex.git.listing import Entry
from codecortex.git.paths import decode_path
from codecortex.git.process import start_git
from codecortex.git.worktree.disk import MAX_BYTES, Disk, Problem, fold_line_ends, hash_blob

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from codecortex.git.repository import Repository

_LFS = b"version https://git-lfs.github.com/spec/"
# So few requests fit into any pipe's buffer: writing them never blocks while git blocks on writing its answers.
_AHEAD = 32
_CHUNK = 1 << 20


class Content(NamedTuple):
    """The bytes of one entry.

    Attributes:
        entry: What was asked for; if the file was edited after the listing, with the blob id of the bytes read.
        data: Bytes whose blob id is `entry.blob`, or None.
        problem: Why there are no bytes, or None.
    """

    entry: Entry
    data: bytes | None
    problem: Problem | None


def read_contents(repository: Repository, entries: Iterable[Entry]) -> Iterator[Content]:
    """Yield each entry once with its bytes, files of the work tree first; one file at a time is in memory.

    What is read from disk is hashed. A file that does not match its blob id is returned as changed if the entry was
    dirty, and read from its blob if git had called it clean, so that a filter or a concurrent edit cannot give bytes
    under a wrong id.

    Raises:
        GitStateError: Git cannot be started.
    """
    disk = Disk(repository.root) if repository.root else None
    blobs: list[Entry] = []
    for entry in entries:
        content = _read_file(disk, entry, repository.object_format) if disk and entry.from_disk else None
        if content is None:
            blobs.append(entry)
        else:
            yield content
    yield from _read_blobs(repository, deque(blobs))


def read_blobs(repository: Repository, blobs: Mapping[str, str]) -> dict[str, bytes]:
    """The bytes of blobs, by path; missing and unreadable blobs and LFS pointers are left out.

    Raises:
        GitStateError: Git cannot be started.
    """
    contents = read_contents(repository, [Entry(path, blob) for path, blob in blobs.items()]) if blobs else ()
    return {content.entry.path: content.data for content in contents if content.data is not None}


def _read_file(disk: Disk, entry: Entry, object_format: str) -> Content | None:
    """The content of a file on disk; None if the blob has to be read instead."""
    data = disk.read(decode_path(entry.path))
    if isinstance(data, Problem):
        return Content(entry, None, data) if entry.dirty else None
    found = hash_blob(data, object_format)
    if found == entry.blob:
        return _judge(entry, data)
    folded = fold_line_ends(data)
    if hash_blob(folded, object_format) == entry.blob:
        return _judge(entry, folded)
    return _judge(entry._replace(blob=found), data) if entry.dirty else None


def _judge(entry: Entry, data: bytes) -> Content:
    if data.startswith(_LFS):
        return Content(entry, None, Problem.LFS_POINTER)
    return Content(entry, data, None)


def _read_blobs(repository: Repository, pending: deque[Entry]) -> Iterator[Content]:
    checked = False
    while pending:
        process = start_git(
            repository.folder, ("cat-file", "--batch"), dict(repository.variables), stderr=subprocess.DEVNULL
        )
        try:
            yield from _converse(process, pending)
        finally:
            process.kill()
            process.communicate()
        # Git dies on every absent blob of a partial clone, and on a damaged one; go on with the other blobs.
        if pending and not checked:
            checked = True
            present = _find_present(repository, {entry.blob for entry in pending})
            yield from (Content(entry, None, Problem.MISSING) for entry in pending if entry.blob not in present)
            pending = deque(entry for entry in pending if entry.blob in present)
        elif pending:
            yield Content(pending.popleft(), None, Problem.UNREADABLE)


def _find_present(repository: Repository, wanted: set[str]) -> set[str]:
    arguments = ("cat-file", "--batch-check=%(objectname)", "--batch-all-objects", "--unordered")
    return wanted.intersection(repository.ask("list its objects", *arguments).decode().split())


def _converse(process: subprocess.Popen[bytes], pending: deque[Entry]) -> Iterator[Content]:
    """Yield git's answers and take their entries from `pending`; if git dies, the first one left is what it died on."""
    requests, answers = process.stdin, process.stdout
    if requests is None or answers is None:
        raise AssertionError
    to_ask = iter([entry.blob.encode() + b"\n" for entry in pending])
    try:
        requests.write(b"".join(islice(to_ask, _AHEAD)))
        while pending:
            requests.flush()
            content = _take(answers, pending[0])
            if content is None:
                return
            pending.popleft()
            yield content
            requests.write(next(to_ask, b""))
    except BrokenPipeError:
        return


def _take(answers: IO[bytes], entry: Entry) -> Content | None:
    """Git's answer about one blob; None if its output ends too early."""
    header = answers.readline().split()
    if len(header) == 2 and header[1] == b"missing":  # noqa: PLR2004 - `<id> missing`
        return Content(entry, None, Problem.MISSING)
    if len(header) != 3:  # noqa: PLR2004 - `<id> blob <size>`
        return None
    left = int(header[2]) + 1
    if left > MAX_BYTES + 1:
        while left > 0:
            read = len(answers.read(min(left, _CHUNK)))
            if not read:
                return None
            left -= read
        return Content(entry, None, Problem.TOO_LARGE)
    data = answers.read(left)
    return _judge(entry, data[:-1]) if len(data) == left else None
