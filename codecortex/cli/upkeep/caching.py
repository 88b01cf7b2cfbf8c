"""The commands `cache status|show|why|history|diff|verify|invalidate|gc|clear|prefetch`."""

from __future__ import annotations

from typing import Any

import click

from codecortex.cli.options import Context, json_option, make_request, print_answer, require_worktree, tree_options


@click.group()
def cache() -> None:
    """Look into the local cache, and look after it.

    A NODE is KIND:SYMBOL, such as prints:My.Type; SYMBOL alone is what a note on the type is held against.
    """


@cache.command()
@json_option
@click.pass_obj
def status(context: Context, /, *, as_json: bool) -> None:
    """Say what the cache holds."""
    from codecortex.operations.cognition.upkeep import tell_status

    print_answer(context, {}, tell_status, as_json=as_json)


@cache.command()
@click.argument("node")
@json_option
@tree_options
@click.pass_obj
def show(context: Context, /, *, node: str, as_json: bool, **options: Any) -> None:
    """Show what NODE was made from, as a tree; nothing is made."""
    from codecortex.operations.cognition.why import show_node

    print_answer(context, options, lambda workspace: show_node(workspace, node), as_json=as_json)


@cache.command()
@click.argument("node")
@json_option
@tree_options
@click.pass_obj
def why(context: Context, /, *, node: str, as_json: bool, **options: Any) -> None:
    """Say whether NODE still holds, and what changed if not."""
    from codecortex.operations.cognition.why import tell_why

    print_answer(context, options, lambda workspace: tell_why(workspace, node), as_json=as_json)


@cache.command()
@click.argument("node")
@json_option
@click.pass_obj
def history(context: Context, /, *, node: str, as_json: bool) -> None:
    """List the versions of NODE that are kept, newest first."""
    from codecortex.operations.cognition.why import list_versions

    print_answer(context, {}, lambda workspace: list_versions(workspace, node), as_json=as_json)


@cache.command()
@click.argument("node")
@click.argument("new", type=click.IntRange(1), default=1)
@click.argument("old", type=click.IntRange(1), default=2)
@json_option
@click.pass_obj
def diff(context: Context, /, *, node: str, new: int, old: int, as_json: bool) -> None:
    """Compare two versions of NODE, by their numbers in `history`."""
    from codecortex.operations.cognition.why import compare_versions

    print_answer(context, {}, lambda workspace: compare_versions(workspace, node, new, old), as_json=as_json)


@cache.command()
@click.option("--sample", type=click.IntRange(1), metavar="N", help="N nodes of each kind alone.")
@json_option
@click.pass_obj
def verify(context: Context, /, *, sample: int | None, as_json: bool) -> None:
    """Build again what is kept, and compare the bytes.

    Exits with 1 where something came out otherwise or is damaged; both are thrown away.
    """
    from codecortex.cli.text import print_result
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.cognition.upkeep import verify as run_verify

    require_worktree(context)
    with Workspace(make_request(context, {})) as workspace:
        answer = run_verify(workspace, sample)
    print_result(answer, as_json=as_json)
    if answer.values["different"] or answer.values["damaged"] or answer.values["setAside"]:
        click.get_current_context().exit(1)


@cache.command()
@click.argument("node")
@click.option("--input", "with_readers", is_flag=True, help="All that rests on it too.")
@json_option
@click.pass_obj
def invalidate(context: Context, /, *, node: str, with_readers: bool, as_json: bool) -> None:
    """Throw NODE away; it is made anew when it is asked for."""
    from codecortex.operations.cognition.upkeep import invalidate as run_invalidate

    print_answer(
        context, {}, lambda workspace: run_invalidate(workspace, node, with_readers=with_readers), as_json=as_json
    )


@cache.command()
@json_option
@click.pass_obj
def gc(context: Context, /, *, as_json: bool) -> None:
    """Throw away what no tree needs.

    That is old versions, and what is beyond `cache.maxMegabytes`.
    """
    from codecortex.operations.cognition.upkeep import collect

    print_answer(context, {}, collect, as_json=as_json)


@cache.command()
@json_option
@click.pass_obj
def clear(context: Context, /, *, as_json: bool) -> None:
    """Throw everything away; it costs time only."""
    from codecortex.operations.cognition.upkeep import clear as run_clear

    print_answer(context, {}, run_clear, as_json=as_json)


@cache.command()
@click.argument("nodes", metavar="[NODE]...", nargs=-1)
@json_option
@tree_options
@click.pass_obj
def prefetch(context: Context, /, *, nodes: tuple[str, ...], as_json: bool, **options: Any) -> None:
    """Bring up each NODE, else what was asked for before.

    The latter for `cache.prefetchSeconds` at most.
    """
    from codecortex.operations.cognition.prefetch import prefetch as run_prefetch

    print_answer(context, options, lambda workspace: run_prefetch(workspace, nodes), as_json=as_json)
