"""A run's name, time and counts in; one line in the local cache, and what the lines of many runs say, out.

Only names of commands and numbers are kept: no argument, no name or path of the user's, no time of day. Nothing here
fails and nothing here warns: numbers about the tool are never worth the user's attention.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from codecortex.git.discovery import look_for_repository
from codecortex.git.worktree.disk import Disk
from codecortex.operations.request import Count
from codecortex.store.local.metrics_log import Record, append_record, read_records
from codecortex.store.paths import CONFIG

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from codecortex.git.repository import Repository

FOLDER = "codecortex"
VARIABLE = "CODECORTEX_NO_METRICS"
# By a pattern, as the hooks read theirs: reading all of the file would cost more than many a command.
_OFF = re.compile(rb"^[^#\r\n]*\bmetrics[\"']?[ \t]*:[ \t]*false\b", re.MULTILINE | re.IGNORECASE)
_NEWEST = 200


def measure(
    repository: Repository | None, name: str, seconds: float, counts: Mapping[str, int], *, exit_code: int = 0
) -> None:
    """Keep what one run took.

    Args:
        repository: Where it worked; for None nothing is kept.
        name: The command's, such as `hooks install`; `mcp.resolve` for a call of the MCP server.
        seconds: From its start to its end.
        counts: Numbers of what it did, by `Count`.
        exit_code: 0 where all went well.
    """
    if repository is not None:
        _keep(repository.shared_dir, repository.root, Record(name, seconds * 1000, exit_code, counts))


def measure_command(folder: Path, name: str, seconds: float, counts: Mapping[str, int], *, exit_code: int) -> None:
    """Keep what a command took that worked in a folder, as `measure` does; whatever that folder is."""
    found = look_for_repository(folder)
    if found is not None:
        record = Record(name, seconds * 1000, exit_code, counts)
        _keep(found.common_dir / FOLDER, found.root, record)


def _keep(shared_dir: Path, root: Path | None, record: Record) -> None:
    if not os.environ.get(VARIABLE) and not _is_off(root):
        append_record(shared_dir, record)


def _is_off(root: Path | None) -> bool:
    if root is None:
        return False
    data = Disk(root).read(CONFIG.encode())
    return isinstance(data, bytes) and _OFF.search(data) is not None


class Timings(NamedTuple):
    """How long the newest runs of a name took.

    Attributes:
        runs: How many of them are known, at most 200.
        p50: Milliseconds that half of them took at most.
        p95: Milliseconds that 19 of 20 took at most.
    """

    runs: int
    p50: float
    p95: float

    def as_json(self) -> dict[str, Any]:
        """The times as JSON values; null where there are none."""
        known = self.runs > 0
        return {"runs": self.runs, "p50Ms": self.p50 if known else None, "p95Ms": self.p95 if known else None}


class Figures(NamedTuple):
    """What the log says.

    Attributes:
        runs: How many runs of each name are in the log, by name.
        failures: How many of them ended with another code than 0 and 1.
        resolve: Times of the command `resolve`.
        resolve_calls: Times of the MCP server's.
        outline: Times of outlines, by command and by MCP.
        hit_ratio: Share of the answers that stood on a catalog or graph found ready; None where none is known.
        token_use: Share of their token budget that packs used, all in all; None where none was built.
        char_use: Share of its budget that the prompt window used, all in all.
    """

    runs: Mapping[str, int]
    failures: int
    resolve: Timings
    resolve_calls: Timings
    outline: Timings
    hit_ratio: float | None
    token_use: float | None
    char_use: float | None

    def as_json(self) -> dict[str, Any]:
        """The figures as JSON values."""
        return {
            "runs": dict(self.runs),
            "failures": self.failures,
            "resolve": self.resolve.as_json(),
            "mcpResolve": self.resolve_calls.as_json(),
            "outline": self.outline.as_json(),
            "hitRatio": self.hit_ratio,
            "tokenBudgetUse": self.token_use,
            "charBudgetUse": self.char_use,
        }


def read_figures(shared_dir: Path) -> Figures:
    """What the log beside a cache says."""
    records = read_records(shared_dir)
    runs: dict[str, int] = {}
    for record in records:
        runs[record.name] = runs.get(record.name, 0) + 1
    warm, built = _add_up(records, Count.WARM), _add_up(records, Count.BUILT)
    return Figures(
        runs=dict(sorted(runs.items())),
        failures=sum(record.exit_code > 1 for record in records),
        resolve=_time(records, {"resolve"}),
        resolve_calls=_time(records, {"mcp.resolve"}),
        outline=_time(records, {"outline", "mcp.outline"}),
        hit_ratio=_divide(warm, warm + built),
        token_use=_divide(_add_up(records, Count.TOKENS), _add_up(records, Count.TOKEN_BUDGET)),
        char_use=_divide(_add_up(records, Count.CHARS), _add_up(records, Count.CHAR_BUDGET)),
    )


def _time(records: Sequence[Record], names: set[str]) -> Timings:
    took = sorted([record.milliseconds for record in records if record.name in names][-_NEWEST:])
    return Timings(len(took), _rank(took, 50), _rank(took, 95))


def _rank(ordered: Sequence[float], percent: int) -> float:
    """The nearest rank: the smallest value that so many percent of all do not exceed; 0 of none."""
    return ordered[max(0, -(-len(ordered) * percent // 100) - 1)] if ordered else 0.0


def _add_up(records: Iterable[Record], count: str) -> int:
    return sum(record.counts.get(count, 0) for record in records)


def _divide(part: int, whole: int) -> float | None:
    return round(part / whole, 3) if whole else None
