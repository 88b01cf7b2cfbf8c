"""Records the progress of a run in its file in `local/ops`, and tells what happens to whoever follows it.

The file records how a run went and what it used. Which notes are written shows in the notes themselves, so a run that
is killed loses at most the last second of its record.
"""

from __future__ import annotations

import os
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from codecortex.git.worktree.writing import apply_writes
from codecortex.model.config_choices import ProviderName
from codecortex.model.runs import JobState, RunRecord, RunStatus, write_progress
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.local_files import write_local
from codecortex.operations.notes.run_events import EventWriter
from codecortex.operations.notes.runs import trim_runs
from codecortex.store.local.ops_json import encode_run
from codecortex.store.local.run_events import RunEvent
from codecortex.store.paths import answer_path, cancel_path, run_path

if TYPE_CHECKING:
    from collections.abc import Iterable
    from decimal import Decimal
    from pathlib import Path

    from codecortex.llm.provider import Provider
    from codecortex.model.runs import JobRecord, Prices, RunRequest
    from codecortex.operations.generation.providers.settings import Settings

_INTERVAL = 0.5
_LONGEST_ERROR = 2000


class End(NamedTuple):
    """How a run ended.

    Attributes:
        status: Finished, stopped or cancelled.
        reason: Why it was stopped.
        removed: Paths of superseded notes that were removed.
        renewed: Number of notes confirmed as still valid without a prompt.
    """

    status: RunStatus
    reason: str = ""
    removed: tuple[str, ...] = ()
    renewed: int = 0


class Writer(NamedTuple):
    """The provider of a run, and the settings with its limits."""

    provider: Provider
    settings: Settings


class RunRecorder:
    """The recorder of one run under way.

    Args:
        root: The work tree.
        run: The record of the run, new or as it ended.
    """

    def __init__(self, root: Path, run: RunRecord) -> None:
        self._root = root
        self._run = run
        self._jobs = {job.owner: job for job in run.jobs}
        self._saved = 0.0
        self._changed = False
        self._asks = run.asked.provider != ProviderName.EXTRACT
        self._share = sum(job.share for job in run.jobs)
        self.tokens_in, self.tokens_out = run.tokens_in, run.tokens_out
        self.done = sum(job.state in (JobState.CACHED, JobState.FAILED) for job in run.jobs)
        self._events = EventWriter(root, run)
        self._run = run._replace(status=RunStatus.RUNNING, reason="")
        self._save()

    @property
    def id(self) -> str:
        """The run's id."""
        return self._run.id

    @property
    def size(self) -> int:
        """Number of jobs of the run."""
        return len(self._jobs)

    @property
    def cost(self) -> Decimal | None:
        """Cost so far; None if no prices are known."""
        return self._run.prices.cost(self.tokens_in, self.tokens_out)

    def begin(self, event: RunEvent) -> None:
        """Tell that the run was started, or resumed."""
        asked = self._run.asked
        self._tell(event, provider=asked.provider, model=asked.model or None, jobs=self.size)

    def dispatch(self, owner: str) -> None:
        """Record that a job is being worked on."""
        self._put(self._jobs[owner].dispatch())
        if self._asks:
            self._tell(RunEvent.ASKED, owner=owner)

    def put_back(self, owner: str) -> None:
        """Record that a job is open again, without counting an attempt."""
        self._put(self._jobs[owner].put_back())

    def pay(self, owner: str, tokens_in: int, tokens_out: int) -> None:
        """Add tokens sent and received for a job."""
        self.tokens_in += tokens_in
        self.tokens_out += tokens_out
        self._put(self._jobs[owner].pay(tokens_in, tokens_out))

    def answer(self, owner: str, tokens_in: int, tokens_out: int) -> None:
        """Record an answer for a job, and the tokens of its request."""
        self.pay(owner, tokens_in, tokens_out)
        self._tell(RunEvent.ANSWERED, owner=owner, tokensIn=tokens_in, tokensOut=tokens_out)

    def advance(self, owner: str, part: float) -> None:
        """Record how much of a job is done while it is under way, 0 to 1."""
        self._put(self._jobs[owner]._replace(part=part))

    def succeed(self, owner: str) -> None:
        """Record that a job's note was written."""
        self.done += 1
        self._put(self._jobs[owner].succeed())
        self._tell(RunEvent.WRITTEN, owner=owner, path=self._jobs[owner].path)

    def fail(self, owner: str, error: str, *, for_good: bool = False) -> bool:
        """Record a failed attempt at a job; return whether it may be tried again."""
        job = self._jobs[owner].fail(error[:_LONGEST_ERROR], for_good=for_good)
        self.done += job.state is JobState.FAILED
        self._put(job)
        again = job.state is JobState.PENDING
        event = RunEvent.RETRIED if again else RunEvent.FAILED
        self._tell(event, owner=owner, reason=job.last_error, attempts=job.attempts)
        return again

    def keep_answer(self, owner: str, text: str) -> None:
        """Keep a refused answer for people to inspect; call this before `fail`, which counts the attempt."""
        path = answer_path(self.id, owner, self._jobs[owner].attempts + 1)
        write_local(self._root, {path: text.encode("utf-8", "replace")})

    def is_cancelled(self) -> bool:
        """Whether cancelling the run was requested."""
        return os.path.lexists(self._root / cancel_path(self.id))

    def close(self, status: RunStatus, reason: str = "") -> RunRecord:
        """Record the end of the run; return the final record."""
        self._run = self._current().end(status, reason)
        self._events.end(self._run)  # before the record: who follows the run reads its end there first
        self._events.close()
        write_local(self._root, {run_path(self.id): encode_run(self._run)})
        _forget_cancel_request(self._root, self.id)
        return self._run

    def keep_up(self) -> None:
        """Write the record if it changed and was not written just before; call this repeatedly while waiting."""
        if self._changed and time.monotonic() - self._saved > _INTERVAL:
            self._save()

    def _tell(self, event: RunEvent, **details: Any) -> None:
        self._events.tell(event, write_progress(self._share, self.size), **details)

    def _put(self, job: JobRecord) -> None:
        self._share += job.share - self._jobs[job.owner].share
        self._jobs[job.owner] = job
        self._changed = True
        self.keep_up()

    def _save(self) -> None:
        write_local(self._root, {run_path(self.id): encode_run(self._current())})
        self._saved = time.monotonic()
        self._changed = False

    def _current(self) -> RunRecord:
        return self._run._replace(updated=_now(), jobs=tuple(self._jobs.values()))


def make_run_id() -> str:
    """The id of a run that starts now."""
    now = datetime.now(UTC)
    return f"{now:%Y%m%dT%H%M%S}-{(now.microsecond << 16) // 1_000_000:04x}"


def open_recorder(
    root: Path, asked: RunRequest, prices: Prices, jobs: Iterable[JobRecord], run_id: str = ""
) -> RunRecorder:
    """Start a run; without an id, under a new one."""
    run_id = run_id or make_run_id()
    run = RunRecord(run_id, RunStatus.RUNNING, "", asked, _now(), _now(), prices, tuple(jobs))
    recorder = RunRecorder(root, run)
    recorder.begin(RunEvent.STARTED)
    trim_runs(root, run_id)
    return recorder


def reopen_recorder(root: Path, run: RunRecord, prices: Prices) -> RunRecorder:
    """Reopen a run that has ended; `prices` are the current ones."""
    _forget_cancel_request(root, run.id)
    recorder = RunRecorder(root, run._replace(prices=prices))
    recorder.begin(RunEvent.RESUMED)
    return recorder


def _forget_cancel_request(root: Path, run_id: str) -> None:
    """Withdraw the request to cancel; symbolic links in the repository are not followed."""
    apply_writes(root, {}, [cancel_path(run_id)])


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
