"""What a session changed, or what two sessions differ in, as a patch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codecortex.git.objects.opening import open_objects
from codecortex.git.paths import encode_path
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.sessions.history import History
from codecortex.operations.sessions.versions import find_session, open_worktree

if TYPE_CHECKING:
    from pathlib import Path

    from codecortex.git.objects.values import Difference


class SessionDiff(NamedTuple):
    """What lies between two trees: the paths, and the patch as git writes it."""

    changed: tuple[Difference, ...]
    patch: str

    def as_json(self) -> dict[str, Any]:
        """Paths and patch as JSON values."""
        paths = [{"path": encode_path(each.path), "status": each.status} for each in self.changed]
        return {"changed": paths, "patch": self.patch}

    def as_text(self) -> str:
        """The patch."""
        return self.patch.removesuffix("\n") or "Nothing differs."


def diff_sessions(folder: Path, name: str, other: str | None) -> SessionDiff:
    """What a session changed since it was opened; with another one, what that has and this has not, and the reverse.

    Raises:
        UsageError: There is no session of one of the names.
    """
    repository = open_worktree(folder)
    session = find_session(repository, name)
    if other is None:
        before, after = History(repository, session).find_first().id, session.tree
    else:
        before, after = session.tree, find_session(repository, other).tree
    found = open_objects(repository).diff_trees(before, after)
    fixed = ("-p", "-r", "-M", "--no-color", "--no-ext-diff", "--no-textconv", "--no-relative")
    patch = repository.ask("compare two trees", "diff-tree", *fixed, before, after)
    return SessionDiff(tuple(found), patch.decode(errors="replace"))
