"""The JSON Schema of config.yaml, for editors: made from the table of keys in `model/config.py`.

Draft 7, which every editor knows. The schema takes all that the reader takes; what only the reader refuses, such as a
port of 0 in an address, it takes too.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from codecortex.model.config_keys import KEYS

_DRAFT = "http://json-schema.org/draft-07/schema#"
_TITLE = "Settings of codecortex for a repository: .codecortex/config.yaml"


def write_schema() -> dict[str, Any]:
    """The schema, sections and keys in the order of the template."""
    root = _open_section({"$schema": _DRAFT, "title": _TITLE})
    for name, (default, rule) in KEYS.items():
        *sections, leaf = name.split(".")
        holder = root["properties"]
        for section in sections:
            holder = holder.setdefault(section, _open_section({}))["properties"]
        shown = float(default) if isinstance(default, Decimal) else default
        known = {} if rule.schema.get("type") == ["object", "null"] else {"default": shown}
        holder[leaf] = {"description": rule.doc, **rule.schema, **known}
    return root


def _open_section(head: dict[str, Any]) -> dict[str, Any]:
    return {**head, "type": ["object", "null"], "properties": {}, "additionalProperties": False}
