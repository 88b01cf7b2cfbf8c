"""A folder of the index or of a tree in, the blob of each file below it out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.git.paths import encode_path
from codecortex.git.process import Call
from codecortex.model.errors import GitStateError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from codecortex.git.repository import Repository

_REGULAR = (b"100644", b"100755")


def list_folder(repository: Repository, folder: str, treeish: str | None) -> dict[str, str]:
    """The blob id of every regular file below a folder, by path from the root.

    Args:
        repository: Where.
        folder: `/`-separated from the root.
        treeish: A revision that is known to be one; None for the index.

    Raises:
        GitStateError: A file of the folder is unmerged in the index, or git cannot read what was asked for.
    """
    if treeish is None:
        output = repository.ask("list the index", "ls-files", "-s", "-z", "--", f":(top,literal){folder}")
    else:
        output = repository.ask(
            f"list the files of revision {treeish!r}", "ls-tree", "-r", "-z", "--full-tree", treeish, "--", folder
        )
    found = {}
    for record in output.split(b"\0")[:-1]:
        facts, path = record.split(b"\t", 1)
        mode, second, third = facts.split(b" ")
        if treeish is None and third != b"0":
            raise GitStateError(
                f"{encode_path(path)} is unmerged, so the index holds no single version of it.",
                "Resolve it and `git add` it, or leave the merge with `git merge --abort`.",
            )
        if mode in _REGULAR:
            found[encode_path(path)] = (second if treeish is None else third).decode()
    return found


def list_ignored(repository: Repository, paths: Iterable[str]) -> set[str]:
    """Those of the paths that no commit holds and that git was told to ignore.

    Raises:
        GitStateError: Git cannot tell.
    """
    asked = "\0".join(paths).encode("utf-8", "surrogateescape")
    call = Call("tell which files are ignored", ("check-ignore", "-z", "--stdin"), asked, accept=(0, 1))
    return set(repository.ask_all(call)[0].decode("utf-8", "surrogateescape").split("\0")[:-1])
