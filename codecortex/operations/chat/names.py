"""Finds the paths and symbols that complete what is typed behind `@` and `#`."""

from __future__ import annotations

import re
from heapq import nsmallest
from typing import TYPE_CHECKING

from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later
from codecortex.operations.catalog.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Iterable

    from codecortex.operations.request import Request

_MOST = 50
_ARGUMENTS = compile_later(r"<[^<>]*>")


class Names(NamedTuple):
    """What may be named: paths of sources, and types and members as `Type` and `Type.Member`."""

    paths: tuple[str, ...]
    symbols: tuple[str, ...]


def read_names(request: Request) -> Names:
    """The names of a tree."""
    with Workspace(request) as workspace:
        symbols: dict[str, None] = {}
        for each in workspace.catalog.types:
            name = _ARGUMENTS.sub("", each.display).rpartition(".")[2]
            symbols[name] = None
            symbols |= dict.fromkeys(f"{name}.{member.name}" for member in workspace.catalog.members_of(each.id))
        return Names(tuple(sorted(workspace.tree.sources.sources)), tuple(sorted(symbols)))


def complete(names: Iterable[str], typed: str) -> list[str]:
    """The names that a word completes to: those that begin with it, then those a part of which does."""
    wanted = typed.lower()
    part = re.compile(rf"(?:[/._]|(?<=[a-z0-9])(?=[A-Z])){re.escape(typed)}", re.IGNORECASE)

    def rank(name: str) -> tuple[int, int, str] | None:
        if name.lower().startswith(wanted):
            return 0, len(name), name
        return (1, len(name), name) if part.search(name) else None

    return [name for _, _, name in nsmallest(_MOST, filter(None, map(rank, names)))]
