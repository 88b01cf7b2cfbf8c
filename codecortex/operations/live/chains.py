"""Whose versions a live context tells of: a session's, those of `watch`, or HEAD and what lies on disk."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from codecortex.git.objects.opening import open_objects
from codecortex.git.sessions.chains import read_chain
from codecortex.model.errors import UsageError
from codecortex.model.sessions import DEFAULT_SESSION, Version
from codecortex.operations.sessions.versions import find_session, list_sessions, list_versions
from codecortex.operations.sessions.watching import WATCH_SESSION

if TYPE_CHECKING:
    from collections.abc import Sequence

    from codecortex.git.repository import Repository

WORKTREE = "worktree"
"""The id of what lies on disk, where it is the newest version."""


class Chain(NamedTuple):
    """Versions to tell of.

    Attributes:
        session: The session; empty for HEAD and the work tree.
        versions: The newest first; none where there is no commit.
        on_disk: Whether what lies on disk is newer than all of them.
        latest: Whether the newest is the newest that there is.
    """

    session: str
    versions: tuple[Version, ...]
    on_disk: bool
    latest: bool = True

    @property
    def version(self) -> str:
        """The id of the version that is told of."""
        return WORKTREE if self.on_disk or not self.versions else self.versions[0].id


def choose_name(repository: Repository, session: str | None) -> str:
    """The session that is meant; without a word the default one, else that of `watch`, else empty for none.

    Raises:
        UsageError: There is none of that name.
    """
    if session is not None:
        return find_session(repository, session).name
    known = list_sessions(repository)
    return next((name for name in (DEFAULT_SESSION, WATCH_SESSION) if name in known), "")


def open_chain(repository: Repository, name: str, at: str | None) -> Chain:
    """The versions of a session up to one of them; for no session HEAD and the work tree.

    Raises:
        UsageError: There is no version of that id.
        StoreFormatError: The session's ref names what no session wrote.
    """
    if name:
        session = find_session(repository, name)
        versions = list_versions(repository, session)
        chain = Chain(name, tuple(versions), on_disk=name == WATCH_SESSION)
    else:
        chain = Chain("", tuple(_read_head(repository)), on_disk=True)
    return chain if at is None or at == chain.version else _go_back(chain, at)


def _read_head(repository: Repository) -> Sequence[Version]:
    head = open_objects(repository).find("HEAD^{commit}")
    if head is None:
        return []
    (link,) = read_chain(repository, head, None, most=1)
    return [Version(link.id, link.time, link.message.partition("\n")[0], {})]


def _go_back(chain: Chain, at: str) -> Chain:
    found = [number for number, each in enumerate(chain.versions) if at and each.id.startswith(at.lower())]
    if len(found) != 1:
        name = f" {chain.session}" if chain.session else ""
        what = "is the beginning of several versions" if found else "is no version"
        told = f"`codecortex session log{name}` lists them." if chain.session else "There are HEAD and `worktree`."
        raise UsageError(f"{at[:60]!r} {what} of {'session' + name if name else 'the work tree'}.", told)
    return chain._replace(versions=chain.versions[found[0] :], on_disk=False, latest=not (chain.on_disk or found[0]))
