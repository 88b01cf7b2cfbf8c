"""Prints results of operations on stdout, as text for people or as JSON for programs."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

import click

from codecortex import __version__
from codecortex.cli.output import echo, style
from codecortex.cli.progress import end_progress, show_warning
from codecortex.model.text.visible import show_json, show_line
from codecortex.operations.wording import count_noun, list_some, tell_unread
from codecortex.store.paths import FOLDER, semantic_owner

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from codecortex.model.code.aliases import Alias, AliasDoubt
    from codecortex.model.code.catalog import TypeEntry
    from codecortex.operations.queries.index import IndexResult
    from codecortex.operations.refresh.demo import DemoResult
    from codecortex.operations.refresh.init import InitResult
    from codecortex.operations.refresh.result import RefreshResult
    from codecortex.operations.request import Unread
    from codecortex.operations.result import Result
    from codecortex.operations.trace import Trace

JSON_SCHEMA = "1.0"
_PIECE = 1000  # items of a list that are printed at once


def print_json(value: dict[str, Any]) -> None:
    """Print one JSON object: the versions of its schema and of codecortex, and what the command says."""
    trace: Trace = click.get_current_context().obj.trace
    _print_traced(value | trace.asked, trace)


def print_error(told: dict[str, Any], trace: Trace) -> None:
    """Print an error object; the command has ended."""
    _print_traced({"error": told}, trace)


def _print_traced(value: dict[str, Any], trace: Trace) -> None:
    end_progress()
    write_json({"schemaVersion": JSON_SCHEMA, "codecortex": __version__, "traceId": trace.id} | value)


def write_json(value: dict[str, Any]) -> None:
    """Print JSON on one line, in UTF-8 whatever the terminal's encoding; lone surrogates are escaped.

    A list may be given as an iterator: then it is printed piece by piece.
    """
    text, before = "", "{"
    for name, each in value.items():
        text += f"{before}{_dump(name)}: "
        before = ", "
        if isinstance(each, Iterator):
            text = _write_list(text, each)
        else:
            text += _dump(each)
    _write(text + ("}\n" if value else "{}\n"))


def _write_list(text: str, items: Iterator[Any]) -> str:
    """Print a text and a list after it; what is left to print."""
    before = "["
    while some := list(islice(items, _PIECE)):
        _write(text + before + _dump(some)[1:-1])
        text, before = "", ", "
    return text + ("[]" if before == "[" else "]")


def _dump(value: Any) -> str:
    import json

    return show_json(json.dumps(value, ensure_ascii=False, default=list))


def _write(text: str) -> None:
    click.echo(text.encode("utf-8", "backslashreplace"), nl=False)


def print_result(result: Result, *, as_json: bool) -> None:
    """Print a result as JSON, or as the text that agents get too."""
    if as_json:
        print_json(result.as_json())
        return
    end_progress()
    echo(result.as_text())


def paint(text: str, colour: str | None) -> str:
    """A text in a colour, or in bold letters."""
    return style(text, bold=True) if colour == "bold" else style(text, fg=colour)


def print_lines(lines: Iterable[str]) -> None:
    """Print lines."""
    for line in lines:
        echo(line)


def print_some(lines: Sequence[str], indent: str = "  ") -> None:
    """Print the first lines, and the number of further ones."""
    for line in list_some(lines, indent):
        echo(show_line(line))


def print_init(result: InitResult) -> None:
    """Print what `init` created and what already existed."""
    from codecortex.operations.refresh.init import WORKFLOWS

    for path in result.made:
        echo(f"made  {path}")
    for path in result.kept:
        echo(f"kept  {path}")
    own = any(path.startswith(f"{FOLDER}/") for path in result.made)
    others = [WORKFLOWS] if any(path.startswith(f"{WORKFLOWS}/") for path in result.made) else []
    if own:
        both = " and ".join([FOLDER, *others])
        echo(f"Next: `codecortex refresh`, then commit {both} with your sources.")
    elif others:
        echo(f"Next: commit {WORKFLOWS}.")


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
            "takenBack": [describe_alias(alias) for alias in result.taken_back],
            "movedNotes": list(result.moved),
            "doubts": [describe_doubt(doubt) for doubt in result.doubts],
            "kept": [{"path": path, "reason": reason} for path, reason in result.kept],
        })  # fmt: skip
        return
    end_progress()
    _warn_of(result.unread)
    warn_of_kept(result)
    if result.dry_run:
        print_some([f"write   {path}" for path in result.written] + [f"remove  {path}" for path in result.removed], "")
    changes = [
        f"{len(result.written):,} {'to write' if result.dry_run else 'written'}" if result.written else "",
        f"{len(result.removed):,} {'to remove' if result.dry_run else 'removed'}" if result.removed else "",
    ]
    told = ", ".join(change for change in changes if change) or "nothing to do"
    degraded = f"; {count_noun(len(result.degraded), 'file')} read only in part (see `codecortex status`)"
    echo(f"{count_noun(result.types, 'type')}: {told}{degraded if result.degraded else ''}.")
    _print_renames(result)


def _print_renames(result: RefreshResult) -> None:
    moved = set(map(semantic_owner, result.moved))
    lines = [
        f"{alias.old_fqn} -> {alias.new_fqn}{' (note moved)' if alias.new_id in moved else ''}"
        for alias in result.aliases
    ]
    if len(lines) == 1:
        echo(f"1 alias: {show_line(lines[0])}")
    elif lines:
        echo(f"{len(lines):,} aliases:")
        print_some(lines)
    back = [f"{alias.old_fqn} -> {alias.new_fqn}: {alias.old_fqn} is a type again" for alias in result.taken_back]
    if back:
        echo(f"{'1 alias' if len(back) == 1 else f'{len(back):,} aliases'} taken back:")
        print_some(back)
    others = moved - {alias.new_id for alias in result.aliases}
    if others:
        echo(f"{count_noun(len(others), 'note')} moved to the types that took other names.")
    if result.doubts:
        echo(f"{count_noun(len(result.doubts), 'rename')} to decide about (see `codecortex alias conflicts`):")
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
    for line in tell_unread(unread):
        show_warning(line)


def warn_of_kept(result: RefreshResult) -> None:
    """Warn of sources that could not be read now."""
    for path, reason in result.kept:
        show_warning(f"{path}: not read: {reason}; what was last read of it still counts")


def print_types(types: Sequence[TypeEntry]) -> None:
    """Print one line per type."""
    end_progress()
    width = max((len(entry.kind) for entry in types), default=0)
    marks = {False: "", True: " (generated)"}
    lines = [f"{entry.id}  {entry.kind:<{width}}  {entry.fqn}{marks[entry.generated]}\n" for entry in types]
    echo("".join(lines), nl=False)


def print_index(result: IndexResult) -> None:
    """Print the record of every type as JSON."""
    reading = result.reading
    from datetime import UTC, datetime

    from codecortex.operations.queries.index import describe_projects, describe_settings

    print_json({
        "generatedAt": datetime.now(UTC).isoformat(timespec="seconds"),
        "head": reading.tree.listing.head,
        "configSnapshot": describe_settings(reading.tree.config),
        "projects": list(describe_projects(reading)),
        "types": list(result.records),
        "unread": [{"path": path, "reason": reason} for path, reason in reading.unread],
    })  # fmt: skip


def print_section(title: str, lines: Sequence[str]) -> None:
    """Print a title with a count, and the lines; nothing without lines."""
    if lines:
        echo(f"{title} ({len(lines):,}):")
        print_some(lines)


def print_demo(result: DemoResult) -> None:
    """Print the steps of the demonstration."""
    where = str(result.folder) if result.kept else "a temporary folder"
    echo(f"A small C# repository in {where}: 1 project, 3 source files.\n")
    echo(f"$ codecortex init\n{count_noun(len(result.init.made), 'file')} made in .codecortex\n")
    echo(f"$ codecortex refresh\n{count_noun(result.first.types, 'type')}, {len(result.first.written)} files written\n")
    path, text = result.outline
    echo(f"$ cat {path}\n{text}")
    echo("Now Find of NoteStore and of its interface gets one more parameter.\n")
    echo(f"$ codecortex refresh\n{count_noun(len(result.second.written), 'file')} written")
    before, after = result.changed
    for line in before:
        echo(style(f"-{line}", fg="red"))
    for line in after:
        echo(style(f"+{line}", fg="green"))
