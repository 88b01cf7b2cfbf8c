"""Tells what the names of files mean, or the one at a place."""

from __future__ import annotations

import gc
import re
import sys
from bisect import bisect_right
from contextlib import contextmanager
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

from codecortex.model.code.bindings import BindingRow
from codecortex.model.errors import UsageError
from codecortex.operations.bindings.sources import declare_sources
from codecortex.operations.request import Count

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from codecortex.analysis.binding.bind import FileBindings
    from codecortex.operations.catalog.workspace import Workspace

_PLACE = re.compile(r"(.+?):(\d+):(\d+)")
_RECURSION = 20_000  # frames; the binder itself stops at a depth that needs less

_COLLECT_AFTER = 50_000  # new objects: a body makes and leaves thousands
_STRANGE = "none of the sources"


class Place(NamedTuple):
    """What is asked for: a file, or a place in it.

    Attributes:
        file: Its path.
        line: From 1; 0 for the whole file.
        column: From 1.
    """

    file: str
    line: int = 0
    column: int = 0

    def takes(self, row: BindingRow) -> bool:
        """Whether a row stands at the place."""
        if not self.line:
            return True
        length = max(len(row.binding.name), 1)
        return row.line == self.line and row.column <= self.column < row.column + length


class Bindings(NamedTuple):
    """What names mean.

    Attributes:
        rows: By file and place.
        truncated: Files in which something nests too deep to be bound.
        degraded: Files that were parsed only in part or not at all, with the reason.
        unread: Files that could not be read, with the reason.
    """

    rows: tuple[BindingRow, ...]
    truncated: tuple[str, ...]
    degraded: tuple[tuple[str, str], ...]
    unread: tuple[tuple[str, str], ...]

    def as_json(self) -> dict[str, Any]:
        """The bindings as JSON values."""
        return {
            "bindings": [_describe(row) for row in self.rows],
            "truncated": list(self.truncated),
            "degraded": [{"file": path, "reason": reason} for path, reason in self.degraded],
            "unread": [{"file": path, "reason": reason} for path, reason in self.unread],
        }

    def as_text(self) -> str:
        """The bindings as text: one line for each, below the name of its file."""
        lines: list[str] = []
        file = ""
        for row in self.rows:
            if row.file != file:
                lines.append(row.file)
                file = row.file
            lines.append(f"  {row.line}:{row.column}  {_write(row)}")
        lines += [f"{path}: not bound whole, since it nests too deep" for path in self.truncated]
        lines += [f"{path}: {reason}" for path, reason in (*self.degraded, *self.unread)]
        return "\n".join(lines) if lines else "No names."


def _describe(row: BindingRow) -> dict[str, Any]:
    binding = row.binding
    return {
        "file": row.file,
        "line": row.line,
        "column": row.column,
        "name": binding.name,
        "symbol": binding.symbol or None,
        "label": binding.label.value,
        "role": binding.role.value,
        "why": binding.why or None,
    }


def _write(row: BindingRow) -> str:
    binding = row.binding
    why = f": {binding.why}" if binding.why else ""
    meaning = binding.symbol or "unknown"
    return f"{binding.name + ' ' if binding.name else ''}{meaning} ({binding.role}, {binding.label}{why})"


def bindings(workspace: Workspace, targets: Sequence[str]) -> Bindings:
    """Bind the names of files, of `FILE:LINE:COLUMN` the one there, of nothing those of all files.

    Raises:
        UsageError: None of the files is one of the tree's sources.
    """
    known = workspace.tree.sources.sources
    asked_for = [_read_target(target, known) for target in targets] or [Place(path) for path in sorted(known)]
    places = [place for place in asked_for if place.file in known]
    strange = {place.file: _STRANGE for place in asked_for if place.file not in known}
    if strange and not places:
        raise UsageError(f"{min(strange)} is {_STRANGE}.", "Give the path of a .cs file from the root.")
    wanted = {place.file for place in places}
    with _bind_deep():
        sources = declare_sources(workspace, wanted)
        gc.freeze()  # what is declared stays: only the nodes of bodies come and go
        gc.enable()
        rows: list[BindingRow] = []
        truncated, degraded = [], []
        paths = sorted(wanted & sources.files.keys())
        for done, path in enumerate(paths, 1):
            file = sources.files[path]
            bound = sources.program.bind(file)
            found = list(_place(path, file.tree.source, bound))
            asked = [place for place in places if place.file == path]
            rows += [row for row in found if any(place.takes(row) for place in asked)]
            truncated += [path] if bound.truncated else []
            degraded += [(path, file.tree.damaged)] if file.tree.damaged else []
            workspace.request.progress("Binding names", done, len(paths))
    workspace.request.count(Count.HITS, len(rows))
    unread = {path: reason for path, reason in sources.unread.items() if path in wanted} | strange
    return Bindings(tuple(rows), tuple(truncated), tuple(degraded), tuple(sorted(unread.items())))


def _read_target(target: str, known: Mapping[str, object]) -> Place:
    match = None if target in known else _PLACE.fullmatch(target)
    return Place(target) if match is None else Place(match[1], int(match[2]), int(match[3]))


def _place(path: str, source: bytes, bound: FileBindings) -> Iterator[BindingRow]:
    find = _make_finder(source)
    return (BindingRow(path, *find(start), binding) for start, binding in bound.bindings)


def _make_finder(source: bytes) -> Callable[[int], tuple[int, int]]:
    """What tells the line and the column, from 1, of an offset."""
    starts = [0, *accumulate(map(len, source.splitlines(keepends=True)))]

    def find(offset: int) -> tuple[int, int]:
        line = bisect_right(starts, offset)
        return line, len(source[starts[line - 1] : offset].decode("utf-8", "replace")) + 1

    return find


@contextmanager
def _bind_deep() -> Iterator[None]:
    """Let calls nest as deep as sources do; nothing is collected until collecting is enabled again."""
    limit, collecting, thresholds = sys.getrecursionlimit(), gc.isenabled(), gc.get_threshold()
    sys.setrecursionlimit(max(limit, _RECURSION))
    gc.set_threshold(_COLLECT_AFTER, *thresholds[1:])
    gc.disable()
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
        gc.set_threshold(*thresholds)
        gc.unfreeze()
        (gc.enable if collecting else gc.disable)()
