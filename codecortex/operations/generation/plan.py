"""Computes what a run would send to a model and what that would cost.

Nothing is sent or written. No prompt is made for a note that a run could not write. With very many jobs, only a sample
of the prompts is made, spread evenly over their order, and the sums are scaled; the result then says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codecortex.analysis.notes.answers import NoChange, Nothing, Refusal
from codecortex.model.config_choices import ProviderName
from codecortex.model.errors import CodecortexError
from codecortex.model.runs import Prices, write_money
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.generation.extract import extract_notes
from codecortex.operations.generation.jobs.jobs import AGENT_ASKS, explain_rest, list_jobs
from codecortex.operations.generation.prompts.lines import LineCount
from codecortex.operations.generation.prompts.prompt import count_lines, make_prompt, read_templates
from codecortex.operations.generation.providers.providers import connect
from codecortex.operations.generation.providers.settings import read_settings
from codecortex.operations.notes.writing import find_obstacles
from codecortex.operations.wording import count_noun

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from decimal import Decimal

    from codecortex.analysis.notes.jobs import Job
    from codecortex.context.prompts.prompts import Prompt
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.generation.jobs.jobs import Jobs, Selection
    from codecortex.operations.generation.providers.settings import Settings

_SETTLED = "the text is certain to hold: nobody is asked"

MOST_MADE = 600
"""Number of prompts above which only a sample is made."""


class Planned(NamedTuple):
    """A job with its prompt, or with the reason why it has none; and how many members have a line, if any is to."""

    job: Job
    prompt: Prompt | None
    problem: str = ""
    lines: LineCount | None = None

    @property
    def still_valid(self) -> bool:
        """Whether the note is certain to be still valid, so that no prompt is needed."""
        return self.prompt is not None and self.prompt.still_valid

    @property
    def sent(self) -> Prompt | None:
        """The prompt; None if none is needed or possible."""
        return None if self.still_valid else self.prompt

    @property
    def reason(self) -> str:
        """Why nothing is sent; empty if something is."""
        return _SETTLED if self.still_valid else self.problem


class Plan(NamedTuple):
    """What a run would send.

    Attributes:
        jobs: The jobs of the selection.
        planned: The jobs of the sample, or all but the blocked ones, most urgent first.
        blocked: The jobs whose notes a run could not write, because of the files in their place.
        settings: The provider and its limits.
        problem: Why `generate` would send nothing at all; empty if it would.
    """

    jobs: Jobs
    planned: tuple[Planned, ...]
    blocked: tuple[Planned, ...]
    settings: Settings
    problem: str

    @property
    def exact(self) -> bool:
        """Whether every prompt was made."""
        return len(self.planned) == self._count_open()

    @property
    def prompts(self) -> int:
        """Number of prompts that would be sent."""
        return self._scale([each.sent is not None for each in self.planned])

    @property
    def still_valid(self) -> int:
        """Number of notes that would be confirmed without a prompt."""
        return self._scale([each.still_valid for each in self.planned])

    @property
    def refused(self) -> int:
        """Number of notes that would not be written."""
        return len(self.blocked) + self._scale([each.prompt is None for each in self.planned])

    @property
    def tokens_in(self) -> int:
        """Tokens of all prompts together."""
        return self._scale([each.sent.tokens for each in self.planned if each.sent is not None])

    @property
    def most_tokens_out(self) -> int:
        """Maximum tokens of all answers together."""
        return self._scale([each.sent.most_answer_tokens for each in self.planned if each.sent is not None])

    @property
    def lines(self) -> LineCount | None:
        """Members, lines and wanted lines of these jobs; None where notes have no lines."""
        counts = [each.lines for each in self.planned if each.lines is not None]
        return LineCount(*(self._scale(numbers) for numbers in zip(*counts, strict=True))) if counts else None

    def _count_open(self) -> int:
        return len(self.jobs.jobs) - len(self.blocked)

    def _scale(self, numbers: Sequence[int]) -> int:
        return sum(numbers) * self._count_open() // max(1, len(self.planned))

    @property
    def most_cost(self) -> Decimal | None:
        """Cost if every answer is as long as allowed; None if no prices are configured."""
        return Prices(self.settings.price_in, self.settings.price_out).cost(self.tokens_in, self.most_tokens_out)

    @property
    def fits(self) -> bool:
        """Whether the limits of one run suffice even for the longest answers."""
        limit, cost = self.settings.max_cost_per_run, self.most_cost
        within = self.tokens_in + self.most_tokens_out <= self.settings.max_tokens_per_run
        return within and (limit is None or cost is None or cost <= limit)

    def as_json(self) -> dict[str, Any]:
        """The plan as JSON values; amounts of money are exact decimal strings."""
        settings, cost = self.settings, self.most_cost
        return {
            "provider": settings.provider,
            "model": settings.model,
            "problem": self.problem or None,
            "total": len(self.jobs.jobs),
            "settled": self.still_valid,
            "refused": self.refused,
            "exact": self.exact,
            "tokensIn": self.tokens_in,
            "mostTokensOut": self.most_tokens_out,
            "mostCost": None if cost is None else str(cost),
            "maxTokensPerRun": settings.max_tokens_per_run,
            "maxCostPerRun": None if settings.max_cost_per_run is None else str(settings.max_cost_per_run),
            "fits": self.fits,
            "members": self.lines._asdict() if self.lines is not None else None,
            "jobs": [_describe(each) for each in self._list_rows()],
        }

    def as_text(self) -> str:
        """A line per prompt, then the sums."""
        wide = max((len(f"{each.sent.tokens:,}") for each in self.planned if each.sent is not None), default=1)
        return "\n".join([*(_write_row(each, wide) for each in self._list_rows()), *self._write_sums()])

    def _list_rows(self) -> list[Planned]:
        """The planned and blocked jobs, most urgent first."""
        rank = {job.owner: at for at, job in enumerate(self.jobs.jobs)}
        return sorted([*self.planned, *self.blocked], key=lambda each: rank[each.job.owner])

    def _write_sums(self) -> list[str]:
        cost, settings = self.most_cost, self.settings
        about = "" if self.exact else "about "
        told = f"{count_noun(self.prompts, 'prompt')}: {about}{self.tokens_in:,} tokens in"
        told += f", at most {about}{self.most_tokens_out:,} out"
        told += f"; at most {about}{write_money(cost)}." if cost is not None else "; no price is configured."
        lines = [told]
        if self.lines is not None:
            members, told_of, wanted = self.lines
            lines.append(
                f"{told_of:,} of {members:,} members of these types have a line; {wanted:,} would be asked for."
            )
        if self.still_valid:
            lines.append(f"{count_noun(self.still_valid, 'note')} would count as holding again without a prompt.")
        if self.refused:
            lines.append(f"{count_noun(self.refused, 'note')} would not be written; why stands above.")
        if not self.exact:
            made = sum(each.sent is not None for each in self.planned)
            lines.append(f"Estimated from the {made:,} prompts above; --exact makes them all.")
        if settings.provider == "extract":
            lines.append("The provider is extract, which asks no model: nothing is sent.")
        elif not self.fits:
            lines.append("That may be more than one run may take; what is left would wait for the next.")
        return lines


def plan(
    workspace: Workspace, selection: Selection, provider: ProviderName | None = None, *, exact: bool = False
) -> Plan:
    """Compute what would be sent for the jobs of a selection; warns if `generate` could send nothing.

    Args:
        workspace: The tree.
        selection: The jobs; raises as `list_jobs`.
        provider: Overrides the configured provider.
        exact: Whether to make every prompt, however many there are.

    Raises:
        StoreFormatError: A prompt template is damaged.
        ConfigError: The user's own configuration is invalid, or the configured tokenizer cannot be used.
    """
    settings = read_settings(workspace, provider)
    read_templates(workspace)  # a damaged template fails every job
    problem = _find_problem(workspace, settings)
    jobs = list_jobs(workspace, selection)
    looked_at = list(zip(jobs.jobs, list_obstacles(workspace, jobs.jobs), strict=True))
    blocked = [Planned(job, None, why) for job, why in looked_at if why]
    free = [job for job, why in looked_at if not why]
    step = 1 if exact else -(-len(free) // MOST_MADE) or 1
    chosen = free[step // 2 :: step]  # the middle of each step, since the first jobs are the largest
    planned = []
    for number, job in enumerate(chosen):
        workspace.request.progress("Making prompts", number, len(chosen))
        planned.append(_make(workspace, job))
    return Plan(jobs, tuple(planned), tuple(blocked), settings, problem)


class JobForecast(NamedTuple):
    """What a run would do with one job.

    Attributes:
        job: The job.
        still_valid: Whether the text is certain to be still valid, so that no prompt is sent.
        problem: Why the note would not be written; empty if it would.
    """

    job: Job
    still_valid: bool = False
    problem: str = ""


class RunForecast(NamedTuple):
    """What a run would do.

    Attributes:
        jobs: The forecast per job, most urgent first.
        problem: Why the run would do nothing at all; empty if it would.
        nothing: Why there is no job; empty if there is one.
    """

    jobs: tuple[JobForecast, ...]
    problem: str
    nothing: str

    def as_json(self) -> dict[str, Any]:
        """The jobs as JSON values."""
        jobs = [
            {"owner": job.owner, "kind": job.kind, "path": job.path, "settled": still_valid, "problem": problem or None}
            for job, still_valid, problem in self.jobs
        ]
        return {"problem": self.problem or None, "jobs": jobs}

    def as_text(self) -> str:
        """A line per job, then their number."""
        if not self.jobs:
            return self.nothing
        lines = []
        for job, still_valid, problem in self.jobs:
            why = problem or (_SETTLED if still_valid else "")
            lines.append(f"{job.kind:<10}  {job.owner}  {', '.join(job.names)}{f'  ({why})' if why else ''}")
        if self.problem:
            return "\n".join([*lines, "No note would be written."])
        holding = sum(each.still_valid for each in self.jobs)
        refused = sum(bool(each.problem) for each in self.jobs)
        told = f"{count_noun(len(self.jobs) - holding - refused, 'note')} would be written"
        told += f"; {count_noun(holding, 'note')} would count as holding again" if holding else ""
        told += f"; {count_noun(refused, 'note')} would not, for the reason above" if refused else ""
        return "\n".join([*lines, f"{told}."])


def foresee(workspace: Workspace, selection: Selection, provider: ProviderName | None = None) -> RunForecast:
    """What `generate` would do, without sending or writing anything; raises as `plan`."""
    settings = read_settings(workspace, provider)
    found = list_jobs(workspace, selection, settings.provider)
    if not found.jobs:
        return RunForecast((), "", explain_rest(found, selection))
    obstacles = list_obstacles(workspace, found.jobs)
    judge = _foresee_extracts if settings.provider is ProviderName.EXTRACT else _foresee_prompts
    # A new note has no old text to confirm or to protect; only excluded sources can prevent it.
    free = [job for job, why in zip(found.jobs, obstacles, strict=True) if not why]
    known = {
        each.job.owner: each for each in judge(workspace, [job for job in free if job.previous or settings.exclude])
    }
    told = [known.get(job.owner, JobForecast(job, problem=why)) for job, why in zip(found.jobs, obstacles, strict=True)]
    problem = _find_problem(workspace, settings)
    if settings.provider is ProviderName.AGENT:
        problem = AGENT_ASKS
        workspace.request.warn(f"{problem} `codecortex semantic next` gives it a prompt.")
    return RunForecast(tuple(told), problem, "")


def _foresee_extracts(workspace: Workspace, jobs: Sequence[Job]) -> Iterator[JobForecast]:
    """What the provider `extract` would do with each job."""
    for job, outcome in zip(jobs, extract_notes(workspace, jobs), strict=True):
        problem = outcome.reason if isinstance(outcome, Refusal) else ""
        if isinstance(outcome, Nothing):
            problem = "nothing is left to say: the note is removed"
        yield JobForecast(job, isinstance(outcome, NoChange), problem)


def _foresee_prompts(workspace: Workspace, jobs: Sequence[Job]) -> Iterator[JobForecast]:
    for number, job in enumerate(jobs):
        workspace.request.progress("Making prompts", number, len(jobs))
        planned = _make(workspace, job)
        yield JobForecast(job, planned.still_valid, planned.problem)


def make_prompts(workspace: Workspace, selection: Selection) -> Iterator[Planned]:
    """Each job of a selection with its prompt; raises as `plan`."""
    read_templates(workspace)  # a damaged template fails every job
    jobs = list_jobs(workspace, selection).jobs
    for job, obstacle in zip(jobs, list_obstacles(workspace, jobs), strict=True):
        yield Planned(job, None, obstacle) if obstacle else _make(workspace, job)


def _find_problem(workspace: Workspace, settings: Settings) -> str:
    """Why no provider can be used, which is also warned of; empty if one can."""
    try:
        connect(workspace, settings)
    except CodecortexError as problem:
        workspace.request.warn(f"`semantic generate` would ask nobody: {problem.message} {problem.hint}".rstrip())
        return problem.message
    return ""


def list_obstacles(workspace: Workspace, jobs: Sequence[Job]) -> list[str]:
    """For each job, why a run could not write its note over the files in its place; empty if it could.

    Runs write only to the work tree, so nothing is in the way in a revision.
    """
    return find_obstacles(workspace, jobs) if workspace.request.reads_worktree else [""] * len(jobs)


def _make(workspace: Workspace, job: Job) -> Planned:
    lines = count_lines(workspace, job) if workspace.tree.config.semantics.members else None
    try:
        return Planned(job, make_prompt(workspace, job), lines=lines)
    except CodecortexError as problem:  # concerns this job alone
        return Planned(job, None, problem.message)


def _describe(each: Planned) -> dict[str, Any]:
    job, prompt = each.job, each.sent
    return {
        "owner": job.owner,
        "kind": job.kind,
        "types": job.describe_types(),
        "path": job.path,
        "tokensIn": None if prompt is None else prompt.tokens,
        "mostTokensOut": None if prompt is None else prompt.most_answer_tokens,
        "leftOut": [] if prompt is None else list(prompt.cut),
        "settled": each.still_valid,
        "problem": each.problem or None,
    }


def _write_row(each: Planned, wide: int) -> str:
    names = ", ".join(sorted(each.job.names))
    if each.sent is None:
        return f"{each.job.kind:<10}  {'-':>{wide}}  {names}  ({each.reason})"
    return f"{each.job.kind:<10}  {each.sent.tokens:>{wide},}  {names}"
