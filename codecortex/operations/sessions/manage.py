"""Sessions opened, listed, shown, told, forked, dropped, and their objects packed."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from codecortex.git.objects.opening import open_objects
from codecortex.git.paths import encode_path
from codecortex.git.sessions.saving import save_worktree
from codecortex.model.errors import BusyError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.sessions.describing import (
    describe_session,
    describe_version,
    write_difference,
    write_version,
)
from codecortex.operations.sessions.history import History
from codecortex.operations.sessions.remembered import forget, lock_session
from codecortex.operations.sessions.versions import (
    Session,
    begin,
    begin_version,
    check_name,
    find_any,
    find_session,
    list_sessions,
    open_worktree,
)
from codecortex.operations.wording import count_noun, write_time

if TYPE_CHECKING:
    from pathlib import Path

    from codecortex.git.objects.values import Difference
    from codecortex.model.sessions import Version


class SessionChange(NamedTuple):
    """What was done to a session: `opened`, `forked` or `dropped`; `left` are files that could not be read."""

    action: str
    session: Session
    left: tuple[tuple[str, str], ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The session, and what was done, as JSON values."""
        left = [{"path": path, "reason": reason} for path, reason in self.left]
        return {"action": self.action, **describe_session(self.session), "unread": left}

    def as_text(self) -> str:
        """One line, and one for each file that is in the session as HEAD has it."""
        lines = [f"{self.action}  {self.session.name}  {self.session.tip.id[:12]}"]
        return "\n".join([*lines, *(f"{path}: as in HEAD: {reason}" for path, reason in self.left)])


def open_session(folder: Path, name: str) -> SessionChange:
    """Begin a session with the work tree as it is: tracked files, with whatever is not committed.

    Raises:
        UsageError: There is one of that name, or it cannot be a name.
        GitStateError: There is no work tree.
    """
    check_name(name)
    repository = open_worktree(folder)
    saved = save_worktree(repository)
    tip = begin_version(repository, saved.tree, saved.head)
    left = tuple((path, str(problem)) for path, problem in saved.left.items())
    return SessionChange("opened", begin(repository, name, tip), left)


def fork_session(folder: Path, name: str, new: str) -> SessionChange:
    """Begin a session that has all versions of another one; what is added to one is not in the other.

    Raises:
        UsageError: There is no session of the first name, or one of the second.
    """
    repository = open_worktree(folder)
    return SessionChange("forked", begin(repository, new, find_session(repository, name).tip.id))


def drop_session(folder: Path, name: str) -> SessionChange:
    """Remove a session; the work tree stays as it is, and git removes what nobody needs any longer in its time.

    Raises:
        UsageError: There is none of that name.
        BusyError: A version was added meanwhile.
    """
    repository = open_worktree(folder)
    session = find_any(repository, name)
    with lock_session(repository, name):
        forget(repository, name)  # first: a session of the same name must not take it for its own
        is_dropped = open_objects(repository).drop_ref(session.ref, session.tip.id)
    if not is_dropped:
        raise BusyError(f"Another process added a version to session {name} meanwhile.", "Look at it, and try again.")
    return SessionChange("dropped", session)


class SessionList(NamedTuple):
    """All sessions of a work tree."""

    sessions: tuple[Session, ...]

    def as_json(self) -> dict[str, Any]:
        """The sessions as JSON values."""
        return {"sessions": [describe_session(each) for each in self.sessions]}

    def as_text(self) -> str:
        """One line for each, with its latest version."""
        return "\n".join(f"{each.name}  {write_version(each.tip)}" for each in self.sessions) or "There is no session."


def list_all(folder: Path) -> SessionList:
    """All sessions of the work tree, sorted by name."""
    return SessionList(tuple(list_sessions(open_worktree(folder)).values()))


class SessionLog(NamedTuple):
    """The versions of a session, the newest first; `total` counts those that are not listed too."""

    name: str
    versions: tuple[Version, ...]
    total: int

    def as_json(self) -> dict[str, Any]:
        """The versions as JSON values."""
        versions = [describe_version(each) for each in self.versions]
        return {"name": self.name, "versions": versions, "total": self.total}

    def as_text(self) -> str:
        """One line for each."""
        older = self.total - len(self.versions)
        return "\n".join([*map(write_version, self.versions), *([f"and {older:,} older"] if older else [])])


def log_session(folder: Path, name: str, limit: int | None = None) -> SessionLog:
    """The versions of a session.

    Raises:
        UsageError: There is none of that name.
    """
    repository = open_worktree(folder)
    history = History(repository, find_session(repository, name))
    return SessionLog(name, tuple(islice(history, limit)), history.count())


class ShownSession(NamedTuple):
    """A session, with its first version and what differs from that."""

    session: Session
    first: Version
    total: int
    changed: tuple[Difference, ...]

    def as_json(self) -> dict[str, Any]:
        """The session as JSON values."""
        return {
            **describe_session(self.session),
            "opened": write_time(self.first.time),
            "head": self.session.start,
            "versions": self.total,
            "changed": [{"path": encode_path(each.path), "status": each.status} for each in self.changed],
        }

    def as_text(self) -> str:
        """A line about the session, its latest version, and a line for each changed file."""
        on = f" on {self.session.start[:12]}" if self.session.start else ""
        opened = f"opened {write_time(self.first.time)}{on}, {count_noun(self.total, 'version')}"
        lines = [f"{self.session.name}  {opened}", write_version(self.session.tip)]
        return "\n".join([*lines, *map(write_difference, self.changed)])


def show_session(folder: Path, name: str) -> ShownSession:
    """A session: when it was opened, how many versions it has, which files it changed.

    Raises:
        UsageError: There is none of that name.
    """
    repository = open_worktree(folder)
    session = find_session(repository, name)
    history = History(repository, session)
    first = history.find_first()
    changed = open_objects(repository).diff_trees(first.id, session.tip.id)
    return ShownSession(session, first, history.count(), tuple(changed))


class CollectResult(NamedTuple):
    """What packing came to: how many objects lay in files of their own before and after, and how many KiB they took."""

    before: tuple[int, int]
    after: tuple[int, int]

    def as_json(self) -> dict[str, Any]:
        """The counts as JSON values."""
        return {
            "before": dict(zip(("objects", "kib"), self.before, strict=True)),
            "after": dict(zip(("objects", "kib"), self.after, strict=True)),
        }

    def as_text(self) -> str:
        """One line."""
        return f"loose objects: {self.before[0]:,} before, {self.after[0]:,} after"


def collect(folder: Path) -> CollectResult:
    """Have git pack objects and refs, and remove what nothing needs once it is as old as its settings say."""
    repository = open_worktree(folder)
    before = _count_loose(repository.ask("count objects", "count-objects", "-v"))
    repository.ask("pack the repository", "gc", "--quiet")
    return CollectResult(before, _count_loose(repository.ask("count objects", "count-objects", "-v")))


def _count_loose(output: bytes) -> tuple[int, int]:
    fields = dict(line.split(": ", 1) for line in output.decode().splitlines())
    return int(fields["count"]), int(fields["size"])
