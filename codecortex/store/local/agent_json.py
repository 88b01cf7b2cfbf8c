"""Reads and writes agent.json: the prompts that agents were given and have not answered."""

from __future__ import annotations

from typing import Any

from codecortex.model.errors import StoreFormatError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later
from codecortex.store.local.local_json import read_object, write_object

MOST_OPEN = 200
"""The most prompts that are remembered; the oldest is dropped first."""

_PROMPT_ID = compile_later("P_[0-9A-HJKMNP-TV-Z]{8}")
_HINT = "Remove the file to begin anew: prompts that are open then have to be asked for again."


class OpenPrompt(NamedTuple):
    """A prompt that was given out and not answered yet.

    Attributes:
        id: Its id.
        owner: The type or group whose note it asks for.
        types: The types that the note is about.
        sources: A digest of everything that the prompt contains of the sources.
        seen: Path to digest of the notes that it was made from.
        version: The version of its template.
    """

    id: str
    owner: str
    types: tuple[str, ...]
    sources: str
    seen: dict[str, str]
    version: str


def is_prompt_id(text: str) -> bool:
    """Whether a text has the form of a prompt's id."""
    return _PROMPT_ID.fullmatch(text) is not None


def encode_agent(prompts: tuple[OpenPrompt, ...]) -> bytes:
    """The bytes of agent.json, the latest prompt first."""
    return write_object({"prompts": [prompt._asdict() for prompt in prompts[:MOST_OPEN]]})


def decode_agent(data: bytes, path: str) -> tuple[OpenPrompt, ...]:
    """The prompts in agent.json, the latest first; arguments and errors are those of `read_object`."""
    rows = read_object(data, path, _HINT).get("prompts")
    if not isinstance(rows, list) or len(rows) > MOST_OPEN:
        raise StoreFormatError(f"{path}: prompts is no list of at most {MOST_OPEN}", _HINT)
    return tuple(_read_row(row, path) for row in rows)


def _read_row(row: Any, path: str) -> OpenPrompt:
    match row:
        case {
            "id": str(prompt_id), "owner": str(owner), "types": [*types], "sources": str(sources),
            "seen": dict(seen), "version": str(version),
        } if is_prompt_id(prompt_id) and all(isinstance(each, str) for each in (*types, *seen.values())):  # fmt: skip
            return OpenPrompt(prompt_id, owner, tuple(types), sources, seen, version)
        case _:
            raise StoreFormatError(f"{path}: prompts holds something that is no prompt", _HINT)
