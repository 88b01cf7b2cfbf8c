"""`codecortex pack build|list|show|remove`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from codecortex.cli.options import Context, among_options, json_option, make_request, print_answer, tree_options
from codecortex.cli.output import echo
from codecortex.model.packs import DEFAULT_BUDGET

if TYPE_CHECKING:
    from codecortex.operations.catalog.among import Among


@click.group()
def pack() -> None:
    """Keep texts about several types, each within a budget."""


@pack.command()
@click.argument("name", required=False)
@click.option("--filter", "filter_text", metavar="FILTER", help="Define the pack, or change which types it is about.")
@click.option(
    "--budget", type=int, metavar="TOKENS", help=f"Tokens that its text may take; {DEFAULT_BUDGET} unless set."
)
@click.option("--all", "everything", is_flag=True, help="Build every pack that is defined.")
@json_option
@click.pass_obj
def build(context: Context, /, name: str | None, *, everything: bool, as_json: bool, **options: Any) -> None:
    """Write the file of a pack; with --filter, define it first.

    A filter joins conditions by AND (or nothing), OR, ! and parentheses: namespace:Shop.Core.* access:public
    """
    from codecortex.cli.text import print_result
    from codecortex.model.errors import UsageError
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.packs.packs import build_pack, build_packs

    if everything is (name is not None) or (everything and any(value is not None for value in options.values())):
        raise UsageError("Name one pack, or give --all.", "`codecortex pack list` names those that are defined.")
    with Workspace(make_request(context, {})) as workspace:
        result = build_packs(workspace) if name is None else build_pack(workspace, name, **options)
    print_result(result, as_json=as_json)
    failed = next((each.problem for each in result.packs if each.problem is not None), None)
    if failed is not None:
        raise click.exceptions.Exit(failed.exit_code)


@pack.command("list")
@json_option
@tree_options
@click.pass_obj
def list_(context: Context, /, *, as_json: bool, **options: Any) -> None:
    """List the packs with their size and state."""
    from codecortex.operations.packs.packs import list_packs

    print_answer(context, options, list_packs, as_json=as_json)


@pack.command()
@click.argument("name")
@among_options
@json_option
@tree_options
@click.pass_obj
def show(context: Context, /, name: str, *, among: Among, files: bool, as_json: bool, **options: Any) -> None:
    """Print the text of a pack as it must be now."""
    from codecortex.cli.progress import end_progress
    from codecortex.cli.text import print_result
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.packs.packs import pack_files, show_pack

    if files:
        print_answer(context, options, lambda workspace: pack_files(workspace, name, among), as_json=as_json)
        return
    with Workspace(make_request(context, options)) as workspace:
        result = show_pack(workspace, name, among)
    end_progress()
    if result.behind:
        echo(f"note: {result.notice}", err=True)
    print_result(result, as_json=as_json)


@pack.command()
@click.argument("name")
@json_option
@click.pass_obj
def remove(context: Context, /, name: str, *, as_json: bool) -> None:
    """Take away a pack, its definition and its file."""
    from codecortex.operations.packs.packs import remove_pack

    print_answer(context, {}, lambda workspace: remove_pack(workspace, name), as_json=as_json)
