"""Records the time and counts of each run in the metrics log, and computes figures from the log.

Only names of commands and numbers are stored: no argument, no name or path of the user's, no time of day. Nothing here
fails or warns: numbers about the tool are never worth the user's attention.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any

from codecortex.git.discovery import look_for_repository
from codecortex.git.worktree.disk import Disk
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later
from codecortex.operations.request import Count
from codecortex.store.local.metrics_log import Record, append_record, read_records
from codecortex.store.paths import CONFIG

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from codecortex.git.repository import Repository

FOLDER = "codecortex"
VARIABLE = "CODECORTEX_NO_METRICS"
# Matched by pattern, as in the hooks: parsing the whole file would take longer than many a command.
_OFF = compile_later(rb"^[^#\r\n]*\bmetrics[\"']?[ \t]*:[ \t]*false\b", re.MULTILINE | re.IGNORECASE)
_NEWEST = 200


def measure(
    repository: Repository | None, name: str, seconds: float, counts: Mapping[str, int], *, exit_code: int = 0
) -> None:
    """Append the record of one run to the log.

    Args:
        repository: The repository it worked on; with None, nothing is stored.
        name: Name of the command, such as `hooks install`; `mcp.resolve` for a call of the MCP server.
        seconds: Duration.
        counts: Numbers of what it did, by `Count`.
        exit_code: Exit code; 0 for success.
    """
    if repository is not None:
        _keep(repository.shared_dir, repository.root, Record(name, seconds * 1000, exit_code, counts))


def measure_command(folder: Path, name: str, seconds: float, counts: Mapping[str, int], *, exit_code: int) -> None:
    """Like `measure`, for a command that ran in a folder, which need not belong to a repository."""
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
    """How long the latest runs of a command took.

    Attributes:
        runs: Number of runs considered, at most 200.
        p50: Median in milliseconds.
        p95: 95th percentile in milliseconds.
    """

    runs: int
    p50: float
    p95: float

    def as_json(self) -> dict[str, Any]:
        """The times as JSON values; null if there are no runs."""
        known = self.runs > 0
        return {"runs": self.runs, "p50Ms": self.p50 if known else None, "p95Ms": self.p95 if known else None}


class Figures(NamedTuple):
    """Figures from the log.

    Attributes:
        runs: Number of runs in the log, by name.
        failures: Number of runs with an exit code above 1.
        resolve: Times of the command `resolve`.
        resolve_calls: Times of `resolve` calls through MCP.
        outline: Times of outlines, by command and through MCP.
        hit_ratio: Share of cache hits among catalogs and graphs used; None if there are none.
        node_hit_ratio: The same of the nodes that were asked for.
        token_use: Share of their token budgets that packs used in total; None if none was built.
        char_use: Share of its budgets that the prompt window used in total.
        edit_success: Share of edits that changed their text as asked; None if there were none.
        rollbacks: Number of edits that were taken back.
        outlines: Number of outlines that were made.
        server_megabytes: The most memory that the server took which answered last; None if none is known.
    """

    runs: Mapping[str, int]
    failures: int
    resolve: Timings
    resolve_calls: Timings
    outline: Timings
    hit_ratio: float | None
    node_hit_ratio: float | None
    token_use: float | None
    char_use: float | None
    edit_success: float | None
    rollbacks: int
    outlines: int
    server_megabytes: int | None

    def as_json(self) -> dict[str, Any]:
        """The figures as JSON values."""
        return {
            "runs": dict(self.runs),
            "failures": self.failures,
            "resolve": self.resolve.as_json(),
            "mcpResolve": self.resolve_calls.as_json(),
            "outline": self.outline.as_json(),
            "hitRatio": self.hit_ratio,
            "nodeHitRatio": self.node_hit_ratio,
            "tokenBudgetUse": self.token_use,
            "charBudgetUse": self.char_use,
            "editApplySuccessRate": self.edit_success,
            "editRollbackCount": self.rollbacks,
            "serverMemoryMb": self.server_megabytes,
        }


def read_figures(shared_dir: Path) -> Figures:
    """Compute the figures from the log beside a cache."""
    records = read_records(shared_dir)
    runs: dict[str, int] = {}
    for record in records:
        runs[record.name] = runs.get(record.name, 0) + 1
    warm, built = _add_up(records, Count.WARM), _add_up(records, Count.BUILT)
    kept, made = _add_up(records, Count.NODES_KEPT), _add_up(records, Count.NODES_MADE)
    return Figures(
        runs=dict(sorted(runs.items())),
        failures=sum(record.exit_code > 1 for record in records),
        resolve=_time(records, {"resolve"}),
        resolve_calls=_time(records, {"mcp.resolve"}),
        outline=_time(records, {"outline", "mcp.outline"}),
        hit_ratio=_divide(warm, warm + built),
        node_hit_ratio=_divide(kept, kept + made),
        token_use=_divide(_add_up(records, Count.TOKENS), _add_up(records, Count.TOKEN_BUDGET)),
        char_use=_divide(_add_up(records, Count.CHARS), _add_up(records, Count.CHAR_BUDGET)),
        edit_success=_divide(_add_up(records, Count.APPLIED), _add_up(records, Count.EDITS)),
        rollbacks=_add_up(records, Count.ROLLBACKS),
        outlines=_add_up(records, Count.OUTLINES),
        server_megabytes=next((found for each in reversed(records) if (found := each.counts.get(Count.MEMORY))), None),
    )


def _time(records: Sequence[Record], names: set[str]) -> Timings:
    return time_all([record.milliseconds for record in records if record.name in names])


def time_all(milliseconds: Sequence[float]) -> Timings:
    """How long the newest of some runs took, which are given oldest first."""
    took = sorted(milliseconds[-_NEWEST:])
    return Timings(len(took), _rank(took, 50), _rank(took, 95))


def _rank(ordered: Sequence[float], percent: int) -> float:
    """The percentile by nearest rank: the smallest value that `percent` of all do not exceed; 0 without values."""
    return ordered[max(0, -(-len(ordered) * percent // 100) - 1)] if ordered else 0.0


def _add_up(records: Iterable[Record], count: str) -> int:
    return sum(record.counts.get(count, 0) for record in records)


def _divide(part: int, whole: int) -> float | None:
    return round(part / whole, 3) if whole else None
