"""Reads the index entries of one folder, writes blobs, and changes exactly the given index entries.

The index is the one that GIT_INDEX_FILE names: git tells a hook in this way what it is about to commit. Nothing is
added by a path that git would look up in the work tree: what else is staged, unstaged or untracked stays as it is.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Self

from codecortex.git.listing import REGULAR
from codecortex.git.paths import decode_path, encode_path
from codecortex.git.process import start_git
from codecortex.model.errors import GitStateError
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from pathlib import Path

    from codecortex.git.repository import Repository

_INDEX = "GIT_INDEX_FILE"
_PATIENCE = 2.0
_PAUSE = 0.05
_REGULAR, _MODE_AT = "100644 ", 2  # as each record has it, behind a tag


class Staged(NamedTuple):
    """One entry of an index.

    Attributes:
        mode: As in git, such as 0o100644.
        blob: Its blob id.
        sparse: Whether a sparse checkout keeps the file out of the work tree.
    """

    mode: int
    blob: str
    sparse: bool = False


def list_staged(repository: Repository, folder: str) -> dict[str, Staged]:
    """The index entries below a folder, by path.

    Raises:
        GitStateError: One of them is unmerged, or git cannot read the index.
    """
    output = os.fsdecode(repository.ask("list the index", "ls-files", "-s", "-t", "-z", "--", folder))
    entries = {}
    make = partial(tuple.__new__, Staged)  # at half of what the class costs, for every outline
    for record in output.split("\0")[:-1]:
        facts, _, path = record.partition("\t")
        if not path.isascii() or not path.isprintable() or "%" in path:
            path = encode_path(os.fsencode(path))
        if not facts.endswith(" 0"):
            raise GitStateError(
                f"{path} is unmerged, so the index holds no single version of it.",
                "Take either side and `git add` it; codecortex writes it anew with the next commit or refresh.",
            )
        mode = REGULAR if facts.startswith(_REGULAR, _MODE_AT) else int(facts[2:8], 8)
        entries[path] = make((mode, facts[9:-2], facts.startswith("S")))
    return entries


class Comparison:
    """A comparison of the work tree with the index by a git process in the background.

    Args:
        repository: The repository.
        watched: Files and folders to compare.

    Raises:
        GitStateError: Git cannot be started.
    """

    def __init__(self, repository: Repository, watched: tuple[str, ...]) -> None:
        arguments = ("ls-files", "-t", "-m", "-d", "-o", "-z", "--", *watched)
        self._git = start_git(repository.folder, arguments, dict(repository.variables))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._git.returncode is None:
            self._git.kill()
            self._git.communicate()

    def result(self) -> frozenset[str]:
        """Wait for the paths whose file is changed, missing, or not in the index.

        Raises:
            GitStateError: Git failed.
        """
        output, _ = self._git.communicate()
        if self._git.returncode:
            raise GitStateError("Git could not compare the work tree with the index.", "Run `git status` to see why.")
        return frozenset(encode_path(line[2:]) for line in output.split(b"\0")[:-1])


def list_committed(repository: Repository, treeish: str, folder: str) -> dict[str, Staged]:
    """The entries of a commit or a tree below a folder, by path.

    Raises:
        GitStateError: Git cannot list it.
    """
    output = repository.ask(f"list {treeish}", "ls-tree", "-r", "-z", "--full-tree", treeish, "--", folder)
    entries = {}
    for record in output.split(b"\0")[:-1]:
        facts, _, name = record.partition(b"\t")
        mode, _kind, blob = facts.decode().split(" ")
        entries[encode_path(name)] = Staged(int(mode, 8), blob)
    return entries


def list_held(repository: Repository, treeish: str | None, folder: str) -> dict[str, Staged]:
    """The entries below a folder, by path, of a commit or a tree, or of the index for None.

    Raises:
        GitStateError: Git cannot list it.
    """
    return list_staged(repository, folder) if treeish is None else list_committed(repository, treeish, folder)


def read_blob(repository: Repository, blob: str) -> bytes:
    """The bytes of one blob.

    Raises:
        GitStateError: The blob is not in this clone.
    """
    return repository.ask(f"read blob {blob}", "cat-file", "blob", blob)


def read_held(repository: Repository, treeish: str | None, path: str) -> bytes | None:
    """The bytes of one file in a commit or a tree, or in the index for None; None if there is no such file.

    Raises:
        GitStateError: The file is unmerged, or not in this clone.
    """
    held = list_held(repository, treeish, path)
    return read_blob(repository, held[path].blob) if path in held else None


def store_blobs(repository: Repository, contents: Collection[bytes], scratch: Path) -> None:
    """Write blobs to the object store without any filter.

    Args:
        repository: The repository.
        contents: The bytes of each blob.
        scratch: A folder for this call alone, created and removed here, together with leftovers of a killed run.

    Raises:
        GitStateError: The disk or git refuses.
    """
    import shutil

    try:
        shutil.rmtree(scratch, ignore_errors=True)
        scratch.mkdir(parents=True)
        for number, data in enumerate(contents):
            (scratch / str(number)).write_bytes(data)
    except OSError as error:
        raise GitStateError(f"Cannot write {scratch}: {error.strerror}.", "Make room or grant access.") from error
    names = b"".join(os.fsencode(scratch / str(number)) + b"\n" for number in range(len(contents)))
    try:
        repository.ask("store blobs", "hash-object", "-w", "--no-filters", "--stdin-paths", stdin=names)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def stage_entries(repository: Repository, entries: Mapping[str, Staged | None]) -> None:
    """Put these entries into the index in one atomic step; None removes an entry.

    Waits up to two seconds while another git process has the index locked.

    Raises:
        GitStateError: Git refuses.
    """
    nothing = "0" * repository.id_length
    lines = [
        b"%b\t%b" % (f"{entry.mode:o} {entry.blob}".encode() if entry else f"0 {nothing}".encode(), decode_path(path))
        for path, entry in entries.items()
    ]
    _ask_patiently(repository, b"".join(line + b"\0" for line in lines), "--index-info")
    sparse = [decode_path(path) for path, entry in entries.items() if entry is not None and entry.sparse]
    if sparse:
        _ask_patiently(repository, b"".join(path + b"\0" for path in sparse), "--skip-worktree", "--stdin")


def _drop_dead_lock(repository: Repository) -> None:
    """Remove the lock of a commit's own index that a process killed in an earlier commit left.

    `git commit` writes its index under the name of a lock, so the lock of that one has a name that every commit uses
    again. One that is older than the index itself has no owner: whoever made it was locking another commit's index.
    Nor has the lock of the index of a `git commit <path>` that is gone.
    """
    index = repository.folder / (dict(repository.variables).get(_INDEX) or os.environ.get(_INDEX) or "")
    lock = index.with_name(f"{index.name}.lock")
    if not index.name.endswith(".lock"):
        return
    with suppress(OSError):
        if lock.lstat().st_mtime_ns < index.lstat().st_mtime_ns:
            lock.unlink()
    for left in index.parent.glob("next-index-*.lock.lock"):
        if not left.with_suffix("").exists():
            left.unlink(missing_ok=True)


def _ask_patiently(repository: Repository, stdin: bytes, *options: str) -> None:
    _drop_dead_lock(repository)
    deadline = time.monotonic() + _PATIENCE
    while True:
        try:
            repository.ask("change the index", "update-index", "-z", *options, stdin=stdin)
        except GitStateError as error:
            if ".lock" not in error.message or time.monotonic() > deadline:
                raise
            time.sleep(_PAUSE)
        else:
            return
