"""The command `usages`: lists the places where a symbol is named."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from codecortex.cli.options import json_option, print_answer, tree_options

if TYPE_CHECKING:
    from codecortex.cli.options import Context


@click.command()
@click.argument("symbol")
@click.option("--limit", type=click.IntRange(1), default=50, show_default=True, help="The most places to print.")
@click.option("--offset", type=click.IntRange(0), default=0, help="How many places to pass over.")
@click.option("--exact", is_flag=True, help="Only where the symbol is meant for certain.")
@json_option
@tree_options
@click.pass_obj
def usages(  # noqa: PLR0913 - one parameter for each option
    context: Context, /, symbol: str, *, limit: int, offset: int, exact: bool, as_json: bool, **options: Any
) -> None:
    """List where a symbol is named in code, most certain first."""
    from codecortex.operations.queries.usages import usages as run_usages

    print_answer(
        context,
        options,
        lambda workspace: run_usages(workspace, symbol, limit=limit, offset=offset, exact=exact),
        as_json=as_json,
    )
