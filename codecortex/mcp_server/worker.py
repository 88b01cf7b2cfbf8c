"""Work in, its result out: done by a thread of its own, one piece after another, while the event loop goes on.

The thread is a daemon: what it waits for (a pipe, a long reading) never holds up the end of the process.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

_T = TypeVar("_T")


class Worker:
    """One thread.

    Args:
        name: What the thread is called.
    """

    def __init__(self, name: str) -> None:
        self._jobs: SimpleQueue[tuple[Callable[[], Any], asyncio.Future[Any]]] = SimpleQueue()
        Thread(target=self._work, name=name, daemon=True).start()

    async def run(self, work: Callable[[], _T]) -> _T:
        """Have the work done and return what it gave, or raise what it raised.

        Work whose caller was cancelled before it began is not done; what has begun goes on, unheard.
        """
        answer: asyncio.Future[_T] = asyncio.get_running_loop().create_future()
        self._jobs.put((work, answer))
        return await answer

    def _work(self) -> None:
        while True:
            work, answer = self._jobs.get()
            if answer.cancelled():
                continue
            result, problem = None, None
            try:
                result = work()
            except BaseException as error:  # noqa: BLE001 - whatever it is, the caller is told
                problem = error
            with suppress(RuntimeError):  # the loop has ended, and with it whoever asked
                answer.get_loop().call_soon_threadsafe(_tell, answer, result, problem)
            del work, answer, result, problem  # nothing is kept alive while waiting


def _tell(answer: asyncio.Future[Any], result: object, problem: BaseException | None) -> None:
    if answer.cancelled():
        return
    if problem is None:
        answer.set_result(result)
    else:
        answer.set_exception(problem)
