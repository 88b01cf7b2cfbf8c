"""Speaks JSON-RPC with the client on stdin and stdout.

The protocol needs stdin and stdout for itself: meanwhile file descriptor 0 is empty and 1 leads to stderr, so that
nothing a library or a child process prints gets between two messages. Invalid messages are answered here.
"""

from __future__ import annotations

import asyncio
import json
import os
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any

import anyio
from mcp.shared.message import SessionMessage
from mcp_types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
    jsonrpc_message_adapter,
)
from pydantic import ValidationError
from pydantic_core import from_json

from codecortex.mcp_server.worker import Worker
from codecortex.model.startup.patterns import compile_later
from codecortex.model.text.visible import show_json

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable

    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
    from mcp_types import JSONRPCMessage, RequestId

MAX_LINE = 16 * 1024 * 1024
_CHUNK = 65_536
_MOST_OPEN = 256  # requests received and not yet answered
_MOST_OPEN_BYTES = 64 * 1024 * 1024
_GRACE = 0.5  # seconds that a disconnecting client gets for its last answers
_PATIENCE = 30.0  # the same for what needs no tree, which only a busy machine answers slowly
_QUICK = ("initialize", "ping", "/list")

_SURROGATE = compile_later("[\ud800-\udfff]")

Received = SessionMessage | Exception


class _Lines:
    """Reads a descriptor line by line; a line that is too long is discarded and reported."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._chunk, self._at = b"", 0

    def read(self) -> bytes | None:
        """The next line that is not blank, without its end; None at the end of the stream.

        Raises:
            ValueError: The line is too long.
        """
        while (line := self._read_line()) is not None and not line.strip():
            pass
        return line

    def _read_line(self) -> bytes | None:
        size, parts = 0, []
        while True:
            end = self._chunk.find(b"\n", self._at)
            part = self._chunk[self._at : end if end >= 0 else None]
            size += len(part)
            if size <= MAX_LINE:
                parts.append(part)
            else:
                parts.clear()
            self._at = end + 1
            if end >= 0:
                break
            self._chunk, self._at = os.read(self._descriptor, _CHUNK), 0
            if not self._chunk:
                return None  # an unfinished line at the end was cut off
        if size > MAX_LINE:
            raise ValueError(f"A message may hold at most {MAX_LINE:,} bytes; this one held {size:,}.")
        return b"".join(parts)


class _Client:
    """The two pipes, and the requests that are not yet answered."""

    def __init__(self, reading: int, writing: int) -> None:
        self._lines, self._writing = _Lines(reading), writing
        self._reader, self._writer = Worker("stdin"), Worker("stdout")
        self._open: dict[str, int] = {}
        self._quick: set[str] = set()
        self._answered = asyncio.Event()

    async def read(self, received: MemoryObjectSendStream[Received]) -> None:
        """Pass messages on until the client disconnects; raises as `write`."""
        async with received:
            while (line := await self._read_line()) is not None:
                message = await self._understand(line)
                if message is not None:
                    self._count(message, len(line))
                    await received.send(SessionMessage(message))
                    await self._wait_below(_MOST_OPEN, _MOST_OPEN_BYTES)
            with anyio.move_on_after(_PATIENCE):
                while self._quick & self._open.keys():
                    await self._wait_for_answer()
            with anyio.move_on_after(_GRACE):
                await self._wait_below(1, MAX_LINE + 1)

    async def write(self, answers: MemoryObjectReceiveStream[SessionMessage]) -> None:
        """Send messages until the server ends.

        Raises:
            OSError: The client no longer reads.
        """
        async with answers:
            async for answer in answers:
                await self._send(answer.message)

    async def _read_line(self) -> bytes | None:
        while True:
            try:
                return await self._reader.run(self._lines.read)
            except ValueError as problem:
                await self._refuse(INVALID_REQUEST, str(problem))
            except OSError:
                return None  # a terminal hung up, or a socket was reset: the client is gone

    async def _understand(self, line: bytes) -> JSONRPCMessage | None:
        try:
            value = _read_json(line)
        except ValueError as problem:
            await self._refuse(PARSE_ERROR, f"Not JSON: {problem}")
            return None
        try:
            message = jsonrpc_message_adapter.validate_python(value, by_name=False)
        except ValidationError:
            message = None
        if message is None or (isinstance(message, JSONRPCNotification) and "id" in value):  # a notification has no id
            await self._refuse(INVALID_REQUEST, "Not a JSON-RPC 2.0 message.", _find_id(value))
            return None
        return message

    async def _refuse(self, code: int, message: str, request_id: RequestId | None = None) -> None:
        await self._send(JSONRPCError(jsonrpc="2.0", id=request_id, error=ErrorData(code=code, message=message)))

    async def _send(self, message: JSONRPCMessage) -> None:
        data = show_json(message.model_dump_json(by_alias=True, exclude_unset=True)).encode() + b"\n"
        await self._writer.run(lambda: _write_all(self._writing, data))
        if isinstance(message, (JSONRPCResponse, JSONRPCError)) and message.id is not None:
            self._close(message.id)

    def _count(self, message: JSONRPCMessage, size: int) -> None:
        if isinstance(message, JSONRPCRequest):
            self._open[str(message.id)] = size
            if message.method.endswith(_QUICK):
                self._quick.add(str(message.id))
        elif isinstance(message, JSONRPCNotification) and message.method == "notifications/cancelled":
            self._close((message.params or {}).get("requestId"))  # type: ignore[arg-type]  # whatever it is

    def _close(self, request_id: RequestId) -> None:
        if isinstance(request_id, (str, int)):
            self._open.pop(str(request_id), None)
            self._quick.discard(str(request_id))
            self._answered.set()

    async def _wait_below(self, requests: int, size: int) -> None:
        while len(self._open) >= requests or sum(self._open.values()) >= size:
            await self._wait_for_answer()

    async def _wait_for_answer(self) -> None:
        self._answered.clear()
        await self._answered.wait()


def _read_json(line: bytes) -> Any:
    """A JSON value; a lone surrogate, which JSON can spell and UTF-8 cannot, becomes U+FFFD.

    Raises:
        ValueError: It is no JSON.
    """
    try:
        return from_json(line)
    except ValueError:
        if b"\\ud" not in line.lower():
            raise
        with suppress(ValueError, RecursionError):
            return from_json(_SURROGATE.sub("\ufffd", json.dumps(json.loads(line), ensure_ascii=False)))
        raise


def _find_id(value: object) -> RequestId | None:
    """The id of a malformed request, so that its sender can tell which one is refused."""
    found: Any = value.get("id") if isinstance(value, dict) else None
    return found if isinstance(found, (str, int)) and not isinstance(found, bool) else None


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def _take(descriptor: int, instead: int) -> int:
    """Redirect a standard descriptor; return a duplicate of the original."""
    own = os.dup(descriptor)
    os.dup2(instead, descriptor)
    return own


@asynccontextmanager
async def speak_stdio() -> AsyncIterator[
    tuple[MemoryObjectReceiveStream[Received], MemoryObjectSendStream[SessionMessage]]
]:
    """The stream of messages from the client, which ends when it disconnects, and the stream for answers."""
    empty = os.open(os.devnull, os.O_RDONLY)
    reading, writing = _take(0, empty), _take(1, 2)
    os.close(empty)
    client = _Client(reading, writing)
    into_server, received = anyio.create_memory_object_stream[Received]()
    answers, out_of_server = anyio.create_memory_object_stream[SessionMessage]()
    async with anyio.create_task_group() as tasks:

        async def until_gone(talk: Awaitable[None]) -> None:
            try:
                await talk
            except OSError:  # the client no longer reads
                tasks.cancel_scope.cancel()

        tasks.start_soon(until_gone, client.read(into_server))
        tasks.start_soon(until_gone, client.write(out_of_server))
        yield received, answers
