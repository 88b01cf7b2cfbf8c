"""`codecortex semantic next`, and `put` with the id that it gave: an agent writes the notes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import click

from codecortex.cli.options import Context, json_option, make_request
from codecortex.cli.text import print_result

if TYPE_CHECKING:
    from codecortex.operations.request import Request


class Answer(NamedTuple):
    """What somebody hands in: the id of the prompt, the answer, where it comes from (for messages), who gives it."""

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
    from codecortex.operations.agent import ask_next
    from codecortex.operations.desk import Desk

    with Desk(make_request(context, {})) as desk:
        found = ask_next(desk, symbol)
    print_result(found, as_json=as_json)


def hand_in(request: Request, answer: Answer, *, as_json: bool) -> None:
    """Write the note that an answer to a prompt makes, and say so."""
    from codecortex.model.errors import StoreFormatError
    from codecortex.operations.agent import take_answer
    from codecortex.operations.desk import Desk

    try:
        text = answer.data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = answer.data.count(b"\n", 0, problem.start) + 1
        raise StoreFormatError(f"{answer.source}:{line}: not UTF-8", "Hand the answer in as UTF-8.") from problem
    with Desk(request) as desk:
        result = take_answer(desk, answer.prompt_id, text, answer.generator)
    print_result(result, as_json=as_json)
