"""Lets git know of files that were made of files that it tracks, before anybody adds them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.git.ignored import list_ignored
from codecortex.git.process import Call
from codecortex.git.worktree.disk import hash_blob

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from codecortex.git.repository import Repository


def add_intent(repository: Repository, made: Collection[str], of: Iterable[str]) -> None:
    """Add the intent to add files, if one of those that they were made of is tracked.

    Args:
        repository: The repository.
        made: The files; ignored ones and those that are in the index are left alone.
        of: The files that they were made of.

    Raises:
        GitStateError: Git failed.
    """
    if not made or not _list_entries(repository, of):
        return
    paths = sorted(set(made) - list_ignored(repository, made) - _list_entries(repository, made).keys())
    if paths:
        repository.ask("track new files", "--literal-pathspecs", "add", "--intent-to-add", "--", *paths)


def drop_intent(repository: Repository, gone: Iterable[str]) -> None:
    """Take the intent to add files back that are no longer there; what somebody added since stays.

    Raises:
        GitStateError: Git failed.
    """
    empty = hash_blob(b"", repository.object_format)
    paths = [path for path, blob in _list_entries(repository, gone).items() if blob == empty]
    if paths:
        repository.ask("forget files that are gone", "--literal-pathspecs", "rm", "--cached", "--quiet", "--", *paths)


def _list_entries(repository: Repository, paths: Iterable[str]) -> dict[str, str]:
    """The blob ids of those of some files that are in the index, by path."""
    asked = sorted(set(paths))
    if not asked:
        return {}
    call = Call("read the index", ("--literal-pathspecs", "ls-files", "--stage", "-z", "--", *asked))
    entries = repository.ask_all(call)[0].decode("utf-8", "surrogateescape").split("\0")[:-1]
    return {path: head.split()[1] for head, _, path in (each.partition("\t") for each in entries)}
