"""What git says of a whole work tree, asked once: for a listing of its sources, and for a digest of other files."""

from __future__ import annotations

import os
from functools import cached_property
from typing import TYPE_CHECKING, Self

from codecortex.git.process import Call, abandon_git
from codecortex.git.worktree.folder_counts import count_files
from codecortex.git.worktree.records import OUTLINE, OUTLINES, choose_changes, drop_outlines, take_clean
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Iterable

    from codecortex.git.repository import Repository
    from codecortex.git.worktree.folder_counts import FolderCounts
    from codecortex.git.worktree.records import Clean

INDEX = Call("list the index", ("ls-files", "-s", "-v", "-z"))
CHANGES = Call("compare the work tree with the index", ("diff-files", "--raw", "-z", "--ignore-submodules=all"))
HEAD = Call("resolve HEAD", ("rev-parse", "--verify", "--quiet", "HEAD^{commit}"), accept=(0, 1, 128))
UNTRACKED = Call("list untracked files", ("ls-files", "-o", "--directory", "--no-empty-directory", "-z"))

_BUT_OUTLINES = ("--", ":(top)", f":(top,exclude,glob){OUTLINES.decode()}**/*{OUTLINE.decode()}")
_TAGGED = compile_later(rb"(?:\A|\0)(?!H |\Z)")
_FEW, _FILES = 16, 100
"""To count again in so many folders with so many files each costs no more than to remember what is in them."""


class KnownIndex(NamedTuple):
    """What is known of an index of which git looks at each file.

    Attributes:
        digest: Its digest.
        suffixes: How the names of the files end that `clean` tells of.
        clean: What it says of them, but of outlines.
        total: The sum over the files that a `FolderDigest` is of, in hexadecimal.
        number: How many files these are.
    """

    digest: str
    suffixes: tuple[str, ...]
    clean: Clean
    total: str
    number: int


class Counted(NamedTuple):
    """What to know the next time, to tell whether there are untracked files where these count.

    Attributes:
        some: Whether there were some: then git is to list them at once.
        folders: What lay in each folder.
    """

    some: bool
    folders: FolderCounts


class Look:
    """Git's answers about a work tree; each is waited for when asked for.

    What differs from the index is begun at once, with `HEAD`.

    Args:
        repository: The repository.
        folders: Folders in which untracked files count, ignored ones too.
        files: Such files.

    Attributes:
        digest: The digest at the end of git's index, just before it was read: with the same one, the index is the same,
            and so is what git lists of it unless the work tree is a sparse one. Empty if it has none, or git does not
            see into the folders.
        sees_folders: Whether it does.
        counted: What is known of untracked files, and worth remembering once they were asked for.
    """

    def __init__(self, repository: Repository, folders: tuple[str, ...], files: tuple[str, ...]) -> None:
        self.sees_folders = not hides_files(repository, folders)
        self.digest = digest_index(repository) if self.sees_folders else ""
        self._repository = repository
        self.counted = Counted(some=False, folders={})
        self._recalled: KnownIndex | None = None
        self._number: int | None = None
        self._clean: dict[tuple[str, ...], Clean] = {}
        self._folders, self._files = folders, files
        self._untracked = UNTRACKED.narrow([path.encode() for path in (*files, *folders)])
        self._lists = not self.digest
        repository.begin(CHANGES, HEAD, *((self._untracked,) if self._lists else ()))

    def begin_lists(self) -> None:
        """Have git list an index of which nothing is known, and untracked files; else that begins when it is needed."""
        self._repository.begin(INDEX)
        self._begin_untracked()

    def _begin_untracked(self) -> None:
        if not self._lists:
            self._lists = True
            self._repository.begin(self._untracked)

    def recall_counted(self, counted: Counted) -> None:
        """Take what was counted earlier; where untracked files were found, git is to list them again."""
        self.counted = counted
        if counted.some:
            self._begin_untracked()

    def recall_number(self, number: int) -> None:
        """Take how many files the index has where untracked ones count, if that is known.

        For git to list what is untracked it reads the index and all folders: far more work than counting.
        """
        self._number = number

    def recall(self, known: KnownIndex | None) -> None:
        """Take what is known of an index, if that is what it was: then git's list of it is not waited for."""
        if known is not None and known.digest == self.digest:
            self._recalled = known
            self.recall_number(known.number)

    @property
    def known(self) -> KnownIndex | None:
        """What is known of the index, if it is what git compared the work tree with."""
        return self._recalled if self._recalled is not None and self.changes is not None and self.is_same else None

    @property
    def is_same(self) -> bool:
        """Whether the index still has its digest."""
        return digest_index(self._repository) == self.digest

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        abandon_git()

    @property
    def finds_nothing(self) -> bool:
        """Whether all files are as the index has them, as far as git looks, and no untracked ones lie where they count.

        Raises:
            GitStateError: Git cannot read the index or the work tree; so do all others.
        """
        return not self.untracked and not self.changes  # what is counted is counted while git compares

    @property
    def looks_at_all(self) -> bool:
        """Whether git looks at each file of the index: none is assumed to be unchanged or left out of the work tree."""
        return self.known is not None or (_TAGGED.search(self.index) is None and not _is_sparse(self._repository))

    @cached_property
    def index(self) -> bytes:
        """A record for each file of the index, sorted by path: a tag, mode, blob id, stage, tab, path."""
        return self._repository.ask_all(INDEX)[0]

    def take_clean(self, suffixes: tuple[str, ...]) -> Clean:
        """What the index says of the files whose names end so, but of outlines."""
        known = self.known
        if known is not None and known.suffixes == suffixes:
            return known.clean
        if suffixes not in self._clean:
            self._clean[suffixes] = take_clean(drop_outlines(self.index), suffixes)
        return self._clean[suffixes]

    @cached_property
    def changes(self) -> bytes:
        """Two for each file that differs from the index: `:modes ids status`, and its path."""
        return self._repository.ask_all(CHANGES)[0]

    @cached_property
    def untracked(self) -> bytes:
        """One for each untracked file where these count, or for the folder in which all are."""
        if self._number is not None and not self._lists and self._has_as_many(self._number) and self.is_same:
            return b""
        found = self._repository.ask_all(self._untracked)[0]
        self.counted = self.counted._replace(some=bool(found))
        return found

    def _has_as_many(self, number: int) -> bool:
        """Whether as many files are where untracked ones count as the index has, without those that git misses."""
        root, known = self._repository.require_root(), self.counted.folders
        present, counts = count_files(root, self._folders, self._files, known)
        new = counts.items() - known.items()
        if sum(1 + count.files // _FILES for _, count in new) > _FEW:
            self.counted = self.counted._replace(folders=counts)
        for _, facts in choose_changes(self.changes, self._folders, self._files):
            if not facts.endswith((b"D", b"M")):
                return False
            number -= facts.endswith(b"D")
        return present == number


_begun: dict[object, Look] = {}  # by what they are of


def begin_look(repository: Repository, folders: tuple[str, ...], files: tuple[str, ...]) -> None:
    """Begin a look that `take_look` will soon be asked for; it takes it up once."""
    _begun[os.getpid(), repository.folder, folders, files] = Look(repository, folders, files)


def take_look(repository: Repository, folders: tuple[str, ...], files: tuple[str, ...]) -> Look:
    """The look that was begun, or one that begins now."""
    begun = _begun.pop((os.getpid(), repository.folder, folders, files), None)
    return Look(repository, folders, files) if begun is None else begun


def abandon_looks() -> None:
    """End all that git was asked and nobody took up."""
    _begun.clear()
    abandon_git()


def digest_index(repository: Repository) -> str:
    """The digest that ends git's index and tells all that stands in it; empty if there is none."""
    try:
        with open(repository.index_file, "rb") as file:  # noqa: PTH123 - pathlib costs a short process more
            file.seek(-repository.id_length // 2, os.SEEK_END)
            found = file.read()
    except OSError:
        return ""
    return found.hex() if any(found) else ""  # `index.skipHash` leaves zeros


def _is_sparse(repository: Repository) -> bool:
    """Whether files may be left out of the work tree, or were.

    Then what git says of an index depends on which of these are there.
    """
    if (repository.git_dir / "info" / "sparse-checkout").exists():
        return True
    settings = (repository.common_dir / "config", repository.git_dir / "config.worktree")
    return any(b"sparsecheckout" in file.read_bytes().lower() for file in settings if file.is_file())


def hides_files(repository: Repository, folders: Iterable[str]) -> bool:
    """Whether one of some folders is in a repository of its own, into which git does not look."""
    root = os.fspath(repository.require_root())
    around = {folder.rpartition("/")[0] for folder in folders} - {""}
    return any(os.path.lexists(f"{root}/{folder}/.git") for folder in (*around, *folders))


def leave_out_outlines(call: Call) -> Call:
    """A call about files without the outlines, of which there is one for each type."""
    return call._replace(arguments=(*call.arguments, *_BUT_OUTLINES))
