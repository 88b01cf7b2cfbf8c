"""A workspace and types in; which types people and agents asked for lately, kept from run to run, out."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from codecortex.git.ignored import list_ignored
from codecortex.git.worktree.disk import Disk
from codecortex.model.errors import CodecortexError, StoreFormatError
from codecortex.operations.reading.committed_files import has_folder
from codecortex.store.local.access_json import MOST_COUNTED, decode_access, encode_access
from codecortex.store.paths import ACCESS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from codecortex.operations.catalog.workspace import Workspace

MOST_KEPT = 512


class Access(NamedTuple):
    """What was asked for.

    Attributes:
        counts: How often each type was, the one asked for last first.
    """

    counts: Mapping[str, int]

    @property
    def ranks(self) -> dict[str, int]:
        """The place of each type: 0 for the one asked for last."""
        return {type_id: rank for rank, type_id in enumerate(self.counts)}


def read_access(workspace: Workspace) -> Access:
    """What was asked for in a work tree; nothing where nothing is kept, or where what is kept is damaged."""
    root = workspace.repository.root
    data = Disk(root).read_all([ACCESS]).get(ACCESS) if root is not None else None
    if data is None:
        return Access({})
    try:
        return Access(decode_access(data, ACCESS))
    except StoreFormatError as problem:
        workspace.request.warn(f"{problem.message}; it is begun anew")
        return Access({})


def note_access(workspace: Workspace, type_ids: Iterable[str]) -> None:
    """Count a question about each of these types.

    Nothing is kept where there is no `.codecortex`, where git would tell of the file, or where nothing may be written.
    """
    root = workspace.repository.root
    asked = list(dict.fromkeys(type_ids))[:MOST_KEPT]
    if root is None or not asked or not has_folder(root):
        return
    counts = read_access(workspace).counts
    latest = {type_id: min(counts.get(type_id, 0) + 1, MOST_COUNTED) for type_id in asked}
    rows = list((latest | {key: count for key, count in counts.items() if key not in latest}).items())[:MOST_KEPT]
    from codecortex.operations.local_files import write_local

    try:
        if list_ignored(workspace.repository, [ACCESS]):
            write_local(root, {ACCESS: encode_access(dict(rows))})
    except CodecortexError:
        return  # it only orders what is equally good: no answer is worth less without it
