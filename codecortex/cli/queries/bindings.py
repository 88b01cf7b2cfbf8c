"""The command `bindings`: tells what names in sources mean."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from codecortex.cli.options import json_option, print_answer, tree_options

if TYPE_CHECKING:
    from codecortex.cli.options import Context


@click.command()
@click.argument("targets", metavar="[FILE|FILE:LINE:COLUMN]...", nargs=-1)
@json_option
@tree_options
@click.pass_obj
def bindings(context: Context, /, targets: tuple[str, ...], *, as_json: bool, **options: Any) -> None:
    """Tell what names in files mean, or the one at a place."""
    from codecortex.operations.bindings.bindings import bindings as run_bindings

    print_answer(context, options, lambda workspace: run_bindings(workspace, targets), as_json=as_json)
