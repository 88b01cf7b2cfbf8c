"""`python -m codecortex`, and the command itself: hooks and `--version` need no click, all else goes through it."""

from __future__ import annotations

import os
import sys

from codecortex import __version__

_NO_HOOK = 2
_STDOUT = 1


def run() -> None:
    """The command's entry."""
    if sys.argv[1:2] == ["hook"] and len(sys.argv) > 2 and not sys.argv[2].startswith("-"):  # noqa: PLR2004 - a name
        sys.exit(_run_hook(sys.argv[2], sys.argv[3:]))
    if sys.argv[1:] == ["--version"] and _tell_version():
        return
    from codecortex.cli.early import begin_early

    with begin_early(sys.argv[1:]):
        from codecortex.cli.main import run as run_click

        run_click()


def _tell_version() -> bool:
    """Whether stdout took the version; if not, click is to explain why."""
    try:
        os.write(_STDOUT, f"codecortex {__version__}\n".encode())
    except OSError:
        return False
    return True


def _run_hook(name: str, arguments: list[str]) -> int:
    import gc
    import time
    from pathlib import Path

    from codecortex.operations.hooks.run import run_hook
    from codecortex.operations.metrics import measure_command

    gc.disable()  # as in cli.main
    started = time.perf_counter()
    try:
        code = run_hook(Path(), name, arguments, _say)
    except KeyboardInterrupt:
        _say("interrupted")
        return 130
    if code != _NO_HOOK:
        measure_command(Path(), f"hook {name}", time.perf_counter() - started, {}, exit_code=code)
    return code


def _say(text: str) -> None:
    from codecortex.model.text.visible import show_line

    sys.stderr.write(f"codecortex: {show_line(text)}\n")


if __name__ == "__main__":
    run()
