"""The commands `callers` and `callees`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from codecortex.cli.options import json_option, print_answer, symbol_argument, tree_options

if TYPE_CHECKING:
    from collections.abc import Callable

    from codecortex.cli.options import Context
    from codecortex.operations.catalog.among import Among

_depth = click.option("--depth", type=click.IntRange(1, 1000), default=1, show_default=True, help="Steps to go.")
_limit = click.option("--limit", type=click.IntRange(1, 1_000_000), help="Members to show; 300 unless told.")
_form = click.option("--format", "form", type=click.Choice(["mermaid", "dot", "json"]), help="A drawing, or JSON.")


def _shared(command: Callable[..., None]) -> Callable[..., None]:
    for add in (tree_options, json_option, _form, _limit, _depth, symbol_argument):
        command = add(command)
    return command


@click.command()
@_shared
@click.pass_obj
def callers(context: Context, /, symbol: str, *, form: str | None, as_json: bool, **options: Any) -> None:
    """Show what calls a member, some steps back."""
    run_calls(context, symbol, "json" if as_json else form, options, callers=True)


@click.command()
@_shared
@click.pass_obj
def callees(context: Context, /, symbol: str, *, form: str | None, as_json: bool, **options: Any) -> None:
    """Show what a member calls, some steps on."""
    run_calls(context, symbol, "json" if as_json else form, options, callers=False)


def run_calls(context: Context, symbol: str, form: str | None, options: dict[str, Any], *, callers: bool) -> None:
    """Print the calls of a member."""
    from codecortex.operations.queries.graph import Format
    from codecortex.operations.usages.calls import CallQuery, show_calls

    depth, limit = options.pop("depth"), options.pop("limit")
    query = CallQuery(symbol, callers, depth, limit, Format(form) if form else None)
    print_answer(context, options, lambda workspace: show_calls(workspace, query), as_json=form == "json")


def refuse_other_options(symbol: str | None, by: str | None, among: Among, kind: str, *, files: bool) -> None:
    """Refuse what has no meaning for calls.

    Raises:
        UsageError: One of the options is given, or no symbol.
    """
    from codecortex.model.errors import UsageError
    from codecortex.operations.catalog.among import EVERYTHING

    if symbol is None:
        raise UsageError("--calls starts at a member.", "Name one, and leave out --all.")
    if by or files or kind != "all" or among != EVERYTHING:
        raise UsageError("--calls takes --depth, --reverse, --limit and --format alone.", "Leave the others out.")
