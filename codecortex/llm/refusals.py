"""Turns error responses of a server into exceptions."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from codecortex.model.errors import ProviderError, ProviderUnusableError, RequestRefusedError

if TYPE_CHECKING:
    from collections.abc import Mapping

_BAD_REQUEST, _UNAUTHORIZED, _PAYMENT, _FORBIDDEN, _NOT_FOUND, _TOO_MANY = 400, 401, 402, 403, 404, 429
_SERVER_ERRORS = 500
_PASSING = {408, 425, 429, 500, 502, 503, 504, 529}
_SPENT = {"insufficient_quota", "billing_error"}
_PASSING_KINDS = {"overloaded_error", "rate_limit_error", "api_error", "server_error", "timeout_error"}
_LONGEST = 300


def explain_status(status: int, headers: Mapping[str, str], body: bytes) -> ProviderError:
    """The error for a status other than success.

    Args:
        status: HTTP status code.
        headers: Headers of the response.
        body: Body of the response, or its beginning.
    """
    kind, said = _read_complaint(body)
    words = f": {said}" if said else ""
    if status in {_UNAUTHORIZED, _FORBIDDEN}:
        return ProviderUnusableError(f"The server refuses the key (HTTP {status}).")  # its message may contain the key
    if status == _PAYMENT or kind in _SPENT:
        hint = "Look at your quota and billing with that server."
        return ProviderUnusableError(f"The server wants to be paid first (HTTP {status}){words}.", hint)
    if status == _NOT_FOUND:
        said = f"The server knows no such address or model (HTTP 404){words}."
        return ProviderUnusableError(said, "Look at llm.baseUrl (does it end in /v1?) and llm.model.")
    if status in _PASSING:
        wait = read_retry_after(headers.get("retry-after", ""), datetime.now(UTC))
        asked = f"; it asks for {wait:,.0f} seconds of patience" if wait else ""
        reason = "has too many requests" if status == _TOO_MANY else "cannot answer now"
        return ProviderError(f"The server {reason} (HTTP {status}){words}{asked}.", retryable=True, retry_after=wait)
    kind_of_error = RequestRefusedError if _BAD_REQUEST <= status < _SERVER_ERRORS else ProviderError
    return kind_of_error(f"The server refuses the request (HTTP {status}){words}.")


def explain_event(error: Any) -> ProviderError:
    """The error for an error event inside a response, of both kinds of servers."""
    kind, said = _name_error(error)
    words = f": {said}" if said else ""
    return ProviderError(f"The server gave up{words}.", retryable=kind in _PASSING_KINDS)


def explain_redirect(location: str) -> ProviderError:
    """The error for a redirect, which is never followed: keys and sources go only to configured hosts."""
    host = urlsplit(location[:_LONGEST]).hostname if location.isprintable() else None
    to = f" to {host}" if host else ""
    return ProviderUnusableError(
        f"The server sends us elsewhere{to}, and nothing is sent there.", "Look at llm.baseUrl."
    )


def explain_type(kind: str) -> ProviderError:
    """The error for a response with a content type that no API uses."""
    shown = kind[:_LONGEST] if kind.isprintable() and kind else "something without a type"
    hint = "Is llm.baseUrl the address of an API? A proxy's or a login page looks like this too."
    return ProviderUnusableError(f"The server answers with {shown}, not with JSON or events.", hint)


def read_retry_after(text: str, now: datetime) -> float | None:
    """Seconds to wait, from a number of seconds or an HTTP date; None if the text is neither."""
    text = text.strip()
    if re.fullmatch(r"[0-9]{1,9}(?:\.[0-9]{1,9})?", text):
        return float(text)
    try:
        then = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    then = then if then.tzinfo is not None else then.replace(tzinfo=UTC)
    return max(0.0, (then - now).total_seconds())


def _read_complaint(body: bytes) -> tuple[str, str]:
    """Kind and message of an error body; empty if it is no error of an API."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return "", ""
    return _name_error(value.get("error", value)) if isinstance(value, dict) else ("", "")


def _name_error(error: Any) -> tuple[str, str]:
    if isinstance(error, str):
        return "", clean(error)
    if not isinstance(error, dict):
        return "", ""
    kinds = [error.get(name) for name in ("code", "type")]
    known = [kind for kind in kinds if isinstance(kind, str)]
    kind = next((kind for kind in known if kind in _SPENT | _PASSING_KINDS), known[0] if known else "")
    said = next((error[name] for name in ("message", "detail") if isinstance(error.get(name), str)), "")
    return kind, clean(said)


def clean(text: str) -> str:
    """A text as one short printable line."""
    line = " ".join("".join(char if char.isprintable() else " " for char in text).split()).rstrip(".")
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}..."
