"""Paths in; those that git was told to ignore out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.git.process import Call

if TYPE_CHECKING:
    from collections.abc import Iterable

    from codecortex.git.repository import Repository


def list_ignored(repository: Repository, paths: Iterable[str]) -> set[str]:
    """Those of the paths that git does not track and was told to ignore.

    Raises:
        GitStateError: Git cannot tell.
    """
    asked = "\0".join(paths).encode("utf-8", "surrogateescape")
    if not asked:
        return set()
    call = Call("tell which files are ignored", ("check-ignore", "-z", "--stdin"), asked, accept=(0, 1))
    return set(repository.ask_all(call)[0].decode("utf-8", "surrogateescape").split("\0")[:-1])


def is_ignored(repository: Repository, path: str) -> bool:
    """Whether git would leave an untracked file of that path out of everything.

    Raises:
        GitStateError: Git cannot tell.
    """
    call = Call("read its ignore rules", ("check-ignore", "--no-index", path), accept=(0, 1))
    return bool(repository.ask_all(call)[0])
