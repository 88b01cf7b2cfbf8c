"""What a pack is defined by: a name that any disk can hold, a filter, and a budget."""

from __future__ import annotations

import re
from typing import NamedTuple

DEFAULT_BUDGET = 4000
LEAST_BUDGET = 200
MOST_BUDGET = 1_000_000_000
MOST_PACKS = 200
LONGEST_FILTER = 1000

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?", re.IGNORECASE)
NAME_RULE = "a name of at most 64 letters, digits, dots, hyphens and underscores, no dot at its end"


class PackDefinition(NamedTuple):
    """What `packs:` in config.yaml says of one pack.

    Attributes:
        name: Its name, also of its file.
        filter: Which types; see `context/filters.py`.
        token_budget: How many tokens its text may take.
    """

    name: str
    filter: str
    token_budget: int = DEFAULT_BUDGET


def is_pack_name(text: str) -> bool:
    """Whether a pack may be called so: its file then stands in its folder, on every system."""
    return _NAME.fullmatch(text) is not None and not text.endswith(".") and _DEVICE.fullmatch(text) is None


def is_budget(value: object) -> bool:
    """Whether a pack may have this budget."""
    return type(value) is int and LEAST_BUDGET <= value <= MOST_BUDGET


def is_filter_text(value: object) -> bool:
    """Whether a value may be a filter, as far as one can tell without reading it."""
    return isinstance(value, str) and 0 < len(value) <= LONGEST_FILTER and "".join(value.split()).isprintable()


def fits_packs(value: object) -> bool:
    """Whether a value is what `packs` may hold: definitions of unlike names, whatever their case, sorted by name."""
    if not isinstance(value, tuple) or len(value) > MOST_PACKS:
        return False
    if not all(isinstance(each, PackDefinition) and _is_sound(each) for each in value):
        return False
    names = [each.name for each in value]
    return names == sorted(names) and len({name.lower() for name in names}) == len(names)


def _is_sound(each: PackDefinition) -> bool:
    return is_pack_name(each.name) and is_filter_text(each.filter) and is_budget(each.token_budget)
