"""Runs a program per prompt: the prompt goes to stdin, the answer comes from stdout; no shell, no process left."""

from __future__ import annotations

import codecs
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from codecortex.llm.provider import Reply
from codecortex.llm.refusals import clean
from codecortex.model.errors import ProgramFailedError, ProviderError, ProviderUnusableError, StoppedError
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from codecortex.llm.provider import ModelRequest

_LOOK = 0.05
_GRACE = 2.0
_CHUNK = 64 * 1024
_MOST_COMPLAINT = 4096
_MOST_KEPT = 16 << 20
_LOOK_AT = "Look at llm.command."


class Program(NamedTuple):
    """The program to run.

    Attributes:
        words: The program and its arguments.
        folder: Its working directory.
        hidden: Environment variables that are removed for it.
        model: Passed in the variable CODECORTEX_MODEL; answers are attributed to it.
        keys: Environment variables with keys, whose values are removed from its error output before that is shown.
    """

    words: tuple[str, ...]
    folder: Path
    hidden: frozenset[str]
    model: str
    keys: frozenset[str] = frozenset()


class ProgramLimits(NamedTuple):
    """Maximum run time in seconds, and maximum bytes of output."""

    total: float = 900.0
    most_bytes: int = 1 << 20


class Command:
    """Provider that runs a program for each prompt."""

    name = "command"

    def __init__(self, program: Program, count: Callable[[str], int], bounds: ProgramLimits | None = None) -> None:
        self._program = program
        self._count = count
        self._bounds = bounds or ProgramLimits()

    def complete(self, asked: ModelRequest, *, heard: Callable[[str], None], stopped: Callable[[], bool]) -> Reply:
        """Answer one prompt; see `Provider.complete`. The program gets `most_tokens` in CODECORTEX_MAX_TOKENS."""
        if stopped():
            raise StoppedError("Stopped before anything was run.")
        variables = {"CODECORTEX_MAX_TOKENS": str(asked.most_tokens), "CODECORTEX_MODEL": self._program.model}
        run = _Run(_start(self._program, variables), asked.text)
        try:
            text = self._read(run, heard, stopped)
        except ProviderError as problem:
            said = run.said()
            if said:  # as with a server: what began to answer was paid
                problem.tokens_in, problem.tokens_out = self._count(asked.text), self._count(said)
            raise
        name = self._program.model or Path(self._program.words[0]).name
        return Reply(text, self._count(asked.text), self._count(text), name)

    def _read(self, run: _Run, heard: Callable[[str], None], stopped: Callable[[], bool]) -> str:
        """What a program answered, once it has ended."""
        try:
            output = run.wait(self._bounds, heard, stopped)
        finally:
            run.end()
        try:
            text = output.decode("utf-8").removeprefix("\ufeff")
        except UnicodeDecodeError:
            raise self._fail("printed what is not UTF-8 text") from None
        if run.code:
            said = clean(self._hide_keys(run.complaint.decode("utf-8", "replace")))
            raise self._fail(f"ended with exit code {run.code}{f': {said}' if said else ''}")
        if not text.strip():
            raise self._fail("printed nothing")
        return text

    def _hide_keys(self, text: str) -> str:
        for key in filter(None, (os.environ.get(name, "").strip() for name in self._program.keys)):
            text = text.replace(key, "(a key)")
        return text

    def _fail(self, what: str) -> ProviderError:
        return ProgramFailedError(f"The command {self._program.words[0]} {what}.", _LOOK_AT)


class _Run:
    """A running program; threads feed and read it, so that neither side blocks the other."""

    def __init__(self, process: subprocess.Popen[bytes], prompt: str) -> None:
        self._process = process
        self.code = 0
        self.complaint = b""
        self._output = bytearray()
        self._told = 0
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._threads = (
            threading.Thread(target=self._feed, args=(prompt.encode("utf-8", "replace"),), daemon=True),
            threading.Thread(target=self._hear_complaint, daemon=True),
            self._listener,
        )
        for thread in self._threads:
            thread.start()

    def wait(self, bounds: ProgramLimits, heard: Callable[[str], None], stopped: Callable[[], bool]) -> bytes:
        """Wait until it ends, and tell what it prints meanwhile; return its output."""
        end = time.monotonic() + bounds.total
        while not has_ended(self._process):
            self._refuse_much(bounds)
            self._tell(heard)
            if stopped():
                raise StoppedError("Stopped while the command was running.")
            if time.monotonic() > end:
                raise ProgramFailedError(f"The command took more than {bounds.total:g} seconds.", _LOOK_AT)
            time.sleep(_LOOK)
        self._listener.join(_GRACE)  # a child that it left behind may keep its output open
        self._refuse_much(bounds)
        self._tell(heard)
        return bytes(self._output)

    def said(self) -> str:
        """What it printed so far."""
        return bytes(self._output[:_MOST_KEPT]).decode("utf-8", "replace").strip()

    def _tell(self, heard: Callable[[str], None]) -> None:
        """Tell what was printed since the last time; what is no text is for the end to refuse."""
        done = len(self._output)
        piece = self._decoder.decode(bytes(self._output[self._told : done]))
        self._told = done
        if piece:
            heard(piece)

    def end(self) -> None:
        """End the program and all processes it started."""
        if not has_ended(self._process):
            _signal_group(self._process, gently=True)
            give_up = time.monotonic() + _GRACE
            while not has_ended(self._process) and time.monotonic() < give_up:
                time.sleep(_LOOK)
        _signal_group(self._process, gently=False)
        self.code = self._process.wait()
        for thread in self._threads:
            thread.join(_GRACE)

    def _refuse_much(self, bounds: ProgramLimits) -> None:
        if len(self._output) > bounds.most_bytes:
            raise ProgramFailedError(f"The command printed more than {bounds.most_bytes:,} bytes.", _LOOK_AT)

    def _feed(self, prompt: bytes) -> None:
        with suppress(OSError), _pipe(self._process.stdin) as pipe:  # the program need not read all of it
            left = memoryview(prompt)
            while left:
                left = left[os.write(pipe.fileno(), left) :]

    def _listen(self) -> None:
        with suppress(OSError), _pipe(self._process.stdout) as pipe:
            # `wait` checks the size twenty times a second; until then, a pipe brings little.
            while len(self._output) <= _MOST_KEPT and (data := os.read(pipe.fileno(), _CHUNK)):
                self._output += data

    def _hear_complaint(self) -> None:
        with suppress(OSError), _pipe(self._process.stderr) as pipe:
            while data := os.read(pipe.fileno(), _CHUNK):
                self.complaint = (self.complaint + data)[-_MOST_COMPLAINT:]


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    if stream is None:
        raise OSError
    return stream


def _start(program: Program, variables: Mapping[str, str]) -> subprocess.Popen[bytes]:
    name, *arguments = program.words
    found = find_program(name, program.folder)
    if found is None:
        raise ProviderUnusableError(f"There is no program {name}.", "Look at llm.command, and at PATH.")
    inherited = {key: value for key, value in os.environ.items() if key not in program.hidden}
    try:
        return subprocess.Popen(  # noqa: S603 - a list of arguments, no shell, allowed by the user
            [str(found), *arguments],
            cwd=program.folder,
            env={**inherited, **variables},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            **_APART,
        )
    except OSError as problem:
        said = f"The program {found} cannot be started: {problem.strerror}."
        raise ProviderUnusableError(said, _LOOK_AT) from problem


def find_program(name: str, folder: Path) -> Path | None:
    """The program for a word: a path relative to a folder, or a name on PATH; None if there is none."""
    if os.sep in name or "/" in name:
        path = folder / name
        return path if path.is_file() else None
    found = shutil.which(name)
    return Path(found).absolute() if found is not None else None


if sys.platform == "win32":
    _APART: dict[str, Any] = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}

    def has_ended(process: subprocess.Popen[bytes]) -> bool:
        """Whether a program has ended."""
        return process.poll() is not None

    def _signal_group(process: subprocess.Popen[bytes], *, gently: bool) -> None:
        if not gently:
            words = ["taskkill", "/F", "/T", "/PID", str(process.pid)]
            subprocess.run(words, capture_output=True, check=False)  # noqa: S603 - part of Windows
else:
    _APART: dict[str, Any] = {"start_new_session": True}

    def has_ended(process: subprocess.Popen[bytes]) -> bool:
        """Whether a program has ended; it is not reaped, so that its process group id is not reused."""
        return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def _signal_group(process: subprocess.Popen[bytes], *, gently: bool) -> None:
        with suppress(ProcessLookupError, PermissionError):  # the whole group has ended (macOS: not permitted)
            os.killpg(process.pid, signal.SIGTERM if gently else signal.SIGKILL)
