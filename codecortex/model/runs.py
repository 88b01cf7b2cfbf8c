"""The record of a run that writes notes, and the state transitions of its jobs, as values."""

from __future__ import annotations

from collections import Counter
from enum import StrEnum
from typing import TYPE_CHECKING

from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from decimal import Decimal

MOST_ATTEMPTS = 3
"""Failed attempts after which a job is not tried again."""

KILLED = "it was killed"
"""Why a run was interrupted that did not tell its end."""

_MILLION = 1_000_000
_RUN_ID = compile_later(r"[0-9]{8}T[0-9]{6}-[0-9a-f]{4}")


class RunStatus(StrEnum):
    """Whether a run is under way, has finished its jobs, or how it ended early."""

    RUNNING = "running"
    FINISHED = "finished"
    STOPPED = "stopped"
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"


class JobState(StrEnum):
    """The state of a job in a run."""

    PENDING = "pending"
    GENERATING = "generating"
    CACHED = "cached"
    FAILED = "failed"


class RunTask(StrEnum):
    """What a run does."""

    NOTES = "notes"
    INVESTIGATE = "investigate"


class JobRecord(NamedTuple):
    """One note or investigation that a run is to write.

    Attributes:
        owner: The TypeId or GroupId that the note is named after; the name of an investigation.
        names: The FQNs of its types; the question.
        types: Their TypeIds.
        kind: Why it has to be written, as a `JobKind`.
        path: The note's file.
        state: See `JobState`.
        attempts: The number of failed attempts.
        last_error: Why the last attempt failed; empty if none did, or the note was written since.
        tokens_in: Tokens sent for it so far.
        tokens_out: Tokens received for it so far.
        part: How much of it is done while it is under way, 0 to 1.
    """

    owner: str
    names: tuple[str, ...]
    types: tuple[str, ...]
    kind: str
    path: str
    state: JobState = JobState.PENDING
    attempts: int = 0
    last_error: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    part: float = 0.0

    @property
    def share(self) -> float:
        """How much of it is done, 0 to 1."""
        return 1.0 if self.state in (JobState.CACHED, JobState.FAILED) else self.part

    def dispatch(self) -> JobRecord:
        """The record with the job under way."""
        return self._replace(state=JobState.GENERATING)

    def pay(self, tokens_in: int, tokens_out: int) -> JobRecord:
        """The record with these tokens added, whether or not the answer was used."""
        return self._replace(tokens_in=self.tokens_in + tokens_in, tokens_out=self.tokens_out + tokens_out)

    def succeed(self) -> JobRecord:
        """The record with the note written."""
        return self._replace(state=JobState.CACHED, last_error="")

    def fail(self, error: str, *, for_good: bool = False) -> JobRecord:
        """The record with one more failed attempt: pending again, or failed if `for_good` or no attempts are left."""
        attempts = self.attempts + 1
        over = for_good or attempts >= MOST_ATTEMPTS
        return self._replace(state=JobState.FAILED if over else JobState.PENDING, attempts=attempts, last_error=error)

    def drop(self, why: str) -> JobRecord:
        """The record with the job failed because it cannot be done any more; this does not count as an attempt."""
        return self._replace(state=JobState.FAILED, last_error=why)

    def put_back(self) -> JobRecord:
        """The record with a job under way set back to pending; other states stay."""
        return self._replace(state=JobState.PENDING) if self.state is JobState.GENERATING else self


class Prices(NamedTuple):
    """What a million tokens cost, in any currency; None where unknown."""

    tokens_in: Decimal | None = None
    tokens_out: Decimal | None = None

    def cost(self, tokens_in: int, tokens_out: int) -> Decimal | None:
        """What these tokens cost; None where a price is unknown."""
        if self.tokens_in is None or self.tokens_out is None:
            return None
        return (tokens_in * self.tokens_in + tokens_out * self.tokens_out) / _MILLION


class RunRequest(NamedTuple):
    """What a run was asked.

    Attributes:
        symbols: Symbols of notes; for investigations, the names of those to update.
        every: Whether all types are meant.
        limit: Most jobs.
        provider: The provider.
        model: The model.
        replace: Whose notes to replace.
        stale: Whether only stale notes are meant.
        task: What it does.
        question: The question of an investigation; empty to update those that do not hold.
    """

    symbols: tuple[str, ...] = ()
    every: bool = False
    limit: int | None = None
    provider: str = ""
    model: str = ""
    replace: str = ""
    stale: bool = False
    task: RunTask = RunTask.NOTES
    question: str = ""


class RunRecord(NamedTuple):
    """The record of one run.

    Attributes:
        id: The time it started, to 1/65,536 of a second, so that ids sort by time.
        status: See `RunStatus`.
        reason: Why it ended before its jobs were done; else empty.
        asked: What it was asked to do.
        started: When it started, as ISO 8601 in UTC.
        updated: When this record was written.
        prices: What tokens cost.
        jobs: In the order in which they are done.
    """

    id: str
    status: RunStatus
    reason: str
    asked: RunRequest
    started: str
    updated: str
    prices: Prices
    jobs: tuple[JobRecord, ...]

    @property
    def counts(self) -> Mapping[str, int]:
        """The number of jobs in each state."""
        return count_states(self.jobs)

    @property
    def progress(self) -> float:
        """How much of it is done, 0 to 1."""
        return write_progress(sum(job.share for job in self.jobs), len(self.jobs))

    @property
    def tokens_in(self) -> int:
        """Tokens sent so far."""
        return sum(job.tokens_in for job in self.jobs)

    @property
    def tokens_out(self) -> int:
        """Tokens received so far."""
        return sum(job.tokens_out for job in self.jobs)

    @property
    def cost(self) -> Decimal | None:
        """What the run cost so far; None where a price is unknown."""
        return self.prices.cost(self.tokens_in, self.tokens_out)

    @property
    def open(self) -> bool:
        """Whether it can be resumed: some of its jobs are pending or under way."""
        return any(job.state in (JobState.PENDING, JobState.GENERATING) for job in self.jobs)

    def end(self, status: RunStatus, reason: str = "") -> RunRecord:
        """The record of the ended run; jobs under way are pending again."""
        return self._replace(status=status, reason=reason, jobs=tuple(job.put_back() for job in self.jobs))


def count_states(jobs: Iterable[JobRecord]) -> dict[str, int]:
    """The number of jobs in each state, zeros included."""
    found = Counter(job.state for job in jobs)
    return {str(state): found[state] for state in JobState}


def write_progress(done: float, size: int) -> float:
    """How much of so many jobs is done, 0 to 1, with four decimals."""
    return round(done / size, 4) if size else 1.0


def is_run_id(text: str) -> bool:
    """Whether a text has the form of a run's id."""
    return _RUN_ID.fullmatch(text) is not None


def write_money(amount: Decimal) -> str:
    """An amount with two decimals, or four if it is below 1."""
    return f"{amount:,.2f}" if amount >= 1 or amount == 0 else f"{amount:.4f}"
