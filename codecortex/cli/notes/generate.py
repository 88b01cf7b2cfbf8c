"""`codecortex semantic generate`: writes notes with the configured provider."""

from __future__ import annotations

import os
import signal
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from codecortex.cli.options import (
    Context,
    json_option,
    make_request,
    provider_option,
    require_worktree,
    selection_options,
)
from codecortex.cli.output import echo
from codecortex.cli.progress import end_progress
from codecortex.cli.text import print_json
from codecortex.model.text.visible import show_line
from codecortex.operations.wording import count_noun, name_some

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import FrameType

    from codecortex.model.config_choices import ProviderName
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.generation.jobs.jobs import Selection
    from codecortex.operations.generation.run import RunResult

_MOST_TOLD = 20
_INCOMPLETE = 1


@click.command()
@selection_options
@provider_option("Who writes them, whatever the configuration says.")
@click.option("--show-prompt", is_flag=True, help="Print what would be sent; send and write nothing.")
@click.option("--dry-run", is_flag=True, help="List what would be written; send and write nothing.")
@click.option("--resume", "run_id", metavar="ID", help="Go on with a run that ended early; `latest` is the last one.")
@json_option
@click.pass_context
def generate(  # noqa: PLR0913 - one parameter an option
    click_context: click.Context, /, *, selection: Selection, provider: ProviderName | None, show_prompt: bool,
    dry_run: bool, run_id: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Write the notes that are missing or no longer hold.

    The most urgent first. Without SYMBOL, for the types that `semantics.types` selects and those that have a note. A
    SYMBOL may be a pattern or the id of a group. Without settings the texts are taken from the sources, and no model is
    asked. Ctrl-C ends it; what is written stays. Exits with 1 where not all of them could be written.
    """
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.generation.jobs.jobs import Selection

    if run_id is not None and (selection != Selection() or show_prompt or dry_run):
        raise click.UsageError(
            "--resume goes on with what its run was asked to do: it takes --provider and --json alone."
        )
    context: Context = click_context.obj
    require_worktree(context)
    with Workspace(make_request(context, {})) as workspace:
        if show_prompt:
            _show_prompts(workspace, selection, as_json=as_json)
            return
        if dry_run:
            _list(workspace, selection, provider, as_json=as_json)
            return
        result = _run(workspace, selection, run_id, provider)
    _print(result, provider, as_json=as_json)
    if not result.complete:
        click_context.exit(_INCOMPLETE)


def mend_note(context: Context, symbol: str, options: dict[str, Any]) -> None:
    """Have the note of a symbol written if it is missing or stale; what was not written is told on stderr."""
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.generation.jobs.jobs import Selection

    require_worktree(context)
    with Workspace(make_request(context, options)) as workspace:
        result = _run(workspace, Selection((symbol,)), None, None)
    for job in result.run.jobs if result.run is not None else ():
        if job.last_error:
            echo(show_line(f"{job.owner}: {job.last_error}"), err=True)


def _run(workspace: Workspace, selection: Selection, run_id: str | None, provider: ProviderName | None) -> RunResult:
    from codecortex.operations.generation.jobs.jobs import Selection
    from codecortex.operations.generation.run import generate as run_generate
    from codecortex.operations.generation.run import resume

    try:
        with hear_signals():
            return (
                run_generate(workspace, selection, provider) if run_id is None else resume(workspace, run_id, provider)
            )
    except KeyboardInterrupt as problem:
        end_progress()
        plain = run_id is None and provider is None and selection == Selection()
        told = "No note was written."
        if problem.args:  # id of the interrupted run
            again = "" if plain else f" --resume {problem.args[0]}"
            told = f"What is written stays; `codecortex semantic generate{again}` goes on from there."
        echo(f"\n{told}", err=True)  # on a line of its own, after the terminal's ^C
        raise click.Abort from problem


@contextmanager
def hear_signals() -> Iterator[None]:
    """Treat SIGTERM and SIGHUP like Ctrl-C: the run is recorded as interrupted, and its program ended."""
    own = os.getpid()

    def hear(number: int, _: FrameType | None) -> None:
        if os.getpid() == own:
            raise KeyboardInterrupt
        signal.signal(number, signal.SIG_DFL)  # in a forked worker: just end
        os.kill(os.getpid(), number)

    wanted = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    heard = [each for each in wanted if signal.getsignal(each) is signal.SIG_DFL]  # `nohup` ignores SIGHUP
    for each in heard:
        signal.signal(each, hear)
    try:
        yield
    finally:
        for each in heard:
            signal.signal(each, signal.SIG_DFL)


def _list(workspace: Workspace, selection: Selection, provider: ProviderName | None, *, as_json: bool) -> None:
    from codecortex.operations.generation.plan import foresee

    found = foresee(workspace, selection, provider)
    end_progress()
    if as_json:
        print_json(found.as_json())
    else:
        echo(found.as_text())


def _show_prompts(workspace: Workspace, selection: Selection, *, as_json: bool) -> None:
    from codecortex.operations.generation.plan import make_prompts

    rows: list[dict[str, object]] = []
    for each in make_prompts(workspace, selection):
        job, prompt = each.job, each.sent
        tokens, text = (0, None) if prompt is None else (prompt.tokens, prompt.text)
        rows.append({"owner": job.owner, "tokens": tokens, "prompt": text})
        end_progress()
        if text is None:
            echo(f"{job.owner}  {each.reason}", err=True)
        elif not as_json:
            echo(f"{'=' * 20} {job.owner}  {', '.join(job.names)}  about {tokens:,} tokens")
            echo(text)
    if as_json:
        print_json({"prompts": rows})


def _print(result: RunResult, provider: ProviderName | None, *, as_json: bool) -> None:
    from codecortex.cli.notes.ops import tell_job, tell_run
    from codecortex.operations.notes.runs import advise, spell_generate

    end_progress()
    if as_json:
        print_json(result.as_json())
        return
    run = result.run
    if run is None:
        _tell_removed(result.removed)
        echo(result.reason)
        return
    told = run.jobs if len(run.jobs) <= _MOST_TOLD else [job for job in run.jobs if job.last_error]
    for job in told:
        echo(tell_job(job))
    echo(f"{run.status}: {tell_run(run)}.")
    if result.renewed:
        echo(f"{count_noun(result.renewed, 'text')} certain to hold: nobody was asked.")
    _tell_removed(result.removed)
    if run.open:
        echo(show_line(advise(run, provider or "")))
    elif result.complete:
        echo("Next: commit .codecortex with your sources.")
    else:
        again = f"{spell_generate(run.asked, provider or '')}; `codecortex ops show {run.id}` tells it again"
        echo(show_line(f"Next: see to what failed, then {again}."))


def _tell_removed(paths: Sequence[str]) -> None:
    if paths:
        from codecortex.store.paths import REPLACED

        echo(f"Removed, and kept in {REPLACED}: {name_some(paths, 3)}.")
