"""The definition of a pack: a name that is a valid file name everywhere, a filter, and a budget."""

from __future__ import annotations

import re

from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later

DEFAULT_BUDGET = 4000
LEAST_BUDGET = 200
MOST_BUDGET = 1_000_000_000
MOST_PACKS = 200
LONGEST_FILTER = 1000

_NAME = compile_later(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_DEVICE = compile_later(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?", re.IGNORECASE)
NAME_RULE = "a name of at most 64 letters, digits, dots, hyphens and underscores, no dot at its end"


class PackDefinition(NamedTuple):
    """One pack of `packs:` in config.yaml.

    Attributes:
        name: Its name, also used for its file.
        filter: Which types it contains; see `context/filters`.
        token_budget: The most tokens that its text may have.
    """

    name: str
    filter: str
    token_budget: int = DEFAULT_BUDGET


def is_pack_name(text: str) -> bool:
    """Whether a text is valid as a pack's name, and so as a file name on every system."""
    return _NAME.fullmatch(text) is not None and not text.endswith(".") and _DEVICE.fullmatch(text) is None


def is_budget(value: object) -> bool:
    """Whether a value is a valid token budget."""
    return type(value) is int and LEAST_BUDGET <= value <= MOST_BUDGET


def is_filter_text(value: object) -> bool:
    """Whether a value may be a filter; its syntax is not checked."""
    return isinstance(value, str) and 0 < len(value) <= LONGEST_FILTER and "".join(value.split()).isprintable()


def fits_packs(value: object) -> bool:
    """Whether a value is valid for `packs`: definitions sorted by name, no two names equal when case is ignored."""
    if not isinstance(value, tuple) or len(value) > MOST_PACKS:
        return False
    if not all(isinstance(each, PackDefinition) and _is_sound(each) for each in value):
        return False
    names = [each.name for each in value]
    return names == sorted(names) and len({name.lower() for name in names}) == len(names)


FILTER_SCHEMA = {"type": "string", "minLength": 1, "maxLength": LONGEST_FILTER}
PACKS_SCHEMA = {
    "type": ["object", "null"],
    "maxProperties": MOST_PACKS,
    "propertyNames": {"pattern": f"^{_NAME.pattern}$"},
    "additionalProperties": {
        "type": "object",
        "properties": {
            "filter": FILTER_SCHEMA,
            "tokenBudget": {
                "type": "integer", "minimum": LEAST_BUDGET, "maximum": MOST_BUDGET, "default": DEFAULT_BUDGET,
            },
        },
        "required": ["filter"],
        "additionalProperties": False,
    },
}  # fmt: skip
"""What editors take for `packs`, as JSON Schema."""


def _is_sound(each: PackDefinition) -> bool:
    return is_pack_name(each.name) and is_filter_text(each.filter) and is_budget(each.token_budget)
