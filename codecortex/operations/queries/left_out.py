"""Finds a name in code that no project compiles, since `#if` leaves it out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codecortex.model.startup.patterns import compile_later
from codecortex.operations.queries.usage_sources import SourceSearch
from codecortex.parsing.csharp.conditional import apply_conditions
from codecortex.parsing.decode import decode_source
from codecortex.parsing.occurrences.find import find_inactive

if TYPE_CHECKING:
    from collections.abc import Sequence

    from codecortex.operations.catalog.workspace import Workspace

HINT = "--define or --tfm reads it."
"""What shows code that is not compiled."""
_DECLARING = compile_later(r"\b(?:class|struct|interface|enum|record|delegate)\s")
_DIRECTIVE = compile_later(rb"^\s*#\s*(if|elif|else|endif)\b([^\n/]*)", re.MULTILINE)


def tell_left_out(workspace: Workspace, names: Sequence[str]) -> str:
    """A sentence about where the last of some names stands in code that is not compiled; empty where it does not.

    Args:
        workspace: The tree.
        names: The parts of a name; files that lack one of them do not count.
    """
    sources = SourceSearch(workspace)
    paths, _ = sources.find(names[-1:])
    spots = []
    for content in sources.read(sorted(paths)):
        path, data = content.entry.path, content.data or b""
        symbols = {each.symbols for each in sources.projects_of(path)}
        found = find_inactive(data, symbols, names[-1]) if all(each.encode() in data for each in names) else ()
        spots += [(not _DECLARING.search(spot.snippet), path, spot, data) for spot in found]
    if not spots:
        return ""
    _, path, spot, data = min(spots, key=lambda each: each[:2])
    directive = _find_directive(decode_source(data), spot.start)
    return f"It stands in {path}:{spot.line}, which is not compiled ({directive}): {HINT}"


def find_directive(source: bytes, symbols: frozenset[str], place: int) -> str:
    """The directive that leaves a place of a source out, such as `#if DEBUG`; empty where the place is compiled."""
    active = apply_conditions(source, symbols).text[place : place + 1] == source[place : place + 1]
    return "" if active else _find_directive(source, place)


def _find_directive(source: bytes, place: int) -> str:
    """The directive that opens the innermost branch around a place."""
    inner = 0
    for match in reversed(list(_DIRECTIVE.finditer(source, 0, place))):
        word = match[1].decode()
        if word == "endif":
            inner += 1
        elif not inner:
            return f"#{word}{match[2].decode('utf-8', 'replace').rstrip()}"
        elif word == "if":
            inner -= 1
    return "#if"
