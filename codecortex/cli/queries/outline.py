"""`codecortex outline`: prints the outline of a symbol, computed from the sources."""

from __future__ import annotations

from typing import Any

import click

from codecortex.cli.options import Context, json_option, make_request, symbol_argument, tree_options
from codecortex.cli.output import echo


@click.command()
@symbol_argument
@click.option("--source", is_flag=True, help="Print the source text of the declarations too.")
@click.option("--members", is_flag=True, help="All members, grouped by accessibility, with their lines.")
@click.option("--lines", is_flag=True, help="Print the lines that each member takes.")
@click.option("--hashes", is_flag=True, help="Print the hashes of types.")
@click.option(
    "--limit",
    type=click.IntRange(1, 10_000),
    default=50,
    show_default=True,
    help="Children of a namespace, types of a file.",
)
@click.option("--offset", type=click.IntRange(0), default=0, help="Those to leave out before.")
@json_option
@tree_options
@click.pass_obj
def outline(context: Context, /, symbol: str, *, as_json: bool, **options: Any) -> None:
    """Print the outline of a type, member, namespace or file.

    SYMBOL is a full name or the end of one, with parameter types where overloads are to be told apart, an id, a
    documentation id, or the path of a source.
    """
    from codecortex.cli.progress import end_progress
    from codecortex.cli.text import print_result
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.queries.outline import OutlineView
    from codecortex.operations.queries.outline import outline as run_outline

    view = OutlineView(*(options.pop(name) for name in OutlineView._fields))
    page = {name: options.pop(name) for name in ("limit", "offset")}
    with Workspace(make_request(context, options)) as workspace:
        result = run_outline(workspace, symbol, view, **page)
    end_progress()
    if result.redirected_from:
        echo(f"note: {result.redirected_from} is now {result.fqn}", err=True)
    print_result(result, as_json=as_json)
