"""`codecortex live`: what a model should see of a file right now."""

from __future__ import annotations

import click

from codecortex.cli.options import Context, json_option, make_request
from codecortex.cli.text import print_result
from codecortex.model.budgets import LIVE_BUDGET

_session_option = click.option(
    "--session", metavar="NAME", help="Whose versions; else the default session, that of `watch`, or HEAD's."
)


@click.group(invoke_without_command=True)
@_session_option
@click.option("--file", metavar="FILE", help="Instead of the active file, or the last changed one.")
@click.option("--at", metavar="VERSION", help="An older version, by the beginning of its id.")
@click.option(
    "--budget",
    type=click.IntRange(100, 1_000_000),
    default=LIVE_BUDGET,
    show_default=True,
    metavar="TOKENS",
    help="Tokens that all of it may take.",
)
@json_option
@click.pass_context
def live(  # noqa: PLR0913 - one for each option
    ctx: click.Context,
    /,
    *,
    session: str | None,
    file: str | None,
    at: str | None,
    budget: int,
    as_json: bool,
) -> None:
    """Print what a model should see of a file right now.

    The file as it is, or of a long one the lines around the cursor and the last changes; its latest changes and those
    since half an hour ago, as patches; what the editor shows; what was planned. Nothing is stored.
    """
    if ctx.invoked_subcommand is not None:
        return
    import time

    from codecortex.operations.live.live import LiveQuestion, show_live

    context: Context = ctx.obj
    question = LiveQuestion(session, file, at, budget)
    print_result(show_live(make_request(context, {}), question, int(time.time())), as_json=as_json)


@live.command()
@_session_option
@click.option("--active", metavar="FILE", help="The active file.")
@click.option("--cursor", metavar="L:C", help="Where the cursor stands in it, line and column from 1.")
@click.option("--selection", "selections", metavar="L:C-L:C", multiple=True, help="What is selected; may be repeated.")
@click.option("--open", "files", metavar="FILE", multiple=True, help="An open file; may be repeated.")
@click.option("--clear", is_flag=True, help="Forget what was told before.")
@json_option
@click.pass_obj
def state(  # noqa: PLR0913 - one for each option
    context: Context,
    /,
    *,
    session: str | None,
    active: str | None,
    cursor: str | None,
    selections: tuple[str, ...],
    files: tuple[str, ...],
    clear: bool,
    as_json: bool,
) -> None:
    """Tell what your editor shows, or print what was told.

    What is not given stays as it was told before.
    """
    from codecortex.operations.live.state import StateChange, change_state

    change = StateChange(active, cursor, selections or None, files or None, clear)
    print_result(change_state(make_request(context, {}), session, change), as_json=as_json)
