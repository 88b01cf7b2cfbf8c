"""The commands `log`, `diff` and `blame`: how a type changed, and in which commits."""

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
    symbol_argument,
)
from codecortex.cli.output import echo, style
from codecortex.cli.text import paint, print_json, print_lines
from codecortex.operations.history.type_text import tell_redirection, write_diff, write_log
from codecortex.operations.wording import write_time

if TYPE_CHECKING:
    from collections.abc import Iterable

    from codecortex.operations.history.blame import BlameResult, BlameRow

_CLASSES = ("Structure", "PublicBehavior", "Internal", "Docs", "Cosmetic")
_SHORT = 10
_WIDEST_AUTHOR = 24


@click.command()
@symbol_argument
@click.argument("commits", metavar="[A..B]", required=False)
@click.option("-n", "--max-count", "most", type=click.IntRange(1), metavar="N", help="Show N commits at most.")
@click.option(
    "--min-class", "least", type=click.Choice(_CLASSES, case_sensitive=False), default="Cosmetic",
    help="Leave out milder changes.",
)  # fmt: skip
@session_option
@json_option
@flavour_options
@click.pass_obj
def log(
    context: Context, /, symbol: str, commits: str | None, *, session: str | None, as_json: bool, **options: Any
) -> None:
    """List the commits that changed a type, newest first.

    Goes on across renames of its file and of itself. With --session, what the session changed comes first, as one
    commit; A alone then stands for those after A.
    """
    from codecortex.model.code.changes import ChangeClass
    from codecortex.operations.history.log import LogFilter
    from codecortex.operations.history.log import log as run_log

    if session is not None:
        commits = name_session_range(context, session, commits, whole=True)
    wanted = LogFilter(commits, options.pop("most"), ChangeClass(options.pop("least")))
    result = run_log(make_request(context, options), symbol, wanted)
    if as_json:
        print_json(result.as_json())
    else:
        _print_beside(result.note)
        print_lines(write_log(result.entries, paint))
        _print_beside(result.ending)


def _print_beside(lines: Iterable[str]) -> None:
    """End the progress and print lines on stderr."""
    from codecortex.cli.progress import end_progress

    end_progress()
    for line in lines:
        echo(line, err=True)


@click.command()
@symbol_argument
@click.argument("trees", metavar="[A..B | A]", required=False)
@click.option("--staged", is_flag=True, help="Compare with what is staged instead of the work tree.")
@session_option
@click.option("--exit-code", is_flag=True, help="Exit with 1 where the type differs.")
@json_option
@flavour_options
@click.pass_obj
def diff(  # noqa: PLR0913 - one parameter for each option
    context: Context, /, symbol: str, trees: str | None, *, session: str | None, exit_code: bool, as_json: bool,
    **options: Any,
) -> None:  # fmt: skip
    """Show how a type differs between two trees.

    A..B compares two revisions, A alone with the work tree; nothing stands for HEAD.
    """
    from codecortex.operations.history.type_diff import diff_type

    if session is not None:
        trees = name_session_range(context, session, trees, others=options["staged"])
    result = diff_type(make_request(context, options), symbol, trees)
    if as_json:
        print_json(result.as_json())
    else:
        _print_beside(result.note)
        print_lines(write_diff(result.change, result.lines, paint) if result.change is not None else ())
        _print_beside(result.ending)
    if exit_code and result.change is not None:
        raise click.exceptions.Exit(1)


@click.command()
@symbol_argument
@click.option("--rev", metavar="COMMIT", help="As that commit has it, instead of the work tree.")
@session_option
@json_option
@flavour_options
@click.pass_obj
def blame(context: Context, /, symbol: str, *, as_json: bool, **options: Any) -> None:
    """Show the commit that last changed each member of a type.

    Changed white space does not count.
    """
    from codecortex.operations.history.blame import blame as run_blame

    result = run_blame(make_request(context, options), symbol)
    if as_json:
        rows = [_describe_row(row) for row in result.rows]
        told = {"id": result.id, "fqn": result.fqn, "redirectedFrom": result.redirected_from or None}
        print_json(told | {"shallow": result.shallow, "members": rows})
    else:
        _print_blame(result)


def _describe_row(row: BlameRow) -> dict[str, Any]:
    known = row.blame if row.blame.commit else None
    return {
        "kind": row.kind,
        "signature": row.signature,
        "span": {"file": row.file, "line": row.line, "column": row.column, "endLine": row.end_line},
        "commit": known.commit if known else None,
        "author": known.author if known else None,
        "email": known.email if known else None,
        "date": write_time(known.authored).replace("+00:00", "Z") if known else None,
        "subject": known.subject if known else None,
    }


def _print_blame(result: BlameResult) -> None:
    _print_beside(tell_redirection(result.redirected_from, result.fqn))
    width = min(max((len(row.blame.author) for row in result.rows), default=0), _WIDEST_AUTHOR)
    for row in result.rows:
        author = row.blame.author[:width].ljust(width)
        if row.blame.commit:
            name, who = row.blame.commit[:_SHORT], f"{write_time(row.blame.authored)[:10]}  {author}"
        else:
            name, who = "not committed yet", " " * (width + 5)
        place = f"  {row.file}:{row.line}" if row.kind == "type" else ""
        echo(f"{style(name, fg='yellow')}  {who}  {row.signature}{place}")
    if result.shallow:
        echo("The clone is shallow: its oldest commit stands for all before it.", err=True)
