"""Hands the rounds of an investigation to an agent, and takes its answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codecortex.analysis.notes.answers import Refusal
from codecortex.model.config_choices import ProviderName
from codecortex.model.errors import AnswerRefusedError, CodecortexError, OutdatedPromptError, UsageError
from codecortex.model.investigations.values import make_slug
from codecortex.model.notes import is_generator
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.folder import require_folder
from codecortex.operations.generation.providers.request_log import RequestLog, write_now
from codecortex.operations.investigate.answers import More, judge_answer
from codecortex.operations.investigate.prompt import VERSION, make_prompt
from codecortex.operations.investigate.rounds import list_rounds, load_rounds, save_rounds
from codecortex.operations.investigate.run import Question, begin, begin_update, list_stale
from codecortex.operations.investigate.writing import digest_before, write_investigation
from codecortex.operations.tokens import make_counter
from codecortex.store.local.request_log import RequestRecord

if TYPE_CHECKING:
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.investigate.prompt import RoundPrompt
    from codecortex.store.local.rounds_json import Rounds

_AGAIN = "`codecortex investigate next` (the tool `investigate`, action next) gives a prompt that holds."


class NextRound(NamedTuple):
    """The prompt of a round for an agent.

    Attributes:
        question: The question; empty if there is nothing to ask.
        prompt: The prompt; None if there is none.
        reason: Why there is none.
    """

    question: str
    prompt: RoundPrompt | None
    reason: str = ""

    def as_json(self) -> dict[str, Any]:
        """The prompt as JSON values."""
        if self.prompt is None:
            return {"id": None, "question": None, "prompt": None, "reason": self.reason}
        return {"name": make_slug(self.question), "question": self.question, **self.prompt.as_json()}

    def as_text(self) -> str:
        """The id, the prompt, and how to answer."""
        if self.prompt is None:
            return self.reason
        told = self.prompt
        head = f"{told.id}  {make_slug(self.question)}  (round {told.number} of {told.rounds})"
        tail = f"Hand the answer in as {told.id}: `codecortex investigate put {told.id} FILE`, or the tool `put`."
        return f"{head}\n\n{told.text.rstrip()}\n\n{tail}"


class PutRound(NamedTuple):
    """What became of an answer.

    Attributes:
        path: The file that was written; empty if more was asked for.
        changed: Whether it differs from before.
        following: The next round; None if the investigation is written.
    """

    path: str
    changed: bool
    following: NextRound | None

    def as_json(self) -> dict[str, Any]:
        """The result as JSON values."""
        following = self.following.as_json() if self.following is not None else None
        return {"path": self.path or None, "changed": self.changed, "next": following}

    def as_text(self) -> str:
        """The result, or the prompt of the next round."""
        if self.following is not None:
            return self.following.as_text()
        return f"{self.path}: {'written' if self.changed else 'as it was'}."


def ask_next(workspace: Workspace, question: Question | None = None) -> NextRound:
    """The prompt of the next round of a question; without one, of an investigation under way, else of a stale one.

    Raises:
        UsageError: There is no `.codecortex`; and as `make_prompt` and `begin`.
    """
    root = require_folder(workspace.repository)
    if question is not None:
        rounds, reason = begin(workspace, question)
        return give(workspace, rounds) if rounds is not None else NextRound("", None, reason)
    waiting = list_rounds(root, workspace.request.warn)
    if waiting:
        return give(workspace, waiting[0])
    stale = list_stale(workspace, ())
    if stale:
        return give(workspace, begin_update(root, stale[0]))
    return NextRound("", None, "Every investigation holds: there is nothing to ask.")


def give(workspace: Workspace, rounds: Rounds) -> NextRound:
    """Give out the prompt of the next round, and remember its id.

    Raises:
        GitStateError: The prompt could not be logged.
    """
    prompt = make_prompt(workspace, rounds)
    slug = make_slug(rounds.question)
    RequestLog(workspace).require(_record(prompt.id, slug, "given", prompt.text, (prompt.tokens, 0)))
    save_rounds(workspace.repository.require_root(), rounds._replace(prompt=prompt.id))
    return NextRound(rounds.question, prompt)


def find_rounds(workspace: Workspace, prompt_id: str) -> Rounds | None:
    """The investigation whose prompt was given out under an id; None if there is none."""
    every = list_rounds(require_folder(workspace.repository), workspace.request.warn)
    return next((each for each in every if prompt_id and each.prompt == prompt_id), None)


def take_answer(workspace: Workspace, prompt_id: str, text: str, generator: str = "") -> PutRound:
    """Write the investigation from an answer, or give out the next round; what cannot be used leaves the prompt open.

    Args:
        workspace: A workspace on the work tree.
        prompt_id: An id from `ask_next`.
        text: The answer.
        generator: Name of the answering model, one short line; empty for `agent`.

    Raises:
        UsageError: No such prompt is open, or the generator is not one short line.
        AnswerRefusedError: The answer cannot be used; the message says why.
        OutdatedPromptError: What the prompt shows has changed since.
        GitStateError: A file cannot be written, or the answer could not be logged.
    """
    rounds = find_rounds(workspace, prompt_id)
    if rounds is None:
        raise UsageError(f"No prompt {prompt_id} is open: it was answered, or another was given out since.", _AGAIN)
    named = f"{generator.strip() or 'agent'} prompt {VERSION}"
    if not is_generator(named):
        raise UsageError("The generator is not one short line of text.", "Name it such as `openai:gpt-x`.")
    log, tokens = RequestLog(workspace), make_counter(workspace.tree.config)(text)
    told = "interrupted"
    try:
        result = _use_answer(workspace, rounds, text, named)
        told = "answered"
    except CodecortexError as problem:
        told = problem.message
        raise
    finally:
        record = _record(prompt_id, make_slug(rounds.question), told, "", (0, tokens))
        log.add(record._replace(model=generator.strip()))
    return result if result.path else result._replace(following=give(workspace, _reload(workspace, rounds)))


def _use_answer(workspace: Workspace, rounds: Rounds, text: str, generator: str) -> PutRound:
    root = workspace.repository.require_root()
    seen = digest_before(workspace, rounds.question)
    prompt = make_prompt(workspace, rounds)
    if prompt.id != rounds.prompt:
        message = f"{rounds.prompt} cannot be answered any more: what it shows has changed since it was given out."
        raise OutdatedPromptError(message, _AGAIN, id=rounds.prompt)
    outcome = judge_answer(workspace, text, prompt.allowed)
    if isinstance(outcome, Refusal):
        hint = f"Hand in a better answer as {rounds.prompt}, which stays open."
        raise AnswerRefusedError(outcome.reason, hint, id=rounds.prompt)
    if isinstance(outcome, More):
        save_rounds(root, rounds._replace(asked=(*rounds.asked, outcome.requests), prompt=""))
        return PutRound("", changed=False, following=None)
    written = write_investigation(workspace, rounds, outcome, generator, seen=seen)
    if written.problem:
        raise OutdatedPromptError(f"{written.problem}.", _AGAIN, id=rounds.prompt)
    return PutRound(written.path, written.changed, None)


def _reload(workspace: Workspace, rounds: Rounds) -> Rounds:
    return load_rounds(workspace.repository.require_root(), make_slug(rounds.question)) or rounds


def _record(prompt_id: str, slug: str, outcome: str, prompt: str, tokens: tuple[int, int]) -> RequestRecord:
    """The log record of a prompt or an answer; the duration is 0, since it is unknown for an agent."""
    return RequestRecord(write_now(), ProviderName.AGENT, "", "", 0, *tokens, outcome, prompt, prompt_id, slug)
