"""Writes a tree that differs from another one by two processes of git's, however large the trees are.

An index would do as well, but costs as much as there are files in the whole tree.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codecortex.git.objects.trees import change_tree, format_tree, parse_tree
from codecortex.git.objects.values import SUBMODULE, TREE
from codecortex.git.worktree.disk import hash_object
from codecortex.model.errors import GitStateError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from codecortex.git.objects.trees import Children
    from codecortex.git.repository import Repository

_HINT = "`git fsck` tells more."


def write_changed_tree(
    repository: Repository, base: str | None, changes: Mapping[bytes, tuple[int, str] | None]
) -> str:
    """Store a tree that differs from a base tree, and return its id.

    Args:
        repository: The repository.
        base: The base tree, or what names it; None for an empty one.
        changes: By path, mode and blob, or None for nothing.

    Raises:
        GitStateError: The base cannot be read, or git stores nothing.
    """
    folders = _Folders(repository)
    start = folders.read_first(base, changes) if base is not None else None
    written = _Written(repository.object_format)
    changed = change_tree(folders.read, written.add, start, changes) or written.add({})
    return written.store(repository, changed)


class _Folders:
    """Trees that were read, by id."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._known: dict[str, Children] = {}

    def read_first(self, base: str, paths: Iterable[bytes]) -> str:
        """Read the base tree, and all its folders that the paths lie in; the id of the base."""
        parts = {path[: slash.start()] for path in paths for slash in re.finditer(b"/", path)}
        names = sorted(part for part in parts if b"\n" not in part)
        return self._load([base.encode() + b":" + name for name in (b"", *names)])

    def read(self, tree: str) -> Children:
        """The entries of a tree; one in a folder whose name cannot be asked for has not been read yet."""
        if tree not in self._known:
            self._load([tree.encode()])
        return self._known[tree]

    def _load(self, names: list[bytes]) -> str:
        """Read the trees of some names, of which the first has to be one; the id of that."""
        answer = self._repository.ask("read trees", "cat-file", "--batch", stdin=b"\n".join([*names, b""]))
        first = ""
        for name in names:
            header, _, answer = answer.partition(b"\n")
            if header == name + b" missing":
                continue
            found, kind, size = header.decode().split(" ")
            if kind == "tree":
                self._known[found] = _parse(found, answer[: int(size)])
                first = first or (found if name is names[0] else "")
            answer = answer[int(size) + 1 :]
        if not first:
            raise GitStateError(f"{names[0].decode().removesuffix(':')} names no tree here.", _HINT)
        return first


def _parse(tree: str, data: bytes) -> Children:
    try:
        return parse_tree(data, len(tree) // 2)
    except ValueError:
        raise GitStateError(f"The tree {tree[:12]} is damaged.", _HINT) from None


class _Written:
    """Trees to be stored, by id: children before what holds them."""

    def __init__(self, object_format: str) -> None:
        self._format = object_format
        self._trees: dict[str, Children] = {}

    def add(self, children: Children) -> str:
        """Take a tree; returns the id that it has once it is stored."""
        name = hash_object(b"tree", format_tree(children), self._format)
        self._trees[name] = children
        return name

    def store(self, repository: Repository, name: str) -> str:
        """Store all of them at once."""
        lines = b"\0".join([b"".join(_list_entries(children)) for children in self._trees.values()])
        output = repository.ask("write trees", "mktree", "-z", "--missing", "--batch", stdin=lines + b"\0")
        if output.decode().split() != list(self._trees):
            raise GitStateError("Git stored other trees than were meant.", _HINT)
        return name


def _list_entries(children: Children) -> Iterator[bytes]:
    kinds = {TREE: "tree", SUBMODULE: "commit"}
    for path, (mode, child) in children.items():
        yield f"{mode:06o} {kinds.get(mode, 'blob')} {child}\t".encode() + path + b"\0"
