"""The command `doctor`."""

from __future__ import annotations

import click

from codecortex.cli.options import Context, json_option, make_request


@click.command()
@json_option
@click.pass_obj
def doctor(context: Context, /, *, as_json: bool) -> None:
    """Say what of the set-up works and what does not.

    Nothing is written. Exits with 1 if there is a problem; warnings alone are no failure.
    """
    from codecortex.cli.progress import end_progress
    from codecortex.cli.text import paint, print_json, print_lines
    from codecortex.operations.setup.doctor import examine

    context.metrics = False  # nothing at all is written
    result = examine(make_request(context, {}))
    end_progress()
    if as_json:
        print_json(result.as_json())
    else:
        print_lines(result.write(paint))
    if result.broken:
        raise click.exceptions.Exit(1)
