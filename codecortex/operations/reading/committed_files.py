"""The files of a tree's `.codecortex`: names, blob ids and contents."""

from __future__ import annotations

from hashlib import sha256
from stat import S_ISREG
from typing import TYPE_CHECKING, Self

from codecortex.git.ignored import list_ignored
from codecortex.git.repository import open_repository
from codecortex.git.worktree.disk import Disk, Problem, hash_blob
from codecortex.git.worktree.folder_digest import FolderDigest
from codecortex.git.worktree.stamps import stamp_files, stamp_folder
from codecortex.model.errors import UsageError
from codecortex.operations.folder import require_folder
from codecortex.store.paths import FOLDER, LOCAL, TYPES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from codecortex.git.repository import Repository
    from codecortex.git.worktree.stamps import Stamp
    from codecortex.operations.reading.snapshot import Snapshot
    from codecortex.operations.request import Request


def open_committed(request: Request, repository: Repository) -> DiskFiles | GitFiles:
    """The files of the requested tree; a context manager.

    Raises:
        UsageError: The tree has no `.codecortex`.
    """
    return DiskFiles(repository) if request.reads_worktree else GitFiles(repository, request.rev)


def find_root(folder: Path) -> Path:
    """The work tree around a folder.

    Raises:
        GitStateError: There is none.
    """
    return open_repository(folder).require_root()


class DiskFiles:
    """The files in the work tree, whether or not git tracks them."""

    def __init__(self, repository: Repository) -> None:
        self._root = require_folder(repository)
        self._repository = repository
        self._outlines = FolderDigest(repository, (TYPES,), ())  # runs in parallel with the next git call
        self._others: dict[str, Stamp] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._outlines.result()

    def digest(self) -> str:
        """A digest that differs whenever a file was touched."""
        for entry in sorted((self._root / FOLDER).iterdir()):
            path = f"{FOLDER}/{entry.name}"
            if entry.is_dir() and not entry.is_symlink():
                if path not in (LOCAL, TYPES):
                    self._others |= stamp_folder(self._root, path)
            else:
                self._others |= stamp_files(self._root, [path])
        outlines = self._outlines.result() or repr(sorted(stamp_folder(self._root, TYPES).items()))
        return sha256(f"{outlines}{sorted(self._others.items())}".encode("utf-8", "replace")).hexdigest()

    def list_blobs(self, known: Snapshot | None) -> Mapping[str, str]:
        """The blob id of every file, empty for anything but a regular file.

        Args:
            known: The last refresh's snapshot: files with unchanged stamps are not read.
        """
        stamps = stamp_folder(self._root, TYPES) | self._others
        blobs: dict[str, str] = {}
        if known is not None:
            same = {path for path, stamp in known.stamps.items() if stamps.get(path) == stamp}
            blobs = {path: blob for path, blob in known.blobs.items() if path in same}
        for path, data in self.read(stamps.keys() - blobs.keys()).items():
            blobs[path] = hash_blob(data, self._repository.object_format)
        return dict.fromkeys(stamps, "") | blobs

    def read(self, paths: Iterable[str]) -> dict[str, bytes]:
        """The bytes of each file that can be read."""
        disk = Disk(self._root)
        found = {path: disk.read(path.encode("utf-8", "surrogateescape")) for path in paths}
        return {path: data for path, data in found.items() if not isinstance(data, Problem)}

    def list_ignored(self, paths: Iterable[str]) -> set[str]:
        """The given paths that git ignores."""
        return list_ignored(self._repository, paths)


class GitFiles:
    """The files in the index or in a revision."""

    def __init__(self, repository: Repository, rev: str | None) -> None:
        self._repository = repository
        self._rev = rev
        self._blobs: dict[str, str] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing to close."""

    def digest(self) -> str:
        """A digest that differs whenever a file differs."""
        return sha256(repr(list(self._list().items())).encode("utf-8", "replace")).hexdigest()

    def list_blobs(self, _known: Snapshot | None) -> Mapping[str, str]:
        """The blob id of every file, empty for anything but a regular file."""
        return self._list()

    def _list(self) -> dict[str, str]:
        if not self._blobs:
            from codecortex.git.hooks.staging import list_held

            self._blobs = {
                path: entry.blob if S_ISREG(entry.mode) else ""
                for path, entry in list_held(self._repository, self._rev, FOLDER).items()
                if not path.startswith(f"{LOCAL}/")
            }
        if not self._blobs:
            where = "what is staged" if self._rev is None else f"revision {self._rev!r}"
            raise UsageError(f"There is no {FOLDER} in {where}.", "Run `codecortex init`, refresh and commit it first.")
        return self._blobs

    def read(self, paths: Iterable[str]) -> dict[str, bytes]:
        """The bytes of each file that can be read."""
        from codecortex.git.contents import read_blobs

        blobs = self._list()
        return read_blobs(self._repository, {path: blobs[path] for path in paths if blobs.get(path)})

    def list_ignored(self, _paths: Iterable[str]) -> set[str]:
        """None: files in git are not ignored."""
        return set()
