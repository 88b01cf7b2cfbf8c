"""Rules for the values of configuration keys, see `model/config_keys.py`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
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
        schema: The valid values for editors, as JSON Schema; it refuses nothing that `fits` takes.
    """

    doc: str
    wanted: str
    fits: Callable[[object], bool]
    schema: Mapping[str, object]


def switch(doc: str) -> Rule:
    """True or false."""
    return Rule(doc, "true or false", lambda value: isinstance(value, bool), {"type": "boolean"})


def number(low: int, high: int, doc: str) -> Rule:
    """A whole number between two bounds."""
    wanted = f"a whole number from {low} to {high}"
    schema = {"type": "integer", "minimum": low, "maximum": high}
    return Rule(doc, wanted, lambda value: type(value) is int and low <= value <= high, schema)


def _is_address(value: object, pattern: str) -> bool:
    """Whether the value is a plain address without login or query, so that every URL parser reads it alike."""
    if not isinstance(value, str) or not re.fullmatch(pattern, value):
        return False
    try:
        parts = urlsplit(value if "://" in value else f"https://{value}")
        return bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def address_or_null(doc: str) -> Rule:
    """A base URL, or null."""
    wanted = "an address such as http://localhost:8080/v1, or null"
    pattern = f"https?://{_HOST}{_PATH}"
    schema = {"type": ["string", "null"], **_match(pattern)}
    return Rule(doc, wanted, lambda value: value is None or _is_address(value, pattern), schema)


def hosts(doc: str) -> Rule:
    """A list of hosts, each with an optional scheme and port."""
    pattern = f"(?:https?://)?{_HOST}"

    def fits(value: object) -> bool:
        return isinstance(value, tuple) and all(_is_address(item, pattern) for item in value)

    schema = {"type": "array", "items": {"type": "string", **_match(pattern)}}
    return Rule(doc, "a list of hosts such as api.example.com or localhost:8080", fits, schema)


def number_or_null(low: int, high: int, doc: str) -> Rule:
    """A whole number between two bounds, or null."""
    rule = number(low, high, doc)
    schema = {**rule.schema, "type": ["integer", "null"]}
    return Rule(doc, f"{rule.wanted}, or null", lambda value: value is None or rule.fits(value), schema)


def _is_amount(value: object, most: int = _HIGHEST_PRICE) -> bool:
    from decimal import Decimal

    return not isinstance(value, bool) and isinstance(value, int | Decimal) and 0 <= value <= most


def price_or_null(doc: str) -> Rule:
    """An amount of money, or null."""
    wanted = "an amount such as 2.50, or null"
    schema = {"type": ["number", "null"], "minimum": 0, "maximum": _HIGHEST_PRICE}
    return Rule(doc, wanted, lambda value: value is None or _is_amount(value), schema)


def share(doc: str) -> Rule:
    """A part of a whole."""
    schema = {"type": "number", "minimum": 0, "maximum": 1}
    return Rule(doc, "a number from 0 to 1", lambda value: _is_amount(value, 1), schema)


def choice(options: type[StrEnum], doc: str) -> Rule:
    """One of the values of an enumeration."""
    names = [option.value for option in options]
    return Rule(doc, " or ".join(names), lambda value: value in names, {"enum": names})


def _match(pattern: str) -> dict[str, str]:
    """A pattern as JSON Schema, unless editors would read it otherwise: to them a word is of ASCII letters."""
    return {} if r"\w" in pattern else {"pattern": f"^(?:{pattern})$"}


def _is_text(value: object, pattern: str) -> bool:
    return isinstance(value, str) and value.isprintable() and re.fullmatch(pattern, value) is not None


def text(pattern: str, wanted: str, doc: str) -> Rule:
    """Printable text that matches a pattern."""
    schema = {"type": "string", **_match(pattern)}
    return Rule(doc, wanted, lambda value: _is_text(value, pattern), schema)


def text_or_null(pattern: str, wanted: str, doc: str) -> Rule:
    """Printable text that matches a pattern, or null."""
    schema = {"type": ["string", "null"], **_match(pattern)}
    return Rule(doc, f"{wanted}, or null", lambda value: value is None or _is_text(value, pattern), schema)


def words(pattern: str, wanted: str, doc: str) -> Rule:
    """A list of printable texts that match a pattern."""

    def fits(value: object) -> bool:
        return isinstance(value, tuple) and len(value) <= _MOST_ITEMS and all(_is_text(item, pattern) for item in value)

    schema = {"type": "array", "maxItems": _MOST_ITEMS, "items": {"type": "string", **_match(pattern)}}
    return Rule(doc, f"a list of {wanted}", fits, schema)
