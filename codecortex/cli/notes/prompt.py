"""`codecortex semantic prompt`: prints the prompt for a note."""

from __future__ import annotations

from typing import Any

import click

from codecortex.cli.options import Context, json_option, make_request, symbol_argument, tree_options
from codecortex.cli.output import echo
from codecortex.cli.text import print_json


@click.command()
@symbol_argument
@json_option
@tree_options
@click.pass_obj
def prompt(context: Context, /, symbol: str, *, as_json: bool, **options: Any) -> None:
    """Print what a model would be asked about one type.

    Nothing is sent and nothing is written. SYMBOL may be the id of a group, too.
    """
    from codecortex.cli.progress import end_progress
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.generation.prompt_view import view_prompt

    with Workspace(make_request(context, options)) as workspace:
        found = view_prompt(workspace, symbol)
    end_progress()
    if as_json:
        print_json(found.as_json())
        return
    echo(found.as_text())
    if found.prompt is not None:
        echo(found.explain(), err=True)
