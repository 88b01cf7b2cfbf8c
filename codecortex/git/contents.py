"""Reads the bytes of entries from the work tree or from git's objects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.git.listing import Entry
from codecortex.git.objects.opening import open_objects
from codecortex.git.paths import decode_path
from codecortex.git.worktree.disk import Disk, Problem, fold_line_ends, hash_blob
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from codecortex.git.repository import Repository

_LFS = b"version https://git-lfs.github.com/spec/"


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
    yield from _read_blobs(repository, blobs)


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


def _read_blobs(repository: Repository, entries: Sequence[Entry]) -> Iterator[Content]:
    if not entries:
        return
    for position, data in open_objects(repository).read_blobs([entry.blob for entry in entries]):
        entry = entries[position]
        yield Content(entry, None, data) if isinstance(data, Problem) else _judge(entry, data)
