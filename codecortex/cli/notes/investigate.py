"""`codecortex investigate`: questions answered in rounds, by the configured provider or by an agent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from codecortex.cli.options import (
    Context,
    json_option,
    make_request,
    print_answer,
    provider_option,
    require_worktree,
    revision_options,
)
from codecortex.cli.output import echo
from codecortex.cli.packing.questions import QuestionGroup
from codecortex.model.budgets import QUESTION_BUDGET
from codecortex.model.text.visible import show_line

if TYPE_CHECKING:
    from codecortex.model.config_choices import ProviderName
    from codecortex.operations.investigate.run import InvestigationResult

_INCOMPLETE = 1
_BUDGET = click.option(
    "--budget",
    metavar="N",
    type=click.IntRange(500, 10**6),
    default=QUESTION_BUDGET,
    show_default=True,
    help="Tokens of what each round shows.",
)
_SCOPE = click.option(
    "--scope", metavar="SYMBOL", multiple=True, help="Show the code of SYMBOL first; may be repeated."
)


@click.group(cls=QuestionGroup)
def investigate() -> None:
    """Have a question answered, with evidence that is checked.

    What is none of these commands is a question: `codecortex investigate "How are retries counted?"` is the same as
    `codecortex investigate ask` with it.
    """


@investigate.command()
@click.argument("question", nargs=-1)
@_SCOPE
@_BUDGET
@click.option("--update", is_flag=True, help="Mend the investigations that do not hold; the arguments name some.")
@click.option("--resume", "run_id", metavar="ID", help="Go on with a run that ended early; `latest` is the last one.")
@click.option("--id", "new_id", metavar="ID", default="", help="The id of the run, for whoever is to follow it.")
@provider_option("Who answers, whatever the configuration says.")
@json_option
@click.pass_context
def ask(  # noqa: PLR0913 - one parameter an option
    click_context: click.Context, /, *, question: tuple[str, ...], scope: tuple[str, ...], budget: int, update: bool,
    run_id: str | None, new_id: str, provider: ProviderName | None, as_json: bool,
) -> None:  # fmt: skip
    """Investigate QUESTION and write the answer into a file.

    The file is .codecortex/investigations/NAME.md. What is answered and holds is left alone. Ctrl-C ends it; the next
    time it goes on from there. Exits with 1 where there is no answer.
    """
    from codecortex.cli.notes.generate import hear_signals
    from codecortex.cli.progress import end_progress
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.investigate.run import Question, investigate, resume
    from codecortex.operations.investigate.run import update as run_update

    if run_id is not None and (question or scope or update):
        raise click.UsageError("--resume goes on with what its run was asked: it takes --provider and --json alone.")
    if update and scope:
        raise click.UsageError("--update keeps the scope of each investigation.")
    context: Context = click_context.obj
    require_worktree(context)
    with Workspace(make_request(context, {})) as workspace:
        try:
            with hear_signals():
                if run_id is not None:
                    result = resume(workspace, run_id, provider)
                elif update:
                    result = run_update(workspace, question, provider, new_id)
                else:
                    result = investigate(workspace, Question(" ".join(question), scope, budget), provider, new_id)
        except KeyboardInterrupt as problem:
            end_progress()
            again = (
                f"`codecortex investigate --resume {problem.args[0]}` goes on." if problem.args else "Nobody was asked."
            )
            echo(f"\n{again}", err=True)
            raise click.Abort from problem
    _print(result, provider, as_json=as_json)
    if not result.complete:
        click_context.exit(_INCOMPLETE)


@investigate.command("list")
@json_option
@revision_options
@click.pass_obj
def list_(context: Context, /, *, as_json: bool, **options: Any) -> None:
    """List the investigations, and why one does not hold."""
    from codecortex.operations.investigate.manage import list_investigations

    print_answer(context, options, list_investigations, as_json=as_json)


@investigate.command()
@click.argument("name")
@json_option
@revision_options
@click.pass_obj
def show(context: Context, /, name: str, *, as_json: bool, **options: Any) -> None:
    """Print an investigation, and whether it holds.

    NAME is its name, the beginning of that, or the question.
    """
    from codecortex.operations.investigate.manage import show_investigation

    print_answer(context, options, lambda workspace: show_investigation(workspace, name), as_json=as_json)


@investigate.command()
@click.argument("name")
@json_option
@click.pass_obj
def remove(context: Context, /, name: str, *, as_json: bool) -> None:
    """Remove an investigation, or what one under way has asked."""
    from codecortex.operations.investigate.manage import remove_investigation

    print_answer(context, {}, lambda workspace: remove_investigation(workspace, name), as_json=as_json)


@investigate.command("next")
@click.argument("question", nargs=-1)
@_SCOPE
@_BUDGET
@json_option
@click.pass_obj
def next_(
    context: Context, /, *, question: tuple[str, ...], scope: tuple[str, ...], budget: int, as_json: bool
) -> None:
    """Print the prompt of the next round, under an id.

    Hand the answer in with `codecortex investigate put ID`. Without QUESTION, of an investigation under way, else of
    one that does not hold any more.
    """
    from codecortex.operations.investigate.agent import ask_next
    from codecortex.operations.investigate.run import Question

    asked = Question(" ".join(question), scope, budget) if question else None
    print_answer(context, {}, lambda workspace: ask_next(workspace, asked), as_json=as_json)


@investigate.command()
@click.argument("prompt_id", metavar="ID")
@click.argument("file", type=click.File("rb"), default="-")
@click.option("--generator", metavar="NAME", default="", help="Who answered, as the header is to say.")
@json_option
@click.pass_obj
def put(context: Context, /, prompt_id: str, file: Any, *, generator: str, as_json: bool) -> None:
    """Hand in the answer to a prompt, from FILE or stdin.

    Prints the prompt of the next round where the answer asks for more.
    """
    from codecortex.model.errors import StoreFormatError
    from codecortex.operations.investigate.agent import take_answer

    try:
        text = file.read().decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise StoreFormatError(f"{file.name}: not UTF-8", "Hand the answer in as UTF-8.") from problem
    print_answer(context, {}, lambda workspace: take_answer(workspace, prompt_id, text, generator), as_json=as_json)


def _print(result: InvestigationResult, provider: ProviderName | None, *, as_json: bool) -> None:
    from codecortex.cli.notes.ops import tell_job, tell_run
    from codecortex.cli.progress import end_progress
    from codecortex.cli.text import print_json
    from codecortex.operations.notes.runs import advise, spell_generate

    end_progress()
    if as_json:
        print_json(result.as_json())
        return
    run = result.run
    if run is None:
        echo(show_line(result.reason))
        return
    for job in run.jobs:
        echo(tell_job(job))
    echo(f"{run.status}: {tell_run(run)}.")
    if run.open:
        echo(show_line(advise(run, provider or "")))
    elif result.complete:
        paths = ", ".join(job.path for job in run.jobs)
        echo(show_line(f"Next: read and commit {paths}."))
    else:
        again = f"{spell_generate(run.asked, provider or '')}; `codecortex ops show {run.id}` tells it again"
        echo(show_line(f"Next: see to what failed, then {again}."))
