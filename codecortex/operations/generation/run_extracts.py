"""Jobs in; their notes out, taken from the sources themselves, without asking anybody."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.notes.answers import NoChange, Refusal
from codecortex.analysis.notes.extract import GENERATOR
from codecortex.model.runs import RunStatus
from codecortex.operations.generation.extract import extract_notes
from codecortex.operations.generation.run_record import End
from codecortex.operations.notes.writing import Answered, glance_at, write_outcomes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from codecortex.analysis.notes.jobs import Job
    from codecortex.operations.catalog.workspace import Desk
    from codecortex.operations.generation.run_record import Ledger

_BATCH = 64
"""Jobs that are done together: so many the run finishes before it sees that it is to end."""


def write_extracts(desk: Desk, jobs: Sequence[Job], ledger: Ledger) -> End:
    """Write the notes of jobs.

    Raises:
        GitStateError: The disk refuses.
        BusyError: Another process writes, and does not end.
    """
    end = End(RunStatus.FINISHED)
    for start in range(0, len(jobs), _BATCH):
        desk.request.progress("Writing notes", ledger.done, ledger.size)
        if ledger.is_cancelled():
            return end._replace(status=RunStatus.CANCELLED)
        end = _write(desk, jobs[start : start + _BATCH], ledger, end)
    desk.request.progress("Writing notes", ledger.done, ledger.size)
    return end


def _write(desk: Desk, jobs: Sequence[Job], ledger: Ledger, end: End) -> End:
    """Write the notes of a few jobs; what has come of all so far."""
    for job in jobs:
        ledger.dispatch(job.owner)
    seen = [glance_at(desk, job) for job in jobs]  # before the notes are judged: a person may edit one meanwhile
    answers = []
    for job, outcome, before in zip(jobs, extract_notes(desk, jobs), seen, strict=True):
        if isinstance(outcome, Refusal):
            ledger.fail(job.owner, outcome.reason, for_good=True)
        else:
            answers.append(Answered(job, outcome, GENERATOR, before))
    for answer, told in zip(answers, write_outcomes(desk, answers), strict=True):
        if told.problem:
            ledger.fail(told.owner, told.problem, for_good=True)
        else:
            ledger.succeed(told.owner)
            renewed = end.renewed + isinstance(answer.outcome, NoChange)
            end = end._replace(removed=end.removed + told.removed, renewed=renewed)
    return end
