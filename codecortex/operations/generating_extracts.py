"""Jobs in; their notes out, taken from the sources themselves, without asking anybody."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.answers import Refusal
from codecortex.analysis.extracts import GENERATOR
from codecortex.model.runs import RunStatus
from codecortex.operations.extracting import extract_notes
from codecortex.operations.generating_ledger import End
from codecortex.operations.note_writing import Answered, write_outcomes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from codecortex.analysis.jobs import Job
    from codecortex.operations.desk import Desk
    from codecortex.operations.generating_ledger import Ledger

_BATCH = 64
"""Jobs that are done together: so many the run finishes before it sees that it is to end."""


def write_extracts(desk: Desk, jobs: Sequence[Job], ledger: Ledger) -> End:
    """Write the notes of jobs.

    Raises:
        GitStateError: The disk refuses.
        BusyError: Another process writes, and does not end.
    """
    removed: list[str] = []
    for start in range(0, len(jobs), _BATCH):
        desk.request.progress("Writing notes", ledger.done, ledger.size)
        if ledger.is_cancelled():
            return End(RunStatus.CANCELLED, "", tuple(removed))
        removed += _write(desk, jobs[start : start + _BATCH], ledger)
    desk.request.progress("Writing notes", ledger.done, ledger.size)
    return End(RunStatus.FINISHED, "", tuple(removed))


def _write(desk: Desk, jobs: Sequence[Job], ledger: Ledger) -> list[str]:
    """Write the notes of a few jobs; the files of other notes that went with that."""
    for job in jobs:
        ledger.dispatch(job.owner)
    answers = []
    for job, outcome in zip(jobs, extract_notes(desk, jobs), strict=True):
        if isinstance(outcome, Refusal):
            ledger.fail(job.owner, outcome.reason, for_good=True)
        else:
            answers.append(Answered(job, outcome, GENERATOR))
    removed: list[str] = []
    for told in write_outcomes(desk, answers):
        if told.problem:
            ledger.fail(told.owner, told.problem, for_good=True)
        else:
            ledger.succeed(told.owner)
        removed += told.removed
    return removed
