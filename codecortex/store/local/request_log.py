"""The request log: one JSON line per request sent to a model; only the newest lines are kept.

A record contains the prompt, so that the user can see what left the machine. It never contains a key: none is passed
to this module.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.store.local.json_lines import append_line

if TYPE_CHECKING:
    from pathlib import Path

FILE_NAME = "requests.jsonl"
MAX_BYTES = 8 << 20
_LONGEST_PROMPT = 256 * 1024
_OPTIONAL = {"id", "owner"}


class RequestRecord(NamedTuple):
    """One request.

    Attributes:
        at: When it was sent, as ISO 8601 in UTC.
        provider: The provider asked.
        place: The base URL, or the program.
        model: The requested model; for an agent's answer, the model that the agent names.
        milliseconds: Time until the answer or the failure.
        tokens_in: Tokens of the prompt.
        tokens_out: Tokens of the answer.
        outcome: `answered`, or the reason of the failure; `given` for a prompt that was given to an agent.
        prompt: The prompt; empty for an agent's answer, whose prompt has a record of its own.
        id: The id of a prompt that was given to an agent; else empty.
        owner: The type or group whose note an agent was asked for; else empty.
    """

    at: str
    provider: str
    place: str
    model: str
    milliseconds: int
    tokens_in: int
    tokens_out: int
    outcome: str
    prompt: str
    id: str = ""
    owner: str = ""


def read_answer_times(folder: Path) -> list[int]:
    """How many milliseconds each answered request of the log took, oldest first; what cannot be read is left out."""
    try:
        lines = (folder / FILE_NAME).read_bytes().splitlines()
    except OSError:
        return []
    return [time for line in lines if (time := _read_time(line)) is not None]


def _read_time(line: bytes) -> int | None:
    try:
        row = json.loads(line)
    except ValueError:
        return None
    known = isinstance(row, dict) and row.get("outcome") == "answered" and row.get("ms")
    return known if isinstance(known, int) and not isinstance(known, bool) else None


def append_request(folder: Path, record: RequestRecord) -> None:
    """Add a record to the log in a folder; above eight megabytes only the newest half is kept.

    Raises:
        OSError: The file cannot be written.
    """
    row: dict[str, Any] = {name: value for name, value in record._asdict().items() if value or name not in _OPTIONAL}
    if len(record.prompt) > _LONGEST_PROMPT:
        row["prompt"] = record.prompt[:_LONGEST_PROMPT]
        row["promptCut"] = True
    names = {"milliseconds": "ms", "tokens_in": "tokensIn", "tokens_out": "tokensOut"}
    line = json.dumps({names.get(name, name): value for name, value in row.items()}).encode() + b"\n"
    append_line(folder / FILE_NAME, line, MAX_BYTES)
