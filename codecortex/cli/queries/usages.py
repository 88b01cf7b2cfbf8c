"""The command `usages`: lists the places where a symbol is named."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from codecortex.cli.options import among_options, json_option, print_answer, symbol_argument, tree_options

if TYPE_CHECKING:
    from collections.abc import Callable

    from codecortex.cli.options import Context
    from codecortex.operations.catalog.among import Among
    from codecortex.operations.result import Result


@click.command()
@symbol_argument
@click.option("--limit", type=click.IntRange(1), default=50, show_default=True, help="The most places to print.")
@click.option("--offset", type=click.IntRange(0), default=0, help="How many places to pass over.")
@click.option("--exact", is_flag=True, help="Only where the symbol is meant for certain.")
@click.option(
    "--family/--no-family",
    default=True,
    show_default=True,
    help="Count what a member overrides and implements, and what overrides and implements it, as the member.",
)
@click.option("--kind", "kinds", multiple=True, help="Only what it is used for: call, read, write, type, cref, ...")
@among_options
@json_option
@tree_options
@click.pass_obj
def usages(  # noqa: PLR0913 - one parameter for each option
    context: Context, /, symbol: str, *, exact: bool, family: bool, kinds: tuple[str, ...], among: Among, files: bool,
    as_json: bool, **options: Any,
) -> None:  # fmt: skip
    """List where a symbol is used in code, most certain first.

    SYMBOL may also be FILE:LINE:COLUMN, where a name of it stands.
    """
    from codecortex.operations.usages.usages import UsageQuery, usage_files
    from codecortex.operations.usages.usages import usages as run_usages

    query = UsageQuery(symbol, exact, among, family, frozenset(kinds))
    page = {name: options.pop(name) for name in ("limit", "offset")}
    operation: Callable[..., Result] = usage_files if files else run_usages
    print_answer(context, options, lambda workspace: operation(workspace, query, **page), as_json=as_json)
