"""The object database of a repository through libgit2.

What fails raises one of FAILURES, for whoever asked to put the question to git.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pygit2

from codecortex.git.objects.loose import list_folders, read_loose
from codecortex.git.objects.trees import parse_tree
from codecortex.git.worktree.disk import MAX_BYTES, Problem

if TYPE_CHECKING:
    from pathlib import Path

    from codecortex.git.objects.trees import Children

FAILURES = (pygit2.GitError, KeyError, ValueError, OSError)
BLOB, TREE, COMMIT, TAG = (int(getattr(pygit2.enums.ObjectType, name)) for name in ("BLOB", "TREE", "COMMIT", "TAG"))
_MOST_TREES = 20_000  # parsed ones to remember, of some hundred bytes for each entry


class Database:
    """The objects of an opened repository."""

    def __init__(self, opened: pygit2.Repository, objects: Path) -> None:
        self._opened = opened  # which owns what the database reads from
        self._database = opened.odb
        self._folders = list_folders(objects)
        self._trees: dict[str, Children] = {}

    def read_any(self, name: str) -> tuple[int, bytes]:
        """The kind and the bytes of an object."""
        loose = read_loose(self._folders, name, sys.maxsize)
        kind, data = (loose[0], loose[2]) if loose is not None else self._database.read(name)
        return int(kind), data

    def read(self, name: str, wanted: int) -> bytes:
        """The bytes of an object of that kind."""
        kind, data = self.read_any(name)
        if kind != wanted:
            raise ValueError(name)
        return data

    def read_blob(self, blob: str) -> bytes | Problem:
        """The bytes of a blob, up to the size limit."""
        loose = read_loose(self._folders, blob, MAX_BYTES)
        size = loose[1] if loose is not None else self._database.read_header(blob)[1]
        if size > MAX_BYTES:
            return Problem.TOO_LARGE
        data: bytes = loose[2] if loose is not None else self._database.read(blob)[1]
        return data

    def is_blob(self, name: str) -> bool:
        """Whether an object is a blob."""
        loose = read_loose(self._folders, name, 0)
        return int(loose[0] if loose is not None else self._database.read_header(name)[0]) == BLOB

    def peel(self, name: str, wanted: int) -> str:
        """The commit or tree that an object peels to."""
        kind, data = self.read_any(name)
        while kind != wanted:
            if kind not in (COMMIT, TAG) or (kind == COMMIT and wanted != TREE):
                raise ValueError(name)
            name = data.partition(b"\n")[0].partition(b" ")[2].decode()
            kind, data = self.read_any(name)
        return name

    def read_tree(self, tree: str) -> Children:
        """The entries of a tree; trees are kept, because the next question is likely to meet most of them again."""
        known = self._trees.get(tree)
        if known is None:
            if len(self._trees) >= _MOST_TREES:
                self._trees.clear()
            known = self._trees[tree] = parse_tree(self.read(tree, TREE))
        return known

    def write(self, kind: int, data: bytes) -> str:
        """Store an object."""
        return str(self._database.write(kind, data))
