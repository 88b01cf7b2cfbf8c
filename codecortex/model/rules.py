"""Rules for the values of configuration keys, as `metadata` for the fields of `model/config.py`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Callable
    from enum import StrEnum

_MOST_ITEMS = 1000
_HIGHEST_PRICE = 1_000_000
_HOST = r"(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?"
_PATH = "(?:/[A-Za-z0-9._~-]+)*/?"


class Rule(NamedTuple):
    """Which values one key may have.

    Attributes:
        doc: What the key does, in one sentence that the template repeats.
        wanted: The valid values, as the end of the sentence "expected ...".
        fits: Whether a value is valid.
    """

    doc: str
    wanted: str
    fits: Callable[[object], bool]


def switch(doc: str) -> dict[str, Rule]:
    """True or false."""
    return {"rule": Rule(doc, "true or false", lambda value: isinstance(value, bool))}


def number(low: int, high: int, doc: str) -> dict[str, Rule]:
    """A whole number between two bounds."""
    wanted = f"a whole number from {low} to {high}"
    return {"rule": Rule(doc, wanted, lambda value: type(value) is int and low <= value <= high)}


def _is_address(value: object, pattern: str) -> bool:
    """Whether the value is a plain address without login or query, so that every URL parser reads it alike."""
    if not isinstance(value, str) or not re.fullmatch(pattern, value):
        return False
    try:
        parts = urlsplit(value if "://" in value else f"https://{value}")
        return bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def address_or_null(doc: str) -> dict[str, Rule]:
    """A base URL, or null."""
    wanted = "an address such as http://localhost:8080/v1, or null"
    pattern = f"https?://{_HOST}{_PATH}"
    return {"rule": Rule(doc, wanted, lambda value: value is None or _is_address(value, pattern))}


def hosts(doc: str) -> dict[str, Rule]:
    """A list of hosts, each with an optional scheme and port."""

    def fits(value: object) -> bool:
        pattern = f"(?:https?://)?{_HOST}"
        return isinstance(value, tuple) and all(_is_address(item, pattern) for item in value)

    return {"rule": Rule(doc, "a list of hosts such as api.example.com or localhost:8080", fits)}


def number_or_null(low: int, high: int, doc: str) -> dict[str, Rule]:
    """A whole number between two bounds, or null."""
    wanted = f"a whole number from {low} to {high}, or null"
    return {"rule": Rule(doc, wanted, lambda value: value is None or (type(value) is int and low <= value <= high))}


def _is_amount(value: object) -> bool:
    from decimal import Decimal

    return not isinstance(value, bool) and isinstance(value, int | Decimal) and 0 <= value <= _HIGHEST_PRICE


def price_or_null(doc: str) -> dict[str, Rule]:
    """An amount of money, or null."""
    wanted = "an amount such as 2.50, or null"
    return {"rule": Rule(doc, wanted, lambda value: value is None or _is_amount(value))}


def choice(options: type[StrEnum], doc: str) -> dict[str, Rule]:
    """One of the values of an enumeration."""
    names = [option.value for option in options]
    return {"rule": Rule(doc, " or ".join(names), lambda value: value in names)}


def _is_text(value: object, pattern: str) -> bool:
    return isinstance(value, str) and value.isprintable() and re.fullmatch(pattern, value) is not None


def text(pattern: str, wanted: str, doc: str) -> dict[str, Rule]:
    """Printable text that matches a pattern."""
    return {"rule": Rule(doc, wanted, lambda value: _is_text(value, pattern))}


def text_or_null(pattern: str, wanted: str, doc: str) -> dict[str, Rule]:
    """Printable text that matches a pattern, or null."""
    return {"rule": Rule(doc, f"{wanted}, or null", lambda value: value is None or _is_text(value, pattern))}


def words(pattern: str, wanted: str, doc: str) -> dict[str, Rule]:
    """A list of printable texts that match a pattern."""

    def fits(value: object) -> bool:
        return isinstance(value, tuple) and len(value) <= _MOST_ITEMS and all(_is_text(item, pattern) for item in value)

    return {"rule": Rule(doc, f"a list of {wanted}", fits)}
