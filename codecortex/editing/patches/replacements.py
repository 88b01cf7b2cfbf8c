"""A list of replacements as JSON: `[{"file": ..., "old": ..., "new": ..., "in": SYMBOL}]`, `in` where it is wanted."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from codecortex.editing.patches.values import FilePatch, PatchError, Replacement

if TYPE_CHECKING:
    from codecortex.editing.patches.values import Stage

_NEEDED, _OTHERS = ("file", "old", "new"), ("in",)


def read_replacements(text: str) -> tuple[Stage, ...]:
    """A stage for each replacement: each is made on what the ones before it lead to.

    Raises:
        PatchError: It is no such list.
    """
    try:
        items = json.loads(text.encode("utf-8", "surrogateescape"))
    except UnicodeDecodeError as problem:
        raise PatchError(f"The list is not UTF-8 at byte {problem.start}.") from problem
    except json.JSONDecodeError as problem:
        raise PatchError(f"Line {problem.lineno} is no JSON: {problem.msg}.") from problem
    except RecursionError as problem:
        raise PatchError("The list is nested too deeply.") from problem
    if not items:
        raise PatchError("The list of replacements is empty.")
    return tuple((_read_item(number, item),) for number, item in enumerate(items, start=1))


def _read_item(number: int, item: object) -> FilePatch:
    if not isinstance(item, dict):
        raise PatchError(f"Item {number} is no object with {', '.join(_NEEDED)}.")
    for name in _NEEDED:
        if name not in item:
            raise PatchError(f"Item {number} has no {name!r}.")
    for name, value in item.items():
        if name not in (*_NEEDED, *_OTHERS):
            raise PatchError(f"Item {number} has {name!r}; expected {', '.join((*_NEEDED, *_OTHERS))}.")
        if not isinstance(value, str):
            raise PatchError(f"Item {number}: {name!r} is no text.")
    if not item["old"]:
        raise PatchError(f"Item {number}: the text to look for is empty.")
    replacement = Replacement(item["old"], item["new"], item.get("in"))
    return FilePatch(number, item["file"], item["file"], replacement=replacement)
