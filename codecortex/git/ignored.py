"""Asks git which paths are ignored."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.git.process import Call

if TYPE_CHECKING:
    from collections.abc import Iterable

    from codecortex.git.repository import Repository


def list_ignored(repository: Repository, paths: Iterable[str]) -> set[str]:
    """The given paths that are untracked and ignored.

    Raises:
        GitStateError: Git failed.
    """
    asked = "\0".join(paths).encode("utf-8", "surrogateescape")
    if not asked:
        return set()
    call = Call("tell which files are ignored", ("check-ignore", "-z", "--stdin"), asked, accept=(0, 1))
    return set(repository.ask_all(call)[0].decode("utf-8", "surrogateescape").split("\0")[:-1])


def is_ignored(repository: Repository, path: str) -> bool:
    """Whether the ignore rules match a path, even if it is tracked.

    Raises:
        GitStateError: Git failed.
    """
    call = Call("read its ignore rules", ("check-ignore", "--no-index", path), accept=(0, 1))
    return bool(repository.ask_all(call)[0])
