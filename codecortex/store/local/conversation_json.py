"""Reads and writes the file of a conversation: one round a line; files, named once, are numbers in rounds."""

from __future__ import annotations

import json
from decimal import Decimal, DecimalException
from itertools import starmap
from math import isfinite
from typing import TYPE_CHECKING, Any, TypeVar

from codecortex.model.conversations import (
    NOTHING,
    Action,
    Conversation,
    ConversationAnswer,
    InheritedFile,
    Round,
    RoundSummary,
    ShownFile,
    SourceState,
    Spent,
    is_conversation_name,
)
from codecortex.model.errors import StoreFormatError
from codecortex.model.startup.patterns import compile_later
from codecortex.store.local.local_json import SCHEMA_VERSION, read_object

if TYPE_CHECKING:
    from collections.abc import Iterable

_T = TypeVar("_T")
_KIND = "conversation"
_COMMIT = compile_later("[0-9a-f]{40}|[0-9a-f]{64}|")
_HINT = "Move the file away; a copy that `conversation save` or `compact` made can be loaded with `conversation load`."


def encode_conversation(name: str, conversation: Conversation) -> bytes:
    """The bytes of a conversation's file."""
    numbers: dict[tuple[str, str], int] = {}

    def number(path: str, blob: str = "") -> int:
        return numbers.setdefault((path, blob), len(numbers))

    def write_round(each: Round) -> dict[str, Any]:
        row = each._asdict()
        row["named"] = [number(path) for path in each.named]
        row["edited"] = [number(path) for path in each.edited]
        row["inherited"] = [(number(file.path), file.added) for file in each.inherited]
        row["shown"] = [
            (number(path, blob), members) if members else number(path, blob) for path, blob, members in each.shown
        ]
        row["answer"] = _write_answer(each.answer) if each.answer is not None else None
        actions = row.pop("actions")
        return row | ({"actions": [action._asdict() for action in actions]} if actions else {})

    rounds = [write_round(each) for each in conversation.rounds]
    state = conversation.state
    changed = [number(path, blob) for path, blob in sorted(state.changed.items())]
    head = {"schemaVersion": SCHEMA_VERSION, "kind": _KIND, "name": name, "head": state.head, "changed": changed}
    head |= _write_spent(conversation.spent)
    text = f'{_write(head)[:-1]},\n"files":{_write(list(numbers))}'
    for key, rows in (("compacted", [each._asdict() for each in conversation.compacted]), ("rounds", rounds)):
        text += f',\n"{key}":[' + ",".join(f"\n{_write(row)}" for row in rows) + "]"
    return f"{text}}}\n".encode()


def _write_answer(answer: ConversationAnswer) -> dict[str, Any]:
    row = answer._asdict()
    del row["spent"]
    return row | _write_spent(answer.spent)


def _write_spent(spent: Spent) -> dict[str, Any]:
    return {"spent": spent.as_json()} if spent != NOTHING else {}


def _write(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def decode_conversation(data: bytes, path: str) -> tuple[str, Conversation]:
    """The name that a conversation had when it was written, and the conversation.

    Args:
        data: The file's bytes.
        path: What the file is called in messages.

    Raises:
        StoreFormatError: `encode_conversation` did not write this, or not all of it is there.
        NewerFormatError: A newer codecortex wrote it.
    """
    # Only an escape can be half a character, and `encode_conversation` writes none: the check would take half the time.
    root = read_object(data, path, _HINT, halves=b"\\ud" not in data.lower())
    try:
        if root["kind"] != _KIND or root["schemaVersion"] != SCHEMA_VERSION:
            raise ValueError(root["kind"])  # noqa: TRY301 - one road for all damage
        return _read(root)
    except (ValueError, TypeError, KeyError, AttributeError, IndexError, OverflowError, DecimalException) as problem:
        raise StoreFormatError(f"{path}: this is no conversation that codecortex wrote.", _HINT) from problem


def _read(root: dict[str, Any]) -> tuple[str, Conversation]:
    name = _of(root["name"], str)
    if not is_conversation_name(name):
        raise ValueError(name)
    files = [(_of(path, str), _of(blob, str)) for path, blob in root["files"]]
    shown = list(starmap(ShownFile, files))
    rounds = tuple(_read_round(row, shown) for row in root["rounds"])
    compacted = tuple(
        RoundSummary(
            _of(row["number"], int), _of(row["question"], str), _of(row["decision"], str), _read_texts(row["files"])
        )
        for row in root["compacted"]
    )
    numbers = [*(each.number for each in compacted), *(each.number for each in rounds)]
    if any(one >= other for one, other in zip([0, *numbers], numbers, strict=False)):
        raise ValueError(numbers)
    changed = {file.path: file.blob for file in (_find(shown, number) for number in root["changed"])}
    head = _of(root["head"], str)
    if not _COMMIT.fullmatch(head):  # git is asked about it
        raise ValueError(head)
    state = SourceState(head, changed)
    return name, Conversation(rounds, compacted, state, _read_spent(root))


def _read_round(row: dict[str, Any], files: list[ShownFile]) -> Round:
    return Round(
        number=_of(row["number"], int),
        question=_of(row["question"], str),
        time=_of(row["time"], int),
        head=_of(row["head"], str),
        mentioned=_read_texts(row["mentioned"]),
        named=tuple(_find(files, number).path for number in row["named"]),
        edited=tuple(_find(files, number).path for number in row["edited"]),
        inherited=tuple(
            InheritedFile(_find(files, number).path, _read_figure(added)) for number, added in row["inherited"]
        ),
        shown=tuple(_find(files, each) if type(each) is int else _read_shown(files, *each) for each in row["shown"]),
        budget=_of(row["budget"], int),
        tokens=_of(row["tokens"], int),
        quality={_of(key, str): _read_figure(figure) for key, figure in row["quality"].items()},
        answer=_read_answer(row["answer"]) if row["answer"] is not None else None,
        ended=_of(row["ended"], int),
        actions=tuple(map(_read_action, row.get("actions", ()))),  # older files have none
    )


def _read_shown(files: list[ShownFile], number: object, members: object) -> ShownFile:
    named = _of(members, dict)
    if not all(type(name) is str for name in named.values()):
        raise TypeError(named)
    return _find(files, number)._replace(members=named)


def _read_answer(row: dict[str, Any]) -> ConversationAnswer:
    return ConversationAnswer(
        _of(row["text"], str),
        _read_texts(row["files"]),
        _read_texts(row["symbols"]),
        _of(row["time"], int),
        _read_spent(row),
    )


def _read_spent(row: dict[str, Any]) -> Spent:
    """What was spent; nothing in older files."""
    if "spent" not in row:
        return NOTHING
    told = row["spent"]
    cost = Decimal(_of(told["cost"], str)) if told["cost"] is not None else None
    if cost is not None and not cost.is_finite():
        raise ValueError(cost)
    return Spent(_of(told["tokensIn"], int), _of(told["tokensOut"], int), cost)


def _read_action(row: dict[str, Any]) -> Action:
    return Action(_of(row["what"], str), _of(row["where"], str), _of(row["outcome"], str), _of(row["text"], str))


def _read_texts(rows: Iterable[Any]) -> tuple[str, ...]:
    return tuple(_of(row, str) for row in _of(rows, list))


def _find(files: list[ShownFile], number: object) -> ShownFile:
    place = _of(number, int)
    if place < 0:
        raise IndexError(place)
    return files[place]


def _read_figure(value: object) -> float:
    if (type(value) is int or type(value) is float) and isfinite(value):
        return float(value)
    raise TypeError(value)


def _of(value: object, kind: type[_T]) -> _T:
    """The value, if it is of exactly that type."""
    if type(value) is not kind:
        raise TypeError(value)
    return value
