"""Records of what was sent to models in; one line of JSON each in a file that keeps the newest, out.

A record holds the prompt, for the person who wants to know what left the machine, and never a key: none is handed in.
"""

from __future__ import annotations

import errno
import json
import os
import stat
import threading
from typing import TYPE_CHECKING, Any, NamedTuple

from codecortex.store.local.flags import SAFE

if TYPE_CHECKING:
    from pathlib import Path

FILE_NAME = "requests.jsonl"
MAX_BYTES = 8 << 20
_KEPT_BYTES = MAX_BYTES // 2
_LONGEST_PROMPT = 256 * 1024
_OPTIONAL = {"id", "owner"}
_OPEN = os.O_RDWR | os.O_APPEND | os.O_CREAT | SAFE
_TURN = threading.Lock()


class RequestRecord(NamedTuple):
    """One request.

    Attributes:
        at: When it was sent, as ISO 8601 in UTC.
        provider: Who was asked.
        place: The base URL, or the program.
        model: The model that was asked for; in the record of an agent's answer, who it says gave it.
        milliseconds: Until the answer was there, or the failure.
        tokens_in: Of the prompt.
        tokens_out: Of the answer.
        outcome: `answered`, or why not; of a prompt that an agent was given, `given`.
        prompt: What was sent; empty in the record of an agent's answer, whose prompt has one of its own.
        id: That of a prompt that an agent was given; else empty.
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


def append_request(folder: Path, record: RequestRecord) -> None:
    """Add a record to the log in a folder; above eight megabytes only the newest half stays.

    Raises:
        OSError: The file cannot be written.
    """
    row: dict[str, Any] = {name: value for name, value in record._asdict().items() if value or name not in _OPTIONAL}
    if len(record.prompt) > _LONGEST_PROMPT:
        row["prompt"] = record.prompt[:_LONGEST_PROMPT]
        row["promptCut"] = True
    names = {"milliseconds": "ms", "tokens_in": "tokensIn", "tokens_out": "tokensOut"}
    line = json.dumps({names.get(name, name): value for name, value in row.items()}).encode() + b"\n"
    with _TURN:
        _append(folder / FILE_NAME, line)


def _append(file: Path, line: bytes) -> None:
    descriptor = os.open(file, _OPEN, 0o600)
    with os.fdopen(descriptor, "r+b", buffering=0) as opened:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "not a regular file", str(file))  # a full pipe would never take the line
        view = memoryview(line)
        while view:
            view = view[opened.write(view) :]
        size = os.fstat(descriptor).st_size
        if size <= MAX_BYTES:
            return
        opened.seek(size - _KEPT_BYTES)
        _, _, kept = opened.read(_KEPT_BYTES).partition(b"\n")
    fresh = file.with_name(f"{FILE_NAME}.{os.getpid()}.new")
    fresh.unlink(missing_ok=True)
    with os.fdopen(os.open(fresh, _OPEN | os.O_EXCL, 0o600), "wb") as opened_anew:
        opened_anew.write(kept)
    fresh.replace(file)
