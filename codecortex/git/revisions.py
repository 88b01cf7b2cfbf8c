"""Resolves names of revisions to commits, and finds merge bases."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from codecortex.git.objects.opening import open_objects
from codecortex.model.errors import GitStateError
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from codecortex.git.repository import Repository


class Range(NamedTuple):
    """The commits that `tip` reaches and `since` does not, as full ids; all that `tip` reaches if `since` is None."""

    since: str | None
    tip: str


def find_object(repository: Repository, name: str) -> str | None:
    """The full id of the object that a name means, or None."""
    return find_objects(repository, (name,))[0]


def find_objects(repository: Repository, names: Sequence[str]) -> list[str | None]:
    """The same for several names at once."""
    asked = [name for name in names if name and not name.startswith("-") and "\0" not in name]
    found = dict(zip(asked, open_objects(repository).find_all(asked), strict=True)) if asked else {}
    return [found.get(name) for name in names]


def find_commit(repository: Repository, name: str) -> str | None:
    """The full id of the commit that a name means, or None."""
    return find_object(repository, f"{name}^{{commit}}") if name else None


def resolve_commit(repository: Repository, name: str) -> str:
    """The full id of the commit that a name means.

    Raises:
        GitStateError: There is no such commit.
    """
    found = find_commit(repository, name)
    if found is None and name == "HEAD":
        raise GitStateError("This repository has no commit yet.", "Commit something first.")
    if found is None:
        raise GitStateError(
            f"Git knows no commit {name!r}.", "Check the spelling; a shallow clone may need `git fetch --deepen`."
        )
    return found


def resolve_range(repository: Repository, text: str | None) -> Range:
    """The range for `A..B`, `A..`, `..B` or a single name; None means all that HEAD reaches.

    Raises:
        GitStateError: An end is no commit, or the text is no range.
    """
    if text is None or ".." not in text:
        return Range(None, resolve_commit(repository, text or "HEAD"))
    if "..." in text:
        raise GitStateError(f"{text!r} is no range of commits.", "Write A..B with two dots.")
    since, _, tip = text.partition("..")
    return Range(resolve_commit(repository, since or "HEAD"), resolve_commit(repository, tip or "HEAD"))


def find_merge_base(repository: Repository, one: str, other: str) -> str | None:
    """The best common ancestor of two commits; None if there is none, or a shallow clone does not contain it.

    Raises:
        GitStateError: Git failed.
    """
    return open_objects(repository).find_merge_base(one, other)


def find_base(repository: Repository, name: str, commit: str | None) -> str:
    """The best common ancestor of a base and a commit; the base itself if there is none.

    Args:
        repository: The repository.
        name: The base as the user named it: a branch, a commit, a tag, or a tree.
        commit: The commit of the tree to compare; None for a tree that no commit names.

    Raises:
        GitStateError: The base is not in this clone.
    """
    found = find_object(repository, name)
    base = find_commit(repository, found) if found is not None else None
    if found is None or (base is None and find_object(repository, f"{found}^{{tree}}") is None):
        raise _explain_base(repository, name)  # git takes any full id for an object, whether the clone has it or not
    if base is None or commit is None:
        return base or found
    return find_merge_base(repository, base, commit) or base


def find_own_base(repository: Repository, commit: str) -> str | None:
    """The newest commit of a history that is published: its merge base with its upstream, or else with origin's HEAD.

    Args:
        repository: The repository.
        commit: The tip of the history; the result itself if no remote branch is known.

    Returns:
        None in a repository without remotes: nothing is published.
    """
    for name in ("@{upstream}", "refs/remotes/origin/HEAD"):
        if find_object(repository, name) is not None:
            return find_base(repository, name, commit)
    return commit if repository.ask("list remotes", "remote") else None


def _explain_base(repository: Repository, name: str) -> GitStateError:
    if read_shallow(repository):
        return GitStateError(
            f"The base {name!r} is not in this shallow clone.",
            "Fetch more: `git fetch --deepen=50 origin`, or all with `git fetch --unshallow`.",
        )
    return GitStateError(
        f"Git knows no revision {name!r} to check against.", "Check the spelling, or `git fetch` it first."
    )


def read_shallow(repository: Repository) -> frozenset[str]:
    """The commits whose parents a shallow clone lacks; empty in a full clone."""
    file = repository.common_dir / "shallow"
    return frozenset(file.read_text("ascii").split()) if file.is_file() else frozenset()


def name_empty_tree(repository: Repository) -> str:
    """The id of the empty tree, which every git repository knows."""
    return hashlib.new(repository.object_format, b"tree 0\0", usedforsecurity=False).hexdigest()
