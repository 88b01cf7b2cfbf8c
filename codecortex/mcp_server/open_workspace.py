"""Keeps one workspace open for all questions of a client, and one of the session that was last asked of.

Nothing is read before the first question. The workspace is updated before each further one, and reopened after anything
that may have left it half-read: a failure, a cancelled question, a repository replaced by another.
"""

from __future__ import annotations

import logging
import os
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from codecortex.model.errors import CodecortexError
from codecortex.operations.metrics import measure
from codecortex.operations.request import Count, say_nothing
from codecortex.operations.trace import Trace

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.request import Asked, Request

_T = TypeVar("_T")
_LOG = logging.getLogger(__name__)


class Cancelled(BaseException):
    """The client cancelled the call; not an Exception, so that no handler takes it for an error."""


async def wait_for_nothing() -> None:
    """Wait for nothing: the client asked for no progress."""


@dataclass(slots=True)
class Call:
    """One call while it is worked on.

    Attributes:
        report: Called with the current activity, the amount done, and the total.
        settle: Waits until everything that was reported is on its way to the client.
        warnings: Warnings, each once.
        counts: Numbers for the metrics.
        cancelled: Whether the client cancelled the call.
        trace: What its answer says of itself.
    """

    report: Callable[[str, int, int], None] = say_nothing
    settle: Callable[[], Awaitable[None]] = wait_for_nothing
    warnings: list[str] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    cancelled: bool = False
    trace: Trace = field(default_factory=Trace)

    def warn(self, text: str) -> None:
        """Record a warning once."""
        if text not in self.warnings:
            self.warnings.append(text)

    def progress(self, text: str, done: int, total: int) -> None:
        """Report progress.

        Raises:
            Cancelled: The client cancelled the call.
        """
        if self.cancelled:
            raise Cancelled
        self.report(text, done, total)

    def count(self, name: Count, number: int) -> None:
        """Add to a count."""
        self.counts[name] = self.counts.get(name, 0) + number


def _measure_memory() -> dict[str, int]:
    """The most memory that this process has taken, as a count; nothing where the system does not tell."""
    try:
        import resource
    except ImportError:  # on Windows
        return {}
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {Count.MEMORY: most >> (20 if sys.platform == "darwin" else 10)}


class _OpenFolder:
    """A folder and the directory found there; while that is open, no other can get its inode number."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._seen = folder.stat()
        self._held: int | None = None
        with suppress(OSError):  # Windows cannot open folders, but does not soon reuse a number there
            self._held = os.open(folder, os.O_RDONLY)

    def is_same(self) -> bool:
        """Whether the same directory is still there."""
        try:
            return os.path.samestat(self._folder.stat(), self._seen)
        except OSError:
            return False

    def close(self) -> None:
        """Close the directory."""
        if self._held is not None:
            os.close(self._held)


class OpenWorkspace:
    """The one workspace of a server; for use by one thread.

    Args:
        request: The tree to open; its callbacks are not used.
        metrics: Whether to record calls in the metrics.
    """

    def __init__(self, request: Request, *, metrics: bool) -> None:
        self._metrics = metrics
        self._call = Call()
        self._request = request._replace(
            lasting=True,
            warn=self._warn,
            progress=self._progress,
            tally=self._count,
            asked=self._note_asked,
        )
        self._workspace: Workspace | None = None
        self._place: _OpenFolder | None = None
        self._drafts: Workspace | None = None

    def ask(self, question: Callable[[Workspace], _T], call: Call) -> _T:
        """Answer a question from the workspace.

        Raises:
            Cancelled: The client cancelled the call.
            Exception: Whatever the question raises.
        """
        if call.cancelled:
            raise Cancelled
        self._call = call
        try:
            return question(self._get_ready())
        except CodecortexError:
            raise  # an answer, too: the workspace is intact
        except BaseException:
            self.close()
            raise
        finally:
            self._call = Call()

    def prefetch(self, is_over: Callable[[], bool]) -> None:
        """Make for later what was asked for lately, if `cache.prefetch` is on; the log tells of a failure."""
        if self._workspace is None or not self._workspace.tree.config.cache.prefetch:
            return
        from codecortex.operations.cognition.prefetch import prefetch_unasked

        try:
            prefetch_unasked(self._get_ready(), is_over)
        except Exception:  # noqa: BLE001 - nobody asked, so nobody is told
            _LOG.exception("nothing could be made for later")
            self.close()

    def open_session(self, name: str) -> Workspace:
        """The workspace of a session's latest version, kept until another is asked of; for use within a question.

        Raises:
            UsageError: There is no such session.
        """
        from codecortex.operations.catalog.workspace import Workspace
        from codecortex.operations.sessions.versions import find_commit

        commit = find_commit(self._request.folder, name)
        if self._drafts is None or self._drafts.request.rev != commit:
            self._close_drafts()
            self._drafts = Workspace(self._request._replace(rev=commit))
        return self._drafts

    def measure(self, name: str, seconds: float, call: Call, exit_code: int) -> None:
        """Record a call in the metrics, if enabled and a repository is known."""
        if self._metrics and self._workspace is not None:
            counts = call.counts | _measure_memory()
            measure(self._workspace.repository, name, seconds, counts, exit_code=exit_code)

    def close(self) -> None:
        """Close the workspace, if open."""
        self._close_drafts()
        workspace, self._workspace = self._workspace, None
        if workspace is not None:
            workspace.close()
        place, self._place = self._place, None
        if place is not None:
            place.close()

    def _close_drafts(self) -> None:
        drafts, self._drafts = self._drafts, None
        if drafts is not None:
            drafts.close()

    def _warn(self, text: str) -> None:
        self._call.warn(text)

    def _progress(self, text: str, done: int, total: int) -> None:
        self._call.progress(text, done, total)

    def _count(self, name: Count, number: int) -> None:
        self._call.count(name, number)

    def _note_asked(self, describe: Callable[[], Asked]) -> None:
        self._call.trace.note_asked(describe)

    def _get_ready(self) -> Workspace:
        if self._workspace is not None and self._place is not None and self._place.is_same():
            try:
                self._workspace.look_again()
            except BaseException:
                self.close()
                raise
            return self._workspace
        self.close()
        from codecortex.operations.catalog.workspace import Workspace

        self._workspace = workspace = Workspace(self._request)
        self._place = _OpenFolder(workspace.repository.git_dir)
        return workspace
