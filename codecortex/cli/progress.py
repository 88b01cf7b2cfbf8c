"""Shows progress and warnings on stderr; no progress for the first second."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

import click

from codecortex.cli.output import echo, style
from codecortex.model.text.visible import show_line

if TYPE_CHECKING:
    from collections.abc import Callable

_PATIENCE = 1.0
_INTERVAL = 0.1


class ProgressBar:
    """A bar on stderr, while there is something to show.

    Args:
        started: Since when the work goes on, in seconds of `time.monotonic`; else since the first `show`.
    """

    def __init__(self, started: float | None = None) -> None:
        self._started = started
        self._visible: bool | None = None  # each look at the terminal is a call of the system
        self._shown = 0.0
        self._text = ""
        self._bar: Any = None
        self._task: Any = None

    def show(self, text: str, done: int, total: int) -> None:
        """Say how much of something is done; a bar appears after a second, on a terminal only.

        What follows a colon in the text may change from call to call.
        """
        if self._visible is None:
            self._visible = sys.stderr.isatty()
        if not self._visible:
            return
        now = time.monotonic()
        if self._started is None:
            self._started = now
        if now - self._started < _PATIENCE or (now - self._shown < _INTERVAL and done < total):
            return
        self._shown = now
        if self._bar is None:
            from rich.console import Console
            from rich.progress import Progress

            self._bar = Progress(console=Console(stderr=True), transient=True)
            self._bar.start()
        name = text.partition(":")[0]
        if self._text != name:
            self._text = name
            self._task = self._bar.add_task(text, total=total, completed=done)
        self._bar.update(self._task, description=text, completed=done, total=total)

    def end(self) -> None:
        """Take the bar off the screen."""
        if self._bar is not None:
            self._bar.stop()
            self._bar, self._text = None, ""  # the next bar knows none of this one's tasks


def end_progress() -> None:
    """Take the bar of the command that runs off the screen, before it prints."""
    context = click.get_current_context(silent=True)
    if context is not None and context.obj is not None:
        context.obj.end_progress()


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
    echo(style("warning: ", fg="yellow") + show_line(text), err=True)
