"""Finds the source that a user names by its path."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.model.errors import SymbolNotFoundError
from codecortex.operations.reading.places import place_path
from codecortex.operations.reading.sources import SOURCE_SUFFIXES
from codecortex.symbols.near import suggest_paths

if TYPE_CHECKING:
    from codecortex.operations.catalog.workspace import Workspace


def find_source(workspace: Workspace, text: str) -> str | None:
    """The source that a text names, as git lists it or from where the user stands; None where it names none.

    Raises:
        SymbolNotFoundError: It looks like the path of a source, and there is none; near ones are suggested.
    """
    if not text.lower().endswith(SOURCE_SUFFIXES):
        return None
    sources = workspace.tree.sources.sources
    for path in (text.replace("\\", "/").removeprefix("./"), place_path(workspace.request, workspace.repository, text)):
        if path in sources:
            return path
    if "/" not in text and "\\" not in text:
        return None
    names = suggest_paths(text, list(sources))
    hint = f"Did you mean {', '.join(names)}?" if names else "`codecortex status` says which files are left out."
    raise SymbolNotFoundError(f"No source of this tree is called {text[:200]!r}.", hint, suggestions=names)
