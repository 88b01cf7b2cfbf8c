"""A real server on this machine that answers as a test tells it to, down to the bytes."""

import json
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from codecortex.context.tokens import estimate_tokens
from codecortex.llm.chat_completions import ChatCompletions
from codecortex.llm.exchange import Limits
from codecortex.llm.keys import Key
from codecortex.llm.messages import Messages
from codecortex.llm.provider import ModelRequest
from codecortex.llm.server import Server

# Far beyond what anything takes: a busy machine answers slowly. Tests of a limit lower that one alone.
PATIENCE = 60.0
SMALL = Limits(connect=PATIENCE, silence=PATIENCE, total=PATIENCE, most_bytes=1 << 20)
SECRET = "sk-test-0123456789abcdef"  # noqa: S105 - of no server


class Request(NamedTuple):
    line: str
    headers: dict[str, str]
    body: Any


Answer = Callable[[socket.socket], None]


def send(*pieces: bytes) -> Answer:
    """Answer with exactly these bytes, then close."""

    def run(connection: socket.socket) -> None:
        for piece in pieces:
            connection.sendall(piece)

    return run


def head(status: str = "200 OK", kind: str = "application/json", **headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status}", f"Content-Type: {kind}", "Connection: close"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def reply(body: Any, status: str = "200 OK", kind: str = "application/json", **headers: str) -> Answer:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return send(head(status, kind, **headers), data)


def stream(*events: Any, end: bytes = b"") -> Answer:
    """Server-sent events: bytes as they are, anything else as the JSON of one event."""
    parts = [each if isinstance(each, bytes) else b"data: " + json.dumps(each).encode() + b"\n\n" for each in events]
    return send(head(kind="text/event-stream"), *parts, end)


def delta(text: str | None = None, reason: str | None = None, **more: Any) -> dict[str, Any]:
    return {"model": "tiny-1", "choices": [{"delta": {"content": text, **more}, "finish_reason": reason}]}


USAGE = {"model": "tiny-1", "choices": [], "usage": {"prompt_tokens": 12, "completion_tokens": 5}}
DONE = b"data: [DONE]\n\n"
GOOD = stream(delta("Hello, "), delta("world."), delta(reason="stop"), USAGE, DONE)


class Listener:
    """Hears every connection, keeps every request, and gives the answers in turn, the last one again and again."""

    def __init__(self, context: ssl.SSLContext | None = None) -> None:
        self.answers: list[Answer] = [GOOD]
        self.requests: list[Request] = []
        self.connections = 0
        self.closed = threading.Event()
        self._socket = socket.create_server(("127.0.0.1", 0))
        self._socket = context.wrap_socket(self._socket, server_side=True) if context else self._socket
        self.port = self._socket.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}/v1"
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self._socket.accept()
                self.connections += 1
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with suppress(OSError, ValueError), connection:
            incoming = connection.makefile("rb")
            line = incoming.readline().decode("latin-1").strip()
            headers: dict[str, str] = {}
            while text := incoming.readline().decode("latin-1").strip():
                name, _, value = text.partition(":")
                headers[name.lower()] = value.strip()
            body = incoming.read(int(headers.get("content-length", "0")))
            answer = self.answers[min(len(self.requests), len(self.answers) - 1)]
            self.requests.append(Request(line, headers, json.loads(body)))
            answer(connection)

    def stall(self, *pieces: bytes) -> Answer:
        """Send these bytes, then nothing, until the other side goes away."""

        def run(connection: socket.socket) -> None:
            with suppress(OSError):
                send(*pieces)(connection)
                connection.recv(1)
            self.closed.set()

        return run

    def close(self) -> None:
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)  # closing alone does not wake who waits for a connection
        self._socket.close()


@pytest.fixture
def listener() -> Iterator[Listener]:
    found = Listener()
    yield found
    found.close()


@pytest.fixture
def other() -> Iterator[Listener]:
    found = Listener()
    yield found
    found.close()


def never() -> bool:
    return False


def ask(provider: Any, prompt: str = "Say hello.", *, most_tokens: int = 100, **callbacks: Callable[..., Any]):
    """The answer to a prompt; `before`, `heard` and `stopped` as in `Provider.complete`."""
    asked = ModelRequest(prompt, most_tokens, callbacks.pop("before", ()))
    return provider.complete(asked, **{"heard": lambda _: None, "stopped": never, **callbacks})


@pytest.fixture
def chat(listener: Listener) -> ChatCompletions:
    server = Server(listener.url, "tiny", Key(SECRET), {"user-agent": "codecortex"}, "Set OPENAI_API_KEY.")
    return ChatCompletions(server, estimate_tokens, SMALL)


@pytest.fixture
def messages(listener: Listener) -> Messages:
    server = Server(listener.url, "tiny", Key(SECRET), {"user-agent": "codecortex"}, "Set ANTHROPIC_API_KEY.")
    return Messages(server, estimate_tokens, SMALL)


class User(NamedTuple):
    """The user's own folders, and what they are to hold."""

    config: Path
    state: Path

    def configure(self, text: str) -> None:
        self.config.parent.mkdir(parents=True, exist_ok=True)
        self.config.write_text(text)


@pytest.fixture
def user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> User:
    """A user without a configuration and without keys; nothing of the developer's own is seen."""
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    for name, folder in {"HOME": "home", "XDG_CONFIG_HOME": "home/config", "XDG_STATE_HOME": "home/state"}.items():
        monkeypatch.setenv(name, str(tmp_path / folder))
        monkeypatch.setenv({"XDG_CONFIG_HOME": "APPDATA"}.get(name, "LOCALAPPDATA"), str(tmp_path / folder))
    return User(tmp_path / "home/config/codecortex/config.yaml", tmp_path / "home/state/codecortex/trust.json")


@pytest.fixture
def configure(repo: Path) -> Callable[[str], None]:
    """Write the configuration that the repository brings along."""

    def write(text: str) -> None:
        (repo / ".codecortex").mkdir(exist_ok=True)
        (repo / ".codecortex" / "config.yaml").write_text(text)

    return write
