"""Documentation of a declaration, or a reference to one, in; the edits that let it follow new parameters out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codecortex.editing.refactoring.edits import Edit
from codecortex.editing.refactoring.signatures.change import Added, NotPossibleError, read_mode
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from codecortex.editing.refactoring.declarations import Extent
    from codecortex.editing.refactoring.signatures.change import Item, Parameter

_TAG = rb"<param\s+name\s*=\s*[\"']%b[\"']\s*(?:/>|>.*?</param>)"
_NAMED = rb"<paramref\s+name\s*=\s*[\"']%b[\"']"
_LIST = compile_later(rb"\s*(?:\{[^\"'\n]*?\})?\s*\(")


def change_documentation(
    source: bytes, extent: Extent, parameters: Sequence[Parameter], items: Sequence[Item], said: str
) -> Iterator[Edit]:
    """The edits of the documentation of a declaration.

    Args:
        source: The text of the file.
        extent: The declaration.
        parameters: The parameters that there were.
        items: Those that there are.
        said: What is said of a new one; it is only said where others are documented.

    Raises:
        NotPossibleError: It speaks of a parameter that goes.
    """
    first, last = extent.documentation, extent.start
    for number, each in enumerate(parameters):
        if number in items:
            continue
        if re.compile(_NAMED % re.escape(each.name.encode())).search(source, first, last):
            raise NotPossibleError(f"speaks of {each.name} in its documentation")
        found = re.compile(_TAG % re.escape(each.name.encode()), re.DOTALL).search(source, first, last)
        if found is not None:
            start = source.rfind(b"\n", 0, found.start()) + 1
            end = source.find(b"\n", found.end()) + 1
            alone = source[start : found.start()].strip() == b"///" and not source[found.end() : end].strip()
            yield Edit(start, end, "") if alone else Edit(found.start(), found.end(), "")
    for place, item in enumerate(items):
        if isinstance(item, Added):
            yield from _document(
                source, extent, (parameters, items[:place]), f'<param name="{item.name}">{said}</param>'
            )


def _document(
    source: bytes, extent: Extent, before: tuple[Sequence[Parameter], Sequence[Item]], text: str
) -> Iterator[Edit]:
    """What is said of a new parameter, behind what is said of those before it."""
    parameters, items = before
    names = [parameters[each].name for each in items if isinstance(each, int)]
    for name in reversed(names):
        found = re.compile(_TAG % re.escape(name.encode()), re.DOTALL).search(
            source, extent.documentation, extent.start
        )
        if found is not None:
            line = source[source.rfind(b"\n", 0, found.start()) + 1 : found.start()].decode()
            if line.strip() == "///":
                yield Edit(found.end(), found.end(), f"\n{line}{text}")
            return
    named = re.compile(_TAG % rb"\w+", re.DOTALL).search(source, extent.documentation, extent.start)
    if named is not None and not names:
        line = source[source.rfind(b"\n", 0, named.start()) + 1 : named.start()].decode()
        if line.strip() == "///":
            yield Edit(named.start(), named.start(), f"{text}\n{line}")


def change_reference(source: bytes, end: int, items: Sequence[Item]) -> Edit | None:
    """The edit of a documentation reference that names the types of parameters; None of one that does not.

    Args:
        source: The text.
        end: Where the name of the member ends.
        items: The parameters afterwards.
    """
    opening = _LIST.match(source, end)
    if opening is None:
        return None
    start = opening.end()
    parts, depth, at = [], 0, start
    for place in range(start, min(len(source), start + 2000)):
        sign = chr(source[place])
        if (sign == ")" and not depth) or (sign == "," and not depth):
            parts.append(source[at:place].decode().strip())
            at = place + 1
            if sign == ")":
                break
        depth += {"{": 1, "[": 1, "(": 1, "}": -1, "]": -1, ")": -1}.get(sign, 0)
    written = [_write_type(each) if isinstance(each, Added) else parts[each] for each in items
               if isinstance(each, Added) or each < len(parts)]  # fmt: skip
    return Edit(start, at - 1, ", ".join(written))


def _write_type(added: Added) -> str:
    mode = read_mode(added.text)
    return f"{mode} {added.type.replace('<', '{').replace('>', '}').rstrip('?')}".lstrip()
