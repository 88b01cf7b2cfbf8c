"""Runs investigations with a provider: rounds of what is shown and what is asked for, until the model concludes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codecortex.analysis.notes.answers import Refusal
from codecortex.model.budgets import QUESTION_BUDGET
from codecortex.model.config_choices import ProviderName
from codecortex.model.errors import CodecortexError, ConfigError, StoreFormatError, UsageError
from codecortex.model.investigations.values import LONGEST_QUESTION, fold_question, make_slug
from codecortex.model.runs import JobRecord, JobState, RunRequest, RunTask, is_run_id
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.text.visible import find_harmful
from codecortex.operations.folder import require_folder
from codecortex.operations.generation.asking import Asking, add_feedback
from codecortex.operations.generation.providers.limits import read_prices
from codecortex.operations.generation.providers.settings import read_settings
from codecortex.operations.generation.run import find_writer, record_work
from codecortex.operations.generation.run_record import open_recorder, reopen_recorder
from codecortex.operations.investigate.answers import More, judge_answer
from codecortex.operations.investigate.prompt import MOST_ANSWER_TOKENS, VERSION, make_prompt
from codecortex.operations.investigate.rounds import load_rounds, save_rounds
from codecortex.operations.investigate.writing import digest_before, write_investigation
from codecortex.operations.investigations.states import judge_investigations
from codecortex.operations.notes.investigations import read_investigations
from codecortex.operations.notes.runs import describe_whole, find_run, hold_run, spell_resume
from codecortex.store.local.rounds_json import Rounds
from codecortex.store.paths import investigation_path, run_path

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from codecortex.llm.provider import Reply
    from codecortex.model.runs import RunRecord
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.generation.run_record import RunRecorder, Writer
    from codecortex.operations.investigate.prompt import RoundPrompt
    from codecortex.operations.investigations.states import InvestigationState

_HOLDS = "is answered and holds"
_NEW, _UPDATE = "new", "update"


class Question(NamedTuple):
    """A question to investigate.

    Attributes:
        text: The question.
        scope: Symbols whose code is shown first.
        budget: Tokens of what each round shows.
    """

    text: str
    scope: tuple[str, ...] = ()
    budget: int = QUESTION_BUDGET


class InvestigationResult(NamedTuple):
    """Result of a run.

    Attributes:
        run: The run; None if nobody had to be asked.
        reason: Why nobody was asked; empty if somebody was.
    """

    run: RunRecord | None
    reason: str = ""

    @property
    def complete(self) -> bool:
        """Whether every question is answered."""
        return self.run is None or all(job.state is JobState.CACHED for job in self.run.jobs)

    def as_json(self) -> dict[str, Any]:
        """The run as JSON values."""
        return {"run": describe_whole(self.run) if self.run is not None else None, "reason": self.reason or None}


def investigate(
    workspace: Workspace, question: Question, provider: ProviderName | None = None, run_id: str = ""
) -> InvestigationResult:
    """Answer a question, unless an answer that holds is there; one that does not is mended.

    Rounds of an earlier run that ended early are gone on with.

    Args:
        workspace: A workspace on the work tree.
        question: The question.
        provider: Overrides the configured provider.
        run_id: The id of the run; empty for a new one.

    Raises:
        UsageError: There is no `.codecortex`; the question is empty or too long; no model is configured; a symbol of
            the scope is none.
        StoreFormatError: The file of its answer is damaged.
        ConfigError: A setting is invalid, or the user has not allowed what the repository configures.
        BusyError: Another run is under way.
        ProviderError: The provider can answer no prompt at all.
        GitStateError: A file cannot be written.
    """
    writer = require_writer(workspace, provider)
    with hold_run(workspace.repository):
        rounds, reason = begin(workspace, question)
        if rounds is None:
            return InvestigationResult(None, reason)
        return _start(workspace, [rounds], writer, RunRequest(question=rounds.question), run_id)


def update(
    workspace: Workspace, names: Sequence[str] = (), provider: ProviderName | None = None, run_id: str = ""
) -> InvestigationResult:
    """Mend the investigations that do not hold any more; of those named, if any is.

    Raises:
        UsageError: There is none of a name; and as `investigate`.
    """
    writer = require_writer(workspace, provider)
    with hold_run(workspace.repository):
        stale = list_stale(workspace, names)
        if not stale:
            return InvestigationResult(None, "Every investigation holds: nobody was asked.")
        root = require_folder(workspace.repository)
        rounds = [begin_update(root, each) for each in stale]
        return _start(workspace, rounds, writer, RunRequest(tuple(names)), run_id)


def resume(workspace: Workspace, name: str, provider: ProviderName | None = None) -> InvestigationResult:
    """Go on with a run that ended early; what it used before still counts.

    Raises:
        UsageError: There is no such run, or it wrote notes; and as `investigate`.
    """
    root = require_folder(workspace.repository)
    with hold_run(workspace.repository):
        run = find_run(workspace.repository, name)
        if run.asked.task is not RunTask.INVESTIGATE:
            raise UsageError(
                f"The run {run.id} writes notes.", f"{spell_resume(run.asked.task, run.id)} goes on with it."
            )
        if not run.open:
            return InvestigationResult(run)
        writer = require_writer(workspace, provider or ProviderName(run.asked.provider))
        jobs, tasks = [], []
        for job in run.jobs:
            rounds = load_rounds(root, job.owner) if job.put_back().state is JobState.PENDING else None
            lost = rounds is None and job.put_back().state is JobState.PENDING
            jobs.append(job.drop("What was asked so far is gone.") if lost else job.put_back())
            tasks += [_Task(rounds)] if rounds is not None else []
        recorder = reopen_recorder(root, run._replace(jobs=tuple(jobs)), read_prices(writer.settings))
        return _work(workspace, tasks, recorder, writer)


def require_writer(workspace: Workspace, provider: ProviderName | None) -> Writer:
    """The provider of an investigation, and its limits; raises as `investigate`."""
    require_folder(workspace.repository)
    settings = read_settings(workspace, provider)
    if settings.provider in {ProviderName.EXTRACT, ProviderName.AGENT}:
        hint = (
            'An agent asks by `codecortex investigate next "QUESTION"`; `codecortex doctor` tells what else is set up.'
        )
        raise UsageError(f"llm.provider is {settings.provider}, which answers no question by itself.", hint)
    return find_writer(workspace, provider)


def begin(workspace: Workspace, question: Question) -> tuple[Rounds | None, str]:
    """The rounds to go on with; or why nobody has to be asked.

    Raises:
        UsageError: The question is empty, no text or too long.
        StoreFormatError: The file of its answer is damaged, or that of its rounds.
    """
    root, text = require_folder(workspace.repository), fold_question(question.text)
    if not text or len(text) > LONGEST_QUESTION or find_harmful(text) is not None:
        told = f"A question is one text of at most {LONGEST_QUESTION:,} characters."
        raise UsageError(told, 'For example: codecortex investigate "How are retries counted?"')
    slug = make_slug(text)
    file = next((each for each in read_investigations(workspace.tree) if each.slug == slug), None)
    if file is not None and file.found is None:
        raise StoreFormatError(
            f"{file.problem}.".replace("..", "."), f"Mend it, or `codecortex investigate remove {slug}`."
        )
    state = judge_investigations(workspace, [file])[0] if file is not None else None
    if state is not None and not state.reasons:
        return None, f"{state.file.path}: the question {_HOLDS}."
    if state is not None:
        return begin_update(root, state), ""
    rounds = load_rounds(root, slug)
    if rounds is None or rounds.update:
        rounds = Rounds(text, question.scope, question.budget)
        save_rounds(root, rounds)
    return rounds, ""


def begin_update(root: Path, state: InvestigationState) -> Rounds:
    """The rounds that mend an investigation: those under way, or new ones."""
    rounds = load_rounds(root, state.file.slug)
    if rounds is None or not rounds.update:
        scope = state.file.found.scope if state.file.found is not None else ()
        rounds = Rounds(state.file.question, scope, QUESTION_BUDGET, update=True)
        save_rounds(root, rounds)
    return rounds


def list_stale(workspace: Workspace, names: Sequence[str]) -> list[InvestigationState]:
    """The investigations that do not hold, of those named; damaged ones are warned of.

    Raises:
        UsageError: There is none of a name.
    """
    files = read_investigations(workspace.tree)
    if unknown := [name for name in names if all(name != file.slug for file in files)]:
        raise UsageError(f"There is no investigation {unknown[0]}.", "`codecortex investigate list` names each.")
    wanted = [file for file in files if not names or file.slug in names]
    for file in wanted:
        if file.found is None:
            workspace.request.warn(file.problem)
    return [each for each in judge_investigations(workspace, [file for file in wanted if file.found]) if each.reasons]


def _start(
    workspace: Workspace, all_rounds: Sequence[Rounds], writer: Writer, asked: RunRequest, run_id: str
) -> InvestigationResult:
    settings, root = writer.settings, require_folder(workspace.repository)
    if run_id and (not is_run_id(run_id) or (root / run_path(run_id)).exists()):
        raise UsageError(f"{run_id[:80]!r} is no id of a new run.", "Leave it out: each run gets one.")
    asked = asked._replace(provider=settings.provider, model=settings.model or "", task=RunTask.INVESTIGATE)
    recorder = open_recorder(root, asked, read_prices(settings), map(record_job, all_rounds), run_id)
    return _work(workspace, [_Task(rounds) for rounds in all_rounds], recorder, writer)


def record_job(rounds: Rounds) -> JobRecord:
    """The record of an investigation that is to be written."""
    slug = make_slug(rounds.question)
    kind = _UPDATE if rounds.update else _NEW
    return JobRecord(slug, (rounds.question,), (), kind, investigation_path(slug))


def _work(workspace: Workspace, tasks: Sequence[_Task], recorder: RunRecorder, writer: Writer) -> InvestigationResult:
    run, _ = record_work(recorder, lambda: _Investigating(workspace, recorder, writer).run(tasks))
    return InvestigationResult(run)


class _Task(NamedTuple):
    """A question that waits for its prompt or its answer.

    Attributes:
        rounds: What was asked so far.
        prompt: The prompt; None until it is made.
        seen: A digest of the file that the answer will replace.
        feedback: Why the last answer was refused; empty for the first request.
    """

    rounds: Rounds
    prompt: RoundPrompt | None = None
    seen: str = ""
    feedback: str = ""

    @property
    def owner(self) -> str:
        """Name of the investigation."""
        return make_slug(self.rounds.question)

    @property
    def text(self) -> str:
        """The text to send."""
        return add_feedback(self.prompt.text if self.prompt is not None else "", self.feedback)

    @property
    def most_tokens(self) -> tuple[int, int]:
        """Maximum tokens to send and to receive."""
        if self.prompt is None:
            return 0, 0
        return self.prompt.tokens + len(self.text) - len(self.prompt.text), MOST_ANSWER_TOKENS


class _Investigating(Asking[_Task]):
    activity = "Investigating"

    def prepare(self, task: _Task) -> _Task | None:
        """A task with the prompt of its next round; None if it cannot be made (recorded as failure)."""
        if task.prompt is not None:
            return task
        try:
            seen = digest_before(self.workspace, task.rounds.question)
            return task._replace(prompt=make_prompt(self.workspace, task.rounds), seen=seen)
        except ConfigError:
            raise  # a setting: every other question would fail likewise
        except CodecortexError as problem:
            self.recorder.fail(task.owner, f"{problem.message} {problem.hint}".rstrip(), for_good=True)
            return None

    def take_reply(self, task: _Task, reply: Reply) -> _Task | None:
        """Write the investigation, show what is asked for, or have it asked for again."""
        if task.prompt is None:
            return None
        outcome = judge_answer(self.workspace, reply.text, task.prompt.allowed)
        if isinstance(outcome, Refusal):
            self.recorder.keep_answer(task.owner, reply.text)
            again = self.recorder.fail(task.owner, outcome.reason)
            return task._replace(feedback=outcome.reason) if again else None
        if isinstance(outcome, More):
            rounds = task.rounds._replace(asked=(*task.rounds.asked, outcome.requests))
            save_rounds(self.workspace.repository.require_root(), rounds)
            self.recorder.advance(task.owner, round(task.prompt.number / (task.prompt.rounds + 1), 4))
            return _Task(rounds)
        generator = self.name(reply, VERSION)
        told = write_investigation(self.workspace, task.rounds, outcome, generator, seen=task.seen)
        if not told.problem:
            self.recorder.succeed(task.owner)
            return None
        return _Task(task.rounds) if self.recorder.fail(task.owner, told.problem) else None
