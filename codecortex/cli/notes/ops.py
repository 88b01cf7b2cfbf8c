"""`codecortex ops`: lists, shows, follows and cancels runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from codecortex.cli.options import Context, json_option
from codecortex.cli.output import echo, style
from codecortex.cli.text import print_json, print_section
from codecortex.model.text.visible import show_line
from codecortex.operations.wording import count_noun

if TYPE_CHECKING:
    from codecortex.model.runs import JobRecord, RunRecord

_COLOURS = {
    "cached": "green", "failed": "red", "finished": "green", "generating": "cyan", "running": "cyan", "stopped": "red",
}  # fmt: skip


@click.group()
def ops() -> None:
    """List, show, follow and cancel runs that ask or write."""


@ops.command("list")
@json_option
@click.pass_obj
def list_(context: Context, /, *, as_json: bool) -> None:
    """List the latest runs, the last one first."""
    from codecortex.operations.notes.runs import list_runs

    found = list_runs(context.folder)
    if as_json:
        print_json(found.as_json())
        return
    for run in found.runs:
        echo(f"{_paint(run.status, 11)}  {run.id}  {run.asked.provider:<9}  {tell_run(run)}")
    print_section("Problems", list(found.problems))
    if not found.runs and not found.problems:
        echo("No run yet: `codecortex semantic generate` makes one.")


@ops.command()
@click.argument("run_id", metavar="[ID]", default="latest")
@json_option
@click.pass_obj
def show(context: Context, /, run_id: str, *, as_json: bool) -> None:
    """Show one run with its jobs; without ID, the latest.

    The beginning of an ID will do, as `codecortex ops list` shows it.
    """
    from codecortex.operations.notes.runs import advise, describe_whole, find_answers, show_run

    run = show_run(context.folder, run_id)
    if as_json:
        print_json(describe_whole(run))
        return
    echo(f"{_paint(run.status, 11)}  {run.id}  {run.asked.provider:<9}  {tell_run(run)}")
    for job in run.jobs:
        echo(tell_job(job))
    if kept := find_answers(context.folder, run):
        echo(f"Answers that could not be used: {kept}")
    if run.status != "running" and run.open:
        echo(show_line(advise(run, run.asked.provider)))


@ops.command()
@click.argument("run_id", metavar="ID")
@json_option
@click.pass_obj
def cancel(context: Context, /, run_id: str, *, as_json: bool) -> None:
    """End a run; what it has written stays.

    The beginning of an ID will do, as `codecortex ops list` shows it; `latest` is the last one.
    """
    from codecortex.operations.notes.runs import cancel_run

    done = cancel_run(context.folder, run_id)
    if as_json:
        print_json(done.as_json())
    elif done.told:
        echo(f"told the run {done.run.id} to end")
    else:
        echo(f"cancelled  {done.run.id}  {tell_run(done.run)}")


@ops.command()
@click.argument("run_id", metavar="[ID]", default="latest")
@click.option("--from", "first", type=click.IntRange(1), default=1, metavar="N", help="Begin with event number N.")
@click.pass_obj
def stream(context: Context, /, run_id: str, *, first: int) -> None:
    """Print what happens in a run, as JSON lines.

    From its beginning until it ends, in whatever process it runs; each event once and in order. Without ID, the latest.
    """
    import json

    from codecortex.operations.notes.stream import follow_run

    for row in follow_run(context.folder, run_id, first):
        echo(json.dumps(row))


def tell_run(run: RunRecord) -> str:
    """Progress and usage of a run, on one line."""
    from codecortex.model.runs import write_money

    counts = run.counts
    noun = "answer" if run.asked.task == "investigate" else "note"
    told = [f"{counts['cached']:,} of {count_noun(len(run.jobs), noun)} written"]
    told += [f"{counts['failed']:,} failed"] if counts["failed"] else []
    left = counts["pending"] + counts["generating"]
    told += [f"{left:,} left"] if left else []
    if run.tokens_in or run.tokens_out:
        told.append(f"{run.tokens_in:,} tokens in, {run.tokens_out:,} out")
    told += [f"cost {write_money(run.cost)}"] if run.cost else []
    return ", ".join(told) + (f" ({show_line(run.reason)})" if run.reason else "")


def tell_job(job: JobRecord) -> str:
    """State of a job on one line, and its error, if any, on a second."""
    line = f"{_paint(job.state, 11)}  {show_line(job.owner)}  {show_line(', '.join(job.names))}"
    if not job.last_error:
        return line
    tried = f" (attempt {job.attempts})" if job.attempts > 1 else ""
    return f"{line}\n{'':<11}  {show_line(job.last_error)}{tried}"


def _paint(word: str, width: int) -> str:
    return style(f"{word:<{width}}", fg=_COLOURS.get(word))
