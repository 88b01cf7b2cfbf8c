"""Whose versions a live context tells of: a session's, those of `watch`, or HEAD and what lies on disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.git.objects.opening import open_objects
from codecortex.git.sessions.chains import read_chain
from codecortex.model.errors import UsageError
from codecortex.model.sessions import DEFAULT_SESSION, Version
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.sessions.history import History
from codecortex.operations.sessions.versions import check_whole, find_session, list_sessions
from codecortex.operations.sessions.watching import WATCH_SESSION

if TYPE_CHECKING:
    from collections.abc import Iterable

    from codecortex.git.repository import Repository
    from codecortex.operations.sessions.versions import Session

WORKTREE = "worktree"
"""The id of what lies on disk, where it is the newest version."""


class Chain(NamedTuple):
    """Versions to tell of.

    Attributes:
        session: The session; empty for HEAD and the work tree.
        versions: The newest first, read as far as they are looked at; none where there is no commit.
        newest: The newest of them.
        oldest: The oldest of them.
        on_disk: Whether what lies on disk is newer than all of them.
        latest: Whether the newest is the newest that there is.
    """

    session: str
    versions: Iterable[Version]
    newest: Version | None
    oldest: Version | None
    on_disk: bool
    latest: bool = True

    @property
    def version(self) -> str:
        """The id of the version that is told of."""
        return WORKTREE if self.on_disk or self.newest is None else self.newest.id

    @property
    def ends(self) -> list[str]:
        """The ids of the newest and the oldest version; none where there is no commit."""
        return [each.id for each in (self.newest, self.oldest) if each is not None]


def choose_session(repository: Repository, name: str | None) -> Session | None:
    """The session that is meant; without a name the default one, else that of `watch`, else none.

    Raises:
        UsageError: There is none of that name.
    """
    if name is not None:
        return find_session(repository, name)
    known = list_sessions(repository)
    return next((check_whole(known[each]) for each in (DEFAULT_SESSION, WATCH_SESSION) if each in known), None)


def open_chain(repository: Repository, session: Session | None, at: str | None) -> Chain:
    """The versions of a session up to one of them; for no session HEAD and the work tree.

    Raises:
        UsageError: There is no version of that id.
    """
    if session is not None:
        history = History(repository, session)
        chain = Chain(session.name, history, history.newest, history.find_first(), session.name == WATCH_SESSION)
    else:
        head = _read_head(repository)
        chain = Chain("", [head] if head is not None else [], head, head, on_disk=True)
    return chain if at is None or at == chain.version else _go_back(chain, at)


def _read_head(repository: Repository) -> Version | None:
    head = open_objects(repository).find("HEAD^{commit}")
    if head is None:
        return None
    (link,) = read_chain(repository, head, None, most=1)
    return Version(link.id, link.time, link.message.partition("\n")[0], {})


def _go_back(chain: Chain, at: str) -> Chain:
    versions = list(chain.versions)
    found = [number for number, each in enumerate(versions) if at and each.id.startswith(at.lower())]
    if len(found) != 1:
        name = f" {chain.session}" if chain.session else ""
        what = "is the beginning of several versions" if found else "is no version"
        told = f"`codecortex session log{name}` lists them." if chain.session else "There are HEAD and `worktree`."
        raise UsageError(f"{at[:60]!r} {what} of {'session' + name if name else 'the work tree'}.", told)
    older, latest = versions[found[0] :], not (chain.on_disk or found[0])
    return chain._replace(versions=older, newest=older[0], on_disk=False, latest=latest)
