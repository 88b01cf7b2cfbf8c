"""A chat in a terminal: messages read, answered, and commands carried out, until somebody leaves."""

from __future__ import annotations

import base64
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from codecortex.cli.chat.answering import Showing, ask_message, hear_interrupts, tell_turn
from codecortex.cli.output import echo, style
from codecortex.cli.progress import ProgressBar, show_warning
from codecortex.model.conversations import Conversation
from codecortex.model.errors import CodecortexError
from codecortex.model.text.visible import show_line
from codecortex.operations.chat.commands import run_command
from codecortex.operations.chat.drafts import keep_draft, read_draft
from codecortex.operations.context.rounds.files import find_conversation

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from codecortex.cli.chat.answering import Interrupts, View
    from codecortex.cli.chat.keys import Left
    from codecortex.git.repository import Repository
    from codecortex.operations.chat.values import Chat

_SHOWN_LINES = 20


class Input(Protocol):
    """Where messages are typed."""

    def ask(self, draft: str, footer: str, *, interrupted: bool) -> str | Left | None:
        """A message; anything else if there is none any more."""


class Loop:
    """A chat in a terminal.

    Args:
        chat: The chat.
        repository: Where what is typed is kept.
        view: Makes what shows an answer.
        footer: Whether a line below the box tells where one is.
    """

    def __init__(self, chat: Chat, repository: Repository, view: Callable[[], View], *, footer: bool) -> None:
        self._bar = ProgressBar()
        self.chat = replace(chat, request=chat.request._replace(progress=self._bar.show, warn=show_warning))
        self._root: Path = repository.require_root()
        self._repository = repository
        self._view = view
        self._footer = footer
        self._spent = ""
        self._is_kept = True

    def list_questions(self) -> list[str]:
        """What was asked before, the oldest first."""
        found = find_conversation(self._repository, self.chat.conversation).conversation or Conversation()
        return [each.question for each in found.rounds]

    def keep(self, text: str) -> None:
        """Keep what is typed; that it cannot be kept is told once."""
        try:
            keep_draft(self._root, self.chat.conversation, text)
        except CodecortexError as problem:
            if self._is_kept:
                show_warning(f"what is typed is not kept: {problem.message}")
            self._is_kept = False

    def run(self, source: Input) -> None:
        """Read messages until somebody leaves."""
        with hear_interrupts() as heard:
            while heard.count <= 1:
                draft = read_draft(self._root, self.chat.conversation)
                try:
                    with heard.raising():
                        message = source.ask(draft, self._tell_footer(), interrupted=heard.count > 0)
                except KeyboardInterrupt:  # before the box hears it itself
                    continue
                if not isinstance(message, str):
                    return
                heard.count = 0
                _show_message(message)
                if not message.startswith("/") or "\n" in message.strip():
                    self.keep(message)
                    self.keep(self._ask(message, heard))
                    continue
                self.keep("")
                if self._run_command(message, heard):
                    return

    def _run_command(self, line: str, heard: Interrupts) -> bool:
        """Whether it is over."""
        try:
            with heard.raising():
                told = run_command(self.chat, line)
        except CodecortexError as problem:
            _tell_problem(problem)
            return False
        except KeyboardInterrupt:
            echo("interrupted", err=True)
            return False
        finally:
            self._bar.end()
        self.chat = told.chat
        if told.text:
            echo(told.text)
        if told.copied:
            _copy(told.copied)
        return told.leaves

    def _ask(self, message: str, heard: Interrupts) -> str:
        """What goes back into the box, as it was not answered."""
        try:
            self.chat, turn = ask_message(self.chat, message, Showing(self._view, self._bar.end), heard)
        except KeyboardInterrupt:
            self._bar.end()
            echo("interrupted; nothing was sent", err=True)
            return message
        except CodecortexError as problem:
            self._bar.end()
            _tell_problem(problem)
            return message
        self._bar.end()
        if turn.advice:
            echo(turn.as_text())
        tell_turn(turn)
        self._spent = turn.tell_spent()
        return "" if turn.answer or turn.advice else message

    def _tell_footer(self) -> str:
        if not self._footer:
            return ""
        chat = self.chat
        parts = [f"{chat.conversation}", f"session {chat.session}", self._spent, "Alt-Enter breaks the line, /help"]
        return " | ".join(filter(None, parts))


class LineInput:
    """Lines of a terminal that knows nothing more; one that ends in a backslash goes on."""

    def ask(self, draft: str, footer: str, *, interrupted: bool) -> str | None:
        """A message; None at the end of the input, or on Ctrl-C."""
        del footer, interrupted
        if draft:
            echo(f"(not answered: {show_line(draft)})")
        lines: list[str] = []
        try:
            while not lines or lines[-1].endswith("\\"):
                lines.append(input("> " if not lines else "  "))
                if not lines[-1].strip() and len(lines) == 1:
                    lines.clear()
        except (EOFError, KeyboardInterrupt):
            echo()
            return None
        return "\n".join([*(line.removesuffix("\\") for line in lines[:-1]), lines[-1]])


def _show_message(message: str) -> None:
    """Leave in the terminal what was sent."""
    lines = message.split("\n")
    shown = [f"{'> ' if not number else '  '}{line}" for number, line in enumerate(lines[:_SHOWN_LINES])]
    more = len(lines) - len(shown)
    echo(style("\n".join(shown), bold=True) + (f"\n  ({more:,} more lines)" if more else ""))


def _tell_problem(problem: CodecortexError) -> None:
    echo(style("error: ", fg="red") + show_line(problem.message), err=True)
    for row in problem.rows:
        echo(f"  {show_line(row)}", err=True)
    if problem.hint:
        echo(style("hint: ", fg="cyan") + show_line(problem.hint), err=True)


def _copy(text: str) -> None:
    """Put a text on the clipboard of the terminal that this runs in, over whatever connections (OSC 52)."""
    encoded = base64.b64encode(text.encode("utf-8", "replace")).decode("ascii")
    sys.stdout.write(f"\x1b]52;c;{encoded}\x07")
    sys.stdout.flush()
    echo("copied, if the terminal allows it; `/copy FILE` writes a file")
