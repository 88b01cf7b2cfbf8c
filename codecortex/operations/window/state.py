"""Reads and writes the state of the prompt window, and maps its marks to today's types."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from codecortex.git.lock import hold_lock
from codecortex.git.worktree.disk import read_file
from codecortex.model.code.types import TypeId
from codecortex.model.errors import NewerFormatError, StoreFormatError
from codecortex.operations.folder import require_folder
from codecortex.operations.local_files import write_local
from codecortex.operations.reading.alias_table import list_aliases
from codecortex.store.local.window_json import WindowMark, WindowState, decode_window, encode_window
from codecortex.store.paths import WINDOW, WINDOW_STATE

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from codecortex.operations.catalog.workspace import Workspace

    Follow = Callable[[WindowMark], TypeId | None]

_LOCK = "window"
_PATIENCE = 10.0
_ASIDE = f"{WINDOW_STATE}.damaged"


def read_state(workspace: Workspace) -> WindowState:
    """The state of the window, without expired marks; empty, with a warning, if the file is damaged.

    Raises:
        UsageError: There is no `.codecortex`.
    """
    return _drop_expired(_load(workspace, require_folder(workspace.repository))[0])


def update_state(workspace: Workspace, change: Callable[[WindowState], WindowState]) -> bool:
    """Change the state of the window; return whether it differs. A damaged file is kept under another name.

    Raises:
        UsageError: There is no `.codecortex`.
        NewerFormatError: A newer codecortex wrote the file.
    """
    root = require_folder(workspace.repository)
    with hold_lock(workspace.repository.local_dir / _LOCK, wait=_PATIENCE):
        before, damaged = _load(workspace, root, writing=True)
        state = _drop_expired(before)
        after = change(state)
        damaged_copy = {_ASIDE: damaged} if damaged is not None else {}
        write_local(root, damaged_copy | {WINDOW_STATE: encode_window(after)})
    return after != state


def write_window(workspace: Workspace, text: str) -> None:
    """Write the prompt window to its file.

    Raises:
        UsageError: There is no `.codecortex`.
        GitStateError: A file cannot be written.
    """
    root = require_folder(workspace.repository)
    with hold_lock(workspace.repository.local_dir / _LOCK, wait=_PATIENCE):
        write_local(root, {WINDOW: text.encode()})


def make_follower(workspace: Workspace) -> Follow:
    """A function that maps a mark to today's TypeId by id, alias or FQN; None if the type is gone."""
    aliases: dict[TypeId, TypeId] | None = None

    def follow(mark: WindowMark) -> TypeId | None:
        nonlocal aliases
        if mark.id in workspace.catalog.by_id:
            return mark.id
        if aliases is None:
            aliases = {TypeId(alias.old_id): TypeId(alias.new_id) for alias in list_aliases(workspace.tree)}
        heir = aliases.get(mark.id)
        if heir in workspace.catalog.by_id:
            return heir
        same = [entry.id for entry in workspace.catalog.types if entry.fqn == mark.fqn] if mark.fqn else []
        return same[0] if len(same) == 1 else None

    return follow


def _drop_expired(state: WindowState) -> WindowState:
    now = time.time()
    return state._replace(added=tuple(mark for mark in state.added if mark.number > now))


def _load(workspace: Workspace, root: Path, *, writing: bool = False) -> tuple[WindowState, bytes | None]:
    """The state in the file, and the bytes of the file if it is damaged, else None."""
    data = read_file(root, WINDOW_STATE, "Move what stands there away.")
    if data is None:
        return WindowState(), None
    try:
        return decode_window(data, WINDOW_STATE), None
    except NewerFormatError as problem:
        if writing:
            raise
        workspace.request.warn(f"{problem.message}; nothing counts as pinned or added")
        return WindowState(), None
    except StoreFormatError as problem:
        kept = f"; it is kept as {_ASIDE}" if writing else ""
        workspace.request.warn(f"{problem.message}; nothing counts as pinned or added{kept}")
        return WindowState(), data
