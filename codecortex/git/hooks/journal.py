"""The journal of a partial commit: entries added to its temporary index, to be added to the real index afterwards.

`git commit <path>` commits from a temporary index and then continues with the real one, which lacks what the
pre-commit hook added. Without this, the next `git status` shows those files as if they were to be reverted.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING
from zlib import crc32

from codecortex.git.hooks.staging import Staged, list_staged, stage_entries
from codecortex.git.paths import decode_path, encode_path
from codecortex.git.revisions import find_commit
from codecortex.git.worktree.writing import apply_writes
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from codecortex.git.repository import Repository

_TEMPORARY = "next-index-"
_NAME = "journal"
_NOTHING = "-"
_FIELDS = 5


class JournalLine(NamedTuple):
    """One file whose entry in the real index has to follow the commit.

    Attributes:
        path: Its path.
        new: Its entry in the commit; None if the commit does not have the file.
        target: The entry that the real index should get; differs from `new` only where a person staged something there.
        before: Its entry in the temporary index before; git may put the same into the real one.
        real: Its entry in the real index while the hook ran.
    """

    path: str
    new: Staged | None
    target: Staged | None
    before: Staged | None
    real: Staged | None


class _Journal(NamedTuple):
    """The commit before the one that the lines belong to, and the lines."""

    head: str
    lines: list[JournalLine]


def is_temporary_index() -> bool:
    """Whether the index that git gave this process is temporary, made for one commit."""
    return os.path.basename(os.environ.get("GIT_INDEX_FILE", "")).startswith(_TEMPORARY)  # noqa: PTH119 - no path work


def list_real(repository: Repository, folder: str) -> dict[str, Staged]:
    """The entries of the real index below a folder while this process runs with a temporary index.

    Raises:
        GitStateError: Git cannot read it.
    """
    variables = (*repository.variables, ("GIT_INDEX_FILE", str(repository.git_dir / "index")))
    return list_staged(repository._replace(variables=variables), folder)


def write_journal(repository: Repository, lines: Sequence[JournalLine]) -> None:
    """Write the journal before the entries are put into a temporary index.

    Raises:
        GitStateError: The git directory may not be written.
    """
    text = b"".join(b"%b\t%b\0" % ("\t".join(map(_spell, line[1:])).encode(), decode_path(line.path)) for line in lines)
    text = b"%b\0" % _find_head(repository).encode() + text
    apply_writes(repository.local_dir, {_NAME: b"%08x\0" % crc32(text) + text})


def drop_journal(repository: Repository) -> None:
    """Remove the journal of a commit that was not made."""
    with suppress(OSError):  # a journal that stays is compared with HEAD and changes nothing
        _locate(repository).unlink(missing_ok=True)


def finish_journal(repository: Repository, folder: str) -> list[JournalLine]:
    """Do the work of a post-commit hook that was killed or never ran; for the next hook, and for refresh.

    Behind a temporary index the real one is git's own until the commit is made. Then nothing is changed, and the
    lines that still hold are returned, to be written again along with those of this commit.

    Args:
        repository: The repository; the caller holds its lock.
        folder: The folder that contains all the paths.

    Raises:
        GitStateError: Git cannot read or change the index.
    """
    found = _read(_locate(repository))
    if not found.lines:
        return []
    if found.head == _find_head(repository):
        return []  # no commit was made since, so there is nothing to follow
    if is_temporary_index():
        head = _ask_head(repository, found.lines)
        return [line for line, committed in zip(found.lines, head, strict=True) if is_same(line.new, committed)]
    _replay(repository, folder, found.lines)
    if not os.environ.get("GIT_INDEX_FILE", "").endswith(".lock"):  # else the commit may fail, and its index is lost
        drop_journal(repository)
    return []


def replay_journal(repository: Repository, folder: str) -> int:
    """Update the real index from the journal after a commit, except entries that somebody else has changed meanwhile.

    Args:
        repository: The repository.
        folder: The folder that contains all the paths.

    Returns:
        The number of entries changed.

    Raises:
        GitStateError: Git cannot read or change the index.
    """
    changed = _replay(repository, folder, _read(_locate(repository)).lines)
    drop_journal(repository)
    return changed


def _replay(repository: Repository, folder: str, lines: Sequence[JournalLine]) -> int:
    if not lines:
        return 0
    index, head = list_staged(repository, folder), _ask_head(repository, lines)
    changes = {
        line.path: line.target
        for line, committed in zip(lines, head, strict=True)
        if is_same(line.new, committed)
        and not is_same(index.get(line.path), line.target)
        and any(is_same(index.get(line.path), old) for old in (line.before, line.real))
    }
    if changes:
        stage_entries(repository, changes)
    return len(changes)


def _locate(repository: Repository) -> Path:
    return repository.local_dir / _NAME


def _spell(entry: Staged | None) -> str:
    return f"{entry.mode:o},{entry.blob},{int(entry.sparse)}" if entry else _NOTHING


def _parse(text: str) -> Staged | None:
    if text == _NOTHING:
        return None
    mode, blob, sparse = text.split(",")
    return Staged(int(mode, 8), blob, sparse == "1")


def _find_head(repository: Repository) -> str:
    return find_commit(repository, "HEAD") or _NOTHING


def _read(file: Path) -> _Journal:
    """The journal; without lines if there is none or it is damaged."""
    try:
        digest, _, text = file.read_bytes().partition(b"\0")
    except OSError:
        return _Journal("", [])
    if digest != b"%08x" % crc32(text):
        return _Journal("", [])
    head, *records = text.split(b"\0")[:-1]
    lines = []
    for record in records:
        fields = record.split(b"\t", _FIELDS - 1)
        try:
            new, target, before, real = (_parse(field.decode()) for field in fields[: _FIELDS - 1])
        except ValueError:
            return _Journal("", [])
        lines.append(JournalLine(encode_path(fields[-1]), new, target, before, real))
    return _Journal(head.decode(), lines)


def is_same(one: Staged | None, other: Staged | None) -> bool:
    """Whether two index entries have the same mode and blob, or both are missing."""
    return (one and one[:2]) == (other and other[:2])


def _ask_head(repository: Repository, lines: Sequence[JournalLine]) -> list[Staged | None]:
    """HEAD's entry at each path, with the mode that the journal line has."""
    wanted = b"".join(b"HEAD:%b\n" % decode_path(line.path) for line in lines)
    answers = repository.ask("read HEAD", "cat-file", "--batch-check=%(objectname) %(objecttype)", stdin=wanted)
    out: list[Staged | None] = []
    for line, answer in zip(lines, answers.decode(errors="replace").splitlines(), strict=True):
        blob, _, kind = answer.partition(" ")
        mode = line.new.mode if line.new else 0
        out.append(Staged(mode, blob) if kind == "blob" else None)
    return out
