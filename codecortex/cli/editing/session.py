"""`codecortex session`: versions of the work tree that only this work tree has."""

from __future__ import annotations

import click

from codecortex.cli.options import Context, json_option
from codecortex.cli.text import print_result
from codecortex.model.sessions import DEFAULT_SESSION


@click.group()
def session() -> None:
    """Keep versions of the work tree, apart from branches.

    A session is a chain of commits on a private ref: the work tree as it was when the session was opened, then a
    version for each change. `git branch` does not show it, and a push of branches does not take it along.
    """


@session.command("open")
@click.argument("name", default=DEFAULT_SESSION)
@json_option
@click.pass_obj
def open_(context: Context, /, name: str, *, as_json: bool) -> None:
    """Begin a session with the work tree as it is."""
    from codecortex.operations.sessions.manage import open_session

    print_result(open_session(context.folder, name), as_json=as_json)


@session.command("list")
@json_option
@click.pass_obj
def list_(context: Context, /, *, as_json: bool) -> None:
    """List the sessions of this work tree."""
    from codecortex.operations.sessions.manage import list_all

    print_result(list_all(context.folder), as_json=as_json)


@session.command()
@click.argument("name", default=DEFAULT_SESSION)
@json_option
@click.pass_obj
def show(context: Context, /, name: str, *, as_json: bool) -> None:
    """Print what a session is and changed."""
    from codecortex.operations.sessions.manage import show_session

    print_result(show_session(context.folder, name), as_json=as_json)


@session.command()
@click.argument("name", default=DEFAULT_SESSION)
@click.option("--limit", type=click.IntRange(1), metavar="N", help="The newest N alone.")
@json_option
@click.pass_obj
def log(context: Context, /, name: str, *, limit: int | None, as_json: bool) -> None:
    """Print the versions of a session, newest first."""
    from codecortex.operations.sessions.manage import log_session

    print_result(log_session(context.folder, name, limit), as_json=as_json)


@session.command()
@click.argument("name")
@click.argument("new")
@json_option
@click.pass_obj
def fork(context: Context, /, name: str, new: str, *, as_json: bool) -> None:
    """Begin a session with the versions of another."""
    from codecortex.operations.sessions.manage import fork_session

    print_result(fork_session(context.folder, name, new), as_json=as_json)


@session.command()
@click.argument("name", default=DEFAULT_SESSION)
@click.argument("other", required=False)
@json_option
@click.pass_obj
def diff(context: Context, /, name: str, other: str | None, *, as_json: bool) -> None:
    """Print what a session changed, or two differ in."""
    from codecortex.operations.sessions.comparing import diff_sessions

    print_result(diff_sessions(context.folder, name, other), as_json=as_json)


@session.command()
@click.argument("name", default=DEFAULT_SESSION)
@json_option
@click.pass_obj
def merge(context: Context, /, name: str, *, as_json: bool) -> None:
    """Bring what a session changed into the work tree.

    What changed there meanwhile stays. Where both changed the same, nothing is written.
    """
    from codecortex.operations.sessions.merging import merge_session

    print_result(merge_session(context.folder, name), as_json=as_json)


@session.command()
@click.argument("name")
@json_option
@click.pass_obj
def drop(context: Context, /, name: str, *, as_json: bool) -> None:
    """Remove a session; files stay as they are."""
    from codecortex.operations.sessions.manage import drop_session

    print_result(drop_session(context.folder, name), as_json=as_json)


@session.command()
@json_option
@click.pass_obj
def gc(context: Context, /, *, as_json: bool) -> None:
    """Have git pack what sessions have stored."""
    from codecortex.operations.sessions.manage import collect

    print_result(collect(context.folder), as_json=as_json)
