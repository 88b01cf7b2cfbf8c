"""Notes whose bytes are about to go in; the same bytes, kept in `local/replaced`, out."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from codecortex.git.disk import Disk
from codecortex.git.writing import apply_writes
from codecortex.operations.local_files import write_local
from codecortex.store.paths import REPLACED

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from pathlib import Path


UNREADABLE = "cannot be read, and is replaced"
"""What is said of a damaged note whose text nothing goes on from."""


class Aside(NamedTuple):
    """A note that is kept.

    Attributes:
        path: Where it stands.
        data: Its bytes.
        why: What happens to it, going on from its path: `is removed`.
    """

    path: str
    data: bytes
    why: str

    @property
    def place(self) -> str:
        """Where it is kept."""
        name = self.path.rpartition("/")[2].removesuffix(".md")
        return f"{REPLACED}/{name}-{digest_file(self.data)}.md"


def digest_file(data: bytes | None) -> str:
    """What stands for the bytes of a file; empty where there is none."""
    return sha256(data).hexdigest()[:16] if data is not None else ""


def keep_aside(root: Path, notes: Sequence[Aside], warn: Callable[[str], None] | None = None) -> None:
    """Keep notes: a person's text may stand in them that git does not know yet.

    Args:
        root: The work tree.
        notes: Which.
        warn: Told of each.

    Raises:
        GitStateError: The disk refuses.
    """
    if notes:
        write_local(root, {each.place: each.data for each in notes})
    if warn is not None:
        for each in notes:
            warn(f"{each.path} {each.why}; what it said is kept in {each.place}.")


def remove_notes(root: Path, paths: Collection[str]) -> tuple[str, ...]:
    """Remove notes, whose bytes are kept; those that were there.

    Raises:
        GitStateError: The disk refuses.
    """
    keep_aside(root, [Aside(path, data, "is removed") for path, data in Disk(root).read_all(paths).items()])
    return apply_writes(root, {}, paths).removed
