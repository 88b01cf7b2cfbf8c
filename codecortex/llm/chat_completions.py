"""Client for OpenAI-compatible servers: hosted ones, llama.cpp, Ollama, vLLM and others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codecortex.llm.answer import Answer, read_first, read_number, read_object
from codecortex.llm.exchange import Post
from codecortex.llm.refusals import clean, explain_event
from codecortex.llm.server import Client
from codecortex.model.errors import ProviderError

if TYPE_CHECKING:
    from collections.abc import Callable

    from codecortex.llm.provider import ModelRequest, Reply

DEFAULT_URL = "https://api.openai.com/v1"


class ChatCompletions(Client):
    """Sends `POST <base URL>/chat/completions` and reads the streamed answer."""

    name = "openai"

    def complete(self, asked: ModelRequest, *, heard: Callable[[str], None], stopped: Callable[[], bool]) -> Reply:
        """Answer one prompt; see `Provider.complete`."""
        server = self._server
        reader = _ChatReader(Answer(asked.text, self._count, heard), asked.most_tokens)
        # OpenAI renamed the limit; other servers know only the old name.
        limit = "max_completion_tokens" if server.url.startswith(DEFAULT_URL) else "max_tokens"
        body = {
            "model": server.model,
            "messages": [{"role": role.value, "content": text} for role, text in asked.messages],
            limit: asked.most_tokens,
            "stream": True,
            "stream_options": {"include_usage": True},
        }
        key = ("authorization", "Bearer ", server.key) if server.key is not None else None
        post = Post(f"{server.url.rstrip('/')}/chat/completions", body, server.headers, key)
        return server.ask(self._exchange, post, reader, stopped)


class _ChatReader:
    def __init__(self, answer: Answer, most_tokens: int) -> None:
        self.answer = answer
        self._most_tokens = most_tokens
        self._refused: list[str] = []
        self._reason: Any = None

    def read_event(self, name: str, value: Any) -> bool:
        del name  # this kind of stream names no events
        self._take(value, "delta")
        return False  # the usage may follow the end of the text

    def read_mark(self, text: str) -> bool:
        if text.strip() != "[DONE]":
            raise ProviderError("The server's answer is not the events that it says it is.")
        return True

    def read_whole(self, value: Any) -> None:
        self._take(value, "message")

    def _take(self, value: Any, part: str) -> None:
        whole = read_object(value)
        if whole.get("error"):
            raise explain_event(whole["error"])
        self.answer.take_model(whole.get("model"))
        usage = read_object(whole.get("usage"))
        if usage:
            known = read_number(usage.get("prompt_tokens")), read_number(usage.get("completion_tokens"))
            # A server that tells the sum alone: what is not known of the answer is taken for the prompt's.
            self.answer.tokens_in = known[0] or max(0, read_number(usage.get("total_tokens")) - known[1])
            self.answer.tokens_out = known[1]
        choice = read_first(whole.get("choices"))
        message = read_object(choice.get(part))
        self.answer.add(message.get("content"))
        if isinstance(message.get("refusal"), str):
            self._refused.append(message["refusal"])
        self._reason = choice.get("finish_reason") or self._reason

    def is_whole(self) -> bool:
        return self._reason is not None

    def finish(self) -> Reply:
        if self._refused or self._reason == "content_filter":
            self.answer.refuse_refusal(clean("".join(self._refused)))
        if self._reason == "length":
            self.answer.refuse_cut(self._most_tokens)
        return self.answer.finish()
