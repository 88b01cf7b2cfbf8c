"""Keeps what `watch` sees as versions of a session of its own, so that recent edits can be told without an editor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.git.objects.opening import open_objects
from codecortex.git.paths import encode_path
from codecortex.git.sessions.saving import save_worktree
from codecortex.model.errors import UsageError
from codecortex.operations.sessions.history import History
from codecortex.operations.sessions.versions import PREFIX, add_tree, begin, begin_version, list_sessions
from codecortex.operations.wording import name_some
from codecortex.store.paths import FOLDER

if TYPE_CHECKING:
    from codecortex.git.repository import Repository
    from codecortex.git.sessions.saving import SavedTree
    from codecortex.operations.sessions.versions import Session

WATCH_SESSION = "watch"
_OP = "watch"
_MOST_VERSIONS = 1000
"""A session that has so many begins anew, so that what a watch keeps stays bounded however long it runs."""
_NAMED = 3


def record_worktree(repository: Repository, *, beginning: bool = False) -> None:
    """Add the work tree as a version if it differs from the latest one in more than what codecortex itself writes.

    Args:
        repository: The repository.
        beginning: Whether the watch begins: then versions on another commit than HEAD make room for new ones.

    Raises:
        UsageError: Somebody else uses the session's name.
        BusyError: Another watch added a version meanwhile.
        GitStateError: The work tree cannot be stored.
    """
    saved = save_worktree(repository)
    session = list_sessions(repository).get(WATCH_SESSION)
    if session is not None and session.tip.facts.get("op") != _OP:
        raise UsageError(
            f"Session {WATCH_SESSION} has versions that no watch made, so none is added.",
            f"`codecortex session fork {WATCH_SESSION} NAME` keeps it, `session drop {WATCH_SESSION}` makes room.",
        )
    if session is not None and (
        History(repository, session).count() >= _MOST_VERSIONS or (beginning and session.start != saved.head)
    ):
        open_objects(repository).drop_ref(PREFIX + WATCH_SESSION, session.tip.id)
        session = None
    if session is None:
        begin(repository, WATCH_SESSION, begin_version(repository, saved.tree, saved.head, _OP))
    elif session.tree != saved.tree:
        _add(repository, session, saved)


def _add(repository: Repository, session: Session, saved: SavedTree) -> None:
    changed = [encode_path(each.path) for each in open_objects(repository).diff_trees(session.tree, saved.tree)]
    files = [path for path in changed if not path.startswith(f"{FOLDER}/")]
    if not files:
        return
    facts = {"op": _OP, "file": files[0] if len(files) == 1 else None}
    add_tree(repository, session, saved.tree, f"Changed {name_some(files, _NAMED)}", facts)
