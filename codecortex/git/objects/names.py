"""Resolves those names of revisions that libgit2 and git certainly read alike.

Surely: a full id, HEAD, a ref by git's rules of abbreviation, and steps back along first parents from one. Anything
else (abbreviated ids, reflogs, upstreams, searches, paths) means what git says it means.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from codecortex.git.objects.database import COMMIT, TREE
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    import pygit2

    from codecortex.git.objects.database import Database
    from codecortex.git.repository import Repository

_ID = compile_later(r"[0-9a-f]{40}")
_NAME = compile_later(r"(?P<start>[A-Za-z0-9][A-Za-z0-9._/-]*)(?P<steps>(?:\^\{(?:commit|tree)\}|~[0-9]*)*)")
_STEP = compile_later(r"\^\{(?P<kind>\w+)\}|~(?P<back>[0-9]*)")
_RULES = ("refs/{}", "refs/tags/{}", "refs/heads/{}", "refs/remotes/{}", "refs/remotes/{}/HEAD")
_OWN_REFS = ("refs/worktree/", "refs/bisect/", "refs/rewritten/")


class Names:
    """The names that one opened repository knows."""

    def __init__(self, repository: Repository, opened: pygit2.Repository, database: Database) -> None:
        self._repository = repository
        self._opened = opened
        self._database = database

    def find(self, name: str) -> str | None:
        """The id that a name certainly resolves to; None leaves it to git."""
        match = _NAME.fullmatch(name)
        if match is None:
            return None
        start, steps = match["start"], list(_STEP.finditer(match["steps"]))
        found: str | None = start if _ID.fullmatch(start) else self._find_ref(start)
        for step in steps:
            if found is None:
                return None
            if step["kind"]:
                found = self._database.peel(found, COMMIT if step["kind"] == "commit" else TREE)
            else:
                found = self._go_back(found, int(step["back"] or 1))
        return found

    def _find_ref(self, name: str) -> str | None:
        """The ref that a name stands for: the first match by git's lookup rules."""
        if self.is_own(name) or ".lock" in name or ".." in name:
            return None
        if name == "HEAD" or name.startswith("refs/"):
            return str(self._opened.lookup_reference(name).resolve().target)
        if os.path.lexists(self._repository.git_dir / name):  # the first rule: a ref of its own, such as FETCH_HEAD
            return None
        for rule in _RULES:
            ref = self._look_up(rule.format(name))
            if ref is not None:
                return ref
        return None

    def _look_up(self, name: str) -> str | None:
        if self.is_own(name):
            raise KeyError(name)
        try:
            ref = self._opened.lookup_reference(name)
        except KeyError:
            return None
        return str(ref.resolve().target)

    def _go_back(self, name: str, steps: int) -> str | None:
        """The first parent of a commit, so many times; None where git may have been told of other parents."""
        common = self._repository.common_dir
        if (common / "shallow").exists() or (common / "info" / "grafts").exists():
            return None
        commit = self._database.peel(name, COMMIT)
        for _ in range(steps):
            lines = self._database.read(commit, COMMIT).split(b"\n", 2)
            if not lines[1].startswith(b"parent "):
                return None
            commit = lines[1][7:].decode()
        return self._database.peel(commit, COMMIT)

    def is_own(self, name: str) -> bool:
        """Whether a ref, or some below a prefix, may be this linked work tree's alone, which libgit2 does not see."""
        linked = self._repository.git_dir != self._repository.common_dir
        return linked and any(name.startswith(own) or own.startswith(name) for own in _OWN_REFS)
