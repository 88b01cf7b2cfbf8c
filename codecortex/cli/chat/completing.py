"""Completes what is typed behind `@`, `#` and `/`."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from prompt_toolkit.completion import Completer, Completion, ThreadedCompleter

from codecortex.model.errors import CodecortexError
from codecortex.model.startup.patterns import compile_later
from codecortex.model.text.visible import show_line
from codecortex.operations.chat.commands import COMMANDS
from codecortex.operations.chat.names import Names, complete, read_names

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterator

    from prompt_toolkit.completion import CompleteEvent
    from prompt_toolkit.document import Document

    from codecortex.operations.request import Request

_WORD = compile_later(r"(?:^|(?<=\s))([@#])(\S*)\Z")
_COMMAND = compile_later(r"\A(/\w*)\Z")


class ChatCompleter(Completer):
    """Names of a tree, read when the first is asked for, and commands.

    Args:
        request: The tree.
    """

    def __init__(self, request: Request) -> None:
        self._request = request

    @cached_property
    def _names(self) -> Names:
        try:
            return read_names(self._request)
        except CodecortexError:  # a menu has no place for a message; the next question tells it
            return Names((), ())

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
        """What the word before the cursor completes to."""
        del complete_event
        before = document.text_before_cursor
        command = _COMMAND.match(before)
        if command is not None:
            for name, each in COMMANDS.items():
                if name.startswith(command[1]):
                    yield Completion(name, -len(before), display_meta=each.summary)
        word = _WORD.search(document.current_line_before_cursor)
        if word is not None:
            names = self._names.paths if word[1] == "@" else self._names.symbols
            for name in complete(names, word[2]):
                yield Completion(name, -len(word[2]), display=show_line(name))


class Search(ThreadedCompleter):
    """Completes in a thread of its own.

    Attributes:
        runs: Whether it does now.
    """

    runs = False

    async def get_completions_async(
        self, document: Document, complete_event: CompleteEvent
    ) -> AsyncGenerator[Completion, None]:
        """What is found, as it is."""
        self.runs = True
        try:
            async for found in super().get_completions_async(document, complete_event):
                yield found
        finally:
            self.runs = False
