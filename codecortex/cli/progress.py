"""Shows progress and warnings on stderr; no progress for the first second."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Callable

_PATIENCE = 1.0
_INTERVAL = 0.1


class _State:
    """The current progress bar, if any."""

    started: float = 0.0
    shown: float = 0.0
    text: str = ""
    bar: Any = None
    task: Any = None


def show_progress(text: str, done: int, total: int) -> None:
    """Show how much of an activity is done; a bar appears after a second, on a terminal only.

    The text after a colon may change from call to call without starting a new bar.
    """
    if not sys.stderr.isatty():
        return
    now = time.monotonic()
    if _State.started == 0.0:
        _State.started = now
    if now - _State.started < _PATIENCE or (now - _State.shown < _INTERVAL and done < total):
        return
    _State.shown = now
    if _State.bar is None:
        from rich.console import Console
        from rich.progress import Progress

        _State.bar = Progress(console=Console(stderr=True), transient=True)
        _State.bar.start()
    name = text.partition(":")[0]
    if _State.text != name:
        _State.text = name
        _State.task = _State.bar.add_task(text, total=total, completed=done)
    _State.bar.update(_State.task, description=text, completed=done, total=total)


def end_progress() -> None:
    """Remove the progress bar."""
    if _State.bar is not None:
        _State.bar.stop()
        _State.bar, _State.text = None, ""  # the next bar has none of this one's tasks


def warn_once() -> Callable[[str], None]:
    """A function that shows each warning once: one command may meet the same problem several times."""
    told: set[str] = set()

    def warn(text: str) -> None:
        if text not in told:
            told.add(text)
            show_warning(text)

    return warn


def show_warning(text: str) -> None:
    """Print a warning as one line on stderr."""
    click.echo(click.style("warning: ", fg="yellow") + text, err=True)
