"""Writes notes from a provider's answers: concurrent requests, while one thread makes prompts and writes notes."""

from __future__ import annotations

import threading
from collections import deque
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TYPE_CHECKING, NamedTuple

from codecortex.analysis.notes.answers import NoChange, Refusal
from codecortex.model.errors import (
    CodecortexError,
    ConfigError,
    ProgramFailedError,
    ProviderError,
    ProviderUnusableError,
    RequestRefusedError,
    StoppedError,
    StoreFormatError,
)
from codecortex.model.notes import LONGEST_GENERATOR
from codecortex.model.runs import RunStatus, write_money
from codecortex.operations.generation.prompts.answers import judge_answer
from codecortex.operations.generation.prompts.prompt import make_prompt
from codecortex.operations.generation.run_record import End
from codecortex.operations.notes.writing import digest_inputs, write_outcome

if TYPE_CHECKING:
    from collections.abc import Sequence

    from codecortex.analysis.notes.answers import Outcome
    from codecortex.analysis.notes.jobs import Job
    from codecortex.context.prompts.prompts import Prompt
    from codecortex.llm.provider import Reply
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.generation.run_record import RunRecorder, Writer
    from codecortex.operations.notes.writing import InputDigests

_LOOK = 0.2
"""Interval, in seconds, at which a run checks whether it was cancelled."""

_MOST_IN_A_ROW = 3
_FEEDBACK = """
--- YOUR LAST ANSWER COULD NOT BE USED ---
{reason}
Answer once more, from the beginning.
"""


class _Task(NamedTuple):
    """A job that waits for its prompt or its answer.

    Attributes:
        job: The job.
        prompt: The prompt; None until it is made.
        seen: Digests of the files that the prompt was made from.
        feedback: Why the last answer was refused; empty for the first request.
    """

    job: Job
    prompt: Prompt | None = None
    seen: InputDigests | None = None
    feedback: str = ""

    @property
    def text(self) -> str:
        """The text to send."""
        told = self.prompt.text if self.prompt is not None else ""
        return told + (_FEEDBACK.format(reason=self.feedback) if self.feedback else "")

    @property
    def most_tokens(self) -> tuple[int, int]:
        """Maximum tokens to send and to receive."""
        prompt = self.prompt
        return (
            (0, 0) if prompt is None else (prompt.tokens + len(self.text) - len(prompt.text), prompt.most_answer_tokens)
        )


def ask_for_notes(workspace: Workspace, jobs: Sequence[Job], recorder: RunRecorder, writer: Writer) -> End:
    """Ask the provider for the notes of jobs and write them.

    Raises:
        ConfigError: The settings or the template are invalid, or not allowed.
        ProviderError: No prompt would succeed, or several in a row got no answer.
        GitStateError: A file cannot be written.
    """
    return _Asking(workspace, recorder, writer).run(jobs)


class _Asking:
    def __init__(self, workspace: Workspace, recorder: RunRecorder, writer: Writer) -> None:
        self._workspace = workspace
        self._recorder = recorder
        self._provider, self._settings = writer
        self._stop = threading.Event()
        self._waiting: deque[_Task] = deque()
        self._flying: dict[Future[Reply], _Task] = {}
        self._answered = False
        self._vain: set[str] = set()  # jobs that got no answer at least once
        self._unanswered = self._lost = 0  # in a row: requests without an answer, and jobs for the first time
        self._removed: list[str] = []
        self._renewed = 0

    def run(self, jobs: Sequence[Job]) -> End:
        self._waiting.extend(map(_Task, jobs))
        with ThreadPoolExecutor(self._settings.concurrency) as pool:
            try:
                end = self._turn(pool)
                self._stop.set()
                self._take_all()
            finally:
                self._stop.set()
                self._charge_all()
        return end._replace(removed=tuple(self._removed), renewed=self._renewed)

    def _turn(self, pool: ThreadPoolExecutor) -> End:
        """Send prompts and read answers until all jobs are done or the run has to end."""
        while self._waiting or self._flying:
            if self._recorder.is_cancelled():
                return End(RunStatus.CANCELLED)
            limit = self._fill(pool)
            if limit and not self._flying:
                return End(RunStatus.STOPPED, limit)
            self._tell()
            self._recorder.keep_up()
            done, _ = wait(self._flying, timeout=_LOOK, return_when=FIRST_COMPLETED)
            for future in done:
                self._take(future)
        self._tell()
        return End(RunStatus.FINISHED)

    def _fill(self, pool: ThreadPoolExecutor) -> str:
        """Send as many requests as may run at a time; return the limit that forbids the next one, or empty."""
        while self._waiting and len(self._flying) < self._settings.concurrency:
            task = self._prepare(self._waiting.popleft())
            if task is None or task.prompt is None:
                self._tell()  # there may be hundreds of jobs without a prompt
                if self._recorder.is_cancelled():
                    break
                continue
            limit = self._find_limit(task)
            if limit:
                self._waiting.appendleft(task)
                return limit
            self._recorder.dispatch(task.job.owner)
            most, stopped = task.prompt.most_answer_tokens, self._stop.is_set
            future = pool.submit(self._provider.complete, task.text, most_tokens=most, told=_ignore, stopped=stopped)
            self._flying[future] = task
        return ""

    def _prepare(self, task: _Task) -> _Task | None:
        """A task with its prompt; None if no prompt can be made (recorded as failure) or none is needed (confirmed)."""
        if task.prompt is not None:
            return task
        try:
            seen = digest_inputs(self._workspace, task.job)
            task = task._replace(prompt=make_prompt(self._workspace, task.job), seen=seen)
        except (StoreFormatError, ConfigError):
            raise  # the template or a setting: every other job would fail likewise
        except CodecortexError as problem:
            self._recorder.fail(task.job.owner, f"{problem.message} {problem.hint}".rstrip(), for_good=True)
            return None
        if task.prompt is not None and task.prompt.still_valid:
            self._renewed += self._write(task, NoChange(), "")
            return None
        return task

    def _find_limit(self, task: _Task) -> str:
        """The limit that one more request could exceed, as a sentence; empty if there is none."""
        most = [each.most_tokens for each in (task, *self._flying.values())]
        tokens_in = self._recorder.tokens_in + sum(sent for sent, _ in most)
        tokens_out = self._recorder.tokens_out + sum(received for _, received in most)
        settings = self._settings
        if tokens_in + tokens_out > settings.max_tokens_per_run:
            most_tokens = f"{settings.max_tokens_per_run:,}"
            return self._tell_limit("llm.maxTokensPerRun", most_tokens, f"{tokens_in + tokens_out:,} tokens")
        cost = self._recorder.estimate(tokens_in, tokens_out)
        if settings.max_cost_per_run is not None and cost is not None and cost > settings.max_cost_per_run:
            return self._tell_limit("llm.maxCostPerRun", write_money(settings.max_cost_per_run), write_money(cost))
        return ""

    def _tell_limit(self, key: str, limit: str, needed: str) -> str:
        if self._flying or self._recorder.tokens_in or self._recorder.tokens_out:
            return f"the next request could exceed {key}, {limit}"
        return f"{key}, {limit}, is below one request of about {needed}"

    def _take(self, future: Future[Reply]) -> None:
        """Process the result of one request."""
        task = self._flying.pop(future)
        owner = task.job.owner
        try:
            reply = future.result()
        except ProviderError as problem:
            self._recorder.pay(owner, problem.tokens_in, problem.tokens_out)
            self._take_problem(task, problem)
            return
        self._answered = True
        self._unanswered = self._lost = 0
        self._recorder.answer(owner, reply.tokens_in, reply.tokens_out)
        outcome = judge_answer(self._workspace, task.job, reply.text)
        if isinstance(outcome, Refusal):
            self._recorder.keep_answer(owner, reply.text)
            if self._recorder.fail(owner, outcome.reason):
                self._waiting.appendleft(task._replace(feedback=outcome.reason))
            return
        self._write(task, outcome, self._name(reply, task))

    def _write(self, task: _Task, outcome: Outcome, generator: str) -> bool:
        """Write a note; return whether it was written."""
        owner = task.job.owner
        told = write_outcome(self._workspace, task.job, outcome, generator, seen=task.seen)
        self._removed += told.removed
        if not told.problem:
            self._recorder.succeed(owner)
        elif self._recorder.fail(owner, told.problem):
            self._waiting.appendleft(_Task(task.job))
        return not told.problem

    def _take_problem(self, task: _Task, problem: ProviderError) -> None:
        owner = task.job.owner
        if isinstance(problem, StoppedError):
            self._recorder.put_back(owner)
            return
        if isinstance(problem, ProviderUnusableError):
            self._recorder.put_back(owner)
            raise problem
        if self._recorder.fail(owner, problem.message, for_good=isinstance(problem, RequestRefusedError)):
            self._waiting.append(task)
        self._unanswered += 1
        self._lost += owner not in self._vain
        self._vain.add(owner)
        if self._is_enough(problem) and not self._stop.is_set():
            raise problem

    def _is_enough(self, problem: ProviderError) -> bool:
        """Whether so many requests in a row failed that further ones will fail too.

        A program may fail for one prompt only, so it takes several jobs. A server mostly refuses the one prompt: that
        counts only if nothing was ever answered.
        """
        if problem.retryable:
            return self._unanswered >= _MOST_IN_A_ROW
        tells = isinstance(problem, ProgramFailedError) or not self._answered
        return tells and self._lost >= _MOST_IN_A_ROW

    def _take_all(self) -> None:
        """Wait for the requests under way: their answers are paid for, so they are used."""
        while self._flying:
            done, _ = wait(self._flying, return_when=FIRST_COMPLETED)
            for future in done:
                self._take(future)

    def _charge_all(self) -> None:
        """Record the tokens of requests whose answers are not read any more."""
        wait(self._flying)
        for future, task in self._flying.items():
            problem = future.exception()
            paid = problem if isinstance(problem, ProviderError) else future.result() if problem is None else None
            if paid is not None:
                self._recorder.pay(task.job.owner, paid.tokens_in, paid.tokens_out)
        self._flying.clear()

    def _name(self, reply: Reply, task: _Task) -> str:
        """Generator of a note, as one line."""
        model = reply.model or self._settings.model or ""
        name = f"{self._provider.name}:{model}" if model else self._provider.name
        version = task.prompt.version if task.prompt is not None else ""
        return "".join(filter(str.isprintable, f"{name} prompt {version}"))[:LONGEST_GENERATOR].strip()

    def _tell(self) -> None:
        recorder = self._recorder
        told = f"{recorder.done:,} of {recorder.size:,}, {recorder.tokens_in + recorder.tokens_out:,} tokens"
        told += f", cost {write_money(recorder.cost)}" if recorder.cost is not None else ""
        self._workspace.request.progress(f"Writing notes: {told}", recorder.done, recorder.size)


def _ignore(_: int) -> None:
    """Ignore the growth of an answer."""
