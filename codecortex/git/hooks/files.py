"""Finds git's hooks folder; reads, writes, replaces and removes hook files."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from codecortex.git.worktree.folders import attempt
from codecortex.model.errors import GitStateError
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from codecortex.git.repository import Repository

_MOST_BYTES = 1 << 20


class HookFile(NamedTuple):
    """The file under a hook's name.

    Attributes:
        data: Its first bytes, through a symbolic link; empty if they cannot be read.
        runs: Whether git would run it.
    """

    data: bytes
    runs: bool


def find_hooks_folder(repository: Repository) -> Path:
    """The folder from which git runs hooks, with `core.hooksPath` applied; it may not exist.

    Raises:
        GitStateError: Git failed.
    """
    told = repository.ask("find its hooks", "rev-parse", "--path-format=absolute", "--git-path", "hooks")
    return Path(os.fsdecode(told.removesuffix(b"\n")))


def lies_in_git_dir(repository: Repository, folder: Path) -> bool:
    """Whether a folder, with links resolved, is inside the git directory and so private to this clone."""
    return Path(os.path.realpath(folder)).is_relative_to(os.path.realpath(repository.common_dir))


def read_hook(path: Path) -> HookFile | None:
    """The file at `path`, or None if nothing is there; a folder or a broken link is a hook that does not run."""
    if not os.path.lexists(path):
        return None
    try:
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES)
    except OSError:
        return HookFile(b"", runs=False)  # git treats it the same way
    return HookFile(data, runs=os.access(path, os.X_OK))


def read_text(path: Path) -> str:
    """The text of another tool's file; empty if it cannot be read."""
    found = read_hook(path)
    return "" if found is None else found.data.decode("utf-8", "replace")


def put_hook(path: Path, data: bytes, *, kept_at: Path | None = None) -> None:
    """Write an executable file atomically, creating its folder; an executable file with these bytes is left untouched.

    Args:
        path: The file.
        data: Its bytes.
        kept_at: Where an existing file or link at `path` is moved, unchanged; None overwrites it.

    Raises:
        GitStateError: `path` is a folder, `kept_at` exists already, or the disk refuses.
    """
    found = read_hook(path)
    if found is not None and found.data == data and found.runs:
        return
    name = os.fspath(path)
    if path.is_dir() and not path.is_symlink():
        raise GitStateError(f"{path} is a folder.", "Move it away, then run this again.")
    if kept_at is not None and os.path.lexists(kept_at):
        raise GitStateError(
            f"{path} and {kept_at} are both there.", "Join the two hooks into one file and remove the other."
        )
    attempt(name, lambda: path.parent.mkdir(parents=True, exist_ok=True))
    temporary = path.with_name(f".{path.name}.codecortex-tmp-{os.getpid()}")
    try:
        attempt(name, temporary.write_bytes, data)
        attempt(name, temporary.chmod, 0o777 & ~_read_umask())
        if kept_at is not None:
            attempt(name, path.rename, kept_at)
        attempt(name, temporary.replace, path)
    finally:
        with suppress(OSError):
            temporary.unlink()


def restore_hook(path: Path, kept_at: Path) -> bool:
    """Move a hook that was set aside back to `path`, or if there is none, remove `path`; returns whether one was moved.

    Raises:
        GitStateError: The disk refuses.
    """
    if os.path.lexists(kept_at):
        attempt(os.fspath(path), kept_at.replace, path)
        return True
    remove_hook(path)
    return False


def remove_hook(path: Path) -> None:
    """Remove a file if it exists.

    Raises:
        GitStateError: The disk refuses.
    """
    attempt(os.fspath(path), lambda: path.unlink(missing_ok=True))


def remove_folder(path: Path) -> None:
    """Remove a folder if it is empty."""
    with suppress(OSError):
        path.rmdir()


def _read_umask() -> int:
    umask = os.umask(0o22)
    os.umask(umask)
    return umask
