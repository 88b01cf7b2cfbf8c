"""Jobs in; their notes out, taken from the sources themselves, without asking anybody."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from codecortex.analysis.extracts import GENERATOR
from codecortex.model.errors import CodecortexError, ConfigError, GitStateError
from codecortex.model.runs import RunStatus
from codecortex.operations.extracting import extract_note
from codecortex.operations.generating_ledger import End
from codecortex.operations.jobs_previous import read_previous
from codecortex.operations.note_writing import Answered, list_by_hand, write_outcomes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from codecortex.analysis.jobs import Job
    from codecortex.operations.desk import Desk
    from codecortex.operations.generating_ledger import Ledger

_BATCH = 0.3
"""Seconds of work that are written together: so long may a run take to see that it is to end."""

_BY_HAND = (
    "{sections} {are} written by hand, and an extract cannot tell whether that still holds: "
    "see to it, then hand it in with `codecortex semantic put {owner}`"
)


def extract_notes(desk: Desk, jobs: Sequence[Job], ledger: Ledger) -> End:
    """Write the notes of jobs.

    Raises:
        GitStateError: The disk refuses.
        BusyError: Another process writes, and does not end.
    """
    batch: list[Answered] = []
    removed: list[str] = []
    begun = time.monotonic()
    for job in jobs:
        if ledger.is_cancelled():
            removed += _write(desk, batch, ledger)
            return End(RunStatus.CANCELLED, "", tuple(removed))
        ledger.dispatch(job.owner)
        answer = _extract(desk, job, ledger)
        batch += [answer] if answer is not None else []
        if time.monotonic() - begun > _BATCH:
            removed += _write(desk, batch, ledger)
            batch, begun = [], time.monotonic()
        desk.request.progress("Writing notes", ledger.done, ledger.size)
    removed += _write(desk, batch, ledger)
    desk.request.progress("Writing notes", ledger.done, ledger.size)
    return End(RunStatus.FINISHED, "", tuple(removed))


def _extract(desk: Desk, job: Job, ledger: Ledger) -> Answered | None:
    """What is to be written of one job; None where nothing can be, which is told."""
    by_hand = list_by_hand(read_previous(desk, job).notes) if job.previous else ()
    if by_hand:
        are = "is" if len(by_hand) == 1 else "are"
        ledger.fail(job.owner, _BY_HAND.format(sections=", ".join(by_hand), are=are, owner=job.owner), for_good=True)
        return None
    try:
        return Answered(job, extract_note(desk, job), GENERATOR)
    except (GitStateError, ConfigError):
        raise  # it would be the same with every other
    except CodecortexError as problem:
        ledger.fail(job.owner, problem.message, for_good=True)
        return None


def _write(desk: Desk, batch: Sequence[Answered], ledger: Ledger) -> list[str]:
    removed: list[str] = []
    for told in write_outcomes(desk, batch) if batch else ():
        if told.problem:
            ledger.fail(told.owner, told.problem, for_good=True)
        else:
            ledger.succeed(told.owner)
        removed += told.removed
    return removed
