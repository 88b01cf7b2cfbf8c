"""`codecortex conversation`: the conversations that questions are asked in."""

from __future__ import annotations

from pathlib import Path

import click

from codecortex.cli.options import Context, json_option, print_answer
from codecortex.cli.packing.questions import read_text
from codecortex.context.rounds.compaction import KEPT


@click.group()
def conversation() -> None:
    """Look after conversations: rounds of questions.

    `codecortex context QUESTION --conversation NAME` begins one, and asks its next question.
    """


@conversation.command("list")
@json_option
@click.pass_obj
def list_(context: Context, /, *, as_json: bool) -> None:
    """List the conversations of this work tree."""
    from codecortex.operations.context.rounds.manage import list_conversations

    print_answer(context, {}, list_conversations, as_json=as_json)


@conversation.command()
@click.argument("name")
@json_option
@click.pass_obj
def show(context: Context, /, name: str, *, as_json: bool) -> None:
    """Print the rounds of a conversation."""
    from codecortex.operations.context.rounds.manage import show_conversation

    print_answer(context, {}, lambda workspace: show_conversation(workspace, name), as_json=as_json)


@conversation.command()
@click.argument("name")
@click.argument("new")
@json_option
@click.pass_obj
def rename(context: Context, /, name: str, new: str, *, as_json: bool) -> None:
    """Give a conversation another name."""
    from codecortex.operations.context.rounds.manage import rename_conversation

    print_answer(context, {}, lambda workspace: rename_conversation(workspace, name, new), as_json=as_json)


@conversation.command()
@click.argument("name")
@click.argument("file", type=click.Path(path_type=Path))
@json_option
@click.pass_obj
def save(context: Context, /, name: str, file: Path, *, as_json: bool) -> None:
    """Copy a conversation to a new file."""
    from codecortex.operations.context.rounds.manage import save_conversation

    print_answer(
        context, {}, lambda workspace: save_conversation(workspace, name, context.folder / file), as_json=as_json
    )


@conversation.command()
@click.argument("file", type=click.Path())
@click.option("--as", "name", metavar="NAME", help="Its name here, where it is not the one that it had.")
@json_option
@click.pass_obj
def load(context: Context, /, file: str, *, name: str | None, as_json: bool) -> None:
    """Add a conversation that was saved; - for stdin."""
    from codecortex.cli.packing.questions import read_bytes
    from codecortex.operations.context.rounds.files import MOST_BYTES
    from codecortex.operations.context.rounds.manage import load_conversation

    data = read_bytes(file, context.folder, MOST_BYTES)
    called = "standard input" if file == "-" else file
    print_answer(context, {}, lambda workspace: load_conversation(workspace, data, called, name), as_json=as_json)


@conversation.command()
@click.argument("name")
@click.option(
    "--keep", metavar="N", type=click.IntRange(0, 10**4), default=KEPT, show_default=True, help="Rounds left whole."
)
@json_option
@click.pass_obj
def compact(context: Context, /, name: str, *, keep: int, as_json: bool) -> None:
    """Cut older rounds down to a line each.

    What each asked, what was decided and which files it was about stays; the conversation as it was is copied first.
    """
    from codecortex.operations.context.rounds.manage import compact_conversation

    print_answer(context, {}, lambda workspace: compact_conversation(workspace, name, keep), as_json=as_json)


@conversation.command()
@click.argument("name")
@click.option("--yes", is_flag=True, help="Drop it without a copy.")
@json_option
@click.pass_obj
def drop(context: Context, /, name: str, *, yes: bool, as_json: bool) -> None:
    """Remove a conversation."""
    from codecortex.operations.context.rounds.manage import drop_conversation

    print_answer(context, {}, lambda workspace: drop_conversation(workspace, name, sure=yes), as_json=as_json)


@conversation.command()
@click.argument("name")
@click.option("--answer", metavar="FILE", type=click.Path(), help="What was answered; - for stdin.")
@json_option
@click.pass_obj
def end(context: Context, /, name: str, *, answer: str | None, as_json: bool) -> None:
    """End the last round, with its answer if there is one."""
    from codecortex.operations.context.rounds.end import end_round

    text = read_text(answer, context.folder, "An answer") if answer is not None else None
    print_answer(context, {}, lambda workspace: end_round(workspace, name, text), as_json=as_json)
