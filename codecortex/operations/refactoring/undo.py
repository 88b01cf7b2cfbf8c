"""`refactor undo`: the latest edit taken back, around whatever was edited since; and what follows every edit."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from codecortex.git.paths import decode_path
from codecortex.git.sessions.applying import ChangedFileError, FileChange, finish_applying, read_applied, take_back
from codecortex.git.sessions.merging import merge_texts
from codecortex.git.worktree.disk import Disk, Problem
from codecortex.model.errors import CodecortexError, UsageError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.folder import has_folder
from codecortex.operations.refresh.refresh import refresh
from codecortex.operations.request import Count
from codecortex.operations.sessions.versions import open_worktree

if TYPE_CHECKING:
    from codecortex.git.repository import Repository
    from codecortex.git.sessions.applying import Applied
    from codecortex.operations.request import Request


class UndoResult(NamedTuple):
    """What was taken back: its title, and the files that changed."""

    title: str
    files: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """The result as JSON values."""
        return {"verb": "undo", "target": self.title, "state": "done", "files": list(self.files)}

    def as_text(self) -> str:
        """A line about the edit, and one for each file."""
        return "\n".join([f"Took back {self.title}.", *(f"  {path}" for path in self.files)])


def undo(request: Request) -> UndoResult:
    """Take the latest edit back.

    Raises:
        UsageError: There is none.
        ChangedFileError: What it changed was changed again; nothing is written.
        GitStateError: There is no work tree, or a file cannot be written.
    """
    repository = open_worktree(request.folder)
    finish_applying(repository, request.warn)
    applied = read_applied(repository)
    if applied is None:
        raise UsageError("There is no edit to take back.", "`edit undo` and `session drop` are for sessions.")
    changes = _reverse(repository, applied)
    take_back(repository, applied, changes)
    request.tally(Count.ROLLBACKS, 1)
    _refresh(request, repository)
    return UndoResult(applied.title, tuple(each.path for each in changes))


def refresh_after(request: Request, repository: Repository) -> None:
    """Let the generated files follow an edit; where that fails, take it back.

    Raises:
        CodecortexError: They cannot; the sources are as they were.
    """
    try:
        _refresh(request, repository)
    except CodecortexError as problem:
        applied = read_applied(repository)
        if applied is not None:
            take_back(repository, applied, _reverse(repository, applied))
            request.tally(Count.ROLLBACKS, 1)
            problem.hint = f"The edit was taken back. {problem.hint}".rstrip()
        raise


def _refresh(request: Request, repository: Repository) -> None:
    if has_folder(repository.require_root()):
        refresh(request)


def _reverse(repository: Repository, applied: Applied) -> list[FileChange]:
    """What has to change so that the files are without an edit, and with all that came after it."""
    disk = Disk(repository.require_root())
    changes = []
    permitted = {each.path for each in applied.files if each.executable != each.was_executable}
    for path, before, after, _, was_executable in applied.files:
        found = disk.read(decode_path(path))
        if isinstance(found, Problem) and found is not Problem.MISSING:
            raise ChangedFileError(f"{path} cannot be read: {found}.", "Nothing was written.")
        now = None if isinstance(found, Problem) else found
        back = before if now == after else _merge(repository, path, (before, after, now))
        changes.append(FileChange(path, now, back, was_executable))
    return [each for each in changes if each.before != each.after or each.path in permitted]


def _merge(repository: Repository, path: str, sides: tuple[bytes | None, bytes | None, bytes | None]) -> bytes:
    before, after, now = sides
    hint = "Take it back by hand, or undo the later change first; nothing was written."
    if before is None or after is None or now is None:
        state = "is gone" if now is None else "is another file now"
        raise ChangedFileError(f"{path} {state}, so the edit cannot be taken back.", hint)
    merged: bytes | tuple[Any, ...] = ()
    with suppress(CodecortexError):  # which are no texts for git
        merged = merge_texts(repository, after, now, before)
    if not isinstance(merged, bytes):
        line = f":{merged[0].line}" if merged else ""
        raise ChangedFileError(f"{path}{line} was edited where the edit is to be taken back.", hint)
    return merged
