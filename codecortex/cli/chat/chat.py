"""`codecortex chat`: a conversation with the configured model about the work tree."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from codecortex.cli.options import Context, json_option, make_request, provider_option, require_worktree

if TYPE_CHECKING:
    from codecortex.cli.chat.answering import View
    from codecortex.operations.chat.values import Chat

_MOST_BYTES = 1_000_000


@click.command()
@click.argument("message", nargs=-1)
@click.option("--conversation", metavar="NAME", default="chat", show_default=True, help="Go on with this one.")
@click.option("--session", metavar="NAME", default="chat", show_default=True, help="Where changes go.")
@click.option("--mention", "mentions", metavar="NAME", multiple=True, help="As /add: show a path or symbol first.")
@click.option("--budget", metavar="N", type=click.IntRange(100, 10**7), help="The most tokens shown for a message.")
@click.option("--title", metavar="TEXT", default="", help="A line above the box that is typed in.")
@click.option("--no-footer", is_flag=True, help="Leave out the line below it: where one is, what was spent.")
@provider_option("Who answers, whatever the configuration says.")
@json_option
@click.pass_context
def chat(click_context: click.Context, /, *, message: tuple[str, ...], as_json: bool, **options: Any) -> None:
    """Talk with a model about the code.

    With MESSAGE, or with text on standard input, one message is asked and its answer printed; one that begins with / is
    a command. Without, messages are typed, until /quit: Enter sends, Alt-Enter breaks the line, @ and # complete paths
    and symbols, Ctrl-C stops an answer, and twice leaves.
    """
    context: Context = click_context.obj
    require_worktree(context)
    text = " ".join(message)
    if not text and not sys.stdin.isatty():
        text = _read_stdin()
    title, footer = options.pop("title"), not options.pop("no_footer")
    made = _make_chat(context, options)
    once = bool(text) or as_json
    click_context.exit(_ask_once(context, made, text, as_json=as_json) if once else _talk(made, title, footer=footer))


def _make_chat(context: Context, options: dict[str, Any]) -> Chat:
    from codecortex.operations.chat.values import Chat
    from codecortex.operations.context.rounds.files import check_name
    from codecortex.operations.sessions.versions import check_name as check_session

    check_name(options["conversation"])
    check_session(options["session"])
    return Chat(make_request(context, {}), **options)


def _read_stdin() -> str:
    from codecortex.model.errors import UsageError

    data = sys.stdin.buffer.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise UsageError(f"Standard input is too large: more than {_MOST_BYTES:,} bytes.")
    try:
        return data.decode("utf-8-sig").strip()
    except UnicodeDecodeError as problem:
        raise UsageError(
            f"Standard input is no text in UTF-8: byte {problem.start}.", "A message is text."
        ) from problem


def _ask_once(context: Context, chat: Chat, text: str, *, as_json: bool) -> int:
    from codecortex.cli.chat.answering import Showing, ask_message, hear_interrupts, tell_turn
    from codecortex.cli.output import echo
    from codecortex.cli.text import print_json
    from codecortex.model.errors import UsageError
    from codecortex.operations.chat.commands import run_command

    if text.startswith("/"):
        told = run_command(chat, text)
        context.end_progress()
        if as_json:
            raise UsageError("A command of a chat tells text.", "Leave out --json.")
        echo(told.copied or told.text)
        return told.exit_code
    with hear_interrupts() as heard:
        showing = Showing(_Silent if as_json else _choose_view(), context.end_progress)
        _, turn = ask_message(chat, text, showing, heard)
    if as_json:
        print_json(turn.as_json())
    else:
        if turn.advice:
            echo(turn.as_text())
        tell_turn(turn)
    return turn.problem.exit_code if turn.problem is not None else 0


class _Silent:
    """Shows nothing: all is printed at the end."""

    def hear(self, piece: str) -> None:
        """Show nothing."""

    def end(self) -> None:
        """Show nothing."""


def _is_smart() -> bool:
    """Whether both ends are a terminal that can move its cursor."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "") not in {"", "dumb", "unknown"}


def _choose_view() -> type[View]:
    if sys.stdout.isatty() and _is_smart():
        from codecortex.cli.chat.markdown import MarkdownView

        return MarkdownView
    from codecortex.cli.chat.answering import PlainView

    return PlainView


def _talk(chat: Chat, title: str, *, footer: bool) -> int:
    from codecortex.cli.chat.loop import LineInput, Loop
    from codecortex.git.repository import open_repository
    from codecortex.operations.folder import require_folder

    repository = open_repository(chat.request.folder)
    require_folder(repository)
    loop = Loop(chat, repository, _choose_view(), footer=footer)
    if not _is_smart():
        loop.run(LineInput())
        return 0
    from codecortex.cli.chat.box import Box
    from codecortex.cli.chat.keys import hold_keys

    with hold_keys():
        loop.run(Box(chat.request, loop.list_questions(), loop.keep, title))
    return 0
