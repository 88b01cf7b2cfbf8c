"""What happens to the jobs of a run in; its file in `local/ops`, never far behind, out.

The file says how a run went and what it took. What is written and what is not, the notes themselves say: a run that
was killed loses nothing but the last second of its own story.
"""

from __future__ import annotations

import os
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from codecortex.git.worktree.writing import apply_writes
from codecortex.model.runs import JobState, RunRecord, RunStatus
from codecortex.operations.local_files import write_local
from codecortex.operations.notes.runs import trim_runs
from codecortex.store.local.ops_json import encode_run
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
    """How the work of a run ended.

    Attributes:
        status: Finished, stopped or cancelled.
        reason: Why it was stopped.
        removed: Files of notes that said nothing more once others stood.
        renewed: How many notes count as holding again though nobody was asked.
    """

    status: RunStatus
    reason: str = ""
    removed: tuple[str, ...] = ()
    renewed: int = 0


class Writer(NamedTuple):
    """Who is asked, and within which limits."""

    provider: Provider
    settings: Settings


class RunRecorder:
    """The memory of one run under way.

    Args:
        root: The work tree.
        run: The run.
    """

    def __init__(self, root: Path, run: RunRecord) -> None:
        self._root = root
        self._run = run
        self._jobs = {job.owner: job for job in run.jobs}
        self._saved = 0.0
        self._changed = False
        self.tokens_in, self.tokens_out = run.tokens_in, run.tokens_out
        self.done = sum(job.state in (JobState.CACHED, JobState.FAILED) for job in run.jobs)
        self._save()

    @property
    def id(self) -> str:
        """The run's id."""
        return self._run.id

    @property
    def size(self) -> int:
        """How many jobs the run has."""
        return len(self._jobs)

    @property
    def cost(self) -> Decimal | None:
        """What it cost so far; None where that cannot be known."""
        return self._run.prices.cost(self.tokens_in, self.tokens_out)

    def estimate(self, tokens_in: int, tokens_out: int) -> Decimal | None:
        """What so many tokens will cost; None where that cannot be known."""
        return self._run.prices.cost(tokens_in, tokens_out)

    def dispatch(self, owner: str) -> None:
        """A job is being worked on."""
        self._put(self._jobs[owner].dispatch())

    def put_back(self, owner: str) -> None:
        """Nothing came of a job so far."""
        self._put(self._jobs[owner].put_back())

    def pay(self, owner: str, tokens_in: int, tokens_out: int) -> None:
        """So much more was sent and received for a job."""
        self.tokens_in += tokens_in
        self.tokens_out += tokens_out
        self._put(self._jobs[owner].pay(tokens_in, tokens_out))

    def succeed(self, owner: str) -> None:
        """A job's note stands."""
        self.done += 1
        self._put(self._jobs[owner].succeed())

    def fail(self, owner: str, error: str, *, for_good: bool = False) -> bool:
        """A job was tried in vain; whether it may be tried again."""
        job = self._jobs[owner].fail(error[:_LONGEST_ERROR], for_good=for_good)
        self.done += job.state is JobState.FAILED
        self._put(job)
        return job.state is JobState.PENDING

    def keep_answer(self, owner: str, text: str) -> None:
        """Keep an answer that cannot be used, for people to look at; before `fail` is told of it."""
        path = answer_path(self.id, owner, self._jobs[owner].attempts + 1)
        write_local(self._root, {path: text.encode("utf-8", "replace")})

    def is_cancelled(self) -> bool:
        """Whether somebody wants the run to end."""
        return os.path.lexists(self._root / cancel_path(self.id))

    def close(self, status: RunStatus, reason: str = "") -> RunRecord:
        """Put down how the run ended; the whole of it."""
        self._run = self._current().end(status, reason)
        write_local(self._root, {run_path(self.id): encode_run(self._run)})
        _forget_wish(self._root, self.id)
        return self._run

    def keep_up(self) -> None:
        """Put down what happened, unless something was put down just before; for those who wait, again and again."""
        if self._changed and time.monotonic() - self._saved > _INTERVAL:
            self._save()

    def _put(self, job: JobRecord) -> None:
        self._jobs[job.owner] = job
        self._changed = True
        self.keep_up()

    def _save(self) -> None:
        write_local(self._root, {run_path(self.id): encode_run(self._current())})
        self._saved = time.monotonic()
        self._changed = False

    def _current(self) -> RunRecord:
        return self._run._replace(updated=_now(), jobs=tuple(self._jobs.values()))


def open_ledger(root: Path, asked: RunRequest, prices: Prices, jobs: Iterable[JobRecord]) -> RunRecorder:
    """Begin a run."""
    now = datetime.now(UTC)
    run_id = f"{now:%Y%m%dT%H%M%S}-{(now.microsecond << 16) // 1_000_000:04x}"
    run = RunRecord(run_id, RunStatus.RUNNING, "", asked, _now(), _now(), prices, tuple(jobs))
    recorder = RunRecorder(root, run)
    trim_runs(root, run_id)
    return recorder


def reopen_ledger(root: Path, run: RunRecord, prices: Prices) -> RunRecorder:
    """Go on with a run that nobody works on; `prices` are what tokens cost now."""
    _forget_wish(root, run.id)
    return RunRecorder(root, run._replace(status=RunStatus.RUNNING, reason="", prices=prices))


def _forget_wish(root: Path, run_id: str) -> None:
    """Nobody wants the run to end any more; never through a link that a repository brought along."""
    apply_writes(root, {}, [cancel_path(run_id)])


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
