"""The text of a batch in; its edits out: a JSON list, or an object on each line."""

from __future__ import annotations

import json

from codecortex.model.errors import CodecortexError, UsageError
from codecortex.operations.refactoring.batches.verbs import Step, make_step

_EXAMPLE = 'An edit is {"verb": "rename", "symbol": "Store.Find", "name": "Look"}.'
MOST_EDITS = 1000


def read_batch(text: str, name: str) -> tuple[Step, ...]:
    """The edits of a batch.

    Args:
        text: JSON.
        name: What the text is called in messages: a path, or `-` for stdin.

    Raises:
        UsageError: It is not JSON, or an edit is not what a verb takes; the message has its line or its number.
    """
    rows = _read_rows(text, name)
    if not rows:
        raise UsageError(f"{name} has no edits.", _EXAMPLE)
    if len(rows) > MOST_EDITS:
        raise UsageError(f"{name} has {len(rows)} edits; {MOST_EDITS} are made at most.", "Make several batches.")
    steps = []
    for number, row in enumerate(rows, 1):
        if not isinstance(row, dict):
            raise UsageError(f"{name}: edit {number} is no object.", _EXAMPLE)
        try:
            steps.append(make_step(row.get("verb"), {each: row[each] for each in row if each != "verb"}))
        except CodecortexError as problem:
            raise UsageError(f"{name}: edit {number}: {problem.message}", problem.hint) from problem
    return tuple(steps)


def _read_rows(text: str, name: str) -> list[object]:
    try:
        if text.lstrip().startswith("["):
            found = json.loads(text)
            return found if isinstance(found, list) else [found]
    except (ValueError, RecursionError) as problem:
        raise UsageError(f"{name} is not JSON: {problem}.", _EXAMPLE) from problem
    rows = []
    for number, line in enumerate(text.split("\n"), 1):
        try:
            rows += [json.loads(line)] if line.strip() else []
        except (ValueError, RecursionError) as problem:
            raise UsageError(f"{name}:{number} is not JSON: {problem}.", _EXAMPLE) from problem
    return rows
