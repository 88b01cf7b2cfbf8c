"""Entries put into a commit's temporary index in; the same entries put into the real index, after the commit, out.

`git commit <path>` makes its commit from a temporary index and then goes on with the real one, which has never seen
what a pre-commit hook added. Without a repair the next `git status` shows those files as if they were to be reverted.
"""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from codecortex.git.hooks.staging import Staged, list_staged, stage_entries
from codecortex.git.paths import decode_path, encode_path
from codecortex.git.worktree.writing import apply_writes

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from codecortex.git.repository import Repository

_TEMPORARY = "next-index-"
_NAME = "journal"
_NOTHING = "-"
_FIELDS = 5


class JournalLine(NamedTuple):
    """One file that the real index shall hold as the commit does.

    Attributes:
        path: Of the file.
        new: What the commit holds, None where it does not have the file.
        target: What the real index shall hold; another than `new` only where a person staged something there.
        before: What the temporary index held before; git may put the same into the real one.
        real: What the real index held while the hook ran.
    """

    path: str
    new: Staged | None
    target: Staged | None
    before: Staged | None
    real: Staged | None


def is_temporary_index() -> bool:
    """Whether the index that git gave this process is made for one commit and thrown away after it."""
    return os.path.basename(os.environ.get("GIT_INDEX_FILE", "")).startswith(_TEMPORARY)  # noqa: PTH119 - no path work


def list_real(repository: Repository, folder: str) -> dict[str, Staged]:
    """What the real index holds below a folder while git has given this process a temporary one.

    Raises:
        GitStateError: Git cannot read it.
    """
    variables = (*repository.variables, ("GIT_INDEX_FILE", str(repository.git_dir / "index")))
    return list_staged(replace(repository, variables=variables), folder)


def write_journal(repository: Repository, lines: Sequence[JournalLine]) -> None:
    """Note what is about to be put into a temporary index.

    Raises:
        GitStateError: The git directory may not be written.
    """
    text = b"".join(b"%b\t%b\0" % ("\t".join(map(_spell, line[1:])).encode(), decode_path(line.path)) for line in lines)
    apply_writes(repository.local_dir, {_NAME: text})


def drop_journal(repository: Repository) -> None:
    """Forget a journal whose commit never came to be."""
    with suppress(OSError):  # one that stays is judged by what HEAD holds, and does nothing
        _locate(repository).unlink(missing_ok=True)


def replay_journal(repository: Repository, folder: str) -> int:
    """Bring the real index after the last commit, where nobody else has changed it meanwhile.

    Args:
        repository: Where.
        folder: The folder that all the paths lie in.

    Returns:
        How many entries changed.

    Raises:
        GitStateError: Git cannot read or change the index.
    """
    lines = _read(_locate(repository))
    if not lines:
        drop_journal(repository)
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
    drop_journal(repository)
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


def _read(file: Path) -> list[JournalLine]:
    """The lines; none where there is no journal, or what stands there is none."""
    try:
        records = file.read_bytes().split(b"\0")[:-1]
    except OSError:
        return []
    lines = []
    for record in records:
        fields = record.split(b"\t", _FIELDS - 1)
        try:
            new, target, before, real = (_parse(field.decode()) for field in fields[: _FIELDS - 1])
        except ValueError:
            return []
        lines.append(JournalLine(encode_path(fields[-1]), new, target, before, real))
    return lines


def is_same(one: Staged | None, other: Staged | None) -> bool:
    """Whether two entries of an index hold the same file, or neither holds one."""
    return (one and one[:2]) == (other and other[:2])


def _ask_head(repository: Repository, lines: Sequence[JournalLine]) -> list[Staged | None]:
    """What HEAD holds at each path; the mode is taken for the one we write."""
    wanted = b"".join(b"HEAD:%b\n" % decode_path(line.path) for line in lines)
    answers = repository.ask("read HEAD", "cat-file", "--batch-check=%(objectname) %(objecttype)", stdin=wanted)
    out: list[Staged | None] = []
    for line, answer in zip(lines, answers.decode(errors="replace").splitlines(), strict=True):
        blob, _, kind = answer.partition(" ")
        mode = line.new.mode if line.new else 0
        out.append(Staged(mode, blob) if kind == "blob" else None)
    return out
