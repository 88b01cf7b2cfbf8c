"""The git repository around a folder, and how to run git in it."""

from __future__ import annotations

import os
from pathlib import Path

from codecortex.git.process import Call, begin_git, drop_git, run_git
from codecortex.model.errors import GitStateError
from codecortex.model.startup.named_tuple import NamedTuple

_QUESTIONS = ("--show-object-format", "--is-bare-repository", "--absolute-git-dir", "--git-common-dir")


class Repository(NamedTuple):
    """The folders of a repository; picklable, for worker processes.

    Attributes:
        root: The work tree, absolute; None in a bare repository or inside a git directory.
        git_dir: The git directory of this work tree, absolute.
        common_dir: The git directory shared by all linked work trees, absolute.
        object_format: `sha1` or `sha256`.
        variables: The environment variables that make every git call use this repository, whatever folder it runs in;
            GIT_INDEX_FILE is inherited.
        lasting: Whether the process keeps asking, so that what is costly to open pays off (`git/objects`).
    """

    root: Path | None
    git_dir: Path
    common_dir: Path
    object_format: str
    variables: tuple[tuple[str, str], ...]
    lasting: bool = False

    @property
    def id_length(self) -> int:
        """The number of hexadecimal digits of an object id."""
        return 64 if self.object_format == "sha256" else 40

    @property
    def folder(self) -> Path:
        """The folder in which git commands run."""
        return self.root or self.git_dir

    @property
    def index_file(self) -> Path:
        """Git's index, or the one that `GIT_INDEX_FILE` names."""
        other = os.environ.get("GIT_INDEX_FILE")
        return self.folder / other if other else self.git_dir / "index"

    @property
    def local_dir(self) -> Path:
        """The folder for codecortex files of this work tree; it may not exist."""
        return self.git_dir / "codecortex"

    @property
    def applying_note(self) -> Path:
        """The file that is there while files change all at once, or where that was interrupted; `sessions/applying`."""
        return self.local_dir / "applying"

    @property
    def is_applying(self) -> bool:
        """Whether files change all at once right now, or did when a process was killed."""
        return self.applying_note.exists()

    @property
    def shared_dir(self) -> Path:
        """The folder for codecortex files shared by all linked work trees; it may not exist."""
        return self.common_dir / "codecortex"

    def require_root(self, hint: str = "Run this in a work tree.") -> Path:
        """The work tree.

        Args:
            hint: The next step if there is no work tree.

        Raises:
            GitStateError: There is no work tree.
        """
        if self.root is None:
            raise GitStateError(f"{self.git_dir} has no work tree here.", hint)
        return self.root

    def ask(self, purpose: str, *arguments: str, stdin: bytes = b"") -> bytes:
        """Run one git command and return its stdout.

        Raises:
            GitStateError: It failed; `purpose` completes "Git could not ...".
        """
        return self.ask_all(Call(purpose, arguments, stdin))[0]

    def ask_all(self, *calls: Call) -> list[bytes]:
        """Run git commands concurrently and return the stdout of each.

        Raises:
            GitStateError: One of them failed.
        """
        return run_git(self.folder, calls, dict(self.variables))

    def begin(self, *calls: Call) -> None:
        """Start git commands that `ask_all` will soon be asked for.

        Raises:
            GitStateError: Git cannot be started.
        """
        begin_git(self.folder, calls, dict(self.variables))

    def drop(self, call: Call) -> None:
        """End a command that was begun and that nobody needs."""
        drop_git(self.folder, call, dict(self.variables))


_opened: dict[Path, Repository] = {}  # what is opened once more at once


def forget_opened() -> None:
    """Have git asked again of all that was to be opened once more and was not."""
    _opened.clear()


def open_repository(start: Path, *, lasting: bool = False, again: bool = False) -> Repository:
    """Find the repository around `start`, honouring GIT_DIR, GIT_WORK_TREE and GIT_INDEX_FILE.

    Args:
        start: A folder in it.
        lasting: Whether the process goes on asking of it.
        again: Whether it will be opened once more at once, by somebody else; git is not asked again for that.

    Raises:
        GitStateError: There is none, git is missing or refuses to use it, or it is damaged.
    """
    if start in _opened:
        return _opened.pop(start)._replace(lasting=lasting)
    if not os.path.isdir(start):  # noqa: PTH112 - Path.is_dir raises where a parent may not be entered
        raise GitStateError(f"There is no folder {start}.")
    # Outside a work tree the last question fails, after the others have been answered.
    call = Call(
        f"open a repository at {start}",
        ("rev-parse", "--path-format=absolute", *_QUESTIONS, "--show-toplevel"),
        accept=(0, 128),
    )
    answers = os.fsdecode(run_git(start, (call,), {})[0]).split("\n")[:-1]
    if len(answers) not in (len(_QUESTIONS), len(_QUESTIONS) + 1):
        run_git(start, (call._replace(accept=(0,)),), {})
        raise GitStateError(
            f"Git's answers about {start} make no sense: {answers}.",
            "codecortex needs git 2.31 or newer, and no line feed in the path of a repository.",
        )
    found = _assemble(*answers)._replace(lasting=lasting)
    if again:
        _opened[start] = found
    return found


def _assemble(object_format: str, _bare: str, git_dir: str, common_dir: str, toplevel: str = "") -> Repository:
    root = Path(toplevel) if toplevel else None
    variables = {"GIT_DIR": git_dir}
    if root is not None:
        variables["GIT_WORK_TREE"] = toplevel
    return Repository(root, Path(git_dir), Path(common_dir), object_format, tuple(variables.items()))
