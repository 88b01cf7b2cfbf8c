"""`codecortex context QUESTION`: the files and members that an answer or a change needs."""

from __future__ import annotations

from typing import Any

import click

from codecortex.cli.options import Context, json_option, print_answer, tree_options
from codecortex.model.budgets import QUESTION_BUDGET

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
    default=QUESTION_BUDGET,
    show_default=True,
    help="The most tokens of the answer.",
)
@click.option(
    "--tests/--no-tests",
    default=None,
    help="Rank tests like other files, or leave them out; else a few are named at the end.",
)
@click.option("--path", "globs", metavar="GLOB", multiple=True, help="Only files that GLOB takes; may be repeated.")
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

    asking = Asking(options.pop("budget"), options.pop("tests"), options.pop("globs"), options.pop("explain"))
    text = _read_question(" ".join(question), options.pop("question_file"))
    print_answer(context, options, lambda workspace: run_ask(workspace, text, asking), as_json=as_json)


def _read_question(given: str, file: str | None) -> str:
    from codecortex.model.errors import UsageError

    if file is None:
        return given
    if given:
        raise UsageError("A question and --question-file name two questions.", "Give one of them.")
    try:
        with click.open_file(file, "rb") as stream:
            data: bytes = stream.read(_MOST_BYTES)
    except OSError as problem:
        raise UsageError(f"{file} cannot be read: {problem.strerror}.") from problem
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise UsageError(f"{file} is no text in UTF-8: byte {problem.start}.", "A question is text.") from problem
