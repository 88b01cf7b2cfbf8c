"""Files of the work tree as an editor meets them: where they lie, what they say, and written whole or not at all."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

from codecortex.git.lock import lock_repository
from codecortex.git.objects.opening import open_objects
from codecortex.git.paths import decode_path, encode_path
from codecortex.git.process import Call
from codecortex.git.worktree.disk import Disk, Problem, hash_blob
from codecortex.git.worktree.writing import apply_writes
from codecortex.model.errors import BusyError, CodecortexError, GitStateError, UsageError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.reading.places import place_file

if TYPE_CHECKING:
    from codecortex.editing.drafts import Draft
    from codecortex.git.repository import Repository
    from codecortex.operations.request import Request

_GIT = b".git"
_MOST_NEW = 10_000


class NoTextError(CodecortexError, code="NoText", exit_code=3):
    """A file that cannot be edited as text."""


class FileBytes(NamedTuple):
    """What lies at a path.

    Attributes:
        data: The bytes of a file; None where there is none, or none that can be read.
        problem: Why a file cannot be read: the end of a sentence about it; empty where it can, or where nothing is.
        blob: The id that git gives the bytes; empty for none.
        executable: Whether its owner may run it, as far as git trusts the disk in this.
    """

    data: bytes | None
    problem: str
    blob: str = ""
    executable: bool = False

    @property
    def fingerprint(self) -> str:
        """Another one for every other state: of bytes and permission, the problem, or empty where nothing is."""
        return self.problem or name_state(self.blob, executable=self.executable)


def name_state(blob: str, *, executable: bool) -> str:
    """The fingerprint of a file."""
    return f"{blob} x" if executable else blob


def find_path(request: Request, repository: Repository, text: str) -> str:
    """The path of a file: from where the user stands, else from the top; a file that is to be made, from there.

    Raises:
        UsageError: It lies outside the work tree, in git's own folder, or in another repository.
    """
    path = place_file(request, repository, text)
    require_editable(repository, path)
    return path


def require_editable(repository: Repository, path: str) -> None:
    """Refuse what is not this work tree's to edit.

    Raises:
        UsageError: A path lies in git's own folder, or in another repository.
    """
    root = os.fsencode(repository.require_root())
    parts = decode_path(path).split(b"/")
    if _GIT in (part.lower() for part in parts):
        raise UsageError(f"{path} lies in git's own folder.", "Git's files are not edited as text.")
    for count in range(1, len(parts)):
        if os.path.lexists(os.path.join(root, *parts[:count], _GIT)):  # noqa: PTH118 - bytes
            raise UsageError(f"{path} lies in another repository.", f"Run this in {os.fsdecode(parts[count - 1])}.")


def read_bytes(repository: Repository, path: str) -> FileBytes:
    """What lies at a path, links not followed."""
    disk = Disk(repository.require_root())
    data = disk.read(decode_path(path))
    if isinstance(data, bytes):
        may_run = bool(os.stat(disk.locate(decode_path(path))).st_mode & 0o100)  # noqa: PTH116 - bytes
        executable = may_run and trusts_permissions(repository)
        return FileBytes(data, "", hash_blob(data, repository.object_format), executable)
    if data is Problem.MISSING and not _is_below_file(disk, decode_path(path)):
        return FileBytes(None, "")
    return FileBytes(None, _describe(data, disk.locate(decode_path(path))))


def trusts_permissions(repository: Repository) -> bool:
    """Whether git takes the permissions on disk for those of the file: not where the disk has none."""
    call = Call("read a setting", ("config", "--type=bool", "core.fileMode"), accept=(0, 1))
    return repository.ask_all(call)[0].strip() != b"false"


def find_moved(repository: Repository, data: bytes) -> str:
    """A file that git does not track, or that was just added, and that says what a file said; empty for none."""
    disk = Disk(repository.require_root())
    head = open_objects(repository).find("HEAD^{commit}")
    calls = [Call("list new files", ("ls-files", "-z", "--others", "--exclude-standard"))]
    if head is not None:
        names = ("diff-index", "--cached", "--no-renames", "--diff-filter=A", "--name-only", "-z", head)
        calls.append(Call("list added files", names))
    for path in b"".join(repository.ask_all(*calls)).split(b"\0")[:_MOST_NEW]:
        if path and _has_size(disk.locate(path), len(data)) and disk.read(path) == data:
            return encode_path(path)
    return ""


def _has_size(path: bytes, size: int) -> bool:
    try:
        return os.lstat(path).st_size == size
    except OSError:
        return False


def _is_below_file(disk: Disk, path: bytes) -> bool:
    above = path.rpartition(b"/")[0]
    while above:
        if os.path.lexists(disk.locate(above)):
            return not os.path.isdir(disk.locate(above))  # noqa: PTH112 - bytes
        above = above.rpartition(b"/")[0]
    return False


def _describe(problem: Problem, full: bytes) -> str:
    match problem:
        case Problem.SYMLINK:
            return "is a symbolic link, or lies behind one"
        case Problem.NOT_A_FILE if os.path.isdir(full):  # noqa: PTH112 - bytes
            return "is a folder"
        case Problem.NOT_A_FILE:
            return "is no regular file"
        case Problem.TOO_LARGE:
            return "is larger than 64 MiB"
        case Problem.MISSING:
            return "lies below something that is no folder"
        case _:
            return "cannot be read: access is denied"


def write_draft(repository: Repository, path: str, draft: Draft | None, expected: str) -> str:
    """Put a text in place of a file, which holds the old one or the new one at every moment; or remove the file.

    Args:
        repository: The repository.
        path: The file's path.
        draft: What it is to say; None for no file.
        expected: The fingerprint of what it says, as far as the caller knows.

    Returns:
        Why that was not done: the end of a sentence; empty where it was.
    """
    root = repository.require_root()
    try:
        with lock_repository(repository):
            found = read_bytes(repository, path)
            if found.problem:
                return f"it {found.problem}"
            if found.fingerprint != expected:
                return "it was changed outside just now"
            if found.data is not None and _is_read_only(root / os.fsdecode(decode_path(path))):
                return "it is read-only"
            if draft is None:
                apply_writes(root, {}, [path])
            else:
                change = {path: draft.executable} if draft.executable != found.executable else {}
                apply_writes(root, {path: draft.encode()}, durable=True, executable=change)
    except (GitStateError, BusyError) as problem:
        return problem.message
    return ""


def _is_read_only(file: os.PathLike[str]) -> bool:
    """Whether nobody may write a file; the system lets whoever may write its folder put another in its place."""
    return not stat.S_IMODE(os.stat(file, follow_symlinks=False).st_mode) & 0o222  # noqa: PTH116 - not followed


def require_text(path: str, reason: str) -> NoTextError:
    """The error for a file that cannot be edited."""
    return NoTextError(f"{path} {reason}.", "Only files of text in the work tree itself are edited.")
