"""`codecortex semantic next`, and `put` with a prompt's id: an agent writes the notes."""

from __future__ import annotations

import click

from codecortex.cli.options import Context, json_option, print_answer
from codecortex.model.startup.named_tuple import NamedTuple


class Answer(NamedTuple):
    """What is handed in: id of the prompt, answer, its origin (for messages), and name of who answers."""

    prompt_id: str
    data: bytes
    source: str
    generator: str


@click.command("next")
@click.argument("symbol", default="")
@json_option
@click.pass_obj
def next_(context: Context, /, symbol: str, *, as_json: bool) -> None:
    """Print the prompt for the most urgent note, under an id.

    Hand the answer in with `codecortex semantic put ID`. Called again before that, it gives another note while there
    are any. SYMBOL asks for the note of one type or group, or for those of a pattern.
    """
    from codecortex.operations.generation.agent import ask_next

    print_answer(context, {}, lambda workspace: ask_next(workspace, symbol), as_json=as_json)


def hand_in(context: Context, answer: Answer, *, as_json: bool) -> None:
    """Write the note from an answer, and report it."""
    from codecortex.model.errors import StoreFormatError
    from codecortex.operations.generation.agent import take_answer

    try:
        text = answer.data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = answer.data.count(b"\n", 0, problem.start) + 1
        raise StoreFormatError(f"{answer.source}:{line}: not UTF-8", "Hand the answer in as UTF-8.") from problem
    prompt_id, generator = answer.prompt_id, answer.generator
    print_answer(context, {}, lambda workspace: take_answer(workspace, prompt_id, text, generator), as_json=as_json)
