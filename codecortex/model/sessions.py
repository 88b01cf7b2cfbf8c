"""A version of a session: what its commit says, a line for people and then a line of JSON for programs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from codecortex.model.packs import NAME_RULE, is_pack_name
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

SESSION_RULE = NAME_RULE
DEFAULT_SESSION = "default"


class Version(NamedTuple):
    """One version of a session.

    Attributes:
        id: Its commit.
        time: When it was made, in seconds since 1970.
        title: What happened, for people.
        facts: The same for programs; empty where somebody else wrote the commit.
    """

    id: str
    time: int
    title: str
    facts: Mapping[str, Any]


def is_session_name(text: str) -> bool:
    """Whether a text can be the name of a session, and the last part of a ref."""
    return is_pack_name(text) and not text.endswith(".lock") and ".." not in text


def write_message(title: str, facts: Mapping[str, Any]) -> str:
    """The message of a version's commit."""
    line = " ".join(title.split())
    return f"{line}\n\n{json.dumps(facts, ensure_ascii=True, separators=(',', ':'), sort_keys=True)}\n"


def read_message(message: str) -> tuple[str, dict[str, Any]]:
    """The title and the facts in a message; no facts in one that `write_message` did not write."""
    title, _, rest = message.partition("\n")
    try:
        facts = json.loads(rest.strip() or "{}")
    except (ValueError, RecursionError):
        facts = {}
    return title, facts if isinstance(facts, dict) else {}
