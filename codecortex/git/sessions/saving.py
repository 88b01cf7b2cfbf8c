"""Stores the work tree as it is now as a tree, without touching the index: tracked files with what is not saved."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from codecortex.git.listing import REGULAR, hash_stored
from codecortex.git.objects.opening import open_objects
from codecortex.git.objects.values import LINK, SUBMODULE
from codecortex.git.paths import encode_path
from codecortex.git.revisions import name_empty_tree
from codecortex.git.worktree.disk import Disk, Problem
from codecortex.git.worktree.records import pair_changes
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
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
    nothing = name_empty_tree(repository)
    arguments = ("--raw", "-z", "--no-renames", "--no-abbrev", "--ignore-submodules=dirty", head or nothing, "--")
    output = repository.ask("compare the work tree with HEAD", "diff-index", *arguments)
    disk = Disk(root)
    changes: dict[bytes, tuple[int, str] | None] = {}
    left: dict[str, Problem] = {}
    texts: dict[bytes, tuple[int, str, bytes]] = {}
    for path, facts in pair_changes(output):
        _, mode, before, blob, status = facts[1:].decode().split(" ")
        if status == "D" or blob.strip("0"):
            changes[path] = None if status == "D" else (int(mode, 8), blob)
            continue
        found = _read(disk, path, int(mode, 8))
        if isinstance(found, Problem):
            left[encode_path(path)] = found
        elif found is None:
            changes[path] = None
        else:
            texts[path] = int(mode, 8) or REGULAR, before, found
    same = _find_same(repository, texts)
    for path, (mode_now, before, data) in texts.items():
        changes[path] = mode_now, before if path in same else objects.write_blob(data)
    return SavedTree(objects.write_tree(head, changes), head, left)


def _read(disk: Disk, path: bytes, mode: int) -> bytes | Problem | None:
    """What a blob of a file on disk would hold, links not followed; None where there is no file."""
    if mode == SUBMODULE:
        return Problem.SUBMODULE
    if mode == LINK:
        try:
            return os.readlink(disk.locate(path))  # noqa: PTH115 - bytes
        except OSError:
            return Problem.UNREADABLE
    data = disk.read(path)
    return None if data is Problem.MISSING else data


def _find_same(repository: Repository, texts: dict[bytes, tuple[int, str, bytes]]) -> set[bytes]:
    """The files that git would store as HEAD has them: it only has not looked at them since they were touched."""
    files = [path for path, (mode, before, _) in texts.items() if mode != LINK and before.strip("0")]
    stored = hash_stored(repository, files)
    return {path for path in files if stored[path] == texts[path][1]}
