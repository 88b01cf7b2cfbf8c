"""The command `check`: prints findings as text, JSON, GitHub annotations or SARIF."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from codecortex.cli.options import Context, json_option, make_request, tree_options
from codecortex.cli.output import echo

if TYPE_CHECKING:
    from codecortex.operations.check.check import CheckResult

_FORMATS = ("text", "github", "sarif")
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
    from codecortex.model.config_choices import SemanticCheck
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
    from codecortex.cli.text import paint, print_json, print_lines, write_json

    end_progress()
    if form == "text":
        print_lines(result.write(paint))
    elif form == "github":
        from codecortex.cli.upkeep.check_formats import format_github

        echo("\n".join(format_github(result.findings)) or "ok")
    elif form == "sarif":
        from codecortex.cli.upkeep.check_formats import format_sarif

        write_json(format_sarif(result.findings))
    else:
        print_json(result.as_json())
