"""The sessions of a work tree: their refs, their versions, and how a new one is added."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from codecortex.git.objects.opening import open_objects
from codecortex.git.repository import open_repository
from codecortex.git.sessions.chains import list_chains, read_chain, write_link
from codecortex.model.errors import BusyError, StoreFormatError, UsageError
from codecortex.model.sessions import SESSION_RULE, Version, is_session_name, read_message, write_message
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.wording import name_some

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from codecortex.git.repository import Repository
    from codecortex.git.sessions.chains import Link

PREFIX = "refs/worktree/codecortex/sessions/"
FIRST, NUMBER = "first", "number"
"""What each version tells of its session: the id of the first one, but in that itself, and how many there are."""
_SHOWN, _NAMED = 60, 5


class Session(NamedTuple):
    """A session as it is now.

    Attributes:
        name: Its name.
        tip: Its latest version.
        tree: The tree of that.
    """

    name: str
    tip: Version
    tree: str

    @property
    def start(self) -> str | None:
        """The commit that the work tree stood on when the session was opened; None before the first one."""
        head = self.tip.facts.get("head")
        return head if isinstance(head, str) else None

    @property
    def ref(self) -> str:
        """The ref of its latest version."""
        return PREFIX + self.name


def open_worktree(folder: Path) -> Repository:
    """The repository around a folder, which has to have a work tree.

    Raises:
        GitStateError: There is none.
    """
    repository = open_repository(folder)
    repository.require_root("Sessions belong to a work tree: run this in one.")
    return repository


def list_sessions(repository: Repository) -> dict[str, Session]:
    """Every session of this work tree, by name, sorted."""
    return {name: _make_session(name, link) for name, link in list_chains(repository, PREFIX).items()}


def find_session(repository: Repository, name: str) -> Session:
    """A session that there must be, and whose beginning is known.

    Raises:
        UsageError: There is none of that name.
        StoreFormatError: Its ref names what no session wrote.
    """
    return check_whole(find_any(repository, name))


def check_whole(session: Session) -> Session:
    """A session whose beginning is known.

    Raises:
        StoreFormatError: Its ref names what no session wrote.
    """
    if "head" not in session.tip.facts:
        raise StoreFormatError(
            f"{session.ref} is no version of a session.", f"`codecortex session drop {session.name}` removes it."
        )
    return session


def find_any(repository: Repository, name: str) -> Session:
    """What goes by the name of a session, whoever wrote it.

    Raises:
        UsageError: There is none of that name.
    """
    check_name(name)
    known = list_sessions(repository)
    if name in known:
        return known[name]
    begin = f"`codecortex session open {name}` begins it."
    raise UsageError(f"There is no session {name}.", f"There are {name_some(list(known), _NAMED)}." if known else begin)


def list_versions(repository: Repository, session: Session) -> list[Version]:
    """All versions of a session, the newest first."""
    return [make_version(link) for link in read_chain(repository, session.tip.id, session.start)]


def check_name(name: str) -> None:
    """Refuse what is no name of a session.

    Raises:
        UsageError: It is none.
    """
    if not is_session_name(name):
        raise UsageError(f"{name[:_SHOWN]!r} cannot be the name of a session.", f"Expected {SESSION_RULE}.")


def begin(repository: Repository, name: str, tip: str) -> Session:
    """Give a chain of versions a name that no session has, in whatever case: some systems take both for one.

    Raises:
        UsageError: One has it, or it cannot be a name.
    """
    check_name(name)
    same = next((each for each in list_sessions(repository) if each.lower() == name.lower()), None)
    if same is not None or not open_objects(repository).move_ref(PREFIX + name, tip, None):
        raise UsageError(
            f"There is a session {same or name} already.", "Choose another name, or drop that one: `session drop`."
        )
    return find_session(repository, name)


def add_version(
    repository: Repository,
    session: Session,
    changes: Mapping[bytes, tuple[int, str] | None],
    title: str,
    facts: Mapping[str, Any],
) -> Session:
    """Add a version to the session as the caller saw it.

    Args:
        repository: The repository.
        session: The session, whose latest version the changes were made on.
        changes: By path, mode and blob, or None for nothing.
        title: What happened, for people.
        facts: The same for programs: `op`, and whatever goes with it.

    Raises:
        BusyError: Another process added a version meanwhile; nothing is changed.
    """
    tree = open_objects(repository).write_tree(session.tree, changes)
    return add_tree(repository, session, tree, title, facts)


def add_tree(repository: Repository, session: Session, tree: str, title: str, facts: Mapping[str, Any]) -> Session:
    """The same with a tree that is stored already."""
    facts = {**facts, "head": session.start, **_count_on(session)}
    now = max(int(time.time()), session.tip.time)  # a clock set back must not make a version older than its parent
    tip = write_link(repository, tree, session.tip.id, write_message(title, facts), now)
    if not open_objects(repository).move_ref(session.ref, tip, session.tip.id):
        raise BusyError(
            f"Another process added a version to session {session.name} meanwhile.", "Look at it, and try again."
        )
    return Session(session.name, Version(tip, now, " ".join(title.split()), facts), tree)


def begin_version(repository: Repository, tree: str, head: str | None, op: str = "open") -> str:
    """Store the first version of a session, which follows the commit that the work tree stands on; return its id."""
    message = write_message("Opened with the work tree", {"op": op, "head": head, NUMBER: 1})
    return write_link(repository, tree, head, message, int(time.time()))


def find_commit(folder: Path, name: str) -> str:
    """A session as one commit on the one that it was opened on: how its versions came about is no history of sources.

    The commit follows from the session's latest version alone, and is stored when it is first asked for.

    Raises:
        UsageError: There is none of that name.
        GitStateError: There is no work tree, or git cannot store the commit.
    """
    repository = open_worktree(folder)
    session = find_session(repository, name)
    return write_link(repository, session.tree, session.start, f"Session {name}", session.tip.time)


def name_range(commit: str, since: str | None, *, whole: bool = False) -> str:
    """The range from a commit, by default HEAD or with `whole` the first one, to the one that a session is read as.

    Raises:
        UsageError: A range is given already.
    """
    if since is not None and ".." in since:
        raise UsageError("--session and another tree are named.", "Give one of them.")
    return commit if whole and since is None else f"{since or 'HEAD'}..{commit}"


def _make_session(name: str, link: Link) -> Session:
    return Session(name, make_version(link), link.tree)


def _count_on(session: Session) -> dict[str, Any]:
    """What the next version tells of its session; nothing in one whose versions do not tell it."""
    number = read_number(session.tip)
    return {FIRST: session.tip.facts.get(FIRST, session.tip.id), NUMBER: number + 1} if number else {}


def read_number(version: Version) -> int:
    """How many versions there are up to this one, as it says; 0 where it does not."""
    number = version.facts.get(NUMBER)
    return number if isinstance(number, int) and number > 0 else 0


def make_version(link: Link) -> Version:
    """A version as its commit tells it."""
    return Version(link.id, link.time, *read_message(link.message))
