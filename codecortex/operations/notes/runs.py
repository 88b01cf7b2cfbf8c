"""Lists, shows and cancels the runs that wrote notes in a work tree."""

from __future__ import annotations

import shlex
from contextlib import ExitStack, closing, contextmanager
from typing import TYPE_CHECKING, Any

from codecortex.git.lock import hold_lock
from codecortex.git.repository import open_repository
from codecortex.git.worktree.disk import Disk, Problem
from codecortex.git.worktree.writing import apply_writes, list_files
from codecortex.model.errors import BusyError, CodecortexError, StoreFormatError, UsageError
from codecortex.model.notes import SemanticState
from codecortex.model.runs import KILLED, JobState, RunStatus, RunTask, is_run_id
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later
from codecortex.operations.folder import has_folder, require_folder
from codecortex.operations.local_files import write_local
from codecortex.operations.notes.run_events import EventWriter
from codecortex.store.local.ops_json import decode_run, describe_job, describe_run, encode_run
from codecortex.store.paths import ANSWER_SUFFIX, OPS, cancel_path, run_path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from codecortex.git.repository import Repository
    from codecortex.model.runs import RunRecord, RunRequest
    from codecortex.operations.request import Request

MOST_KEPT = 50
"""Number of runs whose records are kept."""

LATEST = "latest"
"""Name of the run that started last."""

_LOCK = "generate.lock"
_SUFFIX = ".json"
_PATIENCE = 0.5
_LIMIT = compile_later(r"llm\.max(?:Tokens|Cost)PerRun")


class Runs(NamedTuple):
    """The recorded runs of a work tree.

    Attributes:
        runs: The runs, latest first.
        problems: Messages about record files that cannot be read.
    """

    runs: tuple[RunRecord, ...]
    problems: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """The runs, without their jobs, as JSON values."""
        return {"runs": [describe_run(run) for run in self.runs], "problems": list(self.problems)}


class Cancelled(NamedTuple):
    """Result of a request to cancel a run.

    Attributes:
        run: The run before the request.
        told: True if the run is under way and was asked to stop; False if it was marked as cancelled.
    """

    run: RunRecord
    told: bool

    def as_json(self) -> dict[str, Any]:
        """The request as JSON values."""
        return {"id": self.run.id, "told": self.told}


def describe_whole(run: RunRecord) -> dict[str, Any]:
    """A run with its jobs, as JSON values."""
    return {**describe_run(run), "jobs": [describe_job(job) for job in run.jobs]}


def spell_generate(asked: RunRequest, provider: str = "") -> str:
    """The command line that asks for the same in a new run, quoted for a shell and in backticks."""
    if asked.task is RunTask.INVESTIGATE:
        what = [asked.question] if asked.question else ["--update", *asked.symbols]
        return f"`{shlex.join(['codecortex', 'investigate', *what, *(['--provider', provider] if provider else [])])}`"
    words = ["codecortex", "semantic", "generate", *asked.symbols]
    words += ["--all"] if asked.every else []
    words += ["--stale"] if asked.stale else []
    words += ["--replace", asked.replace] if asked.replace else []
    words += ["--limit", str(asked.limit)] if asked.limit is not None else []
    words += ["--provider", provider] if provider else []
    return f"`{shlex.join(words)}`"


def spell_resume(task: RunTask, run_id: str) -> str:
    """The command line that goes on with a run, in backticks."""
    command = "investigate" if task is RunTask.INVESTIGATE else "semantic generate"
    return f"`codecortex {command} --resume {run_id}`"


def advise(run: RunRecord, provider: str = "") -> str:
    """How to continue a run that ended before all of its jobs, as a sentence.

    Args:
        run: The run.
        provider: The provider to name in the command, if any; a resumed run knows its own.
    """
    again = spell_resume(run.asked.task, run.id)
    limit = _LIMIT.search(run.reason) if run.status is RunStatus.STOPPED else None
    if limit is None:
        return f"Next: {again}."
    if not run.tokens_in and not run.tokens_out:
        return f"Next: raise {limit[0]}, then {again}."
    return (
        f"Next: {spell_generate(run.asked, provider)}, a new run with a fresh limit; or raise {limit[0]}, then {again}."
    )


def find_answers(folder: Path, run: RunRecord) -> str:
    """The folder of rejected answers kept for a run, from the root; empty if there is none."""
    path = f"{OPS}/{run.id}"
    files = list_files(open_repository(folder).require_root(), path)
    return f"{path}/" if any(each.endswith(ANSWER_SUFFIX) for each in files) else ""


@contextmanager
def hold_run(repository: Repository) -> Iterator[None]:
    """Hold the lock that allows one run per work tree.

    Raises:
        BusyError: Another run holds it.
    """
    with ExitStack() as stack:
        try:
            stack.enter_context(hold_lock(repository.local_dir / _LOCK, wait=_PATIENCE))
        except BusyError as problem:
            holder = problem.details.get("holder")
            hint = "`codecortex ops list` shows it, and `codecortex ops cancel ID` ends it."
            raise BusyError(f"Another run (process {holder}) writes notes here.", hint, holder=holder) from None
        yield


def list_runs(folder: Path) -> Runs:
    """The runs of the work tree that contains a folder.

    Raises:
        GitStateError: There is no work tree.
    """
    return read_runs(open_repository(folder))


def show_run(folder: Path, name: str) -> RunRecord:
    """One run, named by its id, a prefix of it, or `latest`.

    Raises:
        UsageError: No run matches, or several do.
        StoreFormatError: Its record cannot be read.
    """
    return find_run(open_repository(folder), name)


def cancel_run(folder: Path, name: str) -> Cancelled:
    """Cancel a run: one that is under way stops within a second; any other is marked as cancelled.

    Raises:
        UsageError: There is no such run, or it has ended.
    """
    repository = open_repository(folder)
    root = require_folder(repository)
    run = find_run(repository, name)
    if run.status is RunStatus.RUNNING:
        write_local(root, {cancel_path(run.id): b""})
        return Cancelled(run, told=True)
    if run.status is RunStatus.CANCELLED or not run.open:
        raise UsageError(f"The run {run.id} has ended: it is {run.status}.", "`codecortex ops list` shows every run.")
    with hold_run(repository):
        ended = run.end(RunStatus.CANCELLED, "")
        with closing(EventWriter(root, run)) as events:
            events.end(ended)
        write_local(root, {run_path(run.id): encode_run(ended)})
    return Cancelled(ended, told=False)


def find_run(repository: Repository, name: str) -> RunRecord:
    """One run, by name; see `show_run`."""
    root = repository.require_root()
    known = _list_ids(list_files(root, OPS))
    found = known[:1] if name == LATEST else [each for each in known if name and each.startswith(name)]
    hint = "`codecortex ops list` shows every run."
    if len(found) > 1:
        raise UsageError(f"{len(found)} runs begin with {name}.", hint)
    if not found:
        raise UsageError(f"There is no run {name}.", hint)
    run = _read_run(root, found[0])
    return _settle(repository, [run])[0]


def read_runs(repository: Repository) -> Runs:
    """All recorded runs of a work tree."""
    root = repository.require_root()
    runs, problems = [], []
    for run_id in _list_ids(list_files(root, OPS)):
        try:
            runs.append(_read_run(root, run_id))
        except StoreFormatError as problem:
            problems.append(problem.message)
    return Runs(tuple(_settle(repository, runs)), tuple(problems))


def find_under_way(repository: Repository) -> RunRecord | None:
    """The run that is writing notes in a work tree now; None if there is none."""
    if repository.root is None or not has_folder(repository.root):
        return None
    alive = _find_alive(repository)
    try:
        run = _read_run(repository.root, alive) if alive is not None else None
    except StoreFormatError:  # a damaged record; `ops list` reports it
        return None
    return run if run is not None and run.status is RunStatus.RUNNING else None


def read_marks(request: Request, repository: Repository) -> dict[str, SemanticState]:
    """State of each type whose note the current run is writing: pending, generating or failed.

    Empty for the index and for revisions: no run writes there.
    """
    run = find_under_way(repository) if request.reads_worktree else None
    jobs = run.jobs if run is not None else ()
    return {
        each: SemanticState(job.state.value) for job in jobs if job.state is not JobState.CACHED for each in job.types
    }


def trim_runs(root: Path, keep: str) -> None:
    """Remove the records, and the answers kept with them, of all but the latest runs.

    Args:
        root: The work tree.
        keep: Id of a run that is never removed.
    """
    files = list_files(root, OPS)
    ids = sorted({_owner(path) for path in files} - {None, keep}, key=str, reverse=True)
    old = set(ids[MOST_KEPT - 1 :])
    apply_writes(root, {}, [path for path in files if _owner(path) in old])


def _owner(path: str) -> str | None:
    """Id of the run that a file below `ops` belongs to; None for other files."""
    name = path.removeprefix(f"{OPS}/").partition("/")[0].removesuffix(_SUFFIX)
    return name if is_run_id(name) else None


def _list_ids(files: Mapping[str, object]) -> list[str]:
    """Ids of the runs that have a record among the files below `ops`, latest first."""
    owners = {_owner(path) for path in files if path.endswith(_SUFFIX)}
    return sorted((each for each in owners if each is not None and run_path(each) in files), reverse=True)


def _read_run(root: Path, run_id: str) -> RunRecord:
    path = run_path(run_id)
    data = Disk(root).read(path.encode())
    if isinstance(data, Problem):
        raise StoreFormatError(f"{path}: {data}", "Move what stands there away.")
    run = decode_run(data, path)
    if run.id != run_id:
        raise StoreFormatError(f"{path}: this is the record of the run {run.id}", "Remove it.")
    return run


def _settle(repository: Repository, runs: list[RunRecord]) -> list[RunRecord]:
    """Correct the status: of runs recorded as running, all but the one under way are marked as interrupted."""
    if not any(run.status is RunStatus.RUNNING for run in runs):
        return runs
    alive = _find_alive(repository)
    return [
        run if run.status is not RunStatus.RUNNING or run.id == alive else run.end(RunStatus.INTERRUPTED, KILLED)
        for run in runs
    ]


def _find_alive(repository: Repository) -> str | None:
    """Id of the run under way: the record written last, since no other is written while a run holds the lock."""
    if not _is_held(repository):
        return None
    files = list_files(repository.require_root(), OPS)
    return max(_list_ids(files), key=lambda each: files[run_path(each)].mtime_ns, default=None)


def _is_held(repository: Repository) -> bool:
    """Whether a run holds the lock; asking leaves no trace."""
    lock = repository.local_dir / _LOCK
    if not lock.exists():
        return False
    try:
        with hold_lock(lock, wait=0):
            return False
    except BusyError:
        return True
    except CodecortexError:
        return False  # the folder is not writable, so no run is writing
