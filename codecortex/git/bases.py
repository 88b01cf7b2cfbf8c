"""The name of a base in, the commit that a tree is to be compared with out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.git.process import Call
from codecortex.model.errors import GitStateError

if TYPE_CHECKING:
    from codecortex.git.repository import Repository

_ANSWERS = (0, 1, 128)


def find_base(repository: Repository, name: str, commit: str | None) -> str:
    """The best common ancestor of a base and a commit; the base itself where there is none, as in a shallow clone.

    Args:
        repository: Where.
        name: What the user calls the base: a branch, a commit, a tag, or a tree.
        commit: The commit of the tree to compare; None where no commit names it.

    Raises:
        GitStateError: This clone has no such base.
    """
    resolved = _ask(repository, "rev-parse", "--verify", "--quiet", name) if _is_name(name) else ""
    if not resolved:
        raise _explain(repository, name)
    peeled = _ask(repository, "rev-parse", "--verify", "--quiet", f"{resolved}^{{commit}}")
    if not peeled or commit is None:
        return peeled or resolved
    return _ask(repository, "merge-base", peeled, commit) or peeled


def _ask(repository: Repository, *arguments: str) -> str:
    return repository.ask_all(Call("find the base", arguments, accept=_ANSWERS))[0].decode().strip()


def _is_name(name: str) -> bool:
    return bool(name) and not name.startswith("-") and "\0" not in name


def _explain(repository: Repository, name: str) -> GitStateError:
    if (repository.common_dir / "shallow").exists():
        return GitStateError(
            f"The base {name!r} is not in this shallow clone.",
            "Fetch more: `git fetch --deepen=50 origin`, or check out with depth 2 and name HEAD^1.",
        )
    return GitStateError(
        f"Git knows no revision {name!r} to check against.", "Check the spelling, or `git fetch` it first."
    )
