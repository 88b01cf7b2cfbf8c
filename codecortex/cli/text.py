"""Prints results of operations on stdout, as text for people or as JSON for programs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from codecortex import __version__
from codecortex.cli.progress import end_progress, show_warning
from codecortex.operations.wording import count_noun, list_some
from codecortex.store.paths import FOLDER, semantic_owner

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from codecortex.model.code.aliases import Alias, AliasDoubt
    from codecortex.model.code.catalog import TypeEntry
    from codecortex.operations.queries.index import IndexResult
    from codecortex.operations.refresh.demo import DemoResult
    from codecortex.operations.refresh.init import InitResult
    from codecortex.operations.refresh.refresh import RefreshResult
    from codecortex.operations.request import Unread
    from codecortex.operations.result import Result

JSON_SCHEMA = "1.0"


def print_json(value: dict[str, Any]) -> None:
    """Print one JSON object, starting with the versions of its schema and of codecortex."""
    end_progress()
    write_json({"schemaVersion": JSON_SCHEMA, "codecortex": __version__} | value)


def write_json(value: dict[str, Any]) -> None:
    """Print JSON on one line, in UTF-8 whatever the terminal's encoding; lone surrogates are escaped."""
    click.echo(json.dumps(value, ensure_ascii=False, default=list).encode("utf-8", "backslashreplace"))


def print_result(result: Result, *, as_json: bool) -> None:
    """Print a result as JSON, or as the text that agents get too."""
    if as_json:
        print_json(result.as_json())
        return
    end_progress()
    click.echo(result.as_text())


def paint(text: str, colour: str | None) -> str:
    """A text in a colour, or in bold letters."""
    return click.style(text, bold=True) if colour == "bold" else click.style(text, fg=colour)


def print_lines(lines: Iterable[str]) -> None:
    """Print lines."""
    for line in lines:
        click.echo(line)


def make_plain(text: str) -> str:
    """A text from a file or a server on one line, without control characters."""
    return "".join(char if char.isprintable() else " " for char in text)


def print_some(lines: Sequence[str], indent: str = "  ") -> None:
    """Print the first lines, and the number of further ones."""
    for line in list_some(lines, indent):
        click.echo(line)


def print_init(result: InitResult) -> None:
    """Print what `init` created and what already existed."""
    from codecortex.operations.refresh.init import WORKFLOWS

    for path in result.made:
        click.echo(f"made  {path}")
    for path in result.kept:
        click.echo(f"kept  {path}")
    own = any(path.startswith(f"{FOLDER}/") for path in result.made)
    others = [WORKFLOWS] if any(path.startswith(f"{WORKFLOWS}/") for path in result.made) else []
    if own:
        both = " and ".join([FOLDER, *others])
        click.echo(f"Next: `codecortex refresh`, then commit {both} with your sources.")
    elif others:
        click.echo(f"Next: commit {WORKFLOWS}.")


def print_refresh(result: RefreshResult, *, as_json: bool) -> None:
    """Print the counts of a refresh, and what could not be read."""
    if as_json:
        print_json({
            "types": result.types,
            "written": list(result.written),
            "removed": list(result.removed),
            "unread": [{"path": path, "reason": reason} for path, reason in result.unread],
            "degraded": dict(result.degraded),
            "skipped": [{"path": path, "reason": reason} for path, reason in result.skipped],
            "dryRun": result.dry_run,
            "aliases": [describe_alias(alias) for alias in result.aliases],
            "movedNotes": list(result.moved),
            "doubts": [describe_doubt(doubt) for doubt in result.doubts],
        })  # fmt: skip
        return
    end_progress()
    _warn_of(result.unread)
    if result.dry_run:
        print_some([f"write   {path}" for path in result.written] + [f"remove  {path}" for path in result.removed], "")
    changes = [
        f"{len(result.written):,} {'to write' if result.dry_run else 'written'}" if result.written else "",
        f"{len(result.removed):,} {'to remove' if result.dry_run else 'removed'}" if result.removed else "",
    ]
    told = ", ".join(change for change in changes if change) or "nothing to do"
    degraded = f"; {count_noun(len(result.degraded), 'file')} read only in part (see `codecortex status`)"
    click.echo(f"{count_noun(result.types, 'type')}: {told}{degraded if result.degraded else ''}.")
    _print_renames(result)


def _print_renames(result: RefreshResult) -> None:
    moved = set(map(semantic_owner, result.moved))
    lines = [
        f"{alias.old_fqn} -> {alias.new_fqn}{' (note moved)' if alias.new_id in moved else ''}"
        for alias in result.aliases
    ]
    if len(lines) == 1:
        click.echo(f"1 alias: {lines[0]}")
    elif lines:
        click.echo(f"{len(lines):,} aliases:")
        print_some(lines)
    others = moved - {alias.new_id for alias in result.aliases}
    if others:
        click.echo(f"{count_noun(len(others), 'note')} moved to the types that took other names.")
    if result.doubts:
        click.echo(f"{count_noun(len(result.doubts), 'rename')} to decide about (see `codecortex alias conflicts`):")
        print_some([f"{doubt.old_fqn}: {doubt.why}" for doubt in result.doubts])


def describe_alias(alias: Alias) -> dict[str, Any]:
    """An alias as JSON values."""
    return {
        "oldId": alias.old_id,
        "oldFqn": alias.old_fqn,
        "newTypeId": alias.new_id,
        "newFqn": alias.new_fqn,
        "reason": str(alias.reason),
        "score": alias.score,
        "collapsed": alias.collapsed,
    }


def describe_doubt(doubt: AliasDoubt) -> dict[str, Any]:
    """A doubtful rename as JSON values, the most likely candidate first."""
    return {
        "oldId": doubt.old_id,
        "oldFqn": doubt.old_fqn,
        "why": doubt.why,
        "candidates": [describe_candidate(candidate) for candidate in doubt.candidates],
    }


def describe_candidate(alias: Alias) -> dict[str, Any]:
    """A candidate for a renamed type as JSON values."""
    return {"id": alias.new_id, "fqn": alias.new_fqn, "reason": str(alias.reason), "score": alias.score}


def _warn_of(unread: Iterable[Unread]) -> None:
    for path, reason in unread:
        show_warning(f"{path}: not read: {reason}")


def print_types(types: Sequence[TypeEntry]) -> None:
    """Print one line per type."""
    end_progress()
    width = max((len(entry.kind) for entry in types), default=0)
    marks = {False: "", True: " (generated)"}
    lines = [f"{entry.id}  {entry.kind:<{width}}  {entry.fqn}{marks[entry.generated]}\n" for entry in types]
    click.echo("".join(lines), nl=False)


def print_index(result: IndexResult) -> None:
    """Print the record of every type as JSON."""
    reading = result.reading
    from datetime import UTC, datetime

    from codecortex.operations.queries.index import describe_projects

    print_json({
        "generatedAt": datetime.now(UTC).isoformat(timespec="seconds"),
        "head": reading.tree.listing.head,
        "projects": list(describe_projects(reading)),
        "types": list(result.records),
        "unread": [{"path": path, "reason": reason} for path, reason in reading.unread],
    })  # fmt: skip


def print_section(title: str, lines: Sequence[str]) -> None:
    """Print a title with a count, and the lines; nothing without lines."""
    if lines:
        click.echo(f"{title} ({len(lines):,}):")
        print_some(lines)


def print_demo(result: DemoResult) -> None:
    """Print the steps of the demonstration."""
    where = str(result.folder) if result.kept else "a temporary folder"
    click.echo(f"A small C# repository in {where}: 1 project, 3 source files.\n")
    click.echo(f"$ codecortex init\n{count_noun(len(result.init.made), 'file')} made in .codecortex\n")
    click.echo(
        f"$ codecortex refresh\n{count_noun(result.first.types, 'type')}, {len(result.first.written)} files written\n"
    )
    path, text = result.outline
    click.echo(f"$ cat {path}\n{text}")
    click.echo("Now NoteStore.Find gets one more parameter.\n")
    click.echo(f"$ codecortex refresh\n{count_noun(len(result.second.written), 'file')} written")
    before, after = result.changed
    for line in before:
        click.echo(click.style(f"-{line}", fg="red"))
    for line in after:
        click.echo(click.style(f"+{line}", fg="green"))
