"""Writes the findings of a check, as lines for people and as JSON values for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codecortex.model.text.visible import show_line
from codecortex.operations.check.findings import GENERATE, NEXT, Level
from codecortex.operations.wording import count_noun, leave_plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from codecortex.operations.check.findings import Finding
    from codecortex.operations.wording import Paint

_MOST_PER_CODE = 20
_WIDEST = 72
_ALL = {"note-stale": "  -> codecortex semantic states --stale"}
"""For a code, the command that lists all its findings, including those that were cut."""


# -- for programs


def describe_findings(findings: Sequence[Finding]) -> dict[str, Any]:
    """The findings and their counts, as JSON values."""
    return {
        "findings": [_describe_finding(finding) for finding in findings],
        "errors": _count_level(findings, Level.ERROR),
        "warnings": _count_level(findings, Level.WARNING),
    }


def _describe_finding(finding: Finding) -> dict[str, Any]:
    return {
        "code": finding.code,
        "level": finding.level,
        "path": finding.path,
        "line": finding.line,
        "message": finding.message,
        "command": finding.command or None,
        "artefact": finding.artefact or finding.path,
    }


def _count_level(findings: Iterable[Finding], level: Level) -> int:
    return sum(1 for finding in findings if finding.level is level)


# -- for people


def write_findings(findings: Sequence[Finding], paint: Paint = leave_plain) -> list[str]:
    """The lines that tell of the findings, each with what mends it; `ok` where there are none."""
    if not findings:
        return ["ok"]
    shown, left = _choose_shown(findings)
    alike = {verb: number for verb in (GENERATE, NEXT) if (number := _count_mended(findings, verb)) > 1}
    places = [f"{show_line(finding.path)}:{finding.line}:" for finding in shown]
    wide = min(max(map(len, places)), _WIDEST)
    long = min(max(len(_say(finding)) for finding in shown), _WIDEST)
    lines = []
    for place, finding in zip(places, shown, strict=True):
        code = paint(f"[{finding.code}]", "red" if finding.level is Level.ERROR else "yellow")
        told_below = finding.command.rpartition(" ")[0] in alike
        mend = f"  -> {show_line(finding.advice)}" if finding.command and not told_below else ""
        lines.append(f"{place:<{wide}} {_say(finding):<{long}}  {code}{mend}")
    lines += [f"and {number:,} more  [{code}]{_ALL.get(code, '')}" for code, number in left.items()]
    errors, warnings = (_count_level(findings, level) for level in (Level.ERROR, Level.WARNING))
    lines.append(f"{count_noun(errors, 'error')}, {count_noun(warnings, 'warning')}")
    for verb, number in alike.items():
        told = f"{verb}` gives the prompts for" if verb == NEXT else f"{verb} --stale` mends"
        lines.append(f"Next: `{told} {number:,} of them.")
    return lines


def _count_mended(findings: Iterable[Finding], verb: str) -> int:
    """Number of findings fixed by one command, each with the owner of a note as argument."""
    return sum(finding.command.rpartition(" ")[0] == verb for finding in findings)


def _say(finding: Finding) -> str:
    told = show_line(finding.message)
    return f"warning: {told}" if finding.level is Level.WARNING else told


def _choose_shown(findings: Sequence[Finding]) -> tuple[list[Finding], dict[str, int]]:
    """The first findings of each code, and the number of further ones by code."""
    seen: dict[str, int] = {}
    shown = []
    for finding in findings:
        seen[finding.code] = seen.get(finding.code, 0) + 1
        if seen[finding.code] <= _MOST_PER_CODE:
            shown.append(finding)
    return shown, {code: number - _MOST_PER_CODE for code, number in seen.items() if number > _MOST_PER_CODE}
