"""How the writing of notes goes in a work tree: what waits, how long answers take, and what failed lately."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codecortex.model.runs import JobState, RunStatus, RunTask
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.folder import has_folder
from codecortex.operations.metrics import Timings, time_all
from codecortex.operations.notes.runs import read_runs
from codecortex.store.local.request_log import read_answer_times
from codecortex.store.paths import LOGS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codecortex.git.repository import Repository

MOST_WAITING = 50
"""Notes that may wait without a warning."""

_MOST_FAILURES = 10


class NoteFailure(NamedTuple):
    """A note that a run could not write: which run, whose note, and why."""

    run: str
    owner: str
    names: tuple[str, ...]
    error: str


class NoteWork(NamedTuple):
    """How the writing of notes goes.

    Attributes:
        waiting: Number of notes that runs under way have still to write.
        times: How long the latest answers of models took.
        failed: Number of notes that the remembered runs could not write.
        failures: The newest of them.
    """

    waiting: int = 0
    times: Timings = Timings(0, 0, 0)
    failed: int = 0
    failures: tuple[NoteFailure, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The figures as JSON values, under the names that other programs know."""
        return {
            "queue": {"length": self.waiting},
            "semantic": {"gen": {"ms": self.times.as_json()}, "fail": {"count": self.failed}},
            "recentSemanticFailures": [each._asdict() | {"names": list(each.names)} for each in self.failures],
        }

    def list_warnings(self) -> Iterator[str]:
        """What exceeds its limit."""
        if self.waiting > MOST_WAITING:
            told = f"{self.waiting:,} notes wait to be written, more than {MOST_WAITING}"
            yield f"{told}: `codecortex ops show` tells more."


def read_note_work(repository: Repository) -> NoteWork:
    """The figures of a work tree; none for a repository without one."""
    root = repository.root
    if root is None or not has_folder(root):
        return NoteWork()
    runs = [run for run in read_runs(repository).runs if run.asked.task is RunTask.NOTES]
    waits = (JobState.PENDING, JobState.GENERATING)
    waiting = sum(job.state in waits for run in runs if run.status is RunStatus.RUNNING for job in run.jobs)
    failures = [
        NoteFailure(run.id, job.owner, job.names, job.last_error)
        for run in sorted(runs, key=lambda run: run.id, reverse=True)
        for job in run.jobs
        if job.state is JobState.FAILED
    ]
    times = time_all(read_answer_times(root / LOGS))
    return NoteWork(waiting, times, len(failures), tuple(failures[:_MOST_FAILURES]))
