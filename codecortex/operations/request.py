"""What a command asks to read: folder, tree, build flavour, and callbacks for warnings and progress."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any

from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path


def say_nothing(*_: object) -> None:
    """Ignore a message."""


class Count(StrEnum):
    """What operations count for the metrics; see `operations/metrics.py`."""

    TYPES = "types"
    HITS = "hits"
    PARSED = "parsed"
    CACHED = "cached"
    WARM = "warm"
    BUILT = "built"
    NODES_KEPT = "nodesKept"
    NODES_MADE = "nodesMade"
    OUTLINES = "outlines"
    MEMORY = "memoryMb"
    TOKENS = "tokens"
    TOKEN_BUDGET = "tokenBudget"  # noqa: S105 - of text, not of a login
    CHARS = "chars"
    CHAR_BUDGET = "charBudget"
    EDITS = "edits"
    APPLIED = "applied"
    ROLLBACKS = "rollbacks"


class Unread(NamedTuple):
    """A file without facts, and the reason."""

    path: str
    reason: str


class Asked(NamedTuple):
    """The symbol that a request turned out to be about.

    Attributes:
        resolved: Its `path`; of a type and of a member `typeId`; of one member `memberId`.
        alternatives: What is public and near, where it is not: `id` and `fqn` of each.
    """

    resolved: Mapping[str, str]
    alternatives: tuple[Mapping[str, str], ...] = ()

    def as_json(self) -> dict[str, Any]:
        """What each answer about a symbol says of it."""
        near = {"publicAlternatives": list(self.alternatives)} if self.alternatives else {}
        return {"resolved": dict(self.resolved), **near}


class Request(NamedTuple):
    """A request to read a repository.

    Attributes:
        folder: Any folder in the repository.
        staged: Read the index instead of the work tree.
        rev: Read this tree-ish instead of the work tree.
        tfm: Target framework, overriding the configuration.
        configuration: Build configuration.
        define: Preprocessor symbols, besides those of the configuration.
        lasting: Whether this process answers further requests, so that what is costly to open is kept open.
        jobs: Number of processes to read with; None for one per processor.
        upgrade: Overwrite files that an older codecortex wrote.
        caches: Whether the local cache is read and written; answers are the same without it.
        read_only: Whether it is only read.
        untracked: Whether sources that git does not track are read too, whatever the configuration says.
        warn: Called with each message about a problem that did not stop the work.
        progress: Called with the current activity, the amount done, and the total.
        tally: Called with numbers for the metrics.
        asked: Called with what describes a symbol that the request means, if anybody wants to know.
    """

    folder: Path
    staged: bool = False
    rev: str | None = None
    tfm: str | None = None
    configuration: str | None = None
    define: tuple[str, ...] = ()
    lasting: bool = False
    jobs: int | None = None
    upgrade: bool = False
    caches: bool = True
    read_only: bool = False
    untracked: bool = False
    warn: Callable[[str], None] = say_nothing
    progress: Callable[[str, int, int], None] = say_nothing
    tally: Callable[[Count, int], None] = say_nothing
    asked: Callable[[Callable[[], Asked]], None] = say_nothing

    @property
    def reads_worktree(self) -> bool:
        """Whether files are read from disk rather than from git."""
        return self.rev is None and not self.staged
