"""Backs up notes that are about to be overwritten or removed, in `.codecortex/local/replaced`."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from codecortex.git.worktree.disk import Disk
from codecortex.git.worktree.writing import apply_writes
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.local_files import write_local
from codecortex.store.paths import REPLACED

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from pathlib import Path


UNREADABLE = "cannot be read, and is replaced"
"""`Backup.why` of a damaged note that is replaced as a whole."""


class Backup(NamedTuple):
    """A note to back up.

    Attributes:
        path: Path of the note, from the root.
        data: Bytes of the note.
        why: What happens to the note, as the predicate of its path: `cannot be read, and is replaced`.
    """

    path: str
    data: bytes
    why: str

    @property
    def place(self) -> str:
        """Path of the backup, from the root."""
        return _name_place(self.path, self.data)


def digest_file(data: bytes | None) -> str:
    """First 16 hex digits of the SHA-256 of a file's bytes; empty for no file."""
    return sha256(data).hexdigest()[:16] if data is not None else ""


def back_up_notes(root: Path, notes: Sequence[Backup], warn: Callable[[str], None]) -> None:
    """Write the backups: the notes may contain a person's text that git does not know yet.

    Args:
        root: The work tree.
        notes: The notes to back up.
        warn: Called with one message per note.

    Raises:
        GitStateError: A backup cannot be written.
    """
    _keep(root, {each.path: each.data for each in notes})
    for each in notes:
        warn(f"{each.path} {each.why}; what it said is kept in {each.place}.")


def remove_notes(root: Path, paths: Collection[str]) -> tuple[str, ...]:
    """Back up notes and remove them; return the paths that existed, for the caller to report.

    Raises:
        GitStateError: A backup cannot be written, or a note not removed.
    """
    found = Disk(root).read_all(paths)
    _keep(root, found)
    return apply_writes(root, {}, found).removed  # only what was backed up is removed


def _keep(root: Path, notes: Mapping[str, bytes]) -> None:
    if notes:
        write_local(root, {_name_place(path, data): data for path, data in notes.items()})


def _name_place(path: str, data: bytes) -> str:
    name = path.rpartition("/")[2].removesuffix(".md")
    return f"{REPLACED}/{name}-{digest_file(data)}.md"
