"""Runs and resumes the generation of notes.

A run is recorded in `local/ops` from its first job on. However it ends, every note on disk is whole, and open jobs are
left for `resume` or for the next run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codecortex.model.config_choices import ProviderName
from codecortex.model.errors import CodecortexError, UsageError
from codecortex.model.runs import JobRecord, JobState, RunRequest, RunStatus, RunTask
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.folder import require_folder
from codecortex.operations.generation.jobs.jobs import AGENT_ASKS, Selection, explain_rest, list_jobs
from codecortex.operations.generation.jobs.stale_groups import remove_stale_groups
from codecortex.operations.generation.providers.limits import read_prices
from codecortex.operations.generation.providers.providers import make_provider
from codecortex.operations.generation.providers.settings import read_settings
from codecortex.operations.generation.run_answers import ask_for_notes
from codecortex.operations.generation.run_extracts import write_extracts
from codecortex.operations.generation.run_record import Writer, open_recorder, reopen_recorder
from codecortex.operations.notes.runs import describe_whole, find_run, hold_run, spell_resume
from codecortex.operations.notes.texts import judge_workspace_notes

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from codecortex.analysis.notes.jobs import Job
    from codecortex.model.runs import RunRecord
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.generation.run_record import End, RunRecorder

_MOOT = "There is no such note to write any more: its types went, or share another note, or need none."


class RunResult(NamedTuple):
    """Result of a run.

    Attributes:
        run: The run; None if there was no job.
        removed: Paths of superseded notes and stale groups that were removed.
        renewed: Number of notes confirmed as still valid without a prompt.
        reason: Why there was no job; empty if there was one.
    """

    run: RunRecord | None
    removed: tuple[str, ...] = ()
    renewed: int = 0
    reason: str = ""

    @property
    def complete(self) -> bool:
        """Whether every job succeeded."""
        return self.run is None or all(job.state is JobState.CACHED for job in self.run.jobs)

    def as_json(self) -> dict[str, Any]:
        """The run as JSON values."""
        run = describe_whole(self.run) if self.run is not None else None
        return {"run": run, "removed": list(self.removed), "renewed": self.renewed}


def generate(workspace: Workspace, selection: Selection, provider: ProviderName | None = None) -> RunResult:
    """Write the notes that have to be written, most urgent first.

    Args:
        workspace: A workspace on the work tree.
        selection: Which notes.
        provider: Overrides the configured provider.

    Raises:
        UsageError: There is no `.codecortex`; or the provider is `agent`, which has to ask for prompts itself.
        ConfigError: A setting is invalid, or the user has not allowed what the repository configures.
        BusyError: Another run is under way.
        ProviderError: The provider can answer no prompt at all; notes already written stay.
        GitStateError: A file cannot be written; notes already written stay.
    """
    root = require_folder(workspace.repository)
    writer = find_writer(workspace, provider)
    with hold_run(workspace.repository):
        found = list_jobs(workspace, selection, writer.settings.provider)
        jobs, removed = found.jobs, remove_stale_groups(workspace, found.left_over)
        if not jobs:
            return RunResult(None, removed, reason=explain_rest(found, selection))
        settings = writer.settings
        symbols, every, limit, replace, stale = selection
        asked = RunRequest(symbols, every, limit, settings.provider, settings.model or "", replace, stale)
        recorder = open_recorder(root, asked, read_prices(settings), map(_record, jobs))
        result = _work(workspace, jobs, recorder, writer)
        return result._replace(removed=(*removed, *result.removed))


def resume(workspace: Workspace, name: str, provider: ProviderName | None = None) -> RunResult:
    """Continue a run that ended before its jobs were done; jobs that failed for good are not retried.

    Tokens that it used before still count.

    Args:
        workspace: A workspace on the work tree.
        name: Id of the run, or a prefix of it.
        provider: Provider for the rest; None for that of the run.

    Raises:
        UsageError: There is no such run; this and all other errors also as for `generate`.
    """
    root = require_folder(workspace.repository)
    with hold_run(workspace.repository):
        run = find_run(workspace.repository, name)
        if run.asked.task is not RunTask.NOTES:
            raise UsageError(f"The run {run.id} wrote no notes.", f"{spell_resume(run.asked.task, run.id)} goes on.")
        if not run.open:
            return RunResult(run)
        writer = find_writer(workspace, provider or ProviderName(run.asked.provider))
        again = Selection(run.asked.symbols, every=run.asked.every, replace=run.asked.replace, stale=run.asked.stale)
        found = list_jobs(workspace, again).jobs
        jobs, records = _sort_out(workspace, run.jobs, found)
        recorder = reopen_recorder(root, run._replace(jobs=records), read_prices(writer.settings))
        return _work(workspace, jobs, recorder, writer)


def _sort_out(
    workspace: Workspace, records: Sequence[JobRecord], found: Sequence[Job]
) -> tuple[list[Job], tuple[JobRecord, ...]]:
    """The jobs of a run that are still open, and the current records of all of its jobs."""
    waiting = {record.owner for record in records if record.put_back().state is JobState.PENDING}
    jobs = [job for job in found if job.owner in waiting]
    left = waiting.difference(job.owner for job in jobs)
    known = judge_workspace_notes(workspace).by_type() if left else {}
    holding: set[str] = {each for each, note in known.items() if not note.causes}

    def settle(record: JobRecord) -> JobRecord:
        if record.owner not in left:
            return record.put_back()
        return record.succeed() if record.types and holding.issuperset(record.types) else record.drop(_MOOT)

    return jobs, tuple(map(settle, records))


def find_writer(workspace: Workspace, provider: ProviderName | None) -> Writer:
    """The provider of a run, and its limits.

    Raises:
        UsageError: It is `agent`, which has to ask for prompts itself.
        ConfigError: A setting is invalid, or the user has not allowed what the repository configures.
    """
    settings = read_settings(workspace, provider)
    if settings.provider is ProviderName.AGENT:
        hint = "`codecortex semantic next` gives it a prompt; or name another writer: `--provider extract`."
        raise UsageError(AGENT_ASKS, hint)
    return Writer(make_provider(workspace, settings), settings)


def _record(job: Job) -> JobRecord:
    return JobRecord(job.owner, job.names, job.types, job.kind, job.path)


def _work(workspace: Workspace, jobs: Sequence[Job], recorder: RunRecorder, writer: Writer) -> RunResult:
    def work() -> End:
        if writer.settings.provider is ProviderName.EXTRACT:
            return write_extracts(workspace, jobs, recorder)
        return ask_for_notes(workspace, jobs, recorder, writer)

    run, end = record_work(recorder, work)
    return RunResult(run, end.removed, end.renewed)


def record_work(recorder: RunRecorder, work: Callable[[], End]) -> tuple[RunRecord, End]:
    """Do the jobs of a run; record its end, however it ends."""
    try:
        end = work()
    except CodecortexError as problem:
        run = recorder.close(RunStatus.STOPPED, problem.message)
        problem.details["run"] = recorder.id
        if run.open:
            again = f"o on: {spell_resume(run.asked.task, recorder.id)}."
            problem.hint = f"{problem.hint} Then g{again}" if problem.hint else f"G{again}"
        raise
    except KeyboardInterrupt as problem:
        recorder.close(RunStatus.INTERRUPTED)
        raise KeyboardInterrupt(recorder.id) from problem  # the caller tells how to resume
    except BaseException:
        recorder.close(RunStatus.INTERRUPTED)
        raise
    return recorder.close(end.status, end.reason), end
