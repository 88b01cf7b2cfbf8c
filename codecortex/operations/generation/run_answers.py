"""Writes notes from a provider's answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.analysis.notes.answers import NoChange, Refusal
from codecortex.model.errors import CodecortexError, ConfigError, StoreFormatError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.generation.asking import Asking, add_feedback
from codecortex.operations.generation.prompts.answers import judge_answer
from codecortex.operations.generation.prompts.prompt import make_prompt
from codecortex.operations.notes.writing import digest_inputs, write_outcome

if TYPE_CHECKING:
    from collections.abc import Sequence

    from codecortex.analysis.notes.answers import Outcome
    from codecortex.analysis.notes.jobs import Job
    from codecortex.context.prompts.prompts import Prompt
    from codecortex.llm.provider import Reply
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.generation.run_record import End, RunRecorder, Writer
    from codecortex.operations.notes.writing import InputDigests


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
    def owner(self) -> str:
        """Id of the type or group."""
        return self.job.owner

    @property
    def text(self) -> str:
        """The text to send."""
        return add_feedback(self.prompt.text if self.prompt is not None else "", self.feedback)

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
    asking = _NoteAsking(workspace, recorder, writer)
    end = asking.run([_Task(job) for job in jobs])
    return end._replace(removed=tuple(asking.removed), renewed=asking.renewed)


class _NoteAsking(Asking[_Task]):
    def __init__(self, workspace: Workspace, recorder: RunRecorder, writer: Writer) -> None:
        super().__init__(workspace, recorder, writer)
        self.removed: list[str] = []
        self.renewed = 0

    def prepare(self, task: _Task) -> _Task | None:
        """A task with its prompt; None if no prompt can be made (recorded as failure) or none is needed (confirmed)."""
        if task.prompt is not None:
            return task
        try:
            seen = digest_inputs(self.workspace, task.job)
            task = task._replace(prompt=make_prompt(self.workspace, task.job), seen=seen)
        except (StoreFormatError, ConfigError):
            raise  # the template or a setting: every other job would fail likewise
        except CodecortexError as problem:
            self.recorder.fail(task.owner, f"{problem.message} {problem.hint}".rstrip(), for_good=True)
            return None
        if task.prompt is not None and task.prompt.still_valid:
            why = self._write(task, NoChange(), "")
            self.renewed += not why
            again = self._retry(task, why)
            return self.prepare(again) if again is not None else None
        return task

    def take_reply(self, task: _Task, reply: Reply) -> _Task | None:
        """Write the note, or have it asked for again."""
        outcome = judge_answer(self.workspace, task.job, reply.text)
        if not isinstance(outcome, Refusal):
            version = task.prompt.version if task.prompt is not None else ""
            return self._retry(task, self._write(task, outcome, self.name(reply, version)))
        self.recorder.keep_answer(task.owner, reply.text)
        again = self.recorder.fail(task.owner, outcome.reason)
        return task._replace(feedback=outcome.reason) if again else None

    def _write(self, task: _Task, outcome: Outcome, generator: str) -> str:
        """Write a note; return why it was not written, or empty."""
        told = write_outcome(self.workspace, task.job, outcome, generator, seen=task.seen)
        self.removed += told.removed
        if not told.problem:
            self.recorder.succeed(task.owner)
        return told.problem

    def _retry(self, task: _Task, problem: str) -> _Task | None:
        """The job from its beginning, if it could not be written and may be tried again."""
        return _Task(task.job) if problem and self.recorder.fail(task.owner, problem) else None
