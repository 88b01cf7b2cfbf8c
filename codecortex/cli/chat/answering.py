"""Asks one message and shows its answer; Ctrl-C stops it, twice leaves."""

from __future__ import annotations

import signal
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple, Protocol

from codecortex.cli.output import echo, style
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
    """Hears Ctrl-C while a message is asked.

    Until the model is asked it ends the work at once, as with any command; then the first one asks the answer to stop,
    so that what was paid for is kept, and the second one wants to leave.
    """

    def __init__(self) -> None:
        self.count = 0
        self.is_sent = False

    def hear(self, *_: object) -> None:
        """Take one."""
        self.count += 1
        if not self.is_sent:
            raise KeyboardInterrupt


@contextmanager
def hear_interrupts() -> Iterator[Interrupts]:
    """Hear Ctrl-C for a while."""
    heard = Interrupts()
    before = signal.signal(signal.SIGINT, heard.hear)
    try:
        yield heard
    finally:
        signal.signal(signal.SIGINT, before)


class Asked(NamedTuple):
    """What came of a message: the chat, the turn (None where it was interrupted before), and how often by Ctrl-C."""

    chat: Chat
    turn: Turn | None
    interrupts: int


def ask_message(chat: Chat, message: str, view: Callable[[], View], ready: Callable[[], None]) -> Asked:
    """Ask a message and show its answer as it arrives.

    Args:
        chat: The chat.
        message: The message.
        view: Makes what shows the answer.
        ready: Called when all is gathered, before anything is shown.

    Raises:
        CodecortexError: As `ask`.
    """
    shown: list[View] = []
    with hear_interrupts() as heard:

        def begin() -> None:
            heard.is_sent = True
            ready()
            shown.append(view())

        def hear(piece: str) -> None:
            shown[0].hear(piece)

        try:
            after, turn = ask(chat, message, Listener(begin, hear, lambda: bool(heard.count)))
        except KeyboardInterrupt:
            return Asked(chat, None, heard.count)
        finally:
            for each in shown:
                each.end()
    return Asked(after, turn, heard.count)


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
