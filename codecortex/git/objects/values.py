"""Arguments and results of questions about objects. Paths are git's own bytes, ids are full and lower-case."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

TREE = 0o040000
LINK = 0o120000
SUBMODULE = 0o160000


class TreeEntry(NamedTuple):
    """One file, link or submodule of a tree, with its path from the top."""

    mode: int
    id: str
    path: bytes


class TreeListing(NamedTuple):
    """The files of a tree-ish.

    Attributes:
        entries: In the order of their paths.
        commit: The commit that the tree-ish means; None for one that means a tree alone.
    """

    entries: Sequence[TreeEntry]
    commit: str | None


class Difference(NamedTuple):
    """One path that differs between two trees.

    Attributes:
        status: `A`, `D`, `M`, `R` or `T`, as git has it.
        old_path: Where it stood before; the same as `path` but for a rename.
        path: Where it stands now.
        old_id: What stood there before; empty for nothing.
        new_id: What stands there now; empty for nothing.
        old_mode: Its mode before; 0 for nothing.
        mode: Its mode now; 0 for nothing.
    """

    status: str
    old_path: bytes
    path: bytes
    old_id: str
    new_id: str
    old_mode: int
    mode: int


class Scope(NamedTuple):
    """Which paths a comparison looks at, all where it names none; renames from or to anywhere else are none.

    Attributes:
        paths: These, and whatever lies in those of them that are folders.
        suffix: Those that end so, whatever their case; lower-case, empty for none.
        submodules: Whether submodules count.
    """

    paths: tuple[bytes, ...] = ()
    suffix: bytes = b""
    submodules: bool = True


EVERYWHERE = Scope()
