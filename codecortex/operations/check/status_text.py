"""Writes the status of a tree as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codecortex.git.worktree.disk import Problem
from codecortex.operations.wording import count_noun, list_some

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_UNITS = ("bytes", "KB", "MB", "GB")
_STEP = 1000

Told = dict[str, Any]
"""The value of `StatusResult.as_json`."""


def write_status(told: Told) -> str:
    """What was read and what was not, the sizes on disk, and how long commands took."""
    return "\n".join([
        *_write_tree(told), *_write_behind(told["behind"]), *_write_notes(told["notes"]),
        *_write_investigations(told["investigations"]), *_write_sizes(told["sizes"]),
        *_write_figures(told["metrics"]), *(f"Warning: {warning}" for warning in told["warnings"]),
    ])  # fmt: skip


def _write_tree(told: Told) -> Iterator[str]:
    kinds = ", ".join(f"{number:,} {kind}" for kind, number in told["types"].items())
    yield _row("Projects", f"{told['projects']:,}")
    yield _row("Types", f"{sum(told['types'].values()):,}{f' ({kinds})' if kinds else ''}")
    generated = f" ({told['generated']:,} generated)" if told["generated"] else ""
    yield _row("C# files", f"{told['files']:,}{generated}")
    for rule, number in told["leftOut"].items():
        yield _row("", f"{number:,} left out: {rule}")
    submodules = [each["path"] for each in told["skipped"] if each["reason"] == Problem.SUBMODULE]
    unread = [
        f"{each['path']}: {each['reason']}"
        for each in (*told["unread"], *told["skipped"])
        if each["reason"] != Problem.SUBMODULE
    ]
    yield from _list_section("Degraded", [f"{path}: {reason}" for path, reason in sorted(told["degraded"].items())])
    yield from _list_section("Unread", unread)
    yield from _list_section("Submodules, each a repository of its own", submodules)
    yield from _list_section("Long ids", told["collisions"])
    yield from _list_section("Projects not wholly understood", told["reports"])


def _row(title: str, text: str) -> str:
    return f"{title:<11}{text}"


def _list_section(title: str, lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield f"{title} ({len(lines):,}):"
        yield from list_some(lines)


def _write_behind(behind: Sequence[str] | None) -> Iterator[str]:
    if behind:
        yield f"Behind: {count_noun(len(behind), 'generated file')}; run `codecortex refresh`."
        yield from list_some(behind)
    elif behind is not None:
        yield "Up to date: the generated files say what the sources say."


def _write_notes(notes: Mapping[str, int] | None) -> Iterator[str]:
    if notes is None:
        return
    yield _row("Notes", f"{notes['cached']:,} hold, {notes['stale']:,} stale, {notes['orphans']:,} without a type")
    if notes["stale"]:
        yield _row("", "`codecortex semantic generate --stale` mends what is stale")
    if notes["orphans"]:
        yield _row("", "`codecortex semantic prune --dry-run` lists what has no type")


def _write_investigations(counts: Mapping[str, int] | None) -> Iterator[str]:
    if counts is None:
        return
    yield _row("Answers", f"{counts['cached']:,} hold, {counts['stale']:,} stale")
    if counts["stale"]:
        yield _row("", "`codecortex investigate --update` mends what is stale")


def _write_sizes(sizes: Mapping[str, Told]) -> Iterator[str]:
    committed = [
        f"{name} {_write_size(**sizes[name])}" for name in ("index", "outlines", "notes", "packs") if name in sizes
    ]
    if committed:
        yield _row("On disk", ", ".join(committed))
    local = (f"{name} {_write_size(1, sizes[name]['bytes'])}" for name in ("cache", "metrics"))
    yield _row("Local", ", ".join(local))


def _write_size(files: int, bytes: float) -> str:  # noqa: A002 - as the fields are called
    unit = 0
    while bytes >= _STEP and unit < len(_UNITS) - 1:
        bytes, unit = bytes / _STEP, unit + 1  # noqa: A001 - as above
    size = f"{bytes:.1f} {_UNITS[unit]}" if unit else f"{bytes:,.0f} {_UNITS[0]}"
    return f"{size} in {files:,}" if files > 1 else size


def _write_figures(metrics: Told) -> Iterator[str]:
    runs = sum(metrics["runs"].values())
    if not runs:
        return
    failed = f", {metrics['failures']:,} failed" if metrics["failures"] else ""
    yield _row("Runs", f"{runs:,} remembered{failed}")
    for field, what in (("resolve", "resolve"), ("mcpResolve", "mcp.resolve"), ("outline", "outline")):
        times = metrics[field]
        if times["runs"]:
            newest = count_noun(times["runs"], "run")
            yield _row("", f"{what}: P50 {times['p50Ms']:,.0f} ms, P95 {times['p95Ms']:,.0f} ms, {newest}")
    for field, what in (
        ("hitRatio", "of answers from a map that was ready"),
        ("tokenBudgetUse", "of the token budget of packs used"),
        ("charBudgetUse", "of the prompt window used"),
        ("editApplySuccessRate", "of edits applied"),
    ):
        if metrics[field] is not None:
            yield _row("", f"{metrics[field]:.0%} {what}")
    if metrics["editRollbackCount"]:
        yield _row("", f"{count_noun(metrics['editRollbackCount'], 'edit')} rolled back")
