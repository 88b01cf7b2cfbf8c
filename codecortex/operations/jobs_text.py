"""Jobs in; a line for each, and how many there are, out."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codecortex.analysis.jobs import Job
    from codecortex.operations.jobs import Jobs

_MOST_REASONS = 3


def write_jobs(found: Jobs) -> str:
    """The jobs as a table, what else there is to know, and the totals."""
    wide = max((len(f"{job.priority:,.1f}") for job in found.jobs), default=0)
    lines = [_write_row(job, found.words.get(job.owner, ()), wide) for job in found.jobs]
    lines += [f"left over: {path}: all its types have other notes" for path in found.left_over]
    lines += [f"problem: {problem}" for problem in found.problems]
    return "\n".join([*lines, *_write_totals(found)])


def _write_row(job: Job, reasons: tuple[str, ...], wide: int) -> str:
    told = "; ".join(reasons[:_MOST_REASONS])
    more = len(reasons) - _MOST_REASONS
    why = f"  ({told}{f'; and {more:,} more' if more > 0 else ''})" if told else ""
    names = ", ".join(sorted(job.names))
    return f"{job.kind:<10}  {job.change_class or '-':<20}  {job.priority:>{wide},.1f}  {names}{why}"


def _write_totals(found: Jobs) -> Iterator[str]:
    shown = len(found.jobs)
    if shown < found.total:
        yield f"{shown:,} of {found.total:,} jobs shown."
    kinds = ", ".join(f"{number:,} {kind}" for kind, number in found.kinds.items() if number)
    states = found.states
    told = f"{states['cached']:,} cached, {states['stale']:,} stale, {states['none']:,} without a note"
    yield f"{found.total:,} job{'' if found.total == 1 else 's'}{f' ({kinds})' if kinds else ''}; types: {told}."
