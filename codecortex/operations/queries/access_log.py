"""Counts which types people and agents asked for lately."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.git.worktree.disk import Disk
from codecortex.model.errors import CodecortexError, StoreFormatError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.folder import has_folder
from codecortex.store.paths import ACCESS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from codecortex.operations.catalog.workspace import Workspace

MOST_KEPT = 512


class Access(NamedTuple):
    """The accessed types.

    Attributes:
        counts: How often each type was accessed, latest first.
    """

    counts: Mapping[str, int]

    @property
    def ranks(self) -> dict[str, int]:
        """Rank of each type: 0 for the one accessed last."""
        return {type_id: rank for rank, type_id in enumerate(self.counts)}


def read_access(workspace: Workspace) -> Access:
    """Read the access log of a work tree; empty if there is none or it is damaged."""
    root = workspace.repository.root
    data = Disk(root).read_all([ACCESS]).get(ACCESS) if root is not None else None
    if data is None:
        return Access({})
    from codecortex.store.local.access_json import decode_access

    try:
        return Access(decode_access(data, ACCESS))
    except StoreFormatError as problem:
        workspace.request.warn(f"{problem.message}; it is begun anew")
        return Access({})


def note_access(workspace: Workspace, type_ids: Iterable[str]) -> None:
    """Count an access to each of these types.

    Nothing is stored without `.codecortex`, if git does not ignore the file, or if it cannot be written.
    """
    root = workspace.repository.root
    asked = list(dict.fromkeys(type_ids))[:MOST_KEPT]
    if root is None or not asked or not has_folder(root):
        return
    from codecortex.operations.local_files import write_local
    from codecortex.store.local.access_json import MOST_COUNTED, encode_access

    counts = read_access(workspace).counts
    latest = {type_id: min(counts.get(type_id, 0) + 1, MOST_COUNTED) for type_id in asked}
    rows = list((latest | {key: count for key, count in counts.items() if key not in latest}).items())[:MOST_KEPT]
    try:
        if _is_ignored(workspace, root):
            write_local(root, {ACCESS: encode_access(dict(rows))})
    except CodecortexError:
        return  # the log only orders equally good hits, so a failure does not matter


def _is_ignored(workspace: Workspace, root: Path) -> bool:
    """Whether git ignores the log; a server asks git again where one of the files that decide has changed."""
    from codecortex.git.ignored import list_ignored

    repository = workspace.repository
    rules = (
        root / ".gitignore",
        root / ACCESS.partition("/")[0] / ".gitignore",
        repository.common_dir / "info/exclude",
    )
    stamps = [_stamp(path) for path in (*rules, repository.git_dir / "index", repository.common_dir / "config")]
    return workspace.keep("access/ignored", stamps, lambda: bool(list_ignored(repository, [ACCESS])))


def _stamp(path: Path) -> tuple[int, ...]:
    try:
        told = path.stat()
    except OSError:
        return ()
    return told.st_mtime_ns, told.st_size, told.st_ino
