"""Runs work on a thread of its own, one item at a time, while the event loop goes on.

The thread is a daemon: whatever it waits for (a pipe, a long reading) never delays the end of the process.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

_T = TypeVar("_T")

_IDLE = 2.0  # seconds


class Worker:
    """One worker thread.

    Args:
        name: Name of the thread.
        idle: Called once, with a function that says whether there is work, when none has come for a while.
    """

    def __init__(self, name: str, idle: Callable[[Callable[[], bool]], None] | None = None) -> None:
        self._idle = idle
        self._jobs: SimpleQueue[tuple[Callable[[], Any], asyncio.Future[Any]]] = SimpleQueue()
        Thread(target=self._work, name=name, daemon=True).start()

    async def run(self, work: Callable[[], _T]) -> _T:
        """Run the work on the thread; return its result, or raise its exception.

        Work whose caller is cancelled before it starts is skipped; once started, it finishes and its result is dropped.
        """
        answer: asyncio.Future[_T] = asyncio.get_running_loop().create_future()
        self._jobs.put((work, answer))
        return await answer

    def _work(self) -> None:
        waits = False
        while True:
            try:
                work, answer = self._jobs.get(timeout=_IDLE if waits else None)
            except Empty:
                waits = False
                if self._idle is not None:
                    self._idle(lambda: not self._jobs.empty())
                continue
            waits = self._idle is not None
            if answer.cancelled():
                continue
            result, problem = None, None
            try:
                result = work()
            except BaseException as error:  # noqa: BLE001 - whatever it is, the caller is told
                problem = error
            with suppress(RuntimeError):  # the loop has ended, and the caller with it
                answer.get_loop().call_soon_threadsafe(_tell, answer, result, problem)
            del work, answer, result, problem  # keep nothing alive while waiting


def _tell(answer: asyncio.Future[Any], result: object, problem: BaseException | None) -> None:
    if answer.cancelled():
        return
    if problem is None:
        answer.set_result(result)
    else:
        answer.set_exception(problem)
