"""Parses server-sent events from chunks of bytes, each as soon as it is complete."""

from __future__ import annotations

import codecs

from codecortex.model.errors import ProviderError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later

_LINE_END = compile_later(r"\r\n|\n|\r")
_LONGEST_EVENT = 1 << 20


class Event(NamedTuple):
    """One server-sent event.

    Attributes:
        name: Its type; `message` if the server gives none.
        data: Its data lines, joined by line feeds.
    """

    name: str
    data: str


class EventReader:
    """Parses one stream.

    Lines may end in CR, LF or both, anywhere in a chunk; comments, ids and retry times are ignored. An event that is
    incomplete at the end of the stream is dropped.
    """

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._rest = ""
        self._is_first = True
        self._name = ""
        self._data: list[str] = []

    def feed(self, chunk: bytes) -> list[Event]:
        """The events that this chunk completes.

        Raises:
            ProviderError: The stream is not UTF-8, or an event is too long.
        """
        try:
            text = self._rest + self._decoder.decode(chunk)
        except UnicodeDecodeError:
            raise ProviderError("The server's answer is not UTF-8 text.") from None
        if self._is_first and text:
            text, self._is_first = text.removeprefix("\ufeff"), False
        # A CR at the end may be the first half of a line end that continues in the next chunk.
        held = "\r" if text.endswith("\r") else ""
        *lines, rest = _LINE_END.split(text.removesuffix(held))
        self._rest = rest + held
        events = [event for line in lines if (event := self._take(line)) is not None]
        if len(self._rest) + sum(map(len, self._data)) > _LONGEST_EVENT:
            raise ProviderError("The server's answer holds an event without an end.")
        return events

    def _take(self, line: str) -> Event | None:
        if not line:
            event = Event(self._name or "message", "\n".join(self._data)) if self._data else None
            self._name, self._data = "", []
            return event
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "data":
            self._data.append(value)
        elif field == "event":
            self._name = value
        return None
