"""Finds what a message names as `@path` or `#symbol`, so that it comes first among what is shown for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.context.retrieval.mentions import find_told
from codecortex.model.startup.patterns import compile_later
from codecortex.operations.context.index import open_index
from codecortex.operations.context.tests import select_product

if TYPE_CHECKING:
    from collections.abc import Iterable

    from codecortex.operations.catalog.workspace import Workspace

_NAMED = compile_later(r"(?:(?<=\s)|^)[@#]([^\s@#,;]+)")
_MOST = 50


def list_mentioned(text: str) -> tuple[str, ...]:
    """The words of a message behind `@` or `#`, without what ends a sentence there."""
    return tuple(dict.fromkeys(word for found in _NAMED.findall(text) if (word := found.rstrip(".:!?)"))))[:_MOST]


def split_known(workspace: Workspace, names: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Those of some names that a source, type or member that is ranked is called, and those that nothing is."""
    wanted = tuple(names)
    if not wanted:
        return (), ()
    index = open_index(workspace, select_product(workspace, sorted(workspace.tree.sources.sources)), "product")
    known = tuple(name for name in wanted if find_told(name, index.corpus, index.read_units))
    return known, tuple(name for name in wanted if name not in known)
