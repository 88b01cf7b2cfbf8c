"""Distributes work on many items over forked processes; results come in the order of the items."""

from __future__ import annotations

import os
import pickle
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_T = TypeVar("_T")
_R = TypeVar("_R")

_WORTH_FORKING = 2000


def count_processors() -> int:
    """Number of processors this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def share_out(
    work: Callable[[Sequence[_T]], list[_R]], items: Sequence[_T], processes: int, *, worth: int = _WORTH_FORKING
) -> list[_R]:
    """Run `work` on slices of the items in parallel; return its results in the order of the items.

    With fewer items than are worth it, all is done in this process. A slice whose process fails is repeated in this
    process, so that its error is raised here.
    """
    if processes == 1 or len(items) < worth or not hasattr(os, "fork"):
        return work(items)
    size = -(-len(items) // processes)
    slices = [items[at : at + size] for at in range(0, len(items), size)]
    others = [_fork(work, each) for each in slices[1:]]
    out = work(slices[0])
    for each, (child, pipe) in zip(slices[1:], others, strict=True):
        with open(pipe, "rb") as answer:  # noqa: PTH123 - a descriptor
            data = answer.read()
        _, status = os.waitpid(child, 0)
        out += pickle.loads(data) if status == 0 else work(each)  # noqa: S301 - from our own child
    return out


def _fork(work: Callable[[Sequence[_T]], list[_R]], items: Sequence[_T]) -> tuple[int, int]:
    """Start a child that works on the items; return its process id and the pipe with its answer."""
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
