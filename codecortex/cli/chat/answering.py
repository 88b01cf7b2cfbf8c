"""Asks one message and shows its answer; Ctrl-C stops it, twice leaves."""

from __future__ import annotations

import signal
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

from codecortex.cli.output import echo, style
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.text.visible import show_line
from codecortex.operations.chat.ask import ask
from codecortex.operations.chat.values import Listener

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from codecortex.operations.chat.values import Chat, Turn


class View(Protocol):
    """Shows one answer."""

    def hear(self, piece: str) -> None:
        """Show one more piece; an empty one says that the answer begins anew."""

    def end(self) -> None:
        """Show what is left."""


class PlainView:
    """Writes pieces as they come, for pipes and for terminals that know no more."""

    def __init__(self) -> None:
        self._ends_line = True

    def hear(self, piece: str) -> None:
        """Write one more piece."""
        if piece:
            self._ends_line = piece.endswith("\n")
            echo(piece.replace("\r", ""), nl=False)
        elif not self._ends_line:
            echo("\n(broken off; asked again)")
            self._ends_line = True

    def end(self) -> None:
        """End the last line."""
        if not self._ends_line:
            echo()


class Interrupts:
    """Hears Ctrl-C.

    Where work may end at any moment it does, as with any command. Else it is counted: the first one asks an answer to
    stop, so that what was paid for is kept, and the second one wants to leave.

    Attributes:
        count: How often it was pressed since the last message was typed.
        raises: Whether work may end at any moment.
    """

    def __init__(self) -> None:
        self.count = 0
        self.raises = False

    def hear(self, *_: object) -> None:
        """Take one."""
        self.count += 1
        if self.raises:
            raise KeyboardInterrupt

    @contextmanager
    def raising(self) -> Iterator[None]:
        """Let work end at any moment."""
        self.raises = True
        try:
            yield
        finally:
            self.raises = False


@contextmanager
def hear_interrupts() -> Iterator[Interrupts]:
    """Hear Ctrl-C for a while."""
    heard = Interrupts()
    before = signal.signal(signal.SIGINT, heard.hear)
    try:
        yield heard
    finally:
        signal.signal(signal.SIGINT, before)


class Showing(NamedTuple):
    """How an answer is shown: what makes the view, and what is called before, when all is gathered."""

    view: Callable[[], View]
    ready: Callable[[], None]


def ask_message(chat: Chat, message: str, showing: Showing, heard: Interrupts) -> tuple[Chat, Turn]:
    """Ask a message and show its answer as it arrives.

    Raises:
        KeyboardInterrupt: Ctrl-C was pressed before anything was sent.
        CodecortexError: As `ask`.
    """
    shown: list[View] = []

    def begin() -> None:
        heard.raises = False
        showing.ready()
        shown.append(showing.view())

    def hear(piece: str) -> None:
        shown[0].hear(piece)

    try:
        with heard.raising():
            return ask(chat, message, Listener(begin, hear, lambda: bool(heard.count)))
    finally:
        for each in shown:
            each.end()


def tell_turn(turn: Turn) -> None:
    """Tell on stderr what a message took, and what went wrong."""
    if turn.advice:
        echo(style("hint: ", fg="cyan") + show_line(turn.advice), err=True)
        return
    if turn.problem is not None:
        echo(style("error: ", fg="red") + show_line(turn.problem.message), err=True)
        if turn.problem.hint:
            echo(style("hint: ", fg="cyan") + show_line(turn.problem.hint), err=True)
    echo(style(turn.tell_spent(), dim=True), err=True)
