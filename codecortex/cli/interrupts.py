"""Ctrl-C that nobody would hear."""

from __future__ import annotations

import sys
from contextlib import suppress

_SOON = 0.01
"""Seconds after which the callback that an interrupt was lost in is over."""


def raise_lost_interrupts() -> None:
    """From now on raise an interrupt again that came while Python ran a callback of its own.

    An exception in a destructor or in a callback of a weak reference is told on stderr and goes no further, so that the
    command would run on as if Ctrl-C had not been pressed.
    """
    if sys.platform == "win32":
        return
    before = sys.unraisablehook

    def hear(lost: sys.UnraisableHookArgs) -> None:
        if not issubclass(lost.exc_type, KeyboardInterrupt):
            before(lost)
            return
        import signal
        import threading

        # Not at once: what comes while this hook runs is raised inside it, and lost as the first one was.
        again = threading.Timer(_SOON, signal.pthread_kill, [threading.main_thread().ident, signal.SIGINT])
        again.daemon = True
        with suppress(RuntimeError):  # no thread begins where the process ends anyway
            again.start()

    sys.unraisablehook = hear
