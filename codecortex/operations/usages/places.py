"""Reads `FILE:LINE:COLUMN` as the symbol that the name there means."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codecortex.model.code.bindings import BindingLabel
from codecortex.model.errors import UsageError
from codecortex.model.startup.patterns import compile_later
from codecortex.operations.bindings.bindings import bindings, read_target
from codecortex.operations.queries.left_out import HINT, find_directive
from codecortex.operations.queries.usage_sources import SourceSearch
from codecortex.parsing.decode import decode_source
from codecortex.parsing.occurrences.find import LineStarts

if TYPE_CHECKING:
    from codecortex.operations.bindings.bindings import Place
    from codecortex.operations.catalog.workspace import Workspace

_PLACE = compile_later(r".+\.(?:cs|csx):[1-9][0-9]{0,6}:[1-9][0-9]{0,6}", re.IGNORECASE)
ELEMENT = compile_later(r"F:System\.ValueTuple\{.+\}\.\w+")
"""The documentation id of an element of a tuple."""


def read_symbol(workspace: Workspace, text: str, *, member: bool = False) -> str:
    """The documentation id of what the name at a place means; every other text as it is.

    Args:
        workspace: The tree.
        text: A symbol, or `FILE:LINE:COLUMN`.
        member: Whether a member is looked for: where a type is created, its constructor.

    Raises:
        UsageError: No name stands there, or it is not certain what it means, or that has no documentation id.
    """
    if not _PLACE.fullmatch(text):
        return text
    rows = bindings(workspace, [text]).rows
    found = sorted((each.binding for each in rows), key=lambda each: not each.name)
    if member:
        found.sort(key=lambda each: each.symbol.startswith("T:"))
    if not found:
        _refuse_left_out(workspace, text, read_target(workspace, text))
        raise UsageError(f"No name stands at {text}.", "Give the place of one of its letters, from line and column 1.")
    binding = found[0]
    if not binding.symbol:
        meaning = f"a {binding.local}" if binding.local else "not known"
        hint = "`codecortex bindings` tells what is known of the names of a file."
        raise UsageError(f"{binding.name} at {text} is {meaning}.", hint)
    if binding.label is not BindingLabel.EXACT:
        hint = f"It may be {binding.symbol}: {binding.why}. Name the symbol itself."
        raise UsageError(f"What {binding.name} means at {text} is not certain.", hint)
    if binding.project is None and not ELEMENT.fullmatch(binding.symbol):
        raise UsageError(f"{binding.symbol} is declared in a referenced assembly.", "Search for its name with grep.")
    return binding.symbol


def _refuse_left_out(workspace: Workspace, text: str, place: Place) -> None:
    sources = SourceSearch(workspace)
    for content in sources.read([place.file]):
        source = decode_source(content.data or b"")
        symbols = next((each.symbols for each in sources.projects_of(place.file)), frozenset())
        directive = find_directive(source, symbols, LineStarts(source).find((place.line, place.column)))
        if directive:
            raise UsageError(f"{text} is not compiled ({directive}).", HINT)
