"""What a run that writes notes remembers of itself: values, and the steps from one state of a job to the next."""

from __future__ import annotations

import re
from collections import Counter
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from decimal import Decimal

MOST_ATTEMPTS = 3
"""Attempts in vain after which a job is left alone."""

_MILLION = 1_000_000
_RUN_ID = re.compile(r"[0-9]{8}T[0-9]{6}-[0-9a-f]{4}")


class RunStatus(StrEnum):
    """How a run stands: under way, through with its jobs, or why it ended before that."""

    RUNNING = "running"
    FINISHED = "finished"
    STOPPED = "stopped"
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"


class JobState(StrEnum):
    """How a job of a run stands."""

    PENDING = "pending"
    GENERATING = "generating"
    CACHED = "cached"
    FAILED = "failed"


class JobRecord(NamedTuple):
    """One note that a run writes.

    Attributes:
        owner: The TypeId or the GroupId that the note is named after.
        names: The metadata names of its types.
        types: Their ids.
        kind: Why it has to be written, as a `JobKind`.
        path: The note's file.
        state: How it stands.
        attempts: How often it was tried in vain.
        last_error: Why the last of these failed; empty where none did since it last went well.
        tokens_in: Sent for it so far.
        tokens_out: Received for it so far.
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

    def dispatch(self) -> JobRecord:
        """It is being worked on."""
        return self._replace(state=JobState.GENERATING)

    def pay(self, tokens_in: int, tokens_out: int) -> JobRecord:
        """It took this much more, whatever came of it."""
        return self._replace(tokens_in=self.tokens_in + tokens_in, tokens_out=self.tokens_out + tokens_out)

    def succeed(self) -> JobRecord:
        """Its note stands."""
        return self._replace(state=JobState.CACHED, last_error="")

    def fail(self, error: str, *, for_good: bool = False) -> JobRecord:
        """It was tried in vain: it waits for another attempt, or for none if these are used up or none can help."""
        attempts = self.attempts + 1
        over = for_good or attempts >= MOST_ATTEMPTS
        return self._replace(state=JobState.FAILED if over else JobState.PENDING, attempts=attempts, last_error=error)

    def drop(self, why: str) -> JobRecord:
        """It cannot be done any more; that is no attempt in vain."""
        return self._replace(state=JobState.FAILED, last_error=why)

    def put_back(self) -> JobRecord:
        """Nobody works on it any more, and nothing came of it; other states stay."""
        return self._replace(state=JobState.PENDING) if self.state is JobState.GENERATING else self


class Prices(NamedTuple):
    """What a million tokens cost, in whatever currency; None where nobody says."""

    tokens_in: Decimal | None = None
    tokens_out: Decimal | None = None

    def cost(self, tokens_in: int, tokens_out: int) -> Decimal | None:
        """What so many tokens cost; None where that cannot be known."""
        if self.tokens_in is None or self.tokens_out is None:
            return None
        return (tokens_in * self.tokens_in + tokens_out * self.tokens_out) / _MILLION


class RunRequest(NamedTuple):
    """What a run was asked to do: symbols, whether of every type, how many jobs at most, by whom, whose notes anew."""

    symbols: tuple[str, ...] = ()
    every: bool = False
    limit: int | None = None
    provider: str = ""
    model: str = ""
    replace: str = ""


class RunRecord(NamedTuple):
    """A run.

    Attributes:
        id: When it began, to the fraction of a second: later ones sort behind earlier ones.
        status: How it stands.
        reason: Why it ended before its jobs did; else empty.
        asked: What it was asked to do.
        started: When it began, as ISO 8601 in UTC.
        updated: When this was remembered.
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
        """How many of its jobs are in each state."""
        return count_states(self.jobs)

    @property
    def tokens_in(self) -> int:
        """Sent so far."""
        return sum(job.tokens_in for job in self.jobs)

    @property
    def tokens_out(self) -> int:
        """Received so far."""
        return sum(job.tokens_out for job in self.jobs)

    @property
    def cost(self) -> Decimal | None:
        """What it cost so far; None where that cannot be known."""
        return self.prices.cost(self.tokens_in, self.tokens_out)

    @property
    def open(self) -> bool:
        """Whether it can be gone on with: it did not end, or ended early, and jobs wait."""
        return any(job.state in (JobState.PENDING, JobState.GENERATING) for job in self.jobs)

    def end(self, status: RunStatus, reason: str = "") -> RunRecord:
        """It is over; what was being worked on waits again."""
        return self._replace(status=status, reason=reason, jobs=tuple(job.put_back() for job in self.jobs))


def count_states(jobs: Iterable[JobRecord]) -> dict[str, int]:
    """How many jobs are in each state."""
    found = Counter(job.state for job in jobs)
    return {str(state): found[state] for state in JobState}


def is_run_id(text: str) -> bool:
    """Whether a text is the id of a run."""
    return _RUN_ID.fullmatch(text) is not None


def write_money(amount: Decimal) -> str:
    """An amount with as many decimals as tell something, at least two."""
    return f"{amount:,.2f}" if amount >= 1 or amount == 0 else f"{amount:.4f}"
