"""Stores the work tree as it is now as a tree, without touching the index: tracked files with what is not saved."""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING, NamedTuple

from codecortex.git.listing import REGULAR
from codecortex.git.objects.opening import open_objects
from codecortex.git.objects.values import LINK, SUBMODULE
from codecortex.git.paths import encode_path
from codecortex.git.worktree.disk import Disk, Problem

if TYPE_CHECKING:
    from codecortex.git.objects.interface import Objects
    from codecortex.git.repository import Repository


class SavedTree(NamedTuple):
    """A stored tree.

    Attributes:
        tree: Its id.
        head: The commit that the work tree stands on; None before the first one.
        left: Path to problem of files that are in it as HEAD has them, because they cannot be read.
    """

    tree: str
    head: str | None
    left: dict[str, Problem]


def save_worktree(repository: Repository) -> SavedTree:
    """Store what the tracked files say, byte for byte as they lie on disk where they differ from HEAD.

    Raises:
        GitStateError: There is no work tree, or git fails.
    """
    root = repository.require_root()
    objects = open_objects(repository)
    head = objects.find("HEAD^{commit}")
    nothing = hashlib.new(repository.object_format, b"tree 0\0", usedforsecurity=False).hexdigest()
    arguments = ("--raw", "-z", "--no-renames", "--no-abbrev", "--ignore-submodules=dirty", head or nothing, "--")
    output = repository.ask("compare the work tree with HEAD", "diff-index", *arguments)
    fields = output.split(b"\0")
    disk = Disk(root)
    changes: dict[bytes, tuple[int, str] | None] = {}
    left: dict[str, Problem] = {}
    for facts, path in zip(fields[::2], fields[1::2], strict=False):
        _, mode, _, blob, status = facts[1:].split(b" ")
        recorded = int(mode, 8), blob.decode() if blob.strip(b"0") else ""
        entry = None if status == b"D" else _save(objects, disk, path, *recorded)
        if isinstance(entry, Problem):
            left[encode_path(path)] = entry
        else:
            changes[path] = entry
    return SavedTree(objects.write_tree(head, changes), head, left)


def _save(objects: Objects, disk: Disk, path: bytes, mode: int, blob: str) -> tuple[int, str] | Problem | None:
    """Mode and blob of a file that differs from HEAD; the blob is empty where the index does not hold it."""
    if blob:
        return mode, blob
    if mode == SUBMODULE:
        return Problem.SUBMODULE
    if mode == LINK:
        try:
            return LINK, objects.write_blob(os.readlink(disk.locate(path)))  # noqa: PTH115 - bytes
        except OSError:
            return Problem.UNREADABLE
    data = disk.read(path)
    if data is Problem.MISSING:
        return None
    return data if isinstance(data, Problem) else (mode or REGULAR, objects.write_blob(data))
