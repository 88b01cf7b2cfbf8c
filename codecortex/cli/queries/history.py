"""The commands `log`, `diff` and `blame`: how a type changed, and in which commits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from codecortex.cli.options import Context, flavour_options, json_option, make_request
from codecortex.cli.output import echo, style
from codecortex.operations.wording import write_time

if TYPE_CHECKING:
    from collections.abc import Iterable

    from codecortex.analysis.changes.states import Change
    from codecortex.model.code.changes import MemberChange, MemberChanges
    from codecortex.operations.history.blame import BlameResult, BlameRow
    from codecortex.operations.history.log import LogEntry, LogResult
    from codecortex.operations.history.type_diff import TypeDiff

_CLASSES = ("Structure", "PublicBehavior", "Internal", "Docs", "Cosmetic")
_COLOURS = {"Structure": "red", "PublicBehavior": "yellow", "Internal": "cyan", "Docs": "blue"}
_SHORT = 10
_MOST_MEMBERS = 6
_WIDEST_AUTHOR = 24


@click.command()
@click.argument("symbol")
@click.argument("commits", metavar="[A..B]", required=False)
@click.option("-n", "--max-count", "most", type=click.IntRange(1), metavar="N", help="Show N commits at most.")
@click.option(
    "--min-class", "least", type=click.Choice(_CLASSES, case_sensitive=False), default="Cosmetic",
    help="Leave out milder changes.",
)  # fmt: skip
@json_option
@flavour_options
@click.pass_obj
def log(context: Context, /, symbol: str, commits: str | None, *, as_json: bool, **options: Any) -> None:
    """List the commits that changed a type, newest first.

    Goes on across renames of its file and of itself.
    """
    from codecortex.model.code.changes import ChangeClass
    from codecortex.operations.history.log import LogFilter
    from codecortex.operations.history.log import log as run_log

    wanted = LogFilter(commits, options.pop("most"), ChangeClass(options.pop("least")))
    result = run_log(make_request(context, options), symbol, wanted)
    if as_json:
        from codecortex.cli.text import print_json

        print_json({
            "fqn": result.fqn,
            "redirectedFrom": result.redirected_from or None,
            "shallow": result.shallow,
            "commits": [_describe_entry(each) for each in result.entries],
        })  # fmt: skip
    else:
        _print_log(result)


def _describe_entry(entry: LogEntry) -> dict[str, Any]:
    commit, change = entry
    return {
        "commit": commit.id,
        "author": commit.author,
        "email": commit.email,
        "date": write_time(commit.authored).replace("+00:00", "Z"),
        "subject": commit.subject,
    } | describe_change(change)


def describe_change(change: Change) -> dict[str, Any]:
    """A change of a type as JSON values."""
    from codecortex.cli.queries.changes import describe_members

    return {
        "status": change.status,
        "changeClass": change.change_class,
        "reasons": list(change.reasons),
        "members": describe_members(change.members),
        "fqn": change.fqn,
        "oldFqn": change.old_fqn or None,
        "files": list(change.files),
        "oldFiles": list(change.old_files),
    }


def _begin_text(result: LogResult | TypeDiff | BlameResult) -> None:
    """Start the text output with a note if the symbol was an old name."""
    from codecortex.cli.progress import end_progress

    end_progress()
    if result.redirected_from:
        echo(f"note: {result.redirected_from} is now {result.fqn}", err=True)


def _print_log(result: LogResult) -> None:
    _begin_text(result)
    for commit, change in result.entries:
        told = change.status if change.status != "changed" else change.change_class
        name = style(commit.id[:_SHORT], fg="yellow")
        kind = style(f"{told:<14}", fg=_COLOURS.get(change.change_class))
        echo(f"{name}  {write_time(commit.authored)[:10]}  {kind}  {commit.author}: {commit.subject}")
        if change.status == "renamed":
            echo(f"{'':<12}was {change.old_fqn}")
        if change.files != change.old_files and change.status in ("renamed", "changed"):
            echo(f"{'':<12}from {', '.join(change.old_files)}")
        if change.status in ("renamed", "changed"):
            print_members(change.members, " " * 12)
    if result.shallow:
        echo("History ends here: the clone is shallow. `git fetch --unshallow` brings the rest.", err=True)
    elif not result.entries:
        echo("No commit changed it in that range.", err=True)


def print_members(members: MemberChanges, indent: str, most: int | None = _MOST_MEMBERS) -> None:
    """Print changed members, one per line; only the first `most`, or all if that is None."""
    lines = [
        *(style(f"+ {each.after}", fg="green") for each in members.added),
        *(style(f"- {each.before}", fg="red") for each in members.removed),
        *(f"~ {_write_changed(each)}" for each in members.changed),
    ]
    for line in lines[:most]:
        echo(f"{indent}{line}")
    if len(lines) > len(lines[:most]):
        echo(f"{indent}and {len(lines) - len(lines[:most]):,} more members")


def _write_changed(change: MemberChange) -> str:
    if change.before != change.after:
        return f"{change.before} -> {change.after}"
    what: Iterable[str] = (
        "attributes" if change.attributes_only else "signature" if change.signature_changed else "",
        "body" if change.body_changed else "",
    )
    return f"{change.after} ({', '.join(filter(None, what))})"


@click.command()
@click.argument("symbol")
@click.argument("trees", metavar="[A..B | A]", required=False)
@click.option("--staged", is_flag=True, help="Compare with what is staged instead of the work tree.")
@click.option("--exit-code", is_flag=True, help="Exit with 1 where the type differs.")
@json_option
@flavour_options
@click.pass_obj
def diff(
    context: Context, /, symbol: str, trees: str | None, *, exit_code: bool, as_json: bool, **options: Any
) -> None:
    """Show how a type differs between two trees.

    A..B compares two revisions, A alone with the work tree; nothing stands for HEAD.
    """
    from codecortex.cli.text import print_json
    from codecortex.operations.history.type_diff import diff_type

    result = diff_type(make_request(context, options), symbol, trees)
    if as_json:
        change = describe_change(result.change) if result.change is not None else None
        told = {"fqn": result.fqn, "redirectedFrom": result.redirected_from or None}
        print_json(told | {"change": change, "outline": list(result.lines)})
    else:
        _print_diff(result)
    if exit_code and result.change is not None:
        raise click.exceptions.Exit(1)


def _print_diff(result: TypeDiff) -> None:
    _begin_text(result)
    change = result.change
    if change is None:
        echo(f"{result.fqn}: no difference.", err=True)
        return
    renamed = f" (was {change.old_fqn})" if change.status == "renamed" else ""
    told = change.change_class if change.status == "changed" else f"{change.status}, {change.change_class}"
    echo(f"{change.fqn}{renamed}: {told}")
    if change.status in ("changed", "renamed"):
        print_members(change.members, "  ", most=None)
    for line in result.lines:
        bold = line.startswith(("--- ", "+++ "))
        colour = None if bold else {"+": "green", "-": "red", "@": "cyan"}.get(line[:1])
        echo(style(line, fg=colour, bold=bold))


@click.command()
@click.argument("symbol")
@click.option("--rev", metavar="COMMIT", help="As that commit has it, instead of the work tree.")
@json_option
@flavour_options
@click.pass_obj
def blame(context: Context, /, symbol: str, *, as_json: bool, **options: Any) -> None:
    """Show the commit that last changed each member of a type.

    Changed white space does not count.
    """
    from codecortex.cli.text import print_json
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
        "span": {"file": row.file, "line": row.line, "endLine": row.end_line},
        "commit": known.commit if known else None,
        "author": known.author if known else None,
        "email": known.email if known else None,
        "date": write_time(known.authored).replace("+00:00", "Z") if known else None,
        "subject": known.subject if known else None,
    }


def _print_blame(result: BlameResult) -> None:
    _begin_text(result)
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
