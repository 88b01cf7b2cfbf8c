"""Shows the prompt that the note on a symbol would be written from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codecortex.model.errors import UsageError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.generation.jobs.jobs import Selection, list_jobs
from codecortex.operations.generation.prompts.prompt import make_prompt

if TYPE_CHECKING:
    from codecortex.analysis.notes.jobs import Job
    from codecortex.context.prompts.prompts import Prompt
    from codecortex.operations.catalog.workspace import Workspace


class PromptView(NamedTuple):
    """The prompt for a symbol; `job` and `prompt` are None if its note is valid."""

    symbol: str
    job: Job | None
    prompt: Prompt | None

    def as_json(self) -> dict[str, Any]:
        """The prompt as JSON values."""
        job, prompt = self.job, self.prompt
        if job is None or prompt is None:
            return {"owner": None, "prompt": None}
        return describe_prompt(job, prompt)

    def as_text(self) -> str:
        """The text of the prompt."""
        if self.prompt is None:
            return f"The note on {self.symbol} holds: nothing would be asked."
        return self.prompt.text.rstrip("\n")

    def explain(self) -> str:
        """The size of the prompt, on one line; empty if there is none."""
        job, prompt = self.job, self.prompt
        if job is None or prompt is None:
            return ""
        cut = f", {len(prompt.cut):,} left out" if prompt.cut else ""
        told = f"{job.owner} ({job.kind}): {prompt.tokens:,} tokens{cut}, prompt {prompt.version}."
        return f"{told} No run sends it: the text is certain to hold." if prompt.still_valid else told


def describe_prompt(job: Job, prompt: Prompt) -> dict[str, Any]:
    """A prompt and its job, as JSON values."""
    return {
        "owner": job.owner,
        "kind": job.kind,
        "types": job.describe_types(),
        "changeClass": job.change_class or None,
        "promptVersion": prompt.version,
        "tokens": prompt.tokens,
        "mostAnswerTokens": prompt.most_answer_tokens,
        "noChange": prompt.no_change,
        "allSections": prompt.whole,
        "settled": prompt.still_valid,
        "cut": list(prompt.cut),
        "prompt": prompt.text,
    }


def view_prompt(workspace: Workspace, symbol: str) -> PromptView:
    """The prompt for the note on the one type or group that a symbol matches.

    Raises:
        UsageError: The symbol is a pattern that matches several notes.
        SymbolNotFoundError: It matches nothing.
        AmbiguousSymbolError: It matches several types.
        ExcludedError: No model may be sent the sources; other errors as for `make_prompt`.
    """
    jobs = list_jobs(workspace, Selection(symbols=(symbol,))).jobs
    if len(jobs) > 1:
        raise UsageError(f"{symbol!r} means {len(jobs):,} notes.", "Name one type.")
    job = jobs[0] if jobs else None
    return PromptView(symbol, job, make_prompt(workspace, job) if job is not None else None)
