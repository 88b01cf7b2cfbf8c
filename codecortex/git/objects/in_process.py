"""The libgit2 backend: objects and refs without a process, with a fallback to git's binary.

Both backends give equal answers because this one answers only where exactly one answer is possible. Abbreviated and
special names, missing or damaged objects, ambiguous merge bases or renames, refs of a single work tree, and every
failure are passed on to git. Trees are read as bytes (`trees.py`), so that no setting of libgit2 affects a comparison.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pygit2

from codecortex.git.objects.database import BLOB, COMMIT, FAILURES, TREE, Database
from codecortex.git.objects.drafts import format_commit, require_paths
from codecortex.git.objects.names import Names
from codecortex.git.objects.trees import change_tree, compare_trees, find_entry, format_tree, pair_renames, walk_tree
from codecortex.git.objects.values import (
    EVERYWHERE,
    SUBMODULE,
    Difference,
    Scope,
    TreeListing,
)
from codecortex.git.objects.values import (
    TREE as TREE_MODE,
)
from codecortex.git.paths import decode_path
from codecortex.model.work import DONE, Work

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from codecortex.git.objects.drafts import CommitDraft
    from codecortex.git.objects.plumbing import Plumbing
    from codecortex.git.objects.trees import Children
    from codecortex.git.repository import Repository
    from codecortex.git.worktree.disk import Problem

_LOGGED = ("refs/heads/", "refs/remotes/", "refs/notes/", "HEAD")


def open_in_process(repository: Repository, git: Plumbing) -> InProcess | None:
    """The objects of a repository; None if libgit2 cannot open it."""
    flags = pygit2.enums.RepositoryOpenFlag.NO_SEARCH | pygit2.enums.RepositoryOpenFlag.NO_DOTGIT
    try:
        return InProcess(repository, git, pygit2.Repository(os.fspath(repository.git_dir), flags))
    except FAILURES:
        return None


class InProcess:
    """The libgit2 backend of `interface.Objects`."""

    def __init__(self, repository: Repository, git: Plumbing, opened: pygit2.Repository) -> None:
        self._git = git
        self._opened = opened
        self._database = Database(opened, repository.common_dir / "objects")
        self._names = Names(repository, opened, self._database)
        self._may_write, self._may_move = _read_settings(repository, opened)

    @property
    def in_process(self) -> bool:
        """True: no question starts a process, except those passed on to git."""
        return True

    # -- reading

    def find(self, name: str) -> str | None:
        """The id that a name resolves to."""
        try:
            found = self._names.find(name)
        except FAILURES:
            found = None
        return found or self._git.find(name)

    def find_all(self, names: Sequence[str]) -> list[str | None]:
        """The ids that names resolve to."""
        return list(map(self.find, names))

    def find_merge_base(self, one: str, other: str) -> str | None:
        """The best common ancestor of two commits; git decides, because there may be several."""
        return self._git.find_merge_base(one, other)

    def find_blobs(self, wanted: Iterable[tuple[str, str]]) -> dict[tuple[str, str], str]:
        """The blob at each (tree-ish, path)."""
        asked = [(tree, path) for tree, path in dict.fromkeys(wanted) if "\n" not in path]
        try:
            trees = {name: self._find_tree(name) for name, _ in asked}
            entries = {key: find_entry(self._database.read_tree, trees[key[0]], decode_path(key[1])) for key in asked}
            return {
                key: child.id
                for key, child in entries.items()
                if child is not None and child.mode not in (TREE_MODE, SUBMODULE) and self._database.is_blob(child.id)
            }
        except FAILURES:
            return self._git.find_blobs(asked)

    def read_blobs(self, blobs: Sequence[str]) -> Iterator[tuple[int, bytes | Problem]]:
        """The bytes of blobs; those not found here are asked from git at the end."""
        left = []
        for position, blob in enumerate(blobs):
            try:
                data = self._database.read_blob(blob)
            except FAILURES:
                left.append(position)
            else:
                DONE[Work.BLOBS] += 1
                yield position, data
        for place, answer in self._git.read_blobs([blobs[position] for position in left]):
            yield left[place], answer

    def list_tree(self, treeish: str, suffixes: tuple[bytes, ...] = (b"",), *, called: str = "") -> TreeListing:
        """The files of a tree."""
        try:
            known = self._require(treeish)
            kind, _ = self._database.read_any(known)
            commit = None if kind == TREE else self._database.peel(known, COMMIT)
            tree = self._database.peel(known, TREE)
            found = [
                entry
                for entry in walk_tree(self._database.read_tree, tree)
                if entry.path.lower().endswith(suffixes) or entry.mode == SUBMODULE
            ]
        except FAILURES:
            return self._git.list_tree(treeish, suffixes, called=called)
        return TreeListing(found, commit)

    def diff_trees(
        self, before: str | None, after: str, scope: Scope = EVERYWHERE, *, renames: bool = True
    ) -> list[Difference]:
        """The differences between two trees."""
        try:
            old = self._find_tree(before) if before is not None else None
            found = compare_trees(self._database.read_tree, old, self._find_tree(after), scope)
        except FAILURES:
            return self._git.diff_trees(before, after, scope, renames=renames)
        if not renames:
            return found
        counted = not scope.submodules or all(SUBMODULE not in (each.old_mode, each.mode) for each in found)
        # Whether a submodule's change counts is a setting of its own.
        paired = pair_renames(found) if counted else None
        return self._git.diff_trees(before, after, scope) if paired is None else paired

    def list_refs(self, prefix: str) -> dict[str, str]:
        """Full ref name to object id."""
        if self._names.is_own(prefix):
            return self._git.list_refs(prefix)
        start, found = os.fsencode(prefix), {}
        try:
            for name in self._opened.raw_listall_references():
                if name.startswith(start):
                    found[os.fsdecode(name)] = str(self._opened.lookup_reference(name.decode()).resolve().target)
        except FAILURES:
            return self._git.list_refs(prefix)
        return dict(sorted(found.items()))

    # -- writing

    def write_blob(self, data: bytes) -> str:
        """Store bytes."""
        return self._store(BLOB, data) or self._git.write_blob(data)

    def write_commit(self, draft: CommitDraft) -> str:
        """Store a commit."""
        try:
            whole = all(self._database.read(*part) for part in _list_parts(draft))  # libgit2 takes any bytes for one
        except FAILURES:
            whole = False
        written = self._store(COMMIT, format_commit(draft)) if whole else None
        return written or self._git.write_commit(draft)

    def write_tree(self, base: str | None, changes: Mapping[bytes, tuple[int, str] | None]) -> str:
        """Store a tree that differs from another one."""
        require_paths(changes)
        try:
            start = self._find_tree(base) if base is not None else None
            written = change_tree(self._database.read_tree, self._write_tree, start, changes) or self._write_tree({})
        except FAILURES:
            return self._git.write_tree(base, changes)
        return written

    def move_ref(self, name: str, new: str, old: str | None) -> bool:
        """Move a ref. Git creates new ones: of two processes that create the same ref at once only one may succeed."""
        try:
            moved = old is not None and self._move(name, new, old)
        except FAILURES:
            moved = False
        return moved or self._git.move_ref(name, new, old)

    def drop_ref(self, name: str, old: str) -> bool:
        """Remove a ref; rare, so left to git."""
        return self._git.drop_ref(name, old)

    # -- in common

    def _find_tree(self, name: str) -> str:
        return self._database.peel(self._require(name), TREE)

    def _require(self, name: str) -> str:
        found = self.find(name)
        if found is None:
            raise KeyError(name)
        return found

    def _move(self, name: str, new: str, old: str) -> bool:
        """Move a ref without a reflog that all work trees share; False leaves it to git."""
        if not self._may_move or name.startswith(_LOGGED) or self._names.is_own(name):
            return False
        ref = self._opened.lookup_reference(name)
        if ref.target != pygit2.Oid(hex=old):
            return False
        self._database.read_any(new)  # which has to be there
        ref.set_target(pygit2.Oid(hex=new))  # fails where it moved since it was looked up
        return True

    def _write_tree(self, children: Children) -> str:
        written = self._store(TREE, format_tree(children))
        if written is None:
            raise ValueError(children)  # nobody sees it: git is asked
        return written

    def _store(self, kind: int, data: bytes) -> str | None:
        """Store an object; None leaves it to git."""
        try:
            return self._database.write(kind, data) if self._may_write else None
        except FAILURES:
            return None


def _list_parts(draft: CommitDraft) -> list[tuple[str, int]]:
    """The ids of the tree and parents of a commit, each with its kind."""
    return [(draft.tree, TREE), *((parent, COMMIT) for parent in draft.parents)]


def _read_settings(repository: Repository, opened: pygit2.Repository) -> tuple[bool, bool]:
    """Whether libgit2 may write objects, and refs: not where settings or a hook apply that only git honours."""
    settings = opened.config
    write = "core.sharedrepository" not in settings
    hooks = "core.hookspath" in settings or (repository.common_dir / "hooks" / "reference-transaction").exists()
    return write, write and not hooks and "core.logallrefupdates" not in settings
