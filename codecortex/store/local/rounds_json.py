"""Reads and writes the rounds of an investigation under way, so that it goes on where it was ended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.store.local.local_json import read_rows, write_object

if TYPE_CHECKING:
    from collections.abc import Mapping

_HINT = "Remove it: the investigation then begins anew."


class Rounds(NamedTuple):
    """An investigation under way.

    Attributes:
        question: The question, as one line.
        scope: The symbols that it is narrowed to.
        budget: Tokens of the first context, and of what each further round shows.
        update: Whether it goes on from an answer that does not hold any more.
        asked: For each round so far, what was asked for, a line each.
        prompt: The id of the prompt that an agent was given last; else empty.
    """

    question: str
    scope: tuple[str, ...]
    budget: int
    update: bool = False
    asked: tuple[tuple[str, ...], ...] = ()
    prompt: str = ""


def encode_rounds(rounds: Rounds) -> bytes:
    """The bytes of the file."""
    return write_object(rounds._asdict())


def decode_rounds(data: bytes, path: str) -> Rounds:
    """The rounds in a file.

    Raises:
        StoreFormatError: It is damaged.
        NewerFormatError: A newer codecortex wrote it.
    """
    return read_rows(data, path, _read, wrong="not the rounds of an investigation", hint=_HINT)


def _read(root: Mapping[str, Any]) -> Rounds:
    asked = tuple(tuple(map(_read_text, each)) for each in root["asked"])
    scope = tuple(map(_read_text, root["scope"]))
    budget = root["budget"]
    if type(budget) is not int or budget < 1:
        raise ValueError(budget)
    return Rounds(
        _read_text(root["question"]), scope, budget, root["update"] is True, asked, _read_text(root["prompt"])
    )


def _read_text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value
