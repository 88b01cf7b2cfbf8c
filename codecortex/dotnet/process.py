"""Runs the programs of an SDK: no shell, no questions, English, bounded in time; nothing that was started stays."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from codecortex.model.errors import CodecortexError
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_ALWAYS = {
    "DOTNET_CLI_TELEMETRY_OPTOUT": "1",
    "DOTNET_CLI_UI_LANGUAGE": "en",
    "DOTNET_NOLOGO": "1",
    "DOTNET_SKIP_FIRST_TIME_EXPERIENCE": "1",
    "DOTNET_GENERATE_ASPNET_CERTIFICATE": "false",
    "MSBUILDDISABLENODEREUSE": "1",
}
_MOST_READ = 64 << 20  # bytes


class NotCompiledError(CodecortexError, code="NotCompiled", exit_code=3):
    """Nothing can be compiled here; the message says why."""


class Ended(NamedTuple):
    """What a program came to: its exit code, and what it printed."""

    code: int
    output: str


def run_program(words: Sequence[str], folder: Path, seconds: float) -> Ended:
    """Run a program until it ends; its errors are part of what it prints.

    Raises:
        NotCompiledError: It cannot be started, or takes too long; then it was ended, with all that it started.
    """
    with tempfile.TemporaryFile() as printed:
        try:
            process = subprocess.Popen(  # noqa: S603 - a list of arguments, no shell
                list(words), cwd=folder, env={**os.environ, **_ALWAYS},
                stdin=subprocess.DEVNULL, stdout=printed, stderr=subprocess.STDOUT, **_APART,
            )  # fmt: skip
        except OSError as problem:
            raise NotCompiledError(f"{words[0]} cannot be started: {problem.strerror}.") from problem
        try:
            code = process.wait(max(seconds, 0.1))
        except subprocess.TimeoutExpired:
            what = " ".join(words[:2])
            said = f"`{what}` took too long and was ended."
            raise NotCompiledError(said, "edit.compileSeconds is the limit.") from None
        finally:
            if process.poll() is None:
                _end(process)
        printed.seek(0)
        return Ended(code, printed.read(_MOST_READ).decode("utf-8", "replace"))


if sys.platform == "win32":
    _APART: dict[str, Any] = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}

    def _end(process: subprocess.Popen[bytes]) -> None:
        words = ["taskkill", "/F", "/T", "/PID", str(process.pid)]
        subprocess.run(words, capture_output=True, check=False)  # noqa: S603 - part of Windows
        process.wait()
else:
    _APART: dict[str, Any] = {"start_new_session": True}

    def _end(process: subprocess.Popen[bytes]) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
