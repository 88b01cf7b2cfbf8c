"""The box that messages are typed in: a prompt_toolkit application below what was said, gone once a message is sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.filters import Condition
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.layout import BufferControl, ConditionalContainer, FormattedTextControl, HSplit, Layout, Window
from prompt_toolkit.layout.menus import CompletionsMenu

from codecortex.cli.chat.completing import ChatCompleter, Search
from codecortex.cli.chat.keys import Keys, is_completed
from codecortex.cli.chat.plainly import ShowPlainly
from codecortex.cli.chat.wrapping import MARGIN, InputWindow, measure_box
from codecortex.model.text.visible import show_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from prompt_toolkit.formatted_text import StyleAndTextTuples
    from prompt_toolkit.layout.dimension import Dimension

    from codecortex.cli.chat.keys import Left
    from codecortex.operations.request import Request

_MENU_ROWS = 6
_DIM = "ansibrightblack"


class Box:
    """The box.

    Args:
        request: The tree whose names complete what is typed.
        questions: What was asked before, the oldest first, for the arrow keys.
        keep: Called with the text whenever it changes.
        title: Stands above the box; empty for none.
    """

    def __init__(
        self, request: Request, questions: Iterable[str], keep: Callable[[str], None], title: str = ""
    ) -> None:
        self._completer = Search(ChatCompleter(request))
        self._history = InMemoryHistory(list(questions))
        self._keep = keep
        self._title = title

    def ask(self, draft: str, footer: str, *, interrupted: bool) -> str | Left:
        """A message, or how the box was left without one.

        Args:
            draft: What it begins with.
            footer: Stands below the box; empty for none.
            interrupted: Whether Ctrl-C was pressed just before, so that the next one leaves.
        """
        keys = Keys(interrupted=interrupted)
        buffer = Buffer(
            multiline=True,
            history=self._history,
            completer=self._completer,
            complete_while_typing=is_completed,
        )
        buffer.text = draft
        buffer.cursor_position = len(draft)
        buffer.on_text_changed += lambda _: self._keep(buffer.text)
        buffer.on_text_changed += keys.forget
        buffer.on_cursor_position_changed += keys.forget
        application: Application[str | Left] = Application(
            layout=Layout(self._lay_out(buffer, lambda: keys.hint or footer)),
            key_bindings=keys.bindings,
            erase_when_done=True,
        )
        message = application.run()
        if isinstance(message, str):
            self._history.append_string(message)
        return message

    def _lay_out(self, buffer: Buffer, tell: Callable[[], str]) -> HSplit:
        control = BufferControl(buffer, input_processors=[ShowPlainly(MARGIN)])

        def measure() -> Dimension:
            return measure_box(lambda width: control.create_content(width, 1))

        return HSplit([
            _make_line(lambda: self._title),
            InputWindow(
                control, height=measure, wrap_lines=True, get_line_prefix=_write_margin, dont_extend_height=True
            ),
            CompletionsMenu(max_height=_MENU_ROWS),
            _make_line(tell),
        ])  # fmt: skip


def _make_line(tell: Callable[[], str]) -> ConditionalContainer:
    """A line that is not there while it says nothing."""
    control = FormattedTextControl(lambda: [(_DIM, show_line(tell()))])
    return ConditionalContainer(Window(control, height=1), Condition(lambda: bool(tell())))


def _write_margin(line: int, row: int) -> StyleAndTextTuples:
    return [("bold", "> ")] if (line, row) == (0, 0) else [("", " " * MARGIN)]
