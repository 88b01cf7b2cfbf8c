"""The command `graph`."""

from __future__ import annotations

from typing import Any

import click

from codecortex.cli.options import Context, among_options, json_option, print_answer, tree_options


@click.command()
@click.argument("symbol", required=False)
@click.option("--all", "whole", is_flag=True, help="Show what every type of the tree names.")
@click.option("--depth", type=click.IntRange(1, 1000), default=1, show_default=True, help="Steps to go from SYMBOL.")
@click.option("--reverse", is_flag=True, help="Show what names SYMBOL, instead of what it names.")
@click.option("--calls", is_flag=True, help="Of a member: what it calls; with --reverse, what calls it.")
@click.option(
    "--kind", type=click.Choice(["structural", "all"]), default="all", show_default=True,
    help="Which names count: those on surfaces, or those in bodies too.",
)  # fmt: skip
@click.option(
    "--by", type=click.Choice(["type", "namespace", "project"]), help="With --all: what a node is; else what fits."
)
@click.option(
    "--limit", type=click.IntRange(1, 1_000_000), help="Nodes to show; 300 unless told, all in JSON of --all."
)
@click.option("--format", "form", type=click.Choice(["mermaid", "dot", "json"]), help="A drawing, or JSON.")
@among_options
@json_option
@tree_options
@click.pass_obj
def graph(  # noqa: PLR0913 - one parameter for each option
    context: Context, /, symbol: str | None, *, whole: bool, calls: bool, files: bool, as_json: bool, **options: Any
) -> None:
    """Show what a type names, or what names it."""
    from codecortex.model.errors import UsageError
    from codecortex.operations.queries.graph import By, Format, GraphQuery, graph_files
    from codecortex.operations.queries.graph import graph as run_graph

    if whole == (symbol is not None):
        raise UsageError("Give a symbol or --all.", "`codecortex graph --all` shows the whole tree.")
    form, by = options.pop("form"), options.pop("by")
    if as_json and form not in (None, "json"):
        raise UsageError(f"--json and --format {form} are two formats.", "Give one of them.")
    if calls:
        from codecortex.cli.queries.calls import refuse_other_options, run_calls

        refuse_other_options(symbol, by, options.pop("among"), options.pop("kind"), files=files)
        run_calls(context, symbol or "", "json" if as_json else form, options, callers=options.pop("reverse"))
        return
    query = GraphQuery(
        symbol,
        options.pop("depth"),
        options.pop("reverse"),
        options.pop("kind") == "all",
        By(by) if by else None,
        options.pop("limit"),
        Format.JSON if as_json else Format(form) if form else None,
        options.pop("among"),
    )
    if files:
        if form not in (None, "json"):
            raise UsageError(f"--files and --format {form} are two formats.", "Give one of them.")
        print_answer(context, options, lambda workspace: graph_files(workspace, query), as_json=as_json or bool(form))
        return
    print_answer(context, options, lambda workspace: run_graph(workspace, query), as_json=query.format is Format.JSON)
