"""The command `changes`: which types changed between two trees, and how."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from codecortex.cli.options import (
    Context,
    flavour_options,
    json_option,
    make_request,
    name_session_range,
    session_option,
)
from codecortex.cli.output import echo
from codecortex.cli.text import paint, print_json, print_lines
from codecortex.operations.history.changes_text import describe_step, write_comparison, write_step

if TYPE_CHECKING:
    from codecortex.operations.history.changes import ChangesResult
    from codecortex.operations.history.commit_walk import CommitChanges


@click.command()
@click.argument("span", metavar="[A..B]", required=False)
@click.option("--staged", is_flag=True, help="Compare what is staged instead of the work tree.")
@session_option
@click.option("--worktree", is_flag=True, help="Compare the work tree; what is done where no second tree is named.")
@click.option("--each", is_flag=True, help="Compare each first-parent commit of the range with its parent.")
@click.option("--exit-code", is_flag=True, help="Exit with 1 where a type changed.")
@json_option
@flavour_options
@click.pass_context
def changes(  # noqa: PLR0913 - one parameter for each option
    click_context: click.Context, /, span: str | None, *, worktree: bool, each: bool, exit_code: bool, as_json: bool,
    session: str | None, **options: Any,
) -> None:  # fmt: skip
    """Say which types changed between two trees, and how.

    A..B compares two revisions, A...B their merge base with B, A alone with the work tree; nothing stands for HEAD.
    """
    from codecortex.model.errors import UsageError
    from codecortex.operations.history.changes import list_changes, list_each

    context: Context = click_context.obj
    if worktree and (options["staged"] or each or (span and ".." in span)):
        raise UsageError("--worktree and another tree are named.", "Give one of them.")
    if session is not None:
        span = name_session_range(context, session, span, others=worktree or options["staged"] or each)
    request = make_request(context, options)
    changed = False
    if each:
        for step in list_each(request, span):
            _print_step(step, as_json=as_json)
            changed = changed or bool(step.comparison.changes)
    else:
        result = list_changes(request, span)
        _print_result(result, as_json=as_json)
        changed = bool(result.comparison.changes)
    if exit_code and changed:
        click_context.exit(1)


def _print_result(result: ChangesResult, *, as_json: bool) -> None:
    from codecortex.cli.progress import end_progress

    if as_json:
        print_json(result.as_json())
        return
    end_progress()
    print_lines(write_comparison(result.comparison, paint))


def _print_step(step: CommitChanges, *, as_json: bool) -> None:
    from codecortex.cli.progress import end_progress

    if as_json:
        print_json(describe_step(step))
        return
    if step.problem:
        end_progress()
        echo(f"{step.commit.id[:10]}: read by an earlier configuration: {step.problem}", err=True)
    lines = write_step(step, paint)
    if lines:
        end_progress()
    print_lines(lines)
