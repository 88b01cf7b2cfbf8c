"""A server that speaks Anthropic's messages."""

import pytest

from codecortex.context.tokens import estimate_tokens
from codecortex.llm.messages import Messages
from codecortex.llm.provider import Message, Role
from codecortex.llm.server import Server
from codecortex.model.errors import ProviderError, ProviderUnusableError

from .conftest import SECRET, SMALL, ask, reply, stream

START = {"type": "message_start", "message": {"model": "tiny-1", "usage": {"input_tokens": 9, "output_tokens": 1}}}
STOP = {"type": "message_stop"}
OVERLOADED = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}


def text(piece):
    return {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": piece}}


def end(reason):
    return {"type": "message_delta", "delta": {"stop_reason": reason}, "usage": {"output_tokens": 5}}


def test_an_answer_is_read_as_it_grows(messages, listener):
    thinking = {"type": "content_block_delta", "delta": {"type": "thinking_delta", "thinking": "Hm."}}
    ping = b'event: ping\ndata: {"type": "ping"}\n\n'
    listener.answers = [stream(START, ping, thinking, text("Hello, "), text("world."), end("end_turn"), STOP)]
    assert ask(messages) == ("Hello, world.", 9, 5, "tiny-1")
    (request,) = listener.requests
    assert request.line == "POST /v1/messages HTTP/1.1"
    assert request.headers["x-api-key"] == SECRET
    assert request.headers["anthropic-version"] == "2023-06-01"
    assert "authorization" not in request.headers
    assert request.body["max_tokens"] == 100


def test_a_conversation_is_sent_whole_and_heard_piece_by_piece(messages, listener):
    listener.answers = [stream(START, text("Hello, "), text("world."), end("end_turn"), STOP)]
    heard = []
    before = (Message(Role.USER, "Who are you?"), Message(Role.ASSISTANT, "Tiny."))
    ask(messages, before=before, heard=heard.append)
    assert heard == ["Hello, ", "world."]
    assert [each["role"] for each in listener.requests[0].body["messages"]] == ["user", "assistant", "user"]


def test_a_base_url_needs_no_version(listener):
    listener.answers = [stream(START, text("Hi"), end("end_turn"), STOP)]
    url = f"http://127.0.0.1:{listener.port}"
    ask(Messages(Server(url, "tiny", None, {}, ""), estimate_tokens, SMALL))
    assert listener.requests[0].line == "POST /v1/messages HTTP/1.1"


def test_a_server_that_does_not_stream_is_understood(messages, listener):
    content = [
        {"type": "thinking", "thinking": "Hm."},
        {"type": "text", "text": "Hello, "},
        {"type": "text", "text": "you."},
    ]
    usage = {"input_tokens": 3, "cache_creation_input_tokens": 4, "cache_read_input_tokens": 5, "output_tokens": 6}
    body = {"type": "message", "model": "tiny-1", "content": content, "stop_reason": "end_turn", "usage": usage}
    listener.answers = [reply(body)]
    assert ask(messages) == ("Hello, you.", 12, 6, "tiny-1")


@pytest.mark.parametrize(
    ("answer", "words", "retryable"),
    [
        (stream(START, text("Hi"), end("max_tokens"), STOP), "cut off", False),
        (stream(START, text("Hi"), end("refusal"), STOP), "will not answer", False),
        (stream(START, text("Hi")), "broke off", True),
        (stream(START, end("end_turn"), STOP), "empty", True),
        (stream(START, OVERLOADED), "Overloaded", True),
        (stream(START, {"type": "error", "error": {"type": "invalid_request_error", "message": "no"}}), "no", False),
        (stream(b"data: [DONE]\n\n"), "not the events", False),
        (reply({"type": "error", "error": {"type": "api_error", "message": "oops"}}), "oops", True),
        (reply({"content": "text", "usage": [], "model": 7}), "empty", True),
        (reply(OVERLOADED, "529 Overloaded"), "HTTP 529", True),
        (reply({"type": "error", "error": {"message": "credit"}}, "402 Pay"), "paid first", False),
    ],
)  # fmt: skip
def test_a_bad_answer_is_one_clear_error(messages, listener, answer, words, retryable):
    listener.answers = [answer]
    with pytest.raises(ProviderError) as caught:
        ask(messages)
    assert words in caught.value.message
    assert caught.value.retryable is retryable


def test_a_refused_key_names_the_variable(messages, listener):
    listener.answers = [reply({"error": {"message": SECRET}}, "401 Unauthorized")]
    with pytest.raises(ProviderUnusableError) as caught:
        ask(messages)
    assert (caught.value.message, caught.value.hint) == (
        "The server refuses the key (HTTP 401).",
        "Set ANTHROPIC_API_KEY.",
    )
    assert SECRET not in str(vars(caught.value))


def test_what_was_sent_in_vain_is_counted(messages, listener):
    listener.answers = [stream(START, text("Hello, "))]
    with pytest.raises(ProviderError) as caught:
        ask(messages)
    assert (caught.value.tokens_in, caught.value.tokens_out) == (9, 1)
