"""Asks the provider what the jobs of a run need: concurrent requests, while one thread makes prompts and takes answers.

What is asked and what becomes of an answer is left to a subclass; limits, cancelling, failures and what was paid are
the same for every kind of run.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections import deque
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from codecortex.llm.provider import ModelRequest
from codecortex.model.errors import (
    ProgramFailedError,
    ProviderError,
    ProviderUnusableError,
    RequestRefusedError,
    StoppedError,
)
from codecortex.model.notes import LONGEST_GENERATOR
from codecortex.model.runs import RunStatus, write_money
from codecortex.operations.generation.providers.limits import find_limit
from codecortex.operations.generation.run_record import End
from codecortex.operations.request import say_nothing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from codecortex.llm.provider import Reply
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.generation.run_record import RunRecorder, Writer

_LOOK = 0.2
"""Interval, in seconds, at which a run checks whether it was cancelled."""

_MOST_IN_A_ROW = 3
_FEEDBACK = """
--- YOUR LAST ANSWER COULD NOT BE USED ---
{reason}
Answer once more, from the beginning.
"""


class Task(Protocol):
    """A job that waits for its prompt or its answer."""

    @property
    def owner(self) -> str:
        """Id of the job."""

    @property
    def text(self) -> str:
        """The text to send."""

    @property
    def most_tokens(self) -> tuple[int, int]:
        """Maximum tokens to send and to receive."""


_Task = TypeVar("_Task", bound=Task)


def add_feedback(prompt: str, reason: str) -> str:
    """A prompt with the reason why the last answer was refused, if one was."""
    return prompt + (_FEEDBACK.format(reason=reason) if reason else "")


class Asking(ABC, Generic[_Task]):
    """Asks for the answers that tasks need.

    Args:
        workspace: The work tree.
        recorder: Records the run.
        writer: The provider and its limits.
    """

    activity = "Writing notes"
    """What is told as progress."""

    def __init__(self, workspace: Workspace, recorder: RunRecorder, writer: Writer) -> None:
        self.workspace = workspace
        self.recorder = recorder
        self._provider, self.settings = writer
        self._stop = threading.Event()
        self._waiting: deque[_Task] = deque()
        self._flying: dict[Future[Reply], _Task] = {}
        self._answered = False
        self._vain: set[str] = set()  # jobs that got no answer at least once
        self._unanswered = self._lost = 0  # in a row: requests without an answer, and jobs for the first time

    @abstractmethod
    def prepare(self, task: _Task) -> _Task | None:
        """A task with its prompt; None if no prompt can be made (recorded as failure) or none is needed."""

    @abstractmethod
    def take_reply(self, task: _Task, reply: Reply) -> _Task | None:
        """Use an answer, and record what came of it; return what is to be asked next for the same job, if anything."""

    def run(self, tasks: Sequence[_Task]) -> End:
        """Ask until all tasks are done or the run has to end.

        Raises:
            ConfigError: The settings or a template are invalid, or not allowed.
            ProviderError: No prompt would succeed, or several in a row got no answer.
            GitStateError: A file cannot be written.
        """
        self._waiting.extend(tasks)
        with ThreadPoolExecutor(self.settings.concurrency) as pool:
            try:
                end = self._turn(pool)
                self._stop.set()
                self._take_all()
            finally:
                self._stop.set()
                self._charge_all()
        return end

    def _turn(self, pool: ThreadPoolExecutor) -> End:
        """Send prompts and read answers until all jobs are done or the run has to end."""
        while self._waiting or self._flying:
            if self.recorder.is_cancelled():
                return End(RunStatus.CANCELLED)
            limit = self._fill(pool)
            if limit and not self._flying:
                return End(RunStatus.STOPPED, limit)
            self._tell()
            self.recorder.keep_up()
            done, _ = wait(self._flying, timeout=_LOOK, return_when=FIRST_COMPLETED)
            for future in done:
                self._take(future)
        self._tell()
        return End(RunStatus.FINISHED)

    def _fill(self, pool: ThreadPoolExecutor) -> str:
        """Send as many requests as may run at a time; return the limit that forbids the next one, or empty."""
        while self._waiting and len(self._flying) < self.settings.concurrency:
            task = self.prepare(self._waiting.popleft())
            if task is None:
                self._tell()  # there may be hundreds of jobs without a prompt
                if self.recorder.is_cancelled():
                    break
                continue
            limit = self._find_limit(task)
            if limit:
                self._waiting.appendleft(task)
                return limit
            self.recorder.dispatch(task.owner)
            (_, most), stopped = task.most_tokens, self._stop.is_set
            asked = ModelRequest(task.text, most)
            future = pool.submit(self._provider.complete, asked, heard=say_nothing, stopped=stopped)
            self._flying[future] = task
        return ""

    def _find_limit(self, task: _Task) -> str:
        """The limit that one more request could exceed, as a sentence; empty if there is none."""
        most = [each.most_tokens for each in (task, *self._flying.values())]
        tokens_in = self.recorder.tokens_in + sum(sent for sent, _ in most)
        tokens_out = self.recorder.tokens_out + sum(received for _, received in most)
        begun = bool(self._flying or self.recorder.tokens_in or self.recorder.tokens_out)
        return find_limit(self.settings, tokens_in, tokens_out, begun=begun)

    def _take(self, future: Future[Reply]) -> None:
        """Process the result of one request."""
        task = self._flying.pop(future)
        try:
            reply = future.result()
        except ProviderError as problem:
            self.recorder.pay(task.owner, problem.tokens_in, problem.tokens_out)
            self._take_problem(task, problem)
            return
        self._answered = True
        self._unanswered = self._lost = 0
        self.recorder.answer(task.owner, reply.tokens_in, reply.tokens_out)
        again = self.take_reply(task, reply)
        if again is not None:
            self._waiting.appendleft(again)

    def _take_problem(self, task: _Task, problem: ProviderError) -> None:
        owner = task.owner
        if isinstance(problem, StoppedError):
            self.recorder.put_back(owner)
            return
        if isinstance(problem, ProviderUnusableError):
            self.recorder.put_back(owner)
            raise problem
        if self.recorder.fail(owner, problem.message, for_good=isinstance(problem, RequestRefusedError)):
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
                self.recorder.pay(task.owner, paid.tokens_in, paid.tokens_out)
        self._flying.clear()

    def name(self, reply: Reply, version: str) -> str:
        """The generator of a text, as one line."""
        model = reply.model or self.settings.model or ""
        name = f"{self._provider.name}:{model}" if model else self._provider.name
        return "".join(filter(str.isprintable, f"{name} prompt {version}"))[:LONGEST_GENERATOR].strip()

    def _tell(self) -> None:
        recorder = self.recorder
        told = f"{recorder.done:,} of {recorder.size:,}, {recorder.tokens_in + recorder.tokens_out:,} tokens"
        told += f", cost {write_money(recorder.cost)}" if recorder.cost is not None else ""
        self.workspace.request.progress(f"{self.activity}: {told}", recorder.done, recorder.size)
