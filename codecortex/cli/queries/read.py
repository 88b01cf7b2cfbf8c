"""`codecortex read`: lines of many files in one call."""

from __future__ import annotations

from typing import Any

import click

from codecortex.cli.options import Context, json_option, make_request, revision_options
from codecortex.model.budgets import READ_BUDGET


@click.command()
@click.argument("files", metavar="FILE[:A-B]...", nargs=-1, required=True)
@click.option(
    "--budget",
    type=click.IntRange(100, 1_000_000),
    default=READ_BUDGET,
    show_default=True,
    metavar="TOKENS",
    help="Tokens that all of it may take.",
)
@json_option
@revision_options
@click.pass_obj
def read(context: Context, /, files: tuple[str, ...], *, budget: int, as_json: bool, **options: Any) -> None:
    """Print lines of files with their numbers.

    FILE is a path from where you stand, or from the top of the repository; FILE:A-B are lines, FILE:A one line,
    FILE:A- all from there on, FILE:A-B,C-D two ranges; FILE:LINE:COLUMN is one line too.
    """
    from codecortex.cli.text import print_result
    from codecortex.git.repository import open_repository
    from codecortex.operations.queries.read import read_files

    request = make_request(context, options)
    result = read_files(request, open_repository(request.folder), files, budget=budget)
    print_result(result, as_json=as_json)
    if not result.is_any_read:
        raise click.exceptions.Exit(3)
