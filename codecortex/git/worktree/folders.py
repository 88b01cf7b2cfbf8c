"""Creates and lists folders below a root, never through a symbolic link; explains every error of the disk."""

from __future__ import annotations

import os
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from codecortex.git.paths import encode_path
from codecortex.model.errors import GitStateError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_P = ParamSpec("_P")
_R = TypeVar("_R")
# On Windows a virus scanner or an editor may lock a file for a moment.
_PAUSES = (0.1, 0.5) if os.name == "nt" else ()


class Folder:
    """A folder that may not exist yet.

    Args:
        base: The root's path.
        path: The folder's path from the root; empty for the root itself.

    Raises:
        GitStateError: `path` leaves the root, or leads through a symbolic link.
    """

    def __init__(self, base: bytes, path: bytes) -> None:
        self.name = encode_path(path)
        self.path = base + b"/" + path if path else base
        below = base
        for part in path.split(b"/") if path else ():
            if part in {b"", b".", b".."}:
                raise GitStateError(f"{self.name} is not a path below the root of the repository.")
            below += b"/" + part
            if os.path.islink(below):  # noqa: PTH114 - bytes
                raise refuse_link(encode_path(below[len(base) + 1 :]))

    def make(self) -> None:
        """Create it and its parents if they are missing."""
        if not os.path.lexists(self.path):
            attempt(self.name, lambda: os.makedirs(self.path, exist_ok=True))  # noqa: PTH103 - bytes

    def scan(self) -> list[os.DirEntry[bytes]]:
        """Its entries; empty if it does not exist."""
        if not os.path.lexists(self.path):
            return []
        with attempt(self.name, os.scandir, self.path) as entries:
            return list(entries)


def attempt(path: str, action: Callable[_P, _R], *args: _P.args, **kwargs: _P.kwargs) -> _R:
    """Call `action` and return its result.

    Raises:
        GitStateError: The operating system refused; the message names `path`.
    """
    for pause in _PAUSES:
        try:
            return action(*args, **kwargs)
        except PermissionError:
            time.sleep(pause)
        except OSError:
            break
    try:
        return action(*args, **kwargs)
    except OSError as error:
        raise _explain(path, error) from error


@contextmanager
def make_scratch() -> Iterator[str]:
    """A temporary folder, removed in the end.

    Raises:
        GitStateError: It cannot be made, or the operating system refused what was done in it.
    """
    import tempfile

    try:
        with tempfile.TemporaryDirectory(prefix="codecortex-") as folder:
            yield folder
    except OSError as error:
        raise _explain("the folder for temporary files", error) from error


def _explain(path: str, error: OSError) -> GitStateError:
    return GitStateError(f"Cannot access {path}: {error.strerror}.", "Make room or grant access, then run this again.")


def refuse_link(path: str) -> GitStateError:
    """The error for a symbolic link at a path that codecortex writes."""
    return GitStateError(
        f"{path} is a symbolic link, and codecortex stays inside the repository.",
        "Replace the link by what it points to.",
    )
