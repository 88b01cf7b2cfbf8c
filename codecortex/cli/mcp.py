"""The command `mcp`: runs the MCP server on stdin and stdout, or prints the configuration of a client."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from codecortex.cli.options import Context, flavour_options
from codecortex.cli.output import echo

if TYPE_CHECKING:
    from pathlib import Path

_ALL = "all"


@click.command()
@click.option(
    "--print-config",
    "client",
    metavar="[CLIENT]",
    is_flag=False,
    flag_value=_ALL,
    help="Print what to put into a client's configuration, or into each one's; write nothing.",
)
@click.option("--uvx", is_flag=True, help="With --print-config: have uvx fetch this version and start it.")
@click.option("--edit", "edits", is_flag=True, help="Let the client change files, each step answered; else it reads.")
@flavour_options
@click.pass_obj
def mcp(context: Context, /, client: str | None, *, uvx: bool, edits: bool, **options: Any) -> None:
    """Serve agents: an MCP server on stdin and stdout."""
    if client is not None:
        _print_config(context.folder, client, uvx=uvx, edits=edits)
        return
    if uvx:
        raise click.UsageError("--uvx belongs to --print-config.")
    from codecortex.mcp_server.serving import serve
    from codecortex.operations.request import Request

    serve(Request(context.folder.absolute(), **options), metrics=context.metrics, edits=edits)


def _print_config(folder: Path, client: str, *, uvx: bool, edits: bool) -> None:
    from codecortex.mcp_server.clients import write_stanzas

    stanzas = write_stanzas(folder, _find_command(), "" if client == _ALL else client, uvx=uvx, edits=edits)
    if client != _ALL:
        echo(f"for {stanzas[0].place}:", err=True)  # stdout is for the configuration alone
        echo(stanzas[0].text)
        return
    echo("\n\n".join(f"{each.client}: {each.place}\n{each.text}" for each in stanzas))


def _find_command() -> list[str]:
    """The command that starts this codecortex from any folder.

    With -P, since clients start in repositories: a `json.py` at the top of one must not be imported.
    """
    import os
    import sys

    program = os.path.abspath(sys.argv[0])  # noqa: PTH100 - links stay: they are what an installer keeps up to date
    named = os.path.basename(program).partition(".")[0] == "codecortex"  # noqa: PTH119 - beside abspath
    return [program] if named and os.access(program, os.X_OK) else [sys.executable, "-P", "-m", "codecortex"]
