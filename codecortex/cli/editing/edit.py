"""`codecortex edit`: texts changed in sessions, with an answer that says what happened and what may be done next."""

from __future__ import annotations

import json
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from codecortex.cli.editing.sources import read_bytes, read_source
from codecortex.cli.options import Context, json_option
from codecortex.cli.output import echo
from codecortex.model.sessions import DEFAULT_SESSION

if TYPE_CHECKING:
    from collections.abc import Callable

    from codecortex.operations.editing.results import EditRequest, EditResult

_SESSION = click.option(
    "--session", metavar="NAME", default=DEFAULT_SESSION, show_default=True, help="The session whose buffer it is."
)
_PLAN = click.option("--plan", metavar="TEXT", default="", help="What you are after, for `live` to tell.")
_MODES = click.Choice(["immediate", "manual", "disabled"])


def _text_options(name: str, what: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The options `--NAME TEXT` and `--NAME-file PATH`; the command takes one text, None for neither.

    Raises:
        UsageError: Both are given.
    """

    def add(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def choose(*arguments: Any, **others: Any) -> Any:
            from codecortex.model.errors import UsageError

            text, path = others.pop(name), others.pop(f"{name}_file")
            if text is not None and path is not None:
                raise UsageError(f"--{name} and --{name}-file are two texts.", "Give one of them.")
            return command(*arguments, **{name: text if path is None else read_source(path)}, **others)

        by_file = click.option(f"--{name}-file", metavar="PATH", help="The same from a file; - is stdin.")
        return click.option(f"--{name}", metavar="TEXT", help=what)(by_file(choose))

    return add


def _verb(command: Callable[..., Any]) -> Callable[..., Any]:
    """A command about one file: it gets an `EditRequest` first, and its result is printed."""

    @json_option
    @_PLAN
    @_SESSION
    @click.argument("file")
    @click.pass_obj
    @wraps(command)
    def run(context: Context, /, *, file: str, session: str, plan: str, as_json: bool, **options: Any) -> None:
        from codecortex.cli.text import print_result

        result: EditResult = command(_make_edit(context, file, session, plan), **options)
        print_result(result, as_json=as_json)
        if result.exit_code:
            raise click.exceptions.Exit(result.exit_code)

    return run


def _make_edit(context: Context, file: str, session: str, plan: str) -> EditRequest:
    from codecortex.cli.options import make_request
    from codecortex.cli.output import echo
    from codecortex.operations.editing.results import EditRequest

    def debug(line: str) -> None:
        echo(line, err=True)

    return EditRequest(make_request(context, {}), file, session, plan, debug)


def _require(text: str | None, name: str) -> str:
    from codecortex.model.errors import UsageError

    if text is None:
        raise UsageError(f"--{name} or --{name}-file is missing.", f"--{name}-file - reads the text from stdin.")
    return text


@click.group()
def edit() -> None:
    """Change files in a session, each step answered.

    An answer says what happened, in which state the text is, and what may be done next. Every change is a version of
    the session, so that each can be taken back. Exits with 1 where a passage has to be named better, with 3 where the
    verb was refused or the file not written.
    """


@edit.command("open")
@_verb
@click.option("--mode", type=_MODES, help="When the file is written: at each change (default), on commit, or never.")
@click.option(
    "--as", "path", metavar="PATH", help="Take the text of FILE, - for stdin, as a draft of PATH; mode manual."
)
def open_(asked: EditRequest, mode: str | None, path: str | None) -> EditResult:
    """Show a buffer, with its state."""
    from dataclasses import replace as change

    from codecortex.editing.values import Mode
    from codecortex.model.errors import UsageError
    from codecortex.operations.editing.verbs import open_file, open_text

    if path is not None:
        return open_text(change(asked, file=path), read_source(asked.file), Mode(mode or Mode.MANUAL))
    if asked.file == "-":
        raise UsageError("Nothing says which file this is a draft of.", "Add --as PATH.")
    return open_file(asked, Mode(mode) if mode is not None else None)


@edit.command()
@_verb
@_text_options("old", "The text to look for; it has to stand there once.")
@_text_options("new", "The text to put in its place.")
@click.option("--in", "symbol", metavar="SYMBOL", help="Look in the declaration of this type or member alone.")
def replace(asked: EditRequest, old: str | None, new: str | None, symbol: str | None) -> EditResult:
    """Put a text where another stands.

    Where it stands in several places, the answer has candidates for `select`; where it stands in none, the passages
    that come nearest, and what differs in them.
    """
    from codecortex.operations.editing.verbs import replace as run

    return run(asked, _require(old, "old"), _require(new, "new"), symbol)


@edit.command()
@_verb
@click.argument("number", metavar="ID", type=click.IntRange(1))
@_text_options("new", "The text to put there; without it, that of the replace before.")
def select(asked: EditRequest, number: int, new: str | None) -> EditResult:
    """Choose one of the candidates."""
    from codecortex.operations.editing.verbs import select as run

    return run(asked, number, new)


@edit.command()
@_verb
@_text_options("text", "The text to add.")
def append(asked: EditRequest, text: str | None) -> EditResult:
    """Add a text at the end."""
    from codecortex.operations.editing.verbs import append as run

    return run(asked, _require(text, "text"))


@edit.command()
@_verb
@_text_options("text", "The whole text.")
@click.option("--create", "intent", flag_value="create", help="Refuse where there is a file.")
@click.option("--update", "intent", flag_value="update", help="Refuse where there is none.")
def write(asked: EditRequest, text: str | None, intent: str | None) -> EditResult:
    """Put a text in place of the whole one."""
    from codecortex.editing.events import Intent
    from codecortex.operations.editing.verbs import write as run

    return run(asked, _require(text, "text"), Intent(intent or "either"))


@edit.command()
@_verb
def commit(asked: EditRequest) -> EditResult:
    """Write the buffer to its file."""
    from codecortex.operations.editing.verbs import commit as run

    return run(asked)


@edit.command()
@_verb
def discard(asked: EditRequest) -> EditResult:
    """Give up candidates, or what was not written."""
    from codecortex.operations.editing.verbs import discard as run

    return run(asked)


@edit.command("save-as")
@_verb
@click.argument("path")
def save_as(asked: EditRequest, path: str) -> EditResult:
    """Write the buffer to a path where no file is."""
    from codecortex.operations.editing.verbs import save_as as run

    return run(asked, path)


@edit.command()
@_verb
def diff(asked: EditRequest) -> EditResult:
    """Print what differs between file and buffer."""
    from codecortex.operations.editing.verbs import compare

    return compare(asked)


@edit.command()
@_verb
def refresh(asked: EditRequest) -> EditResult:
    """Take what the file says now."""
    from codecortex.operations.editing.verbs import refresh as run

    return run(asked)


@edit.command()
@_verb
def undo(asked: EditRequest) -> EditResult:
    """Go back to the text before the latest change."""
    from codecortex.operations.editing.verbs import undo as run

    return run(asked)


@edit.command()
@_verb
def redo(asked: EditRequest) -> EditResult:
    """Go forward to the text that was gone back from."""
    from codecortex.operations.editing.verbs import redo as run

    return run(asked)


@edit.command()
@click.argument("patch", default="-")
@click.option("--mode", type=_MODES, help="When the files are written: at once, on commit, or never.")
@_SESSION
@_PLAN
@json_option
@click.pass_obj
def apply(context: Context, /, patch: str, *, mode: str | None, as_json: bool, **where: str) -> None:
    """Apply a patch to files, all of it or nothing.

    PATCH is a file, or - for stdin, with a unified diff as git writes it, an `apply_patch` block, or a JSON list of
    replacements: `[{"file": ..., "old": ..., "new": ..., "in": SYMBOL}]`. Its paths are from the top of the repository.
    What does not apply is told part by part, with what comes nearest.
    """
    from codecortex.cli.text import print_result
    from codecortex.editing.values import Mode
    from codecortex.operations.editing.apply import apply as run

    asked = _make_edit(context, "", where["session"], where["plan"])
    result = run(asked, read_bytes(patch), Mode(mode) if mode is not None else None)
    print_result(result, as_json=as_json)
    if result.exit_code:
        raise click.exceptions.Exit(result.exit_code)


@edit.command()
@click.argument("file", required=False)
@click.option("--limit", type=click.IntRange(1), default=20, show_default=True, metavar="N", help="The newest N alone.")
@click.option("--follow", is_flag=True, help="Oldest first, then what happens from now on; with --json as JSON lines.")
@_SESSION
@json_option
@click.pass_obj
def log(  # noqa: PLR0913 - one parameter an option
    context: Context, /, file: str | None, *, limit: int, follow: bool, session: str, as_json: bool
) -> None:
    """Print what happened to the buffers, newest first."""
    from codecortex.cli.options import make_request
    from codecortex.cli.text import print_result
    from codecortex.operations.editing.status import edit_log, follow_edits, write_edit

    request = make_request(context, {})
    if not follow:
        print_result(edit_log(request, session, file, limit), as_json=as_json)
        return
    for row in follow_edits(request, session, file, limit):
        echo(json.dumps(row) if as_json else write_edit(row))


@edit.command()
@click.argument("file", required=False)
@_SESSION
@json_option
@click.pass_obj
def status(context: Context, /, file: str | None, *, session: str, as_json: bool) -> None:
    """Print each buffer's state, and what it allows."""
    from codecortex.cli.options import make_request
    from codecortex.cli.text import print_result
    from codecortex.operations.editing.status import edit_status

    print_result(edit_status(make_request(context, {}), session, file), as_json=as_json)
