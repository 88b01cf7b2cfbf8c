"""How a process is set up while names are bound: how deep calls may nest, and that nothing is collected."""

from __future__ import annotations

import gc
import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_RECURSION = 20_000  # frames; the binder itself stops at a depth that needs less
_MANY_BLOCKS = 1_000_000  # of memory, some 100 MB: to look for what may go takes 10 ms and more, however little it is
_SETTINGS = threading.RLock()


class _State:
    """What this process does about binding.

    Attributes:
        depth: Whether a caller is within `bind_deep`.
        declares: Whether it has declared sources.
        left: How many blocks of memory earlier callers that did have left.
    """

    depth = 0
    declares = False
    left = 0


@contextmanager
def bind_deep() -> Iterator[None]:
    """Let calls nest as deep as sources do, and nothing be collected.

    What comes and goes are the nodes of bodies, which are cut apart when they are closed: the collector would look at
    millions of objects to find some thousands. What is declared refers to itself. In a process that lasts, the
    collector leaves it alone afterwards, and a later caller lets go of it. The settings are those of the whole process,
    so that one thread binds at a time.
    """
    with _SETTINGS:
        if _State.depth:
            yield
            return
        limit, collecting = sys.getrecursionlimit(), gc.isenabled()
        if collecting:
            forget_declared()
        blocks = sys.getallocatedblocks()
        sys.setrecursionlimit(max(limit, _RECURSION))
        gc.disable()
        _State.depth = 1
        try:
            yield
        finally:
            _State.depth = 0
            sys.setrecursionlimit(limit)
            if _State.declares:
                _State.declares = False
                _State.left += max(sys.getallocatedblocks() - blocks, 0)
                gc.freeze()
                gc.unfreeze()  # now all is old, and not looked at with what is made next
            if collecting:
                gc.enable()


def note_declared() -> None:
    """Sources are declared: whoever lets go of them leaves much."""
    _State.declares = True


def forget_declared() -> None:
    """Let go of what was declared before and nobody holds any more, where that may be much."""
    if _State.left > _MANY_BLOCKS:
        _State.left = 0
        gc.collect()
