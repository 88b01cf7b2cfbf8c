"""Three versions of a text in, both changes in one text or the hunks that exclude each other out, as git decides it."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from codecortex.git.process import Call
from codecortex.git.worktree.folders import make_scratch
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from codecortex.git.repository import Repository

_MOST_CONFLICTS = 127
_WIDTH = 40
_MIDDLE = b"=" * _WIDTH


class Hunk(NamedTuple):
    """Lines that both sides changed, each in its way.

    Attributes:
        line: Where they begin in the text of the first side, from 1.
        ours: What the first side says.
        theirs: What the other says.
    """

    line: int
    ours: bytes
    theirs: bytes


def merge_texts(repository: Repository, base: bytes, ours: bytes, theirs: bytes) -> bytes | tuple[Hunk, ...]:
    """The text with the changes of both sides, or what they do not agree on.

    Raises:
        GitStateError: Git cannot merge these, because they are no texts.
    """
    label = hashlib.sha256(b"\0".join((base, ours, theirs))).hexdigest()[:_WIDTH]  # which none of them holds
    with make_scratch() as folder:
        files = [Path(folder, name) for name in ("ours", "base", "theirs")]
        for file, data in zip(files, (ours, base, theirs), strict=True):
            file.write_bytes(data)
        labels = ("-L", label) * len(files)
        arguments = ("merge-file", "-p", "--diff3", f"--marker-size={_WIDTH}", *labels, *map(str, files))
        call = Call("merge a file", arguments, accept=tuple(range(_MOST_CONFLICTS + 1)))
        merged = repository.ask_all(call)[0]
    return _read_hunks(merged, label.encode()) or merged


def _read_hunks(merged: bytes, label: bytes) -> tuple[Hunk, ...]:
    """The hunks between the marks that git wrote."""
    opening, between, closing = (sign * _WIDTH + b" " + label for sign in (b"<", b"|", b">"))
    hunks: list[Hunk] = []
    side: list[bytes] | None = None
    ours: list[bytes] = []
    theirs: list[bytes] = []
    line = 1
    for each in merged.splitlines(keepends=True):
        mark = each.rstrip(b"\r\n")
        if mark == opening:
            side = ours = []
        elif mark == between:
            side = []  # what both started from
        elif mark == _MIDDLE and side is not None:
            side = theirs = []
        elif mark == closing:
            hunks.append(Hunk(line, b"".join(ours), b"".join(theirs)))
            line += len(ours)
            side = None
        elif side is not None:
            side.append(each)
        else:
            line += 1
    return tuple(hunks)
