"""The commands `hooks install|uninstall|status` and `merge-driver`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from codecortex.cli.options import json_option, make_request
from codecortex.cli.output import echo, style

if TYPE_CHECKING:
    from codecortex.cli.options import Context
    from codecortex.operations.hooks.install import HooksStatus, HookState, UninstallResult


@click.group()
def hooks() -> None:
    """Put git hooks where they will run, or take them away."""


@hooks.command()
@json_option
@click.pass_obj
def install(context: Context, /, *, as_json: bool) -> None:
    """Install the hooks in this clone; safe to repeat."""
    from codecortex.operations.hooks.install import install as run_install

    _print_status(run_install(context.folder), as_json=as_json)


@hooks.command()
@json_option
@click.pass_obj
def uninstall(context: Context, /, *, as_json: bool) -> None:
    """Take the hooks away; what was there before is there again."""
    from codecortex.operations.hooks.install import uninstall as run_uninstall

    _print_uninstall(run_uninstall(context.folder), as_json=as_json)


@hooks.command()
@json_option
@click.pass_obj
def status(context: Context, /, *, as_json: bool) -> None:
    """Say of each hook whether it runs, and how to mend it."""
    from codecortex.operations.hooks.install import describe

    _print_status(describe(context.folder), as_json=as_json)


def _print_status(result: HooksStatus, *, as_json: bool) -> None:
    if as_json:
        from codecortex.cli.text import print_json

        print_json(_tell_status(result))
        return
    width = max(len(state.event) for state in result.hooks)
    for state in result.hooks:
        echo(f"{state.event:<{width}}  {_tell_state(state)}")
    driver = "registered for semantic notes" if result.merge_driver else "not registered; git merges notes as text"
    echo(f"{'merge':<{width}}  {driver}")
    if result.interpreter and not result.interpreter_found:
        echo(f"\n{result.interpreter} is gone: run `codecortex hooks install` again.")
    if result.switched_off:
        echo("\nCODECORTEX=0 is set here: every hook leaves at once.")
    for file, text, then in result.snippets:
        echo(f"\nAdd to {file}{f', then run `{then}`' if then else ''}:\n")
        echo("".join(f"    {line}\n" for line in text.splitlines()), nl=False)


def _tell_state(state: HookState) -> str:
    if state.runs:
        return style("runs", fg="green") + f"  {state.through}"
    return style("off ", fg="yellow") + f"  {state.problem}: {state.mend}"


def _tell_status(result: HooksStatus) -> dict[str, Any]:
    return {
        "git": ".".join(map(str, result.git)),
        "manager": str(result.manager),
        "hooksFolder": str(result.folder),
        "hooks": [
            {"event": state.event, "runs": state.runs}
            | ({"through": state.through} if state.runs else {"problem": state.problem, "mend": state.mend})
            for state in result.hooks
        ],
        "mergeDriver": result.merge_driver,
        "interpreter": result.interpreter or None,
        "interpreterFound": result.interpreter_found,
        "switchedOff": result.switched_off,
        "snippets": [snippet._asdict() for snippet in result.snippets],
    }


def _print_uninstall(result: UninstallResult, *, as_json: bool) -> None:
    if as_json:
        from codecortex.cli.text import print_json

        print_json(result._asdict())
        return
    for what, each in (
        ("removed ", result.removed),
        ("restored", result.restored),
        ("edited, so left alone", result.edited),
    ):
        for path in each:
            echo(f"{what}  {path}")
    if result.mentions:
        echo(f"Take codecortex's lines out of {', '.join(result.mentions)} yourself.")
    if not any(result):
        echo("Nothing was installed.")


@click.command()
@click.argument("base", type=click.Path(path_type=Path))
@click.argument("ours", type=click.Path(path_type=Path))
@click.argument("theirs", type=click.Path(path_type=Path))
@click.argument("path")
@click.pass_context
def merge_driver(context: click.Context, /, base: Path, ours: Path, theirs: Path, path: str) -> None:
    """Merge the notes of two branches into OURS; git calls this."""
    from codecortex.operations.hooks.merge_driver import merge_note

    outcome = merge_note(make_request(context.obj, {}), (base, ours, theirs), path)
    if outcome.problem:
        echo(f"codecortex: {outcome.problem}.", err=True)
        context.exit(1)
    other = "theirs" if outcome.kept == "ours" else "ours"
    if outcome.damaged:
        echo(f"codecortex: {path}: {other} is no whole note; {outcome.kept} is kept, {other} is in history.", err=True)
    if outcome.dropped:
        told = f"both sides changed {', '.join(outcome.dropped)}; {outcome.kept} is kept, {other} is in history"
        echo(f"codecortex: {path}: {told}.", err=True)
