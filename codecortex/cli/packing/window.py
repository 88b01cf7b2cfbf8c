"""`codecortex window`, `context`, `pin`, `unpin`, `dismiss`: what an agent should have in its prompt."""

from __future__ import annotations

import click

from codecortex.cli.options import Context, json_option, make_request, print_answer, symbol_argument
from codecortex.cli.output import echo, style
from codecortex.cli.packing.questions import QuestionGroup, ask
from codecortex.context.window import DEFAULT_TTL


@click.command()
@click.option("--budget", metavar="CHARS", type=click.IntRange(0, 10**9), help="Characters that it may take.")
@click.option("--pack", metavar="NAME", default="", help="Give the types of one pack more weight.")
@json_option
@click.pass_obj
def window(context: Context, /, *, budget: int | None, pack: str, as_json: bool) -> None:
    """Print the prompt window: pinned, in focus, asked for.

    It is written to .codecortex/local/prompt_window.md, too.
    """
    from codecortex.cli.progress import end_progress
    from codecortex.cli.text import print_json
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.window.window import show_window

    with Workspace(make_request(context, {})) as workspace:
        result = show_window(workspace, budget=budget, pack=pack)
    if as_json:
        print_json(result.as_json())
        return
    end_progress()
    if result.window.text:
        echo(result.as_text())
    echo(style(result.summarise(), dim=True), err=True)


@click.command()
@symbol_argument
@json_option
@click.pass_obj
def pin(context: Context, /, symbol: str, *, as_json: bool) -> None:
    """Keep a type in the prompt window."""
    from codecortex.operations.window.pins import pin as run_pin

    print_answer(context, {}, lambda workspace: run_pin(workspace, symbol), as_json=as_json)


@click.command()
@symbol_argument
@json_option
@click.pass_obj
def unpin(context: Context, /, symbol: str, *, as_json: bool) -> None:
    """Let go of a type that was pinned."""
    from codecortex.operations.window.pins import unpin as run_unpin

    print_answer(context, {}, lambda workspace: run_unpin(workspace, symbol), as_json=as_json)


@click.command()
@symbol_argument
@json_option
@click.pass_obj
def dismiss(context: Context, /, symbol: str, *, as_json: bool) -> None:
    """Keep a type out of the window until it is asked for again."""
    from codecortex.operations.window.pins import dismiss as run_dismiss

    print_answer(context, {}, lambda workspace: run_dismiss(workspace, symbol), as_json=as_json)


@click.group(cls=QuestionGroup)
def context() -> None:
    """Find the code that a question needs; put types into the Focus.

    What is none of these commands is a question: `codecortex context "Where are retries counted?"` is the same as
    `codecortex context ask` with it.
    """


context.add_command(ask)


@context.command()
@symbol_argument
@click.option("--ttl", metavar="TIME", default=DEFAULT_TTL, show_default=True, help="How long: 90s, 30m, 2h, 1d.")
@json_option
@click.pass_obj
def add(context: Context, /, symbol: str, *, ttl: str, as_json: bool) -> None:
    """Put a type into the Focus for a time; anew if it is there."""
    from codecortex.operations.window.pins import add_context

    print_answer(context, {}, lambda workspace: add_context(workspace, symbol, ttl=ttl), as_json=as_json)


@context.command()
@json_option
@click.pass_obj
def clear(context: Context, /, *, as_json: bool) -> None:
    """Take out of the Focus what was added to it."""
    from codecortex.operations.window.pins import clear_context

    print_answer(context, {}, clear_context, as_json=as_json)


@context.command(name="list")
@json_option
@click.pass_obj
def list_(context: Context, /, *, as_json: bool) -> None:
    """List what was added to the Focus, and until when."""
    from codecortex.operations.window.pins import list_context

    print_answer(context, {}, list_context, as_json=as_json)
