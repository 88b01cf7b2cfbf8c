"""The command `watch`: prints one line per refresh, until it is stopped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from codecortex.cli.options import Context, flavour_options, make_request
from codecortex.cli.output import echo, style
from codecortex.operations.request import say_nothing
from codecortex.operations.wording import name_some

if TYPE_CHECKING:
    from codecortex.operations.refresh.watch import WatchEvent

_MOST_NAMED = 3


@click.command()
@flavour_options
@click.pass_obj
def watch(context: Context, /, **options: Any) -> None:
    """Refresh whenever a source changes, until Ctrl-C."""
    import gc
    import signal
    import threading

    from codecortex.operations.cognition.prefetch import prefetch_for_later
    from codecortex.operations.refresh.watch import watch as run_watch

    gc.enable()  # unlike other commands, this one runs for long
    stop = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    request = make_request(context, options)
    unasked = request._replace(warn=say_nothing)  # an edit that leaves the tree unreadable is the next event, and told
    for number, happening in enumerate(run_watch(request, stop)):
        if number == 0:
            echo("watching; Ctrl-C ends it")
        _print(happening)
        if happening.result is not None:
            prefetch_for_later(unasked, stop.is_set)


def _print(happening: WatchEvent) -> None:
    from time import strftime

    from codecortex.cli.progress import end_progress, show_warning
    from codecortex.cli.text import warn_of_kept

    end_progress()
    now = strftime("%H:%M:%S")
    result = happening.result
    if happening.waiting:
        echo(f"{now}  waiting: {happening.waiting}")
    elif happening.problem is not None:
        hint = f" ({happening.problem.hint})" if happening.problem.hint else ""
        error = style("error: ", fg="red") + happening.problem.message
        echo(f"{now}  {_name(happening.paths)}{error}{hint}")
    elif result is not None and (result.written or result.removed or happening.paths):
        for path, reason in result.unread:
            show_warning(f"{path}: not read: {reason}")
        warn_of_kept(result)
        changes = [f"{len(result.written):,} written", f"{len(result.removed):,} removed"]
        told = ", ".join(each for each in changes if not each.startswith("0 ")) or "nothing to do"
        echo(f"{now}  {_name(happening.paths)}{told}")


def _name(paths: tuple[str, ...]) -> str:
    """The first paths and the number of further ones, as a prefix of a line."""
    return f"{name_some(paths, _MOST_NAMED)}: " if paths else ""
