"""Passes stderr of the server and its libraries on without ever blocking.

A client need not read stderr. Once its pipe is full, a plain write would block the server forever.
"""

from __future__ import annotations

import io
import sys
import time
from contextlib import contextmanager, suppress
from queue import Full, Queue
from threading import Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TextIO

_MOST_TEXTS = 1_000
_GRACE = 0.1  # seconds to write the last texts
_TICK = 0.005


class _BufferedStream(io.TextIOBase):
    """A stream that a thread copies to another one; texts that come too fast are dropped."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._texts: Queue[str] = Queue(_MOST_TEXTS)
        Thread(target=self._pass_on, name="stderr", daemon=True).start()

    def write(self, text: str, /) -> int:
        with suppress(Full):
            self._texts.put_nowait(text)
        return len(text)

    def settle(self) -> None:
        """Wait briefly until the last texts are written."""
        end = time.monotonic() + _GRACE
        while self._texts.unfinished_tasks and time.monotonic() < end:
            time.sleep(_TICK)

    def _pass_on(self) -> None:
        while True:
            text = self._texts.get()
            with suppress(OSError, ValueError):  # stderr is gone: nobody can be told
                self._stream.write(text)
                self._stream.flush()
            self._texts.task_done()


@contextmanager
def log_in_background() -> Iterator[None]:
    """Replace stderr by a buffered stream for the duration of the context."""
    stderr = sys.stderr
    sys.stderr = aside = _BufferedStream(stderr)
    try:
        yield
    finally:
        aside.settle()
        sys.stderr = stderr
