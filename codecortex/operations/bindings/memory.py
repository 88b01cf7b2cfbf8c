"""How a process is set up while names are bound: how deep calls may nest, and what is collected."""

from __future__ import annotations

import gc
import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_RECURSION = 20_000  # frames; the binder itself stops at a depth that needs less
_COLLECT_AFTER = 400_000  # new objects: a body makes and leaves thousands
_MANY_BLOCKS = 1_000_000  # of memory, some 100 MB: to look for what may go takes 10 ms and more, however little it is
_SETTINGS = threading.RLock()


class _State:
    """What this process does about binding: whether a caller is within `bind_deep`, blocks that earlier ones left."""

    depth = 0
    declares = False
    left = 0


@contextmanager
def bind_deep() -> Iterator[None]:
    """Let calls nest as deep as sources do; nothing is collected until `keep_declared`.

    The settings are those of the whole process, so that one thread binds at a time. What is declared refers to itself
    and is seldom collected by chance, as it was frozen: in a process that lasts, a later caller lets go of it.
    """
    with _SETTINGS:
        if _State.depth:
            yield
            return
        limit, collecting, thresholds = sys.getrecursionlimit(), gc.isenabled(), gc.get_threshold()
        if collecting:
            forget_declared()
        blocks = sys.getallocatedblocks()
        sys.setrecursionlimit(max(limit, _RECURSION))
        gc.set_threshold(_COLLECT_AFTER, *thresholds[1:])
        gc.disable()
        _State.depth = 1
        try:
            yield
        finally:
            _State.depth = 0
            if _State.declares:
                _State.declares = False
                _State.left += max(sys.getallocatedblocks() - blocks, 0)
            sys.setrecursionlimit(limit)
            gc.set_threshold(*thresholds)
            gc.unfreeze()
            (gc.enable if collecting else gc.disable)()


def keep_declared() -> None:
    """Collect from now on, but nothing that is declared: only the nodes of bodies come and go."""
    _State.declares = True
    gc.freeze()
    gc.enable()


def forget_declared() -> None:
    """Let go of what was declared before and nobody holds any more, where that may be much."""
    if _State.left > _MANY_BLOCKS:
        _State.left = 0
        gc.collect()
