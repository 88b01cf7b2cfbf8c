"""Reads blobs through one `git cat-file --batch`."""

from __future__ import annotations

import subprocess
from collections import deque
from itertools import islice
from typing import IO, TYPE_CHECKING

from codecortex.git.process import start_git
from codecortex.git.worktree.disk import MAX_BYTES, Problem
from codecortex.model.work import DONE, Work

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from codecortex.git.repository import Repository

# So few requests fit into any pipe: writing them never blocks while git blocks on its answers.
_AHEAD = 32
_CHUNK = 1 << 20

Answer = tuple[int, "bytes | Problem"]
"""The position of a requested blob, and its bytes or the problem."""


def stream_blobs(repository: Repository, blobs: Sequence[str]) -> Iterator[Answer]:
    """Yield each blob once, in order as far as git answers; memory holds one at a time.

    Raises:
        GitStateError: Git cannot be started.
    """
    pending = deque(enumerate(blobs))
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
        # Git dies over every absent blob of a partial clone, and over a damaged one: the others are not lost.
        if pending and not checked:
            checked = True
            present = _find_present(repository, {blob for _, blob in pending})
            yield from ((position, Problem.MISSING) for position, blob in pending if blob not in present)
            pending = deque((position, blob) for position, blob in pending if blob in present)
        elif pending:
            yield pending.popleft()[0], Problem.UNREADABLE


def _find_present(repository: Repository, wanted: set[str]) -> set[str]:
    arguments = ("cat-file", "--batch-check=%(objectname)", "--batch-all-objects", "--unordered")
    return wanted.intersection(repository.ask("list its objects", *arguments).decode().split())


def _converse(process: subprocess.Popen[bytes], pending: deque[tuple[int, str]]) -> Iterator[Answer]:
    """Yield git's answers and take them from `pending`; if git dies, the first one left is what it died on."""
    requests, answers = process.stdin, process.stdout
    if requests is None or answers is None:
        raise AssertionError
    to_ask = iter([blob.encode() + b"\n" for _, blob in pending])
    try:
        requests.write(b"".join(islice(to_ask, _AHEAD)))
        while pending:
            requests.flush()
            data = _take(answers)
            if data is None:
                return
            DONE[Work.BLOBS] += 1
            yield pending.popleft()[0], data
            requests.write(next(to_ask, b""))
    except BrokenPipeError:
        return


def _take(answers: IO[bytes]) -> bytes | Problem | None:
    """Return git's answer about one blob, None where it ends too early."""
    header = answers.readline().split()
    if len(header) == 2 and header[1] == b"missing":  # noqa: PLR2004 - `<id> missing`
        return Problem.MISSING
    if len(header) != 3:  # noqa: PLR2004 - `<id> blob <size>`
        return None
    left = int(header[2]) + 1
    if left > MAX_BYTES + 1:
        while left > 0:
            read = len(answers.read(min(left, _CHUNK)))
            if not read:
                return None
            left -= read
        return Problem.TOO_LARGE
    data = answers.read(left)
    return data[:-1] if len(data) == left else None
