"""The command `status`."""

from __future__ import annotations

from typing import Any

import click

from codecortex.cli.options import Context, json_option, print_answer, tree_options


@click.command()
@json_option
@tree_options
@click.pass_obj
def status(context: Context, /, *, as_json: bool, **options: Any) -> None:
    """Say what was read, what is behind, how long runs took."""
    from codecortex.operations.check.status import status as run_status

    print_answer(context, options, run_status, as_json=as_json)
