"""`codecortex outline`: prints the outline of a symbol, computed from the sources."""

from __future__ import annotations

from typing import Any

import click

from codecortex.cli.options import Context, json_option, make_request, tree_options


@click.command()
@click.argument("symbol")
@click.option("--source", is_flag=True, help="Print the source text of the declarations too.")
@click.option("--limit", type=click.IntRange(1, 10_000), default=50, show_default=True, help="Children of a namespace.")
@click.option("--offset", type=click.IntRange(0), default=0, help="Children of a namespace to leave out before.")
@json_option
@tree_options
@click.pass_obj
def outline(context: Context, /, symbol: str, *, source: bool, as_json: bool, **options: Any) -> None:
    """Print the outline of a type, a member or a namespace.

    SYMBOL is a full name or the end of one, with parameter types where overloads are to be told apart, an id, or a
    documentation id.
    """
    from codecortex.cli.progress import end_progress
    from codecortex.cli.text import print_result
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.queries.outline import outline as run_outline

    page = {name: options.pop(name) for name in ("limit", "offset")}
    with Workspace(make_request(context, options)) as workspace:
        result = run_outline(workspace, symbol, source=source, **page)
    end_progress()
    if result.redirected_from:
        click.echo(f"note: {result.redirected_from} is now {result.fqn}", err=True)
    print_result(result, as_json=as_json)
