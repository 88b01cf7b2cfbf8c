"""Counts the work that this process does: unlike seconds, the same on every machine.

Only the doors count (disk, objects, grammar, cache, starts of processes), once for whatever passes through them. What
worker processes do is not seen here; what they parse is counted when their results arrive.
"""

from __future__ import annotations

from collections import Counter
from enum import StrEnum


class Work(StrEnum):
    """A kind of work, as it is named in reports."""

    FILES = "files read"
    WRITTEN = "files written"
    HASHED = "bytes hashed"
    BLOBS = "blobs read"
    PARSED = "texts parsed"
    ROWS_READ = "rows read"
    ROWS_WRITTEN = "rows written"
    PROCESSES = "processes started"


DONE: Counter[Work] = Counter()
"""What was done since the process started."""
