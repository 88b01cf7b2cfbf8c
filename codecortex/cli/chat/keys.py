"""The keys of the box that is typed in, besides those of every line editor."""

from __future__ import annotations

import asyncio
import sys
from contextlib import contextmanager
from enum import Enum
from typing import TYPE_CHECKING

from prompt_toolkit.application import get_app
from prompt_toolkit.filters import Condition, has_completions
from prompt_toolkit.key_binding import KeyBindings

from codecortex.cli.chat.completing import Search
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prompt_toolkit.buffer import Buffer
    from prompt_toolkit.key_binding import KeyPressEvent

_COMPLETED = compile_later(r"(?:(?:^|\s)[@#]\S*|\A/\w*)\Z")
_LEAVES = "Ctrl-C again leaves; what is typed is kept"


class Left(Enum):
    """How the box was left without a message."""

    INTERRUPTED = 1
    CLOSED = 2


@Condition
def is_completed() -> bool:
    """Whether the word before the cursor may be a name or a command; while others are typed, nothing is looked for."""
    return _COMPLETED.search(get_app().current_buffer.document.text_before_cursor) is not None


class Keys:
    """The keys, and whether the next Ctrl-C leaves.

    Args:
        interrupted: Whether Ctrl-C was pressed just before.
    """

    def __init__(self, *, interrupted: bool) -> None:
        self._leaves = interrupted
        self.bindings = KeyBindings()
        add = self.bindings.add
        add("enter")(_send)
        add("escape", "enter")(_break_line)
        add("c-j")(_break_line)
        add("c-c")(self._interrupt)
        add("<sigint>")(self._interrupt)
        add("c-d")(_close)
        add("tab", filter=has_completions)(_choose)
        add("tab", filter=is_completed & ~has_completions)(_complete)
        add("tab", filter=~is_completed & ~has_completions)(_indent)

    @property
    def hint(self) -> str:
        """What the next Ctrl-C does, where that is to leave; else empty."""
        return _LEAVES if self._leaves else ""

    def forget(self, _: object) -> None:
        """Something was typed since Ctrl-C."""
        self._leaves = False

    def _interrupt(self, event: KeyPressEvent) -> None:
        if self._leaves:
            event.app.exit(result=Left.INTERRUPTED)
        self._leaves = True


def _send(event: KeyPressEvent) -> None:
    """Send the message; choose what the menu is at, or break the line behind a backslash."""
    buffer = event.current_buffer
    if buffer.complete_state is not None and buffer.complete_state.current_completion is not None:
        buffer.complete_state = None
    elif buffer.document.current_line_before_cursor.endswith("\\"):
        buffer.delete_before_cursor()
        buffer.newline(copy_margin=False)
    elif buffer.text.strip():
        event.app.exit(result=buffer.text)


def _break_line(event: KeyPressEvent) -> None:
    event.current_buffer.newline(copy_margin=False)


def _close(event: KeyPressEvent) -> None:
    if event.current_buffer.text:
        event.current_buffer.delete()
    else:
        event.app.exit(result=Left.CLOSED)


def _complete(event: KeyPressEvent) -> None:
    event.app.create_background_task(_complete_when_able(event.current_buffer))


async def _complete_when_able(buffer: Buffer) -> None:
    """Complete; where a search runs since the last character, which lets no other begin, choose the first it finds."""
    await asyncio.sleep(0)  # what that character began is about to begin
    search = buffer.completer
    if not isinstance(search, Search) or not search.runs:
        buffer.start_completion(insert_common_part=True)
        return
    document, changed = buffer.document, asyncio.Event()

    def hear(_: Buffer) -> None:
        changed.set()

    buffer.on_completions_changed += hear
    try:
        while search.runs and not has_completions():
            await changed.wait()
            changed.clear()
    finally:
        buffer.on_completions_changed -= hear
    if has_completions() and buffer.document == document:
        buffer.complete_next()


def _choose(event: KeyPressEvent) -> None:
    event.current_buffer.complete_next()


def _indent(event: KeyPressEvent) -> None:
    event.current_buffer.insert_text("\t")


@contextmanager
def hold_keys() -> Iterator[None]:
    """Show nothing of what is typed while nothing asks for it, and lose none of it: whatever asks next reads it."""
    if sys.platform == "win32":
        yield
        return
    import termios

    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    flags_in, flags_out, control, local, *rest = before
    local = local & ~(termios.ECHO | termios.ICANON) | termios.NOFLSH
    held = [flags_in & ~termios.ICRNL, flags_out, control, local, *rest]
    termios.tcsetattr(terminal, termios.TCSADRAIN, held)
    try:
        yield
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)
