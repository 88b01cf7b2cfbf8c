"""Wraps a provider so that temporary failures are retried."""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING

from codecortex.model.errors import ProviderError, StoppedError
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from codecortex.llm.provider import ModelRequest, Provider, Reply

_LOOK = 0.1


class Patience(NamedTuple):
    """Limits of retrying.

    Attributes:
        attempts: Maximum number of attempts per prompt.
        first: Seconds before the second attempt; each later pause is twice as long.
        longest: Maximum seconds of a pause. If the server asks for more, the prompt is given up.
    """

    attempts: int = 5
    first: float = 1.0
    longest: float = 120.0


class Retrying:
    """Retries a prompt if that may help, after a pause that doubles, or as long as the server asks for.

    Each pause is extended at random by up to a half, so that many failed requests do not return all at once.
    """

    def __init__(self, provider: Provider, patience: Patience | None = None) -> None:
        self._provider = provider
        self._patience = patience or Patience()
        self.name = provider.name

    def complete(self, asked: ModelRequest, *, heard: Callable[[str], None], stopped: Callable[[], bool]) -> Reply:
        """Answer a prompt; see `Provider.complete`. Tokens of failed attempts are included."""
        tokens_in = tokens_out = 0
        attempt = 1
        while True:
            try:
                reply = self._provider.complete(asked, heard=heard, stopped=stopped)
            except ProviderError as problem:
                tokens_in += problem.tokens_in
                tokens_out += problem.tokens_out
                pause = self._choose_pause(problem, attempt)
                problem.tokens_in, problem.tokens_out = tokens_in, tokens_out
                if pause is None:
                    _tell_attempts(problem, attempt)
                    raise
                self._wait(pause, stopped, problem)
                heard("")
            else:
                return reply._replace(tokens_in=reply.tokens_in + tokens_in, tokens_out=reply.tokens_out + tokens_out)
            attempt += 1

    def _choose_pause(self, problem: ProviderError, attempt: int) -> float | None:
        """Seconds to wait before the next attempt; None to give up."""
        if not problem.retryable or attempt >= self._patience.attempts:
            return None
        if problem.retry_after is not None and problem.retry_after > self._patience.longest:
            return None
        pause = self._patience.first * 2 ** (attempt - 1)
        pause = problem.retry_after if problem.retry_after is not None else min(pause, self._patience.longest)
        return pause + random.uniform(0, pause / 2)  # noqa: S311 - no secret hangs on it

    @staticmethod
    def _wait(seconds: float, stopped: Callable[[], bool], problem: ProviderError) -> None:
        end = time.monotonic() + seconds
        while not stopped():
            left = end - time.monotonic()
            if left <= 0:
                return
            time.sleep(min(left, _LOOK))
        given_up = StoppedError("Stopped while waiting to ask again.")
        given_up.tokens_in, given_up.tokens_out = problem.tokens_in, problem.tokens_out
        raise given_up from problem


def _tell_attempts(problem: ProviderError, attempts: int) -> None:
    """Add to an error the number of attempts, and a hint."""
    if problem.retryable and attempts > 1:
        problem.message += f" It was asked {attempts} times."
        problem.args = (problem.message,)
    if problem.retryable and not problem.hint:
        problem.hint = "Try later."
