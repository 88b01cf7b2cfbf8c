"""A real terminal: tmux, on a socket of its own."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import time
from typing import TYPE_CHECKING, TypeVar

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

T = TypeVar("T")
PATIENCE = 120.0  # no test is judged by the clock


class Terminal:
    """A window of tmux in which `codecortex chat` runs."""

    def __init__(self, root: Path, server: Path, source: str) -> None:
        self.root = root
        self.session = "chat"
        self._server = server
        self._own = {"PYTHONPATH": source, "LC_ALL": "C.UTF-8", "TERM": "xterm-256color"}
        self.draft = root / ".codecortex/local/chat/chat.txt"

    def tmux(self, *words: str, given: str | None = None) -> str:
        command = ["tmux", "-u", "-f", os.devnull, "-S", str(self._server), *words]
        done = subprocess.run(
            command, check=False, capture_output=True, text=True, encoding="utf-8", input=given,
            env={**os.environ, **self._own},
        )  # fmt: skip
        assert done.returncode == 0, (words, done.stderr)
        return done.stdout

    def open(self, command: str, *size: str) -> None:
        """Run a command of the shell in a fresh window."""
        self.session += "+"
        self.tmux("new-session", "-d", "-s", self.session, "-c", str(self.root), *size, command)

    def start(self, *words: str, width: int = 80, height: int = 24) -> None:
        """Run the command in a fresh window, and wait for its box."""
        command = shlex.join([sys.executable, "-m", "codecortex", "chat", *words])
        size = ("-x", str(width), "-y", str(height))
        # The shell outlives a Ctrl-C that is meant for the program: the terminal sends it to both.
        self.open(f"trap : INT; {command}; echo LEFT $?; sleep 999", *size)
        self.wait(lambda: any(line.startswith(">") for line in self.screen()))

    def end(self) -> None:
        subprocess.run(["tmux", "-S", str(self._server), "kill-server"], check=False, capture_output=True)

    def keys(self, *names: str) -> None:
        self.tmux("send-keys", "-t", self.session, *names)

    def type(self, text: str) -> None:
        self.tmux("send-keys", "-t", self.session, "-l", text)

    def paste(self, text: str) -> None:
        self.tmux("load-buffer", "-b", "text", "-", given=text)
        self.tmux("paste-buffer", "-p", "-r", "-b", "text", "-t", self.session)

    def resize(self, width: int, height: int) -> None:
        self.tmux("resize-window", "-t", self.session, "-x", str(width), "-y", str(height))

    def screen(self) -> list[str]:
        return self.tmux("capture-pane", "-p", "-t", self.session).split("\n")

    def shows(self, text: str) -> bool:
        return any(text in line for line in self.screen())

    def cursor(self) -> tuple[int, int]:
        x, y = self.tmux("display", "-p", "-t", self.session, "#{cursor_x} #{cursor_y}").split()
        return int(x), int(y)

    def pid(self) -> int:
        """The process that talks, below the window's shell."""
        shell = self.tmux("display", "-p", "-t", self.session, "#{pane_pid}").strip()
        return int(subprocess.run(["pgrep", "-P", shell], check=True, capture_output=True, text=True).stdout.split()[0])

    def wait(self, find: Callable[[], T]) -> T:
        """What is found, once it is something."""
        end = time.monotonic() + PATIENCE
        while not (found := find()):
            assert time.monotonic() < end, "\n".join(self.screen())
            time.sleep(0.05)
        return found

    def kept(self) -> str:
        """What is typed, as it is kept on disk."""
        return self.draft.read_text("utf-8") if self.draft.exists() else ""


@pytest.fixture
def terminal(shop: Path, tmp_path: Path, source: str) -> Iterator[Terminal]:
    """A terminal in the shop."""
    if shutil.which("tmux") is None:
        pytest.skip("no tmux here")
    made = Terminal(shop, tmp_path / "t", source)
    yield made
    made.end()
