"""An OpenAI-compatible server: what it is asked, what its answer means, and what a bad one does."""

import socket
import ssl
import subprocess
import threading
import time
import traceback
from contextlib import suppress

import pytest

from codecortex.context.tokens import estimate_tokens
from codecortex.llm.chat_completions import ChatCompletions
from codecortex.llm.keys import Key
from codecortex.llm.provider import Message, Role
from codecortex.llm.server import Server
from codecortex.model.errors import ProviderError, ProviderUnusableError, StoppedError

from .conftest import DONE, GOOD, PATIENCE, SECRET, SMALL, USAGE, Listener, ask, delta, head, reply, send, stream

WHOLE = {
    "model": "tiny-1",
    "choices": [{"message": {"role": "assistant", "content": "Hello, world."}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 12, "completion_tokens": 5},
}


def fail(provider, **options):
    with pytest.raises(ProviderError) as caught:
        ask(provider, **options)
    shown = "".join(traceback.format_exception(caught.value)) + repr(vars(caught.value)) + repr(caught.value)
    assert SECRET not in shown
    return caught.value


def test_an_answer_is_read_as_it_grows(chat, listener):
    heard = []
    found = ask(chat, heard=heard.append)
    assert found == ("Hello, world.", 12, 5, "tiny-1")
    assert heard == ["Hello, ", "world."]
    (request,) = listener.requests
    assert request.line == "POST /v1/chat/completions HTTP/1.1"
    assert request.headers["authorization"] == f"Bearer {SECRET}"
    assert request.body["model"] == "tiny"
    assert request.body["messages"] == [{"role": "user", "content": "Say hello."}]
    assert request.body["max_tokens"] == 100
    assert request.body["stream"] is True


def test_what_was_said_before_goes_before_the_prompt(chat, listener):
    ask(chat, before=(Message(Role.USER, "Who are you?"), Message(Role.ASSISTANT, "Tiny.")))
    assert [tuple(each.values()) for each in listener.requests[0].body["messages"]] == [
        ("user", "Who are you?"), ("assistant", "Tiny."), ("user", "Say hello."),
    ]  # fmt: skip


def test_without_a_key_none_is_sent(listener):
    provider = ChatCompletions(Server(listener.url + "/", "tiny", None, {}, ""), estimate_tokens, SMALL)
    ask(provider)
    assert "authorization" not in listener.requests[0].headers
    assert listener.requests[0].line == "POST /v1/chat/completions HTTP/1.1"


def test_a_server_that_does_not_stream_is_understood(chat, listener):
    listener.answers = [reply(WHOLE)]
    assert ask(chat) == ("Hello, world.", 12, 5, "tiny-1")


def test_a_server_need_not_say_that_the_stream_ends(chat, listener):
    usage = {"choices": [{"delta": {}, "finish_reason": "stop"}], "usage": USAGE["usage"]}
    listener.answers = [stream(delta("Hello, world."), usage)]
    assert ask(chat) == ("Hello, world.", 12, 5, "tiny-1")


def test_tokens_are_estimated_where_the_server_does_not_count(chat, listener):
    listener.answers = [stream(delta("Hello, world."), delta(reason="stop"), DONE)]
    assert ask(chat)[1:3] == (estimate_tokens("Say hello."), estimate_tokens("Hello, world."))


def test_keep_alive_comments_and_other_line_ends_are_no_matter(chat, listener):
    text = b': waiting\r\n\r\ndata: {"choices":[{"delta":{"content":"Hi"}}]}\r\r:\n\nid: 7\nretry: 1\n\n' + DONE
    listener.answers = [send(head(kind="text/event-stream; charset=utf-8"), *(bytes([each]) for each in text))]
    assert ask(chat).text == "Hi"


@pytest.mark.parametrize("status", ["401 Unauthorized", "403 Forbidden"])
def test_a_refused_key_names_the_variable_and_never_the_key(chat, listener, status):
    listener.answers = [reply({"error": {"message": f"Incorrect API key provided: {SECRET}"}}, status)]
    problem = fail(chat)
    assert isinstance(problem, ProviderUnusableError)
    assert not problem.retryable
    assert (problem.exit_code, problem.hint) == (3, "Set OPENAI_API_KEY.")


def test_a_key_that_a_server_repeats_is_hidden(chat, listener):
    listener.answers = [reply({"error": {"message": f"cannot use {SECRET} here"}}, "400 Bad Request")]
    assert fail(chat).message == "The server refuses the request (HTTP 400): cannot use ... here."
    listener.answers = [reply({"detail": f"no {SECRET}"}, "422 Unprocessable")]
    assert fail(chat).message == "The server refuses the request (HTTP 422): no ...."
    listener.answers = [stream({"error": {"message": f"lost {SECRET}", "type": "server_error"}})]
    problem = fail(chat)
    assert (problem.message, problem.retryable) == ("The server gave up: lost ....", True)


@pytest.mark.parametrize(
    ("headers", "wait"), [({}, None), ({"Retry-After": "7"}, 7.0), ({"Retry-After": "soon"}, None)]
)
def test_too_many_requests_may_be_tried_again(chat, listener, headers, wait):
    listener.answers = [reply({"error": {"message": "slow down"}}, "429 Too Many Requests", **headers)]
    problem = fail(chat)
    assert (problem.retryable, problem.retry_after) == (True, wait)
    assert "slow down" in problem.message


def test_a_spent_budget_is_not_tried_again(chat, listener):
    error = {"message": "You exceeded your quota", "type": "insufficient_quota", "code": "insufficient_quota"}
    listener.answers = [reply({"error": error}, "429 Too Many Requests")]
    problem = fail(chat)
    assert isinstance(problem, ProviderUnusableError)
    assert "quota and billing" in problem.hint


@pytest.mark.parametrize("status", ["500 Internal Server Error", "502 Bad Gateway", "503 Service Unavailable"])
def test_a_server_in_trouble_may_be_tried_again(chat, listener, status):
    listener.answers = [reply(b"<html>\x1b[31mno\xff</html>", status, "text/html")]
    problem = fail(chat)
    assert problem.retryable
    assert problem.message == f"The server cannot answer now (HTTP {status[:3]})."


def test_an_unknown_model_is_told(chat, listener):
    listener.answers = [reply({"error": "model \x1b[1m'tiny'\n not found"}, "404 Not Found")]
    problem = fail(chat)
    assert isinstance(problem, ProviderUnusableError)
    assert "[1m'tiny' not found" in problem.message
    assert "\x1b" not in problem.message
    assert "llm.model" in problem.hint


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (reply(b"<html>Log in</html>", kind="text/html"), "text/html"),
        (reply(b"{}", kind=""), "something without a type"),
        (reply(b"{", kind="application/json"), "not the JSON"),
        (reply(b"[" * 100_000), "not the JSON"),
        (reply(b'"\xff"'), "not UTF-8"),
        (reply(b"[]"), "empty"),
        (reply({"choices": []}), "empty"),
        (reply({"choices": [None]}), "empty"),
        (reply({"choices": [{"message": {"content": None}}]}), "empty"),
        (reply({"choices": [{"message": {"content": 7}}], "usage": {"prompt_tokens": "many"}}), "empty"),
        (reply(WHOLE, Content_Encoding="gzip"), "compressed"),
        (stream(DONE), "empty"),
        (stream(USAGE, DONE), "empty"),
        (stream(b"data: {oops}\n\n"), "not the JSON"),
        (stream(b"data: \xff\xfe\n\n"), "not UTF-8"),
        (stream(b"data: hello\n\n"), "not the events"),
        (stream(b"garbage\x00\n\n" * 5), "broke off"),
        (stream(delta("half an ans")), "broke off"),
        (stream(b"data: {" + b"x" * 900_000), "broke off"),
        (stream(delta("Hi", "length"), DONE), "cut off: it would be longer than 100 tokens"),
        (stream(delta(refusal="I cannot "), delta(refusal="do that."), DONE), "will not answer this: I cannot do that"),
        (stream(delta("Hi", "content_filter"), DONE), "will not answer"),
        (send(head(kind="text/event-stream", Transfer_Encoding="chunked"), b"ZZ\r\nno\r\n"), "broke off"),
        (send(b"SSH-2.0-OpenSSH_9.6\r\n"), "broke off"),
        (send(b""), "broke off"),
        (send(head(Content_Length="999"), b"{"), "broke off"),
    ],
)
def test_a_bad_answer_is_one_clear_error(chat, listener, answer, words):
    listener.answers = [answer]
    problem = fail(chat)
    assert words in problem.message
    assert len(problem.message) < 500


def test_what_was_sent_and_received_in_vain_is_counted(chat, listener):
    listener.answers = [stream(delta("half an answer"))]
    problem = fail(chat)
    assert (problem.tokens_in, problem.tokens_out) == (
        estimate_tokens("Say hello."),
        estimate_tokens("half an answer"),
    )
    listener.answers = [reply(b"", "500 No")]
    assert (fail(chat).tokens_in, fail(chat).tokens_out) == (0, 0)


@pytest.mark.parametrize("kind", ["application/json", "text/event-stream"])
def test_a_huge_answer_is_not_read_to_its_end(chat, listener, kind):
    sent = []

    def flood(connection):
        connection.sendall(head(kind=kind))
        for _ in range(800):
            connection.sendall(b"data: 0123456789abcdef\n" * 2850)
            sent.append(1)

    listener.answers = [flood]
    problem = fail(chat)
    assert not problem.retryable
    assert "larger than 1,048,576 bytes" in problem.message or "an event without an end" in problem.message
    assert len(sent) < 400


def test_a_text_that_does_not_end_is_not_waited_for(listener):
    listener.answers = [stream(*[delta("x" * 100_000)] * 20, DONE)]
    limits = SMALL._replace(most_bytes=8 << 20)
    provider = ChatCompletions(Server(listener.url, "tiny", None, {}, ""), estimate_tokens, limits)
    assert "longer than 1,048,576 characters" in fail(provider).message


def test_a_server_that_stalls_is_given_up(listener):
    listener.answers = [listener.stall(head(kind="text/event-stream"), b'data: {"choices":')]
    limits = SMALL._replace(silence=0.4)
    problem = fail(ChatCompletions(Server(listener.url, "tiny", None, {}, ""), estimate_tokens, limits))
    assert problem.retryable
    assert problem.message.endswith("was silent for 0.4 seconds.")
    assert listener.closed.wait(PATIENCE)


def test_a_server_that_says_nothing_for_ever_is_given_up(listener):
    def trickle(connection):
        connection.sendall(head(kind="text/event-stream"))
        while True:
            connection.sendall(b": wait\n\n")
            time.sleep(0.05)

    listener.answers = [trickle]
    provider = ChatCompletions(Server(listener.url, "tiny", None, {}, ""), estimate_tokens, SMALL._replace(total=0.5))
    problem = fail(provider)
    assert problem.retryable
    assert problem.message == "The server took more than 0.5 seconds."


def test_a_request_can_be_given_up_while_the_server_thinks(listener):
    stall, stop = listener.stall(head(kind="text/event-stream")), threading.Event()

    def think(connection):
        stop.set()
        stall(connection)

    listener.answers = [think]
    provider = ChatCompletions(Server(listener.url, "tiny", None, {}, ""), estimate_tokens, SMALL)
    with pytest.raises(StoppedError):
        ask(provider, stopped=stop.is_set)
    assert listener.closed.wait(PATIENCE)


def test_nothing_is_sent_once_stopped(chat, listener):
    with pytest.raises(StoppedError):
        ask(chat, stopped=lambda: True)
    assert listener.connections == 0


@pytest.mark.parametrize("status", ["301 Moved", "302 Found", "307 Temporary Redirect", "308 Permanent Redirect"])
def test_a_redirect_is_never_followed(chat, listener, other, status):
    listener.answers = [reply(b"", status, Location=f"http://127.0.0.1:{other.port}/v1/chat/completions")]
    problem = fail(chat)
    assert isinstance(problem, ProviderUnusableError)
    assert "127.0.0.1" in problem.message
    assert (other.connections, len(listener.requests)) == (0, 1)


def test_a_refused_connection_is_told(listener):
    listener.close()
    provider = ChatCompletions(
        Server(f"http://127.0.0.1:{listener.port}/v1", "tiny", Key(SECRET), {}, ""), estimate_tokens, SMALL
    )
    problem = fail(provider)
    assert isinstance(problem, ProviderUnusableError)
    assert f"No connection to 127.0.0.1:{listener.port}" in problem.message


def test_an_unknown_host_is_told():
    server = Server("https://no-such-host.invalid/v1", "tiny", Key(SECRET), {}, "")
    problem = fail(ChatCompletions(server, estimate_tokens, SMALL))
    assert "no-such-host.invalid" in problem.message


def test_a_server_without_tls_is_told():
    def serve(listening):
        connection, _ = listening.accept()
        with connection, suppress(OSError):
            heard = connection.recv(1 << 16)
            connection.sendall(head("400 Bad Request"))
            while heard:
                heard = connection.recv(1 << 16)

    with socket.create_server(("127.0.0.1", 0)) as listening:
        threading.Thread(target=serve, args=(listening,), daemon=True).start()
        server = Server(f"https://127.0.0.1:{listening.getsockname()[1]}/v1", "tiny", Key(SECRET), {}, "")
        problem = fail(ChatCompletions(server, estimate_tokens, SMALL))
    assert isinstance(problem, ProviderUnusableError)
    assert problem.message.startswith("No secure connection to 127.0.0.1:")


def test_a_certificate_that_nobody_vouches_for_is_told(tmp_path):
    made = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    made += ["-keyout", "key.pem", "-out", "cert.pem", "-subj", "/CN=localhost"]
    try:
        subprocess.run(made, cwd=tmp_path, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("no openssl to make a certificate with")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "cert.pem", tmp_path / "key.pem")
    listener = Listener(context)
    server = Server(f"https://localhost:{listener.port}/v1", "tiny", Key(SECRET), {}, "")
    problem = fail(ChatCompletions(server, estimate_tokens, SMALL))
    assert "certificate verify failed" in problem.message
    assert "SSL_CERT_FILE" in problem.hint
    assert listener.requests == []
    listener.close()


def test_a_proxy_never_sees_what_stays_on_this_machine(chat, listener, other, monkeypatch):
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{other.port}")
    assert ask(chat).text == "Hello, world."
    assert (len(listener.requests), other.connections) == (1, 0)


def test_several_threads_may_ask_at_a_time(chat, listener):
    found = []
    threads = [threading.Thread(target=lambda: found.append(ask(chat).text)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert found == ["Hello, world."] * 8
    assert len(listener.requests) == 8


def test_half_characters_do_not_stop_a_prompt(chat, listener):
    listener.answers = [GOOD]
    ask(chat, "a\ud800b Ω")
    assert listener.requests[0].body["messages"][0]["content"] == "a?b Ω"


@pytest.mark.parametrize(
    "usage",
    [
        {"prompt_tokens": -5, "completion_tokens": -1},
        {"prompt_tokens": 10**30, "completion_tokens": 10**30},
        {"prompt_tokens": "12", "completion_tokens": "many"},
        {"prompt_tokens": 1, "completion_tokens": 0},
        {"prompt_tokens": True, "completion_tokens": 1.5},
    ],
)
def test_a_bad_count_of_tokens_never_makes_a_budget_boundless(chat, listener, usage):
    prompt, text = "Say hello to everybody. " * 40, "Hello, dear world of ours. " * 40
    choice = {"message": {"content": text}, "finish_reason": "stop"}
    listener.answers = [reply(WHOLE | {"usage": usage, "choices": [choice]})]
    found = ask(chat, prompt, most_tokens=1000)
    assert found[1:3] == (estimate_tokens(prompt), estimate_tokens(text))


def test_a_sum_of_tokens_alone_counts(chat, listener):
    listener.answers = [reply(WHOLE | {"usage": {"total_tokens": 9000}})]
    found = ask(chat)
    assert found[1] + found[2] >= 9000
