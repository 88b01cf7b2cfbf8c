"""Sends one POST request and passes the streamed events, or the JSON, of the response to a reader.

Each request runs on an event loop of its own, so that it can be abandoned at any moment, unlike a blocking read.
"""

from __future__ import annotations

import asyncio
import json
import ssl
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import urlsplit

from codecortex.llm.refusals import explain_redirect, explain_status, explain_type
from codecortex.llm.streams import EventReader
from codecortex.model.errors import ConfigError, ProviderError, ProviderUnusableError, StoppedError
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    import httpx

    from codecortex.llm.keys import Key

_LOOK = 0.1
_MOST_COMPLAINT = 64 * 1024
_LOOPBACK = {"localhost", "127.0.0.1", "::1"}
_HIDDEN = "..."


class Limits(NamedTuple):
    """Limits of time and size.

    Attributes:
        connect: Seconds until the connection is made.
        silence: Seconds without a single byte. Models that think, and slow machines, are silent for minutes.
        total: Seconds for the whole exchange.
        most_bytes: Maximum size of the response.
    """

    connect: float = 15.0
    silence: float = 300.0
    total: float = 900.0
    most_bytes: int = 8 << 20


class Post(NamedTuple):
    """A request to send.

    Attributes:
        url: The URL.
        body: The body, sent as JSON.
        headers: The headers, except the one with the key.
        key: Name of the header with the key, the prefix of its value, and the key; None for no key.
    """

    url: str
    body: Mapping[str, Any]
    headers: Mapping[str, str]
    key: tuple[str, str, Key] | None


class ResponseReader(Protocol):
    """Interprets a response."""

    def read_event(self, name: str, value: Any) -> bool:
        """Handle the JSON of one event; return whether it was the last."""

    def read_whole(self, value: Any) -> None:
        """Handle the JSON of a server that does not stream."""

    def is_whole(self) -> bool:
        """Whether the model has reported why it ended."""

    def read_mark(self, text: str) -> bool:
        """Handle event data that is not JSON; return whether it ends the stream.

        Raises:
            ProviderError: The data is invalid.
        """


class Exchange:
    """Sends requests to one server; safe to use from several threads."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._trust: ssl.SSLContext | None = None

    def post(self, post: Post, reader: ResponseReader, stopped: Callable[[], bool]) -> None:
        """Send one request and pass the response to the reader as it arrives.

        Raises:
            ProviderError: There is no response, or it is incomplete or invalid.
            StoppedError: `stopped` returned True; the connection is closed.
        """
        _load_httpx()
        if stopped():
            raise StoppedError("Stopped before anything was sent.")
        asyncio.run(self._watch(post, reader, stopped))

    async def _watch(self, post: Post, reader: ResponseReader, stopped: Callable[[], bool]) -> None:
        exchange = asyncio.create_task(self._run(post, reader))
        end = asyncio.get_running_loop().time() + self._limits.total
        try:
            while not exchange.done():
                await asyncio.wait({exchange}, timeout=_LOOK)
                if exchange.done():
                    break
                if stopped():
                    raise StoppedError("Stopped while the server was answering.")
                if asyncio.get_running_loop().time() > end:
                    said = f"The server took more than {self._limits.total:g} seconds."
                    raise ProviderError(said, "Is the model too large for that machine?", retryable=True)
        finally:
            exchange.cancel()
            await asyncio.wait({exchange})
            if not exchange.cancelled():
                exchange.exception()  # retrieved, so that asyncio does not complain
        exchange.result()

    async def _run(self, post: Post, reader: ResponseReader) -> None:
        httpx = _load_httpx()
        try:
            await self._send(post, reader)
        except ProviderError as problem:
            _hide_key(problem, post)  # a server may echo what it was sent
            raise
        except httpx.HTTPError as problem:
            explained = _explain(problem, post.url, self._limits)
        except httpx.InvalidURL:
            explained = ProviderUnusableError(f"{post.url} is no address.", "Look at llm.baseUrl.")
        else:
            return
        raise explained  # outside the handler: httpx's exception holds the request, and so the key

    async def _send(self, post: Post, reader: ResponseReader) -> None:
        headers = {"content-type": "application/json", "accept-encoding": "identity", **post.headers}
        if post.key is not None:
            name, before, key = post.key
            headers[name] = before + key.reveal()
        content = json.dumps(post.body, ensure_ascii=False).encode("utf-8", "replace")  # lone surrogates are replaced
        async with (
            self._open(post.url) as client,
            client.stream("POST", post.url, content=content, headers=headers) as response,
        ):
            await self._read(response, reader)

    def _open(self, url: str) -> httpx.AsyncClient:
        library = _load_httpx()
        if self._trust is None:
            self._trust = library.create_ssl_context()
        client: httpx.AsyncClient = library.AsyncClient(
            timeout=library.Timeout(self._limits.silence, connect=self._limits.connect),
            verify=self._trust,
            follow_redirects=False,
            trust_env=urlsplit(url).hostname not in _LOOPBACK,  # the user's proxies, except for this machine
        )
        return client

    async def _read(self, response: httpx.Response, reader: ResponseReader) -> None:
        if response.is_redirect or response.has_redirect_location:
            raise explain_redirect(response.headers.get("location", ""))
        if not response.is_success:
            complaint = await _read_some(response, _MOST_COMPLAINT)
            raise explain_status(response.status_code, response.headers, complaint)
        kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        if response.headers.get("content-encoding", "identity").lower() != "identity":
            raise ProviderError("The server's answer is compressed, which nobody asked for.")
        if kind == "text/event-stream":
            await self._read_events(response, reader)
        elif kind == "application/json":
            reader.read_whole(_read_json(await self._read_all(response)))
        else:
            raise explain_type(kind)

    async def _read_events(self, response: httpx.Response, reader: ResponseReader) -> None:
        events, size = EventReader(), 0
        async for chunk in response.aiter_raw():
            size += len(chunk)
            self._bound(size)
            for event in events.feed(chunk):
                if event.data.startswith("{"):
                    over = reader.read_event(event.name, _read_json(event.data.encode()))
                else:
                    over = reader.read_mark(event.data)
                if over:
                    return
        if not reader.is_whole():  # not every server marks the end of the stream
            raise ProviderError("The server's answer broke off.", retryable=True)

    async def _read_all(self, response: httpx.Response) -> bytes:
        data = bytearray()
        async for chunk in response.aiter_raw():
            data += chunk
            self._bound(len(data))
        return bytes(data)

    def _bound(self, size: int) -> None:
        if size > self._limits.most_bytes:
            raise ProviderError(f"The server's answer is larger than {self._limits.most_bytes:,} bytes.")


def _hide_key(problem: ProviderError, post: Post) -> None:
    if post.key is not None and post.key[2].reveal() in problem.message:
        problem.message = problem.message.replace(post.key[2].reveal(), _HIDDEN)
        problem.args = (problem.message,)


async def _read_some(response: httpx.Response, most: int) -> bytes:
    data = bytearray()
    async for chunk in response.aiter_raw():
        data += chunk
        if len(data) >= most:
            break
    return bytes(data[:most])


def _read_json(data: bytes) -> Any:
    try:
        return json.loads(data.decode("utf-8"))
    except UnicodeDecodeError:
        raise ProviderError("The server's answer is not UTF-8 text.") from None
    except (ValueError, RecursionError):
        raise ProviderError("The server's answer is not the JSON that it says it is.") from None


def _load_httpx() -> Any:
    try:
        import httpx
    except ImportError as problem:
        hint = "pip install 'git-codecortex[llm]'"
        raise ConfigError("Asking a model over HTTP needs the package httpx.", hint) from problem
    return httpx


def _explain(problem: Exception, url: str, limits: Limits) -> ProviderError:
    """Explain a failed connection, using only the kind of the problem and the address."""
    httpx = _load_httpx()
    server = urlsplit(url).netloc
    for cause in _list_causes(problem):
        if isinstance(cause, ssl.SSLError):
            reason = (cause.reason or "it was broken off").replace("_", " ").lower()
            hint = "Name a certificate of your own in SSL_CERT_FILE; for a server without TLS, write http://."
            return ProviderUnusableError(f"No secure connection to {server}: {reason}.", hint)
    match problem:
        case httpx.ConnectTimeout():
            said = f"{server} did not answer within {limits.connect:g} seconds."
            return ProviderError(said, "Is the server up, and the proxy right?", retryable=True)
        case httpx.ReadTimeout():
            return ProviderError(f"{server} was silent for {limits.silence:g} seconds.", retryable=True)
        case httpx.ConnectError():
            return ProviderUnusableError(f"No connection to {server}: {problem}.", "Is the server running?")
        case httpx.ProxyError():
            hint = "Look at HTTPS_PROXY, HTTP_PROXY and NO_PROXY."
            return ProviderUnusableError(f"The proxy refuses {server}.", hint)
    return ProviderError(f"The connection to {server} broke off ({type(problem).__name__}).", retryable=True)


def _list_causes(problem: BaseException | None) -> Iterator[BaseException]:
    while problem is not None:
        yield problem
        problem = problem.__cause__ or problem.__context__
