"""`codecortex hook NAME [ARGUMENTS...]`: called by the installed git hooks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from codecortex.cli.output import echo

if TYPE_CHECKING:
    from codecortex.cli.options import Context


@click.command(hidden=True, context_settings={"ignore_unknown_options": True})
@click.argument("name")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@click.pass_obj
def hook(context: Context, name: str, arguments: tuple[str, ...]) -> None:
    """Do the work of one git hook; the installed hooks call this."""
    from codecortex.operations.hooks.run import WARM, run_hook

    def say(text: str) -> None:
        echo(f"codecortex: {text}", err=True)

    code = run_hook(context.folder, name, arguments, say, caches=context.caches)
    if name == WARM and context.caches:  # the process that hooks leave behind, of which nobody reads a word
        from codecortex.operations.cognition.prefetch import prefetch_for_later
        from codecortex.operations.request import Request

        prefetch_for_later(Request(context.folder, jobs=1))
    if code:
        raise click.exceptions.Exit(code)
