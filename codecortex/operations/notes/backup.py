"""Notes whose bytes are about to go in; the same bytes, kept in `local/replaced`, out."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from codecortex.git.worktree.disk import Disk
from codecortex.git.worktree.writing import apply_writes
from codecortex.operations.local_files import write_local
from codecortex.store.paths import REPLACED

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from pathlib import Path


UNREADABLE = "cannot be read, and is replaced"
"""What is said of a damaged note whose text nothing goes on from."""


class Backup(NamedTuple):
    """A note that is kept.

    Attributes:
        path: Where it stands.
        data: Its bytes.
        why: What happens to it, going on from its path: `cannot be read, and is replaced`.
    """

    path: str
    data: bytes
    why: str

    @property
    def place(self) -> str:
        """Where it is kept."""
        return _name_place(self.path, self.data)


def digest_file(data: bytes | None) -> str:
    """What stands for the bytes of a file; empty where there is none."""
    return sha256(data).hexdigest()[:16] if data is not None else ""


def back_up_notes(root: Path, notes: Sequence[Backup], warn: Callable[[str], None]) -> None:
    """Keep notes: a person's text may stand in them that git does not know yet.

    Args:
        root: The work tree.
        notes: Which.
        warn: Told of each.

    Raises:
        GitStateError: The disk refuses.
    """
    _keep(root, {each.path: each.data for each in notes})
    for each in notes:
        warn(f"{each.path} {each.why}; what it said is kept in {each.place}.")


def remove_notes(root: Path, paths: Collection[str]) -> tuple[str, ...]:
    """Remove notes, whose bytes are kept; those that were there, which the caller has to tell.

    Raises:
        GitStateError: The disk refuses.
    """
    found = Disk(root).read_all(paths)
    _keep(root, found)
    return apply_writes(root, {}, found).removed  # nothing goes that could not be kept


def _keep(root: Path, notes: Mapping[str, bytes]) -> None:
    if notes:
        write_local(root, {_name_place(path, data): data for path, data in notes.items()})


def _name_place(path: str, data: bytes) -> str:
    name = path.rpartition("/")[2].removesuffix(".md")
    return f"{REPLACED}/{name}-{digest_file(data)}.md"
