"""The protocol of both backends: questions about the objects and refs of a repository.

Paths are git's own bytes here, ids are full and lower-case. Wherever a method fails it raises `GitStateError` and
nothing else, with git's own reason.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from codecortex.git.objects.values import EVERYWHERE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from codecortex.git.objects.drafts import CommitDraft
    from codecortex.git.objects.values import Difference, Scope, TreeListing
    from codecortex.git.worktree.disk import Problem


class Objects(Protocol):
    """The objects and refs of one repository, for one thread."""

    @property
    def in_process(self) -> bool:
        """Whether questions are answered without starting a process."""

    def find(self, name: str) -> str | None:
        """The id that a name resolves to, as for `git rev-parse`; None if it resolves to nothing."""

    def find_all(self, names: Sequence[str]) -> list[str | None]:
        """The same for several names at once."""

    def find_merge_base(self, one: str, other: str) -> str | None:
        """The best common ancestor of two commits; None where there is none."""

    def find_blobs(self, wanted: Iterable[tuple[str, str]]) -> dict[tuple[str, str], str]:
        """The blob id at each (tree-ish, path as `encode_path` writes it); pairs without a blob are left out."""

    def read_blobs(self, blobs: Sequence[str]) -> Iterator[tuple[int, bytes | Problem]]:
        """Yield the position of each blob in `blobs`, in any order, with its bytes or the problem."""

    def list_tree(self, treeish: str, suffixes: tuple[bytes, ...] = (b"",), *, called: str = "") -> TreeListing:
        """Every path of a tree that ends in one of the suffixes (lower-case), whatever its case; every submodule too.

        Args:
            treeish: An id, or a name.
            suffixes: What is wanted; everything where they are left out.
            called: What the user calls the tree, for an error.
        """

    def diff_trees(
        self, before: str | None, after: str, scope: Scope = EVERYWHERE, *, renames: bool = True
    ) -> list[Difference]:
        """The differences between two tree-ishes, sorted by path, with renames as `git diff-tree -M` detects them.

        Args:
            before: The earlier one; None for nothing, where `after` is a commit without parents.
            after: The later one.
            scope: Where to look.
            renames: Whether to look for renames; without, every change of a submodule counts too.
        """

    def write_blob(self, data: bytes) -> str:
        """Store a blob and return its id."""

    def write_tree(self, base: str | None, changes: Mapping[bytes, tuple[int, str] | None]) -> str:
        """Store a tree that differs from a base tree, and return its id.

        Args:
            base: The other one, a tree-ish; None for an empty tree.
            changes: What stands at some paths: mode and id, or None for nothing. A file that comes takes the place of
                a folder, and a folder that of a file; folders that hold nothing are left out.
        """

    def write_commit(self, draft: CommitDraft) -> str:
        """Store a commit and return its id. No ref is moved."""

    def list_refs(self, prefix: str) -> dict[str, str]:
        """Full name to object id of the refs below a prefix such as `refs/heads/`."""

    def move_ref(self, name: str, new: str, old: str | None) -> bool:
        """Point a ref to an object and return whether that was done.

        Args:
            name: In full.
            new: What it shall point to.
            old: What it has to point to until then, else nothing is done; None where it must not exist.
        """

    def drop_ref(self, name: str, old: str) -> bool:
        """Remove a ref that points to `old` and return whether that was done."""
