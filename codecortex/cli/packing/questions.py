"""`codecortex context QUESTION`: the files and members that an answer or a change needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from codecortex.cli.options import Context, json_option, print_answer, tree_options
from codecortex.model.budgets import QUESTION_BUDGET

if TYPE_CHECKING:
    from pathlib import Path

    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.result import Result

_MOST_BYTES = 1_000_000


class QuestionGroup(click.Group):
    """A group whose first argument is a question where it is none of its commands."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put `ask` before what names no command."""
        if args and args[0] not in self.commands and args[0] not in ctx.help_option_names:
            args = ["ask", *args]
        return super().parse_args(ctx, args)


@click.command()
@click.argument("question", nargs=-1)
@click.option("--question-file", metavar="FILE", type=click.Path(), help="Read the question from a file; - for stdin.")
@click.option(
    "--budget",
    metavar="N",
    type=click.IntRange(100, 10**7),
    help=f"The most tokens of the answer: {QUESTION_BUDGET}, in a conversation `context.budget`, unless set.",
)
@click.option(
    "--tests/--no-tests",
    default=None,
    help="Rank tests like other files, or leave them out; else a few are named at the end.",
)
@click.option("--path", "globs", metavar="GLOB", multiple=True, help="Only files that GLOB takes; may be repeated.")
@click.option("--conversation", metavar="NAME", help="Ask the next question of a conversation; begin it if need be.")
@click.option(
    "--mention", "mentions", metavar="NAME", multiple=True, help="A path or symbol to put first; may be repeated."
)
@click.option("--explain", is_flag=True, help="Tell why each of the first files was taken.")
@json_option
@tree_options
@click.pass_obj
def ask(context: Context, /, question: tuple[str, ...], *, as_json: bool, **options: Any) -> None:
    """Print the code that a question needs, best first.

    QUESTION is free text: an issue, a commit message, a stack trace, a compiler's errors, paths, names, in any mixture.
    """
    from codecortex.operations.context.ask import Asking
    from codecortex.operations.context.ask import ask as run_ask

    budget, name, mentions = options.pop("budget"), options.pop("conversation"), options.pop("mentions")
    asking = Asking(
        budget or QUESTION_BUDGET, options.pop("tests"), options.pop("globs"), options.pop("explain"), mentions
    )
    text = _read_question(" ".join(question), options.pop("question_file"), context.folder)

    def answer(workspace: Workspace) -> Result:
        if name is None:
            return run_ask(workspace, text, asking)
        from codecortex.operations.context.rounds.start import ask_round

        own = workspace.tree.config.context.budget
        return ask_round(workspace, name, text, asking if budget else asking._replace(budget=own))

    print_answer(context, options, answer, as_json=as_json)


def _read_question(given: str, file: str | None, folder: Path) -> str:
    from codecortex.model.errors import UsageError

    if file is None:
        return given
    if given:
        raise UsageError("A question and --question-file name two questions.", "Give one of them.")
    return read_text(file, folder, "A question")


def read_text(file: str, folder: Path, what: str) -> str:
    """The text in a file, seen from a folder; `-` for standard input. `what` says in messages what it is.

    Raises:
        UsageError: It cannot be read, is too large, or is no text.
    """
    from codecortex.model.errors import UsageError

    try:
        return read_bytes(file, folder, _MOST_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        called = "standard input" if file == "-" else file
        raise UsageError(f"{called} is no text in UTF-8: byte {problem.start}.", f"{what} is text.") from problem


def read_bytes(file: str, folder: Path, most: int) -> bytes:
    """The bytes of a file, seen from a folder; `-` for standard input.

    Raises:
        UsageError: It cannot be read, or is too large.
    """
    from codecortex.model.errors import UsageError

    try:
        with click.open_file(file if file == "-" else str(folder / file), "rb") as stream:
            data: bytes = stream.read(most + 1)
    except OSError as problem:
        raise UsageError(f"{file} cannot be read: {problem.strerror}.") from problem
    if len(data) > most:
        raise UsageError(f"{file} is too large: more than {most:,} bytes.")
    return data
