"""Jobs in; their notes out, taken from the sources themselves, without asking anybody."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.notes.answers import NoChange, Refusal
from codecortex.analysis.notes.extract import GENERATOR
from codecortex.model.runs import RunStatus
from codecortex.operations.generation.extract import extract_notes
from codecortex.operations.generation.run_record import End
from codecortex.operations.notes.writing import JobAnswer, try_digest_inputs, write_outcomes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from codecortex.analysis.notes.jobs import Job
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.generation.run_record import RunRecorder

_BATCH = 64
"""Jobs that are done together: so many the run finishes before it sees that it is to end."""


def write_extracts(workspace: Workspace, jobs: Sequence[Job], recorder: RunRecorder) -> End:
    """Write the notes of jobs.

    Raises:
        GitStateError: The disk refuses.
        BusyError: Another process writes, and does not end.
    """
    end = End(RunStatus.FINISHED)
    for start in range(0, len(jobs), _BATCH):
        workspace.request.progress("Writing notes", recorder.done, recorder.size)
        if recorder.is_cancelled():
            return end._replace(status=RunStatus.CANCELLED)
        end = _write(workspace, jobs[start : start + _BATCH], recorder, end)
    workspace.request.progress("Writing notes", recorder.done, recorder.size)
    return end


def _write(workspace: Workspace, jobs: Sequence[Job], recorder: RunRecorder, end: End) -> End:
    """Write the notes of a few jobs; what has come of all so far."""
    for job in jobs:
        recorder.dispatch(job.owner)
    seen = [
        try_digest_inputs(workspace, job) for job in jobs
    ]  # before the notes are judged: a person may edit one meanwhile
    answers = []
    for job, outcome, before in zip(jobs, extract_notes(workspace, jobs), seen, strict=True):
        if isinstance(outcome, Refusal):
            recorder.fail(job.owner, outcome.reason, for_good=True)
        else:
            answers.append(JobAnswer(job, outcome, GENERATOR, before))
    for answer, told in zip(answers, write_outcomes(workspace, answers), strict=True):
        if told.problem:
            recorder.fail(told.owner, told.problem, for_good=True)
        else:
            recorder.succeed(told.owner)
            renewed = end.renewed + isinstance(answer.outcome, NoChange)
            end = end._replace(removed=end.removed + told.removed, renewed=renewed)
    return end
