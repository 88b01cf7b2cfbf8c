"""`codecortex semantic generate`: notes written by whoever the configuration names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from codecortex.cli.options import Context, json_option, make_request, provider_option, selection_options
from codecortex.cli.progress import end_progress
from codecortex.cli.text import print_json
from codecortex.operations.wording import count_noun

if TYPE_CHECKING:
    from codecortex.model.config import ProviderName
    from codecortex.operations.desk import Desk
    from codecortex.operations.generating import RunResult
    from codecortex.operations.jobs import Selection

_MOST_TOLD = 20
_INCOMPLETE = 1


@click.command()
@selection_options
@click.option("--limit", type=click.IntRange(1), metavar="N", help="The N most urgent notes alone.")
@provider_option("Who writes them, whatever the configuration says.")
@click.option("--show-prompt", is_flag=True, help="Print what would be sent; send and write nothing.")
@click.option("--dry-run", is_flag=True, help="List what would be written; send and write nothing.")
@click.option("--resume", "run_id", metavar="ID", help="Go on with a run that ended early; `latest` is the last one.")
@json_option
@click.pass_context
def generate(  # noqa: PLR0913 - one parameter an option
    click_context: click.Context, /, *, symbols: tuple[str, ...], every: bool, limit: int | None,
    provider: ProviderName | None, show_prompt: bool, dry_run: bool, run_id: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Write the notes that are missing or no longer hold.

    The most urgent first. Without SYMBOL, those of the types that `semantics.types` selects and those that there are.
    Exits with 1 where not all of them could be written.
    """
    from codecortex.operations.desk import Desk
    from codecortex.operations.jobs import Selection

    if run_id is not None and (symbols or every or limit is not None or show_prompt or dry_run):
        raise click.UsageError(
            "--resume goes on with what its run was asked to do: it takes --provider and --json alone."
        )
    context: Context = click_context.obj
    selection = Selection(symbols, every=every, limit=limit)
    with Desk(make_request(context, {})) as desk:
        if show_prompt:
            _show_prompts(desk, selection, as_json=as_json)
            return
        if dry_run:
            _list(desk, selection, as_json=as_json)
            return
        result = _run(desk, selection, run_id, provider)
    _print(result, as_json=as_json)
    if not result.complete:
        click_context.exit(_INCOMPLETE)


def _run(desk: Desk, selection: Selection, run_id: str | None, provider: ProviderName | None) -> RunResult:
    from codecortex.operations.generating import generate as run_generate
    from codecortex.operations.generating import resume

    try:
        return run_generate(desk, selection, provider) if run_id is None else resume(desk, run_id, provider)
    except KeyboardInterrupt:
        end_progress()
        click.echo("What is written stays; `codecortex semantic generate` goes on from there.", err=True)
        raise


def _list(desk: Desk, selection: Selection, *, as_json: bool) -> None:
    from codecortex.operations.jobs import list_jobs

    jobs = list_jobs(desk, selection).jobs
    end_progress()
    if as_json:
        print_json({"jobs": [{"owner": job.owner, "kind": job.kind, "path": job.path} for job in jobs]})
        return
    for job in jobs:
        click.echo(f"{job.kind:<10}  {job.owner}  {', '.join(job.names)}")
    click.echo(f"{count_noun(len(jobs), 'note')} would be written.")


def _show_prompts(desk: Desk, selection: Selection, *, as_json: bool) -> None:
    from codecortex.operations.jobs_plan import make_prompts

    rows: list[dict[str, object]] = []
    for job, prompt, problem in make_prompts(desk, selection):
        tokens, text = (0, None) if prompt is None else (prompt.tokens, prompt.text)
        rows.append({"owner": job.owner, "tokens": tokens, "prompt": text})
        end_progress()
        if text is None:
            click.echo(f"{job.owner}  {problem}", err=True)
        elif not as_json:
            click.echo(f"{'=' * 20} {job.owner}  {', '.join(job.names)}  about {tokens:,} tokens")
            click.echo(text)
    if as_json:
        print_json({"prompts": rows})


def _print(result: RunResult, *, as_json: bool) -> None:
    from codecortex.cli.ops import tell_job, tell_run

    end_progress()
    if as_json:
        print_json(result.as_json())
        return
    run = result.run
    if run is None:
        click.echo("Every note holds: nothing to write.")
        return
    told = run.jobs if len(run.jobs) <= _MOST_TOLD else [job for job in run.jobs if job.last_error]
    for job in told:
        click.echo(tell_job(job))
    click.echo(f"{run.status}: {tell_run(run)}.")
    if run.open:
        click.echo(f"Next: `codecortex semantic generate --resume {run.id}`.")
    elif result.complete:
        click.echo("Next: commit .codecortex with your sources.")
    else:
        click.echo(f"Next: `codecortex ops show {run.id}`.")
