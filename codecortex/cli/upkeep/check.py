"""The command `check`: prints findings as text, JSON, GitHub annotations or SARIF."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from codecortex.cli.options import Context, json_option, make_request, tree_options
from codecortex.cli.output import echo, style
from codecortex.model.visible import show_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from codecortex.operations.check.check import CheckResult
    from codecortex.operations.check.findings import Finding

_MOST_PER_CODE = 20
_WIDEST = 72
_FORMATS = ("text", "github", "sarif")
_ALL = {"note-stale": "  -> codecortex semantic states --stale"}
"""For a code, the command that lists all its findings, including those that were cut."""
_MODES = ("strict", "touched", "off")


@click.command()
@click.option("--against", metavar="BASE", help="Also fail on stale notes of types that changed since this revision.")
@click.option("--format", "form", type=click.Choice(_FORMATS), help="How to print the findings; text by default.")
@click.option("--fix", is_flag=True, help="Bring generated files of the work tree up to date, then check again.")
@click.option("--semantic", type=click.Choice(_MODES), help="Which stale notes fail, over the configuration.")
@json_option
@tree_options
@click.pass_obj
def check(context: Context, /, *, form: str | None, as_json: bool, **options: Any) -> None:
    """Say where .codecortex is not what the sources make it.

    Exits with 1 if anything fails.
    """
    from codecortex.model.config import SemanticCheck
    from codecortex.model.errors import UsageError
    from codecortex.operations.check.check import CheckOptions
    from codecortex.operations.check.check import check as run_check
    from codecortex.operations.check.findings import Level

    if as_json and form is not None:
        raise UsageError("--json and --format name two forms of output.", "Give one of them.")
    semantic = options.pop("semantic")
    wanted = CheckOptions(
        against=options.pop("against"),
        semantic=SemanticCheck(semantic) if semantic else None,
        fix=options.pop("fix"),
    )
    result = run_check(make_request(context, options), wanted)
    _print(result, "json" if as_json else form or "text")
    if any(finding.level is Level.ERROR for finding in result.findings):
        raise click.exceptions.Exit(1)


def _print(result: CheckResult, form: str) -> None:
    from codecortex.cli.progress import end_progress

    end_progress()
    if form == "text":
        _print_text(result)
    elif form == "github":
        from codecortex.cli.upkeep.check_formats import format_github

        echo("\n".join(format_github(result.findings)) or "ok")
    elif form == "sarif":
        from codecortex.cli.text import write_json
        from codecortex.cli.upkeep.check_formats import format_sarif

        write_json(format_sarif(result.findings))
    else:
        from codecortex.cli.text import print_json

        print_json(describe_check(result))


def describe_check(result: CheckResult) -> dict[str, Any]:
    """The findings and their counts, as JSON values."""
    return {
        "findings": [describe_finding(finding) for finding in result.findings],
        "errors": count_level(result.findings, "error"),
        "warnings": count_level(result.findings, "warning"),
        "fixed": list(result.fixed),
        "base": result.base,
    }


def describe_finding(finding: Finding) -> dict[str, Any]:
    """One finding as JSON values."""
    return {
        "code": finding.code,
        "level": finding.level,
        "path": finding.path,
        "line": finding.line,
        "message": finding.message,
        "command": finding.command or None,
        "artefact": finding.artefact or finding.path,
    }


def count_level(findings: Iterable[Finding], level: str) -> int:
    """Number of findings of a level."""
    return sum(1 for finding in findings if finding.level == level)


def _print_text(result: CheckResult) -> None:
    if not result.findings and not result.fixed:
        echo("ok")  # before the imports that only findings need
        return
    from codecortex.operations.check.findings import GENERATE, NEXT
    from codecortex.operations.wording import count_noun

    if result.fixed:
        echo(f"fixed: {count_noun(len(result.fixed), 'generated file')} brought up to date")
    if not result.findings:
        echo("ok")
        return
    shown, left = _choose_shown(result.findings)
    alike = {verb: number for verb in (GENERATE, NEXT) if (number := _count_mended(result.findings, verb)) > 1}
    places = [f"{show_line(finding.path)}:{finding.line}:" for finding in shown]
    wide = min(max(map(len, places)), _WIDEST)
    long = min(max(len(_say(finding)) for finding in shown), _WIDEST)
    for place, finding in zip(places, shown, strict=True):
        code = style(f"[{finding.code}]", fg="red" if finding.level == "error" else "yellow")
        told_below = finding.command.rpartition(" ")[0] in alike
        mend = f"  -> {show_line(finding.advice)}" if finding.command and not told_below else ""
        echo(f"{place:<{wide}} {_say(finding):<{long}}  {code}{mend}")
    for code, number in left.items():
        echo(f"and {number:,} more  [{code}]{_ALL.get(code, '')}")
    errors, warnings = (count_level(result.findings, level) for level in ("error", "warning"))
    echo(f"{count_noun(errors, 'error')}, {count_noun(warnings, 'warning')}")
    for verb, number in alike.items():
        echo(f"Next: `{verb}` {'gives the prompts for' if verb == NEXT else 'mends'} {number:,} of them.")


def _count_mended(findings: Iterable[Finding], verb: str) -> int:
    """Number of findings fixed by one command, each with the owner of a note as argument."""
    return sum(finding.command.rpartition(" ")[0] == verb for finding in findings)


def _say(finding: Finding) -> str:
    told = show_line(finding.message)
    return f"warning: {told}" if finding.level == "warning" else told


def _choose_shown(findings: Sequence[Finding]) -> tuple[list[Finding], dict[str, int]]:
    """The first findings of each code, and the number of further ones by code."""
    seen: dict[str, int] = {}
    shown = []
    for finding in findings:
        seen[finding.code] = seen.get(finding.code, 0) + 1
        if seen[finding.code] <= _MOST_PER_CODE:
            shown.append(finding)
    return shown, {code: number - _MOST_PER_CODE for code, number in seen.items() if number > _MOST_PER_CODE}
