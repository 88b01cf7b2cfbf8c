"""The command `status`."""

from __future__ import annotations

from typing import Any

import click

from codecortex.cli.options import Context, json_option, make_request, tree_options


@click.command()
@json_option
@tree_options
@click.pass_obj
def status(context: Context, /, *, as_json: bool, **options: Any) -> None:
    """Say what was read, what is behind, how long runs took."""
    from codecortex.cli.text import print_result
    from codecortex.operations.desk import Desk
    from codecortex.operations.status import status as run_status

    with Desk(make_request(context, options)) as desk:
        result = run_status(desk)
    print_result(result, as_json=as_json)
