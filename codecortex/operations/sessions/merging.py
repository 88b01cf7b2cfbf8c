"""What a session changed since it was opened, brought into the work tree as it is now; all of it or nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codecortex.git.lock import lock_repository
from codecortex.git.objects.opening import open_objects
from codecortex.git.objects.values import LINK, SUBMODULE
from codecortex.git.paths import encode_path
from codecortex.git.sessions.merging import Hunk, merge_texts
from codecortex.git.worktree.disk import Disk, Problem, fold_line_ends
from codecortex.git.worktree.writing import apply_writes
from codecortex.model.errors import CodecortexError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.sessions.history import History
from codecortex.operations.sessions.versions import find_session, open_worktree
from codecortex.operations.wording import count_noun, name_some

if TYPE_CHECKING:
    from pathlib import Path

    from codecortex.git.repository import Repository
    from codecortex.operations.sessions.versions import Session

_NAMED = 5


class MergeConflictError(CodecortexError, code="MergeConflict", exit_code=3):
    """The work tree and a session changed the same; `conflicts` lists where, with both sides."""


class Conflict(NamedTuple):
    """A file that both changed, each in its way; without hunks it is the file as a whole, and `reason` says why."""

    path: str
    reason: str
    hunks: tuple[Hunk, ...] = ()


class MergeResult(NamedTuple):
    """The paths that were written and removed, and those that said the same already."""

    name: str
    written: tuple[str, ...]
    removed: tuple[str, ...]
    same: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """The paths as JSON values."""
        return self._asdict()

    def as_text(self) -> str:
        """A line for each path that changed."""
        lines = [f"wrote    {path}" for path in self.written] + [f"removed  {path}" for path in self.removed]
        return "\n".join(lines) or "Nothing to do: the work tree has all of it."


class _Three(NamedTuple):
    """One file three times: as the session was opened, on disk, in the session; None where there is none."""

    base: bytes | Problem | None
    ours: bytes | Problem | None
    theirs: bytes | Problem | None


def merge_session(folder: Path, name: str) -> MergeResult:
    """Bring what a session changed into the work tree.

    Raises:
        UsageError: There is no session of that name.
        MergeConflictError: Both changed the same; nothing is written.
        GitStateError: A file cannot be written.
    """
    repository = open_worktree(folder)
    root = repository.require_root()
    session = find_session(repository, name)
    with lock_repository(repository):
        writes: dict[str, bytes] = {}
        removals: list[str] = []
        same: list[str] = []
        conflicts: list[Conflict] = []
        for path, three in _read_changes(repository, session).items():
            merged = _merge(repository, path, three)
            if isinstance(merged, Conflict):
                conflicts.append(merged)
            elif merged == three.ours:
                same.append(path)
            elif merged is None:
                removals.append(path)
            else:
                writes[path] = merged
        if conflicts:
            raise _refuse(name, conflicts)
        done = apply_writes(root, writes, removals)
    return MergeResult(name, done.written, done.removed, tuple(same))


def _read_changes(repository: Repository, session: Session) -> dict[str, _Three]:
    """Each file that a session changed, by path."""
    objects = open_objects(repository)
    first = History(repository, session).find_first().id
    blobs: dict[bytes, tuple[str, str]] = {}
    for each in objects.diff_trees(first, session.tip.id):
        if {each.mode, each.old_mode} & {LINK, SUBMODULE}:
            continue  # which no text is
        if each.old_path != each.path:
            blobs[each.old_path] = each.old_id, ""
        blobs[each.path] = each.old_id if each.old_path == each.path else "", each.new_id
    wanted = sorted({blob for pair in blobs.values() for blob in pair if blob})
    data = {wanted[place]: content for place, content in objects.read_blobs(wanted)}
    disk = Disk(repository.require_root())
    return {encode_path(path): _Three(data[old] if old else None, _look(disk, path), data[new] if new else None)
            for path, (old, new) in sorted(blobs.items())}  # fmt: skip


def _look(disk: Disk, path: bytes) -> bytes | Problem | None:
    found = disk.read(path)
    return None if found is Problem.MISSING else found


def _merge(repository: Repository, path: str, three: _Three) -> bytes | Conflict | None:
    """What a file has to say; None for no file."""
    base, ours, theirs = three
    if isinstance(ours, Problem):
        return Conflict(path, f"cannot be read: {ours}")
    if isinstance(base, Problem) or isinstance(theirs, Problem):
        return Conflict(path, "cannot be read from the session")
    base, ours, theirs = align_ends(base, ours, theirs)
    if ours in (base, theirs):
        return theirs
    if base is None or ours is None or theirs is None:
        return Conflict(path, _explain(base, ours))
    if any(b"\0" in data for data in (base, ours, theirs)):
        return Conflict(path, "is binary and was changed on both sides")
    merged = merge_texts(repository, base, ours, theirs)
    return merged if isinstance(merged, bytes) else Conflict(path, "was changed on both sides", merged)


def align_ends(
    base: bytes | None, ours: bytes | None, theirs: bytes | None
) -> tuple[bytes | None, bytes | None, bytes | None]:
    """The same with CRLF on every side, where git checks out with CRLF what it stores with LF."""
    converted = ours is not None and b"\r\n" in ours and ours.count(b"\n") == ours.count(b"\r\n")
    if not converted or (base is not None and b"\r\n" in base):
        return base, ours, theirs
    return _widen(base), ours, _widen(theirs)


def _widen(data: bytes | None) -> bytes | None:
    return fold_line_ends(data).replace(b"\n", b"\r\n") if data is not None else None


def _explain(base: bytes | None, ours: bytes | None) -> str:
    if base is None:
        return "was added on both sides"
    return "was removed in the work tree and changed in the session" if ours is None else (
        "was changed in the work tree and removed in the session"
    )  # fmt: skip


def _refuse(name: str, conflicts: list[Conflict]) -> MergeConflictError:
    files = name_some([f"{each.path}{_name_lines(each)}" for each in conflicts], _NAMED)
    return MergeConflictError(
        f"Nothing is written: {count_noun(len(conflicts), 'file')} of session {name} changed otherwise: {files}.",
        f"`codecortex session diff {name}` shows what the session changed; --json shows both sides of each hunk.",
        conflicts=[_describe(each) for each in conflicts],
    )


def _name_lines(conflict: Conflict) -> str:
    lines = ", ".join(str(hunk.line) for hunk in conflict.hunks)
    return f":{lines}" if lines else f" ({conflict.reason})"


def _describe(conflict: Conflict) -> dict[str, Any]:
    hunks = [
        {"line": hunk.line, "ours": hunk.ours.decode(errors="replace"), "theirs": hunk.theirs.decode(errors="replace")}
        for hunk in conflict.hunks
    ]
    return {"path": conflict.path, "reason": conflict.reason, "hunks": hunks}
