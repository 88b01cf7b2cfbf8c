"""Client for servers with Anthropic's messages API."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codecortex.llm.answer import Answer, read_number, read_object
from codecortex.llm.exchange import Post
from codecortex.llm.refusals import explain_event
from codecortex.llm.server import Client
from codecortex.model.errors import ProviderError

if TYPE_CHECKING:
    from collections.abc import Callable

    from codecortex.llm.provider import ModelRequest, Reply

DEFAULT_URL = "https://api.anthropic.com"
_VERSION = "2023-06-01"
_READ = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


class Messages(Client):
    """Sends `POST <base URL>/v1/messages` and reads the streamed answer."""

    name = "anthropic"

    def complete(self, asked: ModelRequest, *, heard: Callable[[str], None], stopped: Callable[[], bool]) -> Reply:
        """Answer one prompt; see `Provider.complete`."""
        server = self._server
        reader = _MessagesReader(Answer(asked.text, self._count, heard), asked.most_tokens)
        body = {
            "model": server.model,
            "messages": [{"role": role.value, "content": text} for role, text in asked.messages],
            "max_tokens": asked.most_tokens,
            "stream": True,
        }
        key = ("x-api-key", "", server.key) if server.key is not None else None
        url = server.url.rstrip("/").removesuffix("/v1")
        post = Post(f"{url}/v1/messages", body, {**server.headers, "anthropic-version": _VERSION}, key)
        return server.ask(self._exchange, post, reader, stopped)


class _MessagesReader:
    def __init__(self, answer: Answer, most_tokens: int) -> None:
        self.answer = answer
        self._most_tokens = most_tokens
        self._reason: Any = None

    def read_event(self, name: str, value: Any) -> bool:
        event = read_object(value)
        match event.get("type", name):
            case "message_start":
                message = read_object(event.get("message"))
                self.answer.take_model(message.get("model"))
                self._take_usage(message.get("usage"))
            case "content_block_delta":
                self._take_text(event.get("delta"), "text_delta")
            case "message_delta":
                self._reason = read_object(event.get("delta")).get("stop_reason")
                self._take_usage(event.get("usage"))
            case "error":
                raise explain_event(event.get("error"))
            case "message_stop":
                return True
        return False  # pings, and events of later versions

    def read_mark(self, text: str) -> bool:
        del text
        raise ProviderError("The server's answer is not the events that it says it is.")

    def read_whole(self, value: Any) -> None:
        message = read_object(value)
        if message.get("type") == "error":
            raise explain_event(message.get("error"))
        self.answer.take_model(message.get("model"))
        self._take_usage(message.get("usage"))
        self._reason = message.get("stop_reason")
        blocks = message.get("content")
        for block in blocks if isinstance(blocks, list) else ():
            self._take_text(block, "text")

    def _take_text(self, value: Any, kind: str) -> None:
        block = read_object(value)
        if block.get("type") == kind:
            self.answer.add(block.get("text"))

    def _take_usage(self, value: Any) -> None:
        usage = read_object(value)
        if "input_tokens" in usage:
            self.answer.tokens_in = sum(read_number(usage.get(name)) for name in _READ)
        if "output_tokens" in usage:
            self.answer.tokens_out = read_number(usage["output_tokens"])

    def is_whole(self) -> bool:
        return self._reason is not None

    def finish(self) -> Reply:
        if self._reason == "refusal":
            self.answer.refuse_refusal()
        if self._reason == "max_tokens":
            self.answer.refuse_cut(self._most_tokens)
        return self.answer.finish()
