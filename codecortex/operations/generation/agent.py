"""Hands prompts to an agent and writes notes from its answers.

An agent that reads the repository anyway can write its notes, without a key or a server. Open prompts are kept in
`local/agent.json` until they are answered. An answer is accepted only while everything that its prompt was made from is
unchanged. Each prompt and each answer is recorded in the request log.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codecortex.analysis.notes.answers import NoChange, Refusal, Sections
from codecortex.analysis.notes.sanitize import tell_altered
from codecortex.git.lock import hold_lock
from codecortex.git.worktree.disk import read_file
from codecortex.model.config_choices import ProviderName
from codecortex.model.errors import (
    AnswerRefusedError,
    CodecortexError,
    ConfigError,
    NewerFormatError,
    OutdatedPromptError,
    StoreFormatError,
    UsageError,
)
from codecortex.model.hashing import Digest, digest
from codecortex.model.notes import is_generator
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.catalog.fingerprints import read_prints
from codecortex.operations.folder import require_folder
from codecortex.operations.generation.jobs.jobs import Selection, list_jobs
from codecortex.operations.generation.jobs.stale_groups import remove_stale_groups_of
from codecortex.operations.generation.prompt_view import describe_prompt
from codecortex.operations.generation.prompts.answers import judge_answer
from codecortex.operations.generation.prompts.prompt import make_prompt
from codecortex.operations.generation.providers.request_log import RequestLog, write_now
from codecortex.operations.local_files import write_local
from codecortex.operations.notes.texts import list_needed
from codecortex.operations.notes.writing import digest_inputs, write_outcome
from codecortex.operations.tokens import make_counter
from codecortex.operations.wording import count_noun
from codecortex.store.local.agent_json import OpenPrompt, decode_agent, encode_agent
from codecortex.store.local.request_log import RequestRecord
from codecortex.store.paths import AGENT

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Sequence

    from codecortex.analysis.notes.jobs import Job
    from codecortex.context.prompts.prompts import Prompt
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.notes.writing import WriteOutcome

    Prompts = tuple[OpenPrompt, ...]

_LOCK = "agent"
_PATIENCE = 10.0
_ASIDE = f"{AGENT}.damaged"
_ANY = Digest("")
_AGAIN = "`codecortex semantic next` (the tool `next`) gives a prompt that holds."


class NextResult(NamedTuple):
    """A prompt for the agent.

    Attributes:
        id: Id under which to hand the answer in; empty if there is no prompt.
        job: The job of the prompt, or None.
        prompt: The prompt, or None.
        total: Number of notes to be written, this one included.
        renewed: Number of notes that were confirmed as still valid without a prompt.
    """

    id: str
    job: Job | None
    prompt: Prompt | None
    total: int
    renewed: int = 0

    def as_json(self) -> dict[str, Any]:
        """The prompt as JSON values."""
        job, prompt = self.job, self.prompt
        if job is None or prompt is None:
            return {"id": None, "owner": None, "total": self.total, "renewed": self.renewed, "prompt": None}
        return {"id": self.id, "total": self.total, "renewed": self.renewed, **describe_prompt(job, prompt)}

    def as_text(self) -> str:
        """The id, the prompt, and how to answer."""
        job, prompt = self.job, self.prompt
        renewed = f"{count_noun(self.renewed, 'text')} certain to hold: nobody is asked." if self.renewed else ""
        if job is None or prompt is None:
            if self.total:
                left = f"{count_noun(self.total, 'note')} left to be written, none of which can be asked for."
                return f"{left} {renewed}".rstrip()
            return f"{renewed} Every note holds: there is nothing to write.".lstrip()
        head = f"{self.id}  {', '.join(job.names)}  ({job.kind}; {count_noun(self.total, 'note')} to be written)"
        tail = f"Hand the answer in as {self.id}: `codecortex semantic put {self.id} FILE`, or the tool `put`."
        return f"{head}\n\n{prompt.text.rstrip()}\n\n{tail}\n{renewed}".rstrip()


class AnswerResult(NamedTuple):
    """Result of an answer that was accepted.

    Attributes:
        id: Id of the prompt.
        names: FQNs of the note's types.
        written: The result of writing the note.
        no_change: Whether the answer left the text as it was.
        altered: What was sanitized in the answer, as clauses.
    """

    id: str
    names: tuple[str, ...]
    written: WriteOutcome
    no_change: bool
    altered: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The result as JSON values."""
        written = self.written
        return {
            "id": self.id,
            "owner": written.owner,
            "path": written.path,
            "changed": written.changed,
            "noChange": self.no_change,
            "given": list(written.given),
            "members": list(written.lines),
            "replacedByHand": list(self._list_replaced()),
            "altered": list(self.altered),
            "removed": list(written.removed),
        }

    def as_text(self) -> str:
        """The result as one line, and what a person may want to check."""
        names = ", ".join(self.names)
        if self.no_change:
            lines = [f"{self.written.path}: the note on {names} counts as holding; its text is as it was."]
        else:
            lines = [f"{self.written.path}: the note on {names} has new {', '.join(self.written.replaced)}."]
        if self.altered:
            lines.append(f"Made harmless: {', '.join(self.altered)}.")
        if replaced := self._list_replaced():
            lines.append(
                f"A person had written {', '.join(replaced)}: `git diff {self.written.path}` shows the change."
            )
        lines += [f"Removed {path}, whose types all have other notes." for path in self.written.removed]
        return "\n".join(lines)

    def _list_replaced(self) -> tuple[str, ...]:
        return tuple(each for each in self.written.by_hand if each in self.written.given)


# -- prompts


def ask_next(workspace: Workspace, symbol: str = "") -> NextResult:
    """The prompt of the most urgent job without an open prompt; else of the job whose prompt is the oldest.

    Args:
        workspace: A workspace on the work tree.
        symbol: A type, group or pattern to restrict the jobs to; empty for all jobs.

    Raises:
        UsageError: There is no `.codecortex`.
        SymbolNotFoundError: The symbol matches nothing.
        AmbiguousSymbolError: It matches several types.
        ExcludedError: No model may be sent the sources of the requested note; without a symbol, it is skipped.
        StoreFormatError: The template is damaged.
        ConfigError: As for `make_prompt`.
        GitStateError: The prompt could not be logged.
    """
    require_folder(workspace.repository)
    log = RequestLog(workspace)
    jobs = list_jobs(workspace, Selection((symbol,) if symbol else ())).jobs
    given = [prompt.owner for prompt in _load(workspace)[0]]
    found, renewed = _make_first(workspace, _put_last(jobs, given), patient=not symbol or len(jobs) > 1)
    total = len(jobs) - renewed
    if found is None:
        return NextResult("", None, None, total, renewed)
    job, prompt, opened = found

    def add(prompts: Prompts) -> Prompts:
        return (opened, *(each for each in prompts if each.owner != opened.owner))

    log.require(_record(opened, "given", prompt=prompt.text, tokens_in=prompt.tokens))
    _update(workspace, add)
    return NextResult(opened.id, job, prompt, total, renewed)


def _put_last(jobs: Sequence[Job], given: Sequence[str]) -> list[Job]:
    """Jobs without an open prompt in their order, then the others, those with the oldest prompt first."""
    rank = {owner: len(given) - at for at, owner in enumerate(given)}
    return sorted(jobs, key=lambda job: rank.get(job.owner, 0))


def _make_first(
    workspace: Workspace, jobs: Iterable[Job], *, patient: bool
) -> tuple[tuple[Job, Prompt, OpenPrompt] | None, int]:
    """The first job that needs and can have a prompt, and the number of jobs renewed before; warns of skipped jobs."""
    passed: list[str] = []
    found, renewed = None, 0
    for job in jobs:
        try:
            seen = digest_inputs(workspace, job)
            prompt = make_prompt(workspace, job)
        except (StoreFormatError, ConfigError):
            raise  # the template or a setting: every other job would fail likewise
        except CodecortexError as problem:
            if not patient:
                raise
            passed.append(problem.message)
            continue
        if prompt.still_valid:
            told = write_outcome(workspace, job, NoChange(), "", seen=seen)
            renewed += not told.problem
            passed += [told.problem] if told.problem else []
            continue
        sources = _digest_sources(workspace, job)
        prompt_id = "P_" + digest(
            "codecortex/agent-prompt", (job.owner, sources, *(f"{k}={v}" for k, v in seen.items()))
        )
        found = job, prompt, OpenPrompt(prompt_id, job.owner, tuple(job.types), sources, seen, prompt.version)
        break
    if passed:
        workspace.request.warn(f"{count_noun(len(passed), 'note')} passed over: {passed[0]}")
    return found, renewed


def _digest_sources(workspace: Workspace, job: Job) -> str:
    """A digest of all that the prompt shows of the sources except layout, and of what the answer may be."""
    needed = list_needed(workspace, job.types)
    prints = read_prints(workspace, {*job.types, *needed})
    own = [(each, prints[each]._replace(cosmetic=_ANY)) for each in job.types if each in prints]
    told = [f"{each}={tuple(fingerprints)}" for each, fingerprints in own]
    told += [f"{each}:{prints[each].structure}" for each in sorted(needed) if each in prints]
    return digest("codecortex/agent-sources", (job.kind, job.change_class, *job.types, *job.previous, *told))


# -- answers


def take_answer(workspace: Workspace, prompt_id: str, text: str, generator: str = "") -> AnswerResult:
    """Write the note from an answer; if the answer cannot be used, the prompt stays open.

    Args:
        workspace: A workspace on the work tree.
        prompt_id: An id from `ask_next`.
        text: The answer.
        generator: Name of the answering model, one short line; empty for `agent`.

    Raises:
        UsageError: No such prompt is open, or the generator is not one short line.
        AnswerRefusedError: The answer cannot be used; the message says why.
        OutdatedPromptError: The sources or the note differ from what the prompt was made from.
        BusyError: Another process holds the lock.
        ConfigError: The configured tokenizer cannot be used.
        GitStateError: A file cannot be written, or the answer could not be logged.
    """
    require_folder(workspace.repository)
    opened = next((each for each in _load(workspace)[0] if each.id == prompt_id), None)
    if opened is None:
        message = f"No prompt {prompt_id} is open: it was answered, or another was given out for its note since."
        raise UsageError(message, _AGAIN)
    named = f"{generator.strip() or 'agent'} prompt {opened.version}"
    if not is_generator(named):
        raise UsageError("The generator is not one short line of text.", "Name it such as `openai:gpt-x`.")
    log, tokens_out = RequestLog(workspace), make_counter(workspace.tree.config)(text)
    told = "interrupted"
    try:
        result = _use_answer(workspace, opened, text, named)
        told = "answered"
    except CodecortexError as problem:
        told = problem.message
        raise
    finally:
        log.add(_record(opened, told, tokens_out=tokens_out)._replace(model=generator.strip()))
    return result


def _use_answer(workspace: Workspace, opened: OpenPrompt, text: str, generator: str) -> AnswerResult:
    """Write the note from an answer; raises as `take_answer`."""
    job = _find_job(workspace, opened)
    outcome = judge_answer(workspace, job, text)
    if isinstance(outcome, Refusal):
        hint = f"Hand in a better answer as {opened.id}, which stays open."
        raise AnswerRefusedError(outcome.reason, hint, id=opened.id)
    written = write_outcome(workspace, job, outcome, generator, seen=opened.seen)
    if written.problem:
        raise OutdatedPromptError(f"{written.problem}.", _AGAIN, id=opened.id)
    written = written._replace(removed=(*written.removed, *remove_stale_groups_of(workspace, job.types)))
    _update(workspace, lambda prompts: tuple(each for each in prompts if each.owner != opened.owner))
    altered = tell_altered(text, outcome.texts.values()) if isinstance(outcome, Sections) and outcome.texts else ()
    return AnswerResult(opened.id, job.names, written, isinstance(outcome, NoChange), altered)


def _record(
    opened: OpenPrompt, outcome: str, *, prompt: str = "", tokens_in: int = 0, tokens_out: int = 0
) -> RequestRecord:
    """The log record of a prompt or an answer; the duration is 0, since it is unknown for an agent."""
    paid = tokens_in, tokens_out
    return RequestRecord(write_now(), ProviderName.AGENT, "", "", 0, *paid, outcome, prompt, opened.id, opened.owner)


def _find_job(workspace: Workspace, opened: OpenPrompt) -> Job:
    """The job of an open prompt; raises if it is gone or what its prompt was made from has changed."""
    known: Container[str] = workspace.catalog.by_id.keys()
    if any(each not in known for each in opened.types):
        raise _outdate(opened, "a type that it asks about went")
    found = {job.owner: job for job in list_jobs(workspace, Selection(opened.types)).jobs}
    job = found.get(opened.owner)
    if job is None:
        raise _outdate(opened, "the note was written, or became part of another one,")
    if digest_inputs(workspace, job) != opened.seen:
        raise _outdate(opened, "the note changed")
    if _digest_sources(workspace, job) != opened.sources:
        raise _outdate(opened, "the sources changed")
    return job


def _outdate(opened: OpenPrompt, what: str) -> OutdatedPromptError:
    message = f"{opened.id} cannot be answered any more: {what} since it was given out."
    return OutdatedPromptError(message, _AGAIN, id=opened.id)


# -- open prompts


def _load(workspace: Workspace, *, writing: bool = False) -> tuple[Prompts, bytes | None]:
    """The open prompts, newest first; and the bytes of the file if it is damaged, else None."""
    data = read_file(workspace.repository.require_root(), AGENT, "Move what stands there away.")
    if data is None:
        return (), None
    try:
        return decode_agent(data, AGENT), None
    except NewerFormatError:
        raise
    except StoreFormatError as problem:
        kept = f"; it is kept as {_ASIDE}" if writing else ""
        workspace.request.warn(f"{problem.message}; no prompt counts as open{kept}")
        return (), data


def _update(workspace: Workspace, change: Callable[[Prompts], Prompts]) -> None:
    """Update the open prompts under a lock; a damaged file is kept under another name."""
    root = workspace.repository.require_root()
    with hold_lock(workspace.repository.local_dir / _LOCK, wait=_PATIENCE):
        before, damaged = _load(workspace, writing=True)
        backups = {_ASIDE: damaged} if damaged is not None else {}
        write_local(root, backups | {AGENT: encode_agent(change(before))})
