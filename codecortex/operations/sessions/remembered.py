"""What a session remembers besides its versions, read and written: `.codecortex/local/sessions/NAME.json`.

Whoever writes reads it under the lock of the session, changes a part of it, and leaves the rest as it was.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.git.lock import hold_lock
from codecortex.git.worktree.disk import read_file
from codecortex.git.worktree.writing import apply_writes
from codecortex.model.editor import NOTHING_REMEMBERED
from codecortex.operations.local_files import write_local
from codecortex.store.local.session_json import decode_session, encode_session
from codecortex.store.paths import session_path

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from codecortex.git.repository import Repository
    from codecortex.model.editor import SessionState

_PATIENCE = 10.0


def lock_session(repository: Repository, name: str) -> AbstractContextManager[None]:
    """Hold the lock that every writer of a session's state takes; see `hold_lock`."""
    return hold_lock(repository.local_dir / "sessions" / f"{name}.lock", wait=_PATIENCE)


def read_remembered(repository: Repository, name: str) -> SessionState:
    """What a session remembers; nothing where there is no file.

    Raises:
        StoreFormatError: The file is damaged.
        GitStateError: It cannot be read.
    """
    path = session_path(name)
    data = read_file(repository.require_root(), path, "Move away what stands there.")
    return NOTHING_REMEMBERED if data is None else decode_session(data, path)


def write_remembered(repository: Repository, name: str, state: SessionState) -> None:
    """Put what a session remembers in place of what it did; the caller holds `lock_session`.

    Raises:
        GitStateError: The disk refuses.
    """
    write_local(repository.require_root(), {session_path(name): encode_session(state)})


def forget(repository: Repository, name: str) -> None:
    """Remove what a session remembers; the caller holds `lock_session`.

    Raises:
        GitStateError: The disk refuses.
    """
    apply_writes(repository.require_root(), {}, [session_path(name)])
