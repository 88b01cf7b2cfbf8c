"""Patience: what is tried again, how long is waited, and what it cost."""

import time
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codecortex.llm.provider import NoModel, Reply
from codecortex.llm.refusals import read_retry_after
from codecortex.llm.retrying import Patience, Retrying
from codecortex.model.errors import ProviderError, ProviderUnusableError, StoppedError

from .conftest import GOOD, ask, reply

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
QUICK = Patience(attempts=4, first=0.01, longest=1.0)


def busy(**headers):
    return reply({"error": {"message": "busy"}}, "429 Too Many Requests", **headers)


def test_what_passes_is_waited_for(chat, listener):
    listener.answers = [busy(), reply(b"", "503 No"), GOOD]
    assert ask(Retrying(chat, QUICK)).text == "Hello, world."
    assert len(listener.requests) == 3


def test_patience_has_an_end(chat, listener):
    listener.answers = [busy()]
    with pytest.raises(ProviderError, match=r"It was asked 4 times\.$") as caught:
        ask(Retrying(chat, QUICK))
    assert caught.value.hint == "Try later."
    assert len(listener.requests) == 4


@pytest.mark.parametrize("status", [
    "400 Bad Request", "401 Unauthorized", "403 Forbidden", "404 Not Found", "409 Conflict", "413 Too Large",
    "422 Unprocessable",
])  # fmt: skip
def test_what_does_not_pass_is_told_at_once(chat, listener, status):
    listener.answers = [reply({}, status)]
    with pytest.raises(ProviderError):
        ask(Retrying(chat, QUICK))
    assert len(listener.requests) == 1


def test_the_server_says_how_long(chat, listener):
    listener.answers = [busy(Retry_After="0.3"), GOOD]
    started = time.monotonic()
    ask(Retrying(chat, QUICK))
    assert time.monotonic() - started >= 0.3


def test_a_server_that_asks_for_too_much_is_not_waited_for(chat, listener):
    listener.answers = [busy(Retry_After="3600")]
    with pytest.raises(ProviderError, match="it asks for 3,600 seconds of patience"):
        ask(Retrying(chat, QUICK))
    assert len(listener.requests) == 1


class Busy:
    """Says each time that it can be asked again in a while."""

    name = "busy"

    def __init__(self):
        self.asked = 0

    def complete(self, *_, **__):
        self.asked += 1
        problem = ProviderError("no", retryable=True)
        problem.retry_after = 100.0
        raise problem


def test_waiting_ends_when_the_run_does():
    busy = Busy()
    with pytest.raises(StoppedError):
        ask(Retrying(busy, Patience()), stopped=lambda: bool(busy.asked))
    assert busy.asked == 1


class Costly:
    """Fails a number of times, and each time it costs."""

    name = "costly"

    def __init__(self, failures):
        self.failures = failures

    def complete(self, *_, **__):
        if not self.failures:
            return Reply("text", 10, 5, "tiny")
        self.failures -= 1
        problem = ProviderError("no", retryable=True)
        problem.tokens_in, problem.tokens_out = 10, 1
        raise problem


def test_an_answer_that_begins_anew_says_so():
    heard = []
    ask(Retrying(Costly(2), QUICK), heard=heard.append)
    assert heard == ["", ""]


def test_vain_attempts_are_part_of_the_price():
    assert ask(Retrying(Costly(2), QUICK)) == ("text", 30, 7, "tiny")
    with pytest.raises(ProviderError) as caught:
        ask(Retrying(Costly(9), QUICK))
    assert (caught.value.tokens_in, caught.value.tokens_out) == (40, 4)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("0", 0.0), ("120", 120.0), ("1.5", 1.5), (" 7 ", 7.0), ("", None), ("-1", None), ("1e9", None), ("soon", None),
        ("Fri, 02 Jan 2026 03:04:35 GMT", 30.0), ("Fri, 02 Jan 2026 03:04:00 GMT", 0.0),
        ("Friday, 02-Jan-26 03:04:35 GMT", 30.0), ("Fri, 99 Jan 2026 03:04:35 GMT", None),
    ],
)  # fmt: skip
def test_retry_after_is_seconds_or_a_date(text, seconds):
    assert read_retry_after(text, NOW) == seconds


@given(st.text(max_size=40))
def test_any_retry_after_is_a_time_to_wait_or_none(text):
    assert (read_retry_after(text, NOW) or 0) >= 0


def test_a_provider_without_a_model_answers_nothing():
    with pytest.raises(ProviderUnusableError):
        ask(NoModel("extract"))
