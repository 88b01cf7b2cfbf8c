"""Writes notes extracted from the sources, without a model."""

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
"""Number of jobs done together; cancellation is checked only in between."""


def write_extracts(workspace: Workspace, jobs: Sequence[Job], recorder: RunRecorder) -> End:
    """Extract and write the notes of jobs.

    Raises:
        GitStateError: A file cannot be written.
        BusyError: Another process holds the lock for too long.
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
    """Write the notes of one batch; return `end` with its results added."""
    for job in jobs:
        recorder.dispatch(job.owner)
    seen = [
        try_digest_inputs(workspace, job) for job in jobs
    ]  # digests first: a person may edit a note while the others are judged
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
