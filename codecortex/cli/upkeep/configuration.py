"""The commands `config list|get|path|schema`."""

from __future__ import annotations

import click

from codecortex.cli.options import Context, json_option, print_answer
from codecortex.cli.output import echo


@click.group()
def config() -> None:
    """Show the settings in force, and where each comes from."""


@config.command("list")
@json_option
@click.pass_obj
def list_(context: Context, /, *, as_json: bool) -> None:
    """List every key with its value and the file that sets it."""
    from codecortex.operations.setup.configuration import list_settings

    print_answer(context, {}, list_settings, as_json=as_json)


@config.command()
@click.argument("key")
@json_option
@click.pass_obj
def get(context: Context, /, *, key: str, as_json: bool) -> None:
    """Print the value of KEY; of a list, one item per line."""
    from codecortex.operations.setup.configuration import get_setting

    print_answer(context, {}, lambda workspace: get_setting(workspace, key), as_json=as_json)


@config.command()
@json_option
@click.pass_obj
def path(context: Context, /, *, as_json: bool) -> None:
    """Print where the repository's file and your own lie.

    Neither has to exist.
    """
    from codecortex.cli.text import print_result
    from codecortex.operations.setup.configuration import find_config_files

    print_result(find_config_files(context.folder), as_json=as_json)


@config.command()
def schema() -> None:
    """Print the JSON Schema of config.yaml, for editors."""
    import json

    from codecortex.store.config.schema import write_schema

    echo(json.dumps(write_schema(), indent=2))
