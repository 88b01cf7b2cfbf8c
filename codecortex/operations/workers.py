"""Distributes work on many items over processes; the work of one that dies is done all the same."""

from __future__ import annotations

import gc
import os
import signal
import threading
from bisect import bisect_left
from contextlib import contextmanager, nullcontext, suppress
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any, TypeVar, cast

from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.work import DONE, Work

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

    from codecortex.operations.request import Request

_T = TypeVar("_T")
_R = TypeVar("_R")

_WORTH_FORKING = 2000
_SLICES = 6  # that each process is given of what is shared out
_AHEAD = 2  # items that a worker has at a time, so that it need not wait for the next
_SAFE_PATH = "PYTHONSAFEPATH"


def count_processors() -> int:
    """Number of processors this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def count_processes(request: Request) -> int:
    """Number of processes that a request may read with: as many as it says, else one for each processor."""
    return request.jobs or count_processors()


class Sharing(NamedTuple):
    """How work is shared.

    Attributes:
        processes: Among how many processes.
        worth: How many items are worth it.
        apart: Whether this process leaves all to others, so that it keeps nothing that the work leaves in memory.
    """

    processes: int
    worth: int = _WORTH_FORKING
    apart: bool = False


def share_out(
    work: Callable[[Sequence[_T]], list[_R]], items: Sequence[_T], sharing: Sharing, weights: Sequence[int] = ()
) -> list[_R]:
    """Run `work` on shares of the items in parallel; return its results in the order of the items.

    With fewer items than are worth it, all is done in this process. A share whose process fails is repeated in this
    process, so that its error is raised here.

    Args:
        work: Gives a result for each item of a share.
        items: What to work on.
        sharing: How it is shared.
        weights: What each item costs, in any unit; by default all cost the same.
    """
    if sharing.processes == 1 or len(items) < sharing.worth or not hasattr(os, "fork"):
        return work(items)
    import pickle

    shares = _deal(weights or [1] * len(items), sharing.processes)
    own, given = (shares[:0], shares) if sharing.apart else (shares[:1], shares[1:])
    others = [_fork(work, [items[at] for at in share]) for share in given]
    found: dict[int, _R] = {}
    for share in own:
        found |= zip(share, work([items[at] for at in share]), strict=True)
    for share, (child, pipe) in zip(given, others, strict=True):
        with open(pipe, "rb") as answer:  # noqa: PTH123 - a descriptor
            data = answer.read()
        _, status = os.waitpid(child, 0)
        made = pickle.loads(data) if status == 0 else work([items[at] for at in share])  # noqa: S301 - from our own child
        found |= zip(share, made, strict=True)
    return [found[at] for at in range(len(items))]


def _deal(weights: Sequence[int], count: int) -> list[Sequence[int]]:
    """Shares of items, by their places: slices that weigh about the same, each dealt to who has least so far.

    What follows each other has much in common, and so stays together; what is far apart may cost another time each.
    """
    sums = list(accumulate(weights))
    most = min(count * _SLICES, len(weights))
    ends = [bisect_left(sums, sums[-1] * number / most) + 1 for number in range(1, most)]
    shares: list[list[int]] = [[] for _ in range(count)]
    dealt = [0] * count
    for start, end in pairwise((0, *ends, len(weights))):
        if end > start:
            least = dealt.index(min(dealt))
            shares[least] += range(start, end)
            dealt[least] += max(sum(weights[start:end]), 1)
    return [share for share in shares if share]


def hand_out(work: Callable[[_T], _R], items: Sequence[_T], processes: int, lost: list[_T]) -> Iterator[_R]:
    """Run `work` on the items in several processes, each of which takes the next one when it is done with one.

    Args:
        work: Can be pickled, as can its results.
        items: What to work on; can be pickled.
        processes: How many processes.
        lost: Gets the items without a result: their process raised an error or died, as one that was killed for want
            of memory does.

    Yields:
        The results, in any order.
    """
    from multiprocessing.connection import wait

    workers = _start_workers(work, items, min(processes, len(items)))
    given: dict[Connection, list[int]] = {pipe: [] for pipe, _ in workers}
    numbers = iter(range(len(items)))
    try:
        for pipe in [pipe for _ in range(_AHEAD) for pipe in given]:
            _give(pipe, given, numbers)
        while ready := [pipe for pipe, has in given.items() if has]:
            for pipe in cast("list[Connection]", wait(ready)):
                try:
                    result = pipe.recv()
                except (EOFError, OSError):
                    lost += [items[number] for number in given.pop(pipe)]
                    continue
                del given[pipe][0]
                _give(pipe, given, numbers)
                yield result
        lost += [items[number] for number in numbers]  # nobody is left to take them
    finally:
        for pipe, process in workers:
            pipe.close()
            process.kill()
        for _, process in workers:
            process.join()


def _give(pipe: Connection, given: dict[Connection, list[int]], numbers: Iterator[int]) -> None:
    number = next(numbers, None)
    if number is not None:
        given[pipe].append(number)
        with suppress(OSError):  # it died, as the wait for its result tells
            pipe.send(number)


def _start_workers(
    work: Callable[[_T], _R], items: Sequence[_T], processes: int
) -> list[tuple[Connection, BaseProcess]]:
    import multiprocessing

    method = "fork" if "fork" in multiprocessing.get_all_start_methods() else "spawn"
    context: Any = multiprocessing.get_context(method)  # the stubs' common class has no Process
    started: list[tuple[Connection, BaseProcess]] = []
    # An interrupt during a worker's start would print a traceback.
    with _leave_out_folder() if method == "spawn" else nullcontext(), _hold_back_interrupts():
        for _ in range(processes):
            ours, theirs = context.Pipe()
            inherited = [ours, *(pipe for pipe, _ in started)] if method == "fork" else []
            process = context.Process(target=_serve, args=(theirs, inherited, work, items), daemon=True)
            process.start()
            theirs.close()
            started.append((ours, process))
    DONE[Work.PROCESSES] += processes
    return started


def _serve(pipe: Connection, inherited: Sequence[Connection], work: Callable[[_T], _R], items: Sequence[_T]) -> None:
    """Work on the items whose numbers come, until the parent closes the pipe or is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C and ends its workers
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    gc.disable()  # what is made has no reference cycles, and workers are short-lived
    for each in inherited:
        each.close()  # a pipe ends when nobody holds its other end any more
    with suppress(EOFError, OSError):
        while True:
            item = items[pipe.recv()]
            try:
                result = work(item)
            except Exception:  # noqa: BLE001 - the item is lost; working on it itself, the parent tells of the error
                return
            pipe.send(result)


@contextmanager
def _leave_out_folder() -> Iterator[None]:
    """Keep spawned workers from importing modules from the current folder, which may be the repository."""
    before = os.environ.get(_SAFE_PATH, "")
    os.environ[_SAFE_PATH] = "1"
    try:
        yield
    finally:
        os.environ[_SAFE_PATH] = before  # an empty value has no effect


@contextmanager
def _hold_back_interrupts() -> Iterator[None]:
    """Delay Ctrl-C until the end of the block; processes started in it never receive it.

    That this thread blocks the signal is not enough: another one may take it, and its handler runs in the main thread.
    """
    is_main = threading.current_thread() is threading.main_thread()
    heard: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _frame: heard.append(number)) if is_main else None
    blocks = hasattr(signal, "pthread_sigmask")
    if blocks:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        if is_main:
            signal.signal(signal.SIGINT, before or signal.SIG_DFL)
        if blocks:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        if heard:
            signal.raise_signal(signal.SIGINT)


def _fork(work: Callable[[Sequence[_T]], list[_R]], items: Sequence[_T]) -> tuple[int, int]:
    """Start a child that works on the items; return its process id and the pipe with its answer."""
    import pickle

    reading, writing = os.pipe()
    child = os.fork()
    if child:
        os.close(writing)
        return child, reading
    code = 1
    try:
        os.close(reading)
        with open(writing, "wb") as answer:  # noqa: PTH123 - a descriptor
            answer.write(pickle.dumps(work(items), protocol=5))
        code = 0
    finally:
        os._exit(code)
