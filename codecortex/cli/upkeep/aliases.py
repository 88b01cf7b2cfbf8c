"""The commands `alias list|add|remove|conflicts`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from codecortex.cli.options import Context, flavour_options, json_option, make_request, tree_options
from codecortex.cli.output import echo
from codecortex.model.text.visible import show_line

if TYPE_CHECKING:
    from codecortex.operations.aliases.aliases import AliasEdit, AliasRow
    from codecortex.operations.aliases.conflicts import Conflict

_SHORT = 10


@click.group()
def alias() -> None:
    """Say what types were called before, and settle doubts."""


@alias.command("list")
@json_option
@tree_options
@click.pass_obj
def list_(context: Context, /, *, as_json: bool, **options: Any) -> None:
    """List every old name and what it is now."""
    from codecortex.operations.aliases.aliases import list_aliases

    _print_rows(list_aliases(make_request(context, options)), as_json=as_json)


@alias.command()
@click.argument("old")
@click.argument("new")
@json_option
@flavour_options
@click.pass_obj
def add(context: Context, /, *, old: str, new: str, as_json: bool, **options: Any) -> None:
    """Say that the type OLD, which is no more, became NEW.

    A note on OLD moves along.
    """
    from codecortex.operations.aliases.aliases import add_alias

    _print_edit(add_alias(make_request(context, options), old, new), "added", as_json=as_json)


@alias.command()
@click.argument("old")
@json_option
@click.pass_obj
def remove(context: Context, /, *, old: str, as_json: bool) -> None:
    """Forget what OLD became."""
    from codecortex.operations.aliases.aliases import remove_alias

    _print_edit(remove_alias(make_request(context, {}), old), "removed", as_json=as_json)


@alias.command()
@json_option
@flavour_options
@click.pass_obj
def conflicts(context: Context, /, *, as_json: bool, **options: Any) -> None:
    """List what people should decide about, and how."""
    from codecortex.operations.aliases.conflicts import list_conflicts

    _print_conflicts(list_conflicts(make_request(context, options)), as_json=as_json)


def _print_rows(rows: tuple[AliasRow, ...], *, as_json: bool) -> None:
    from codecortex.cli.text import describe_alias, print_json
    from codecortex.operations.wording import write_time

    if as_json:
        described = [
            describe_alias(row.alias)
            | {"commit": row.commit or None, "date": write_time(row.time) if row.commit else None}
            for row in rows
        ]
        print_json({"aliases": described})
        return
    if not rows:
        echo("No type has an old name.", err=True)
    for row in rows:
        came = f"{row.commit[:_SHORT]} {write_time(row.time)[:10]}" if row.commit else "not committed"
        through = ", collapsed" if row.alias.collapsed else ""
        told = f"{row.alias.reason} {row.alias.score:.2f}{through}; {came}"
        echo(show_line(f"{row.alias.old_fqn} -> {row.alias.new_fqn}  ({told})"))


def _print_edit(edit: AliasEdit, done: str, *, as_json: bool) -> None:
    from codecortex.cli.text import describe_alias, print_json

    if as_json:
        told = {"movedNote": edit.moved or None, "keptNote": edit.kept or None}
        print_json({done: [describe_alias(row) for row in edit.aliases], **told})
        return
    for row in edit.aliases:
        moved = " (note moved)" if edit.moved else ""
        echo(show_line(f"{done}  {row.old_fqn} -> {row.new_fqn}{moved}"))
    if edit.kept:
        echo(f"note: {edit.kept}", err=True)


def _print_conflicts(found: tuple[Conflict, ...], *, as_json: bool) -> None:
    from codecortex.cli.progress import end_progress
    from codecortex.cli.text import describe_candidate, print_json

    if as_json:
        print_json({"conflicts": [
            {
                "kind": str(each.kind),
                "oldId": each.old_id,
                "oldFqn": each.old_fqn or None,
                "why": each.why,
                "candidates": [describe_candidate(candidate) for candidate in each.candidates],
                "commands": list(each.commands),
            }
            for each in found
        ]})  # fmt: skip
        return
    end_progress()
    if not found:
        echo("Nothing to decide.")
    for each in found:
        echo(show_line(f"{each.old_fqn or each.old_id}: {each.why}"))
        for candidate in each.candidates:
            echo(show_line(f"  {candidate.score:.2f}  {candidate.new_fqn}"))
        for command in each.commands:
            echo(f"  $ {command}")
