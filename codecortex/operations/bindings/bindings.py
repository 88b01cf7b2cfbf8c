"""Tells what the names of files mean, or the one at a place."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Any

from codecortex.git.contents import read_contents
from codecortex.model.code.bindings import BindingRow
from codecortex.model.errors import UsageError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later
from codecortex.operations.bindings.kept import KeptBindings, describe_file, unpack_file
from codecortex.operations.bindings.memory import bind_deep
from codecortex.operations.bindings.sources import choose_project
from codecortex.operations.reading.places import place_path
from codecortex.operations.request import Count
from codecortex.parsing.decode import decode_source
from codecortex.parsing.occurrences.find import LineStarts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.references.report import ReferenceReport

_PLACE = compile_later(r"(.+?):(\d+):(\d+)")
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


class BoundFile(NamedTuple):
    """A file with its bindings, compressed: of a large tree there are millions, and a page of them is shown at a time.

    Attributes:
        path: Its path.
        source: Its text, compressed.
        packed: Its bindings, for `unpack_file`.
        places: Those that are asked for; none for all.
    """

    path: str
    source: bytes
    packed: bytes
    places: Sequence[Place]

    def make_rows(self) -> Iterator[BindingRow]:
        """The bindings that are asked for, by place."""
        bound = unpack_file(self.packed)
        starts = LineStarts(zlib.decompress(self.source))
        for start, binding in bound.bindings if bound is not None else ():
            declared = starts.find_place(binding.declared) if binding.declared >= 0 else None
            row = BindingRow(self.path, *starts.find_place(start), binding, declared)
            if not self.places or any(place.takes(row) for place in self.places):
                yield row


class Bindings(NamedTuple):
    """What names mean.

    Attributes:
        files: The files that are bound, by path.
        truncated: Files in which something nests too deep to be bound.
        degraded: Files that were parsed only in part or not at all, with the reason.
        unread: Files that could not be read, with the reason.
        references: How much is known of what projects compile against.
    """

    files: tuple[BoundFile, ...]
    truncated: tuple[str, ...]
    degraded: tuple[tuple[str, str], ...]
    unread: tuple[tuple[str, str], ...]
    references: ReferenceReport

    @property
    def rows(self) -> Iterator[BindingRow]:
        """By file and place."""
        return (row for file in self.files for row in file.make_rows())

    def as_json(self) -> dict[str, Any]:
        """The bindings as JSON values, made one by one: there may be millions."""
        return {
            "bindings": map(_describe, self.rows),
            "truncated": list(self.truncated),
            "degraded": [{"file": path, "reason": reason} for path, reason in self.degraded],
            "unread": [{"file": path, "reason": reason} for path, reason in self.unread],
            "references": self.references.as_json(),
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
        lines += [] if lines else ["No names."]
        return "\n".join([*lines, *self.references.as_lines()])


def _describe(row: BindingRow) -> dict[str, Any]:
    binding = row.binding
    told = {
        "file": row.file,
        "line": row.line,
        "column": row.column,
        "name": binding.name,
        "symbol": binding.symbol or None,
        "label": binding.label,
        "role": binding.role,
        "why": binding.why or None,
    }
    if binding.local:
        told |= {"local": binding.local, "declared": _describe_place(row)}
    return told | {"of": binding.owner} if binding.owner else told


def _describe_place(row: BindingRow) -> dict[str, int] | None:
    return {"line": row.declared[0], "column": row.declared[1]} if row.declared is not None else None


def _write(row: BindingRow) -> str:
    binding = row.binding
    why = f": {binding.why}" if binding.why else ""
    meaning = binding.symbol or (f"a {binding.local}" if binding.local else "unknown")
    meaning += f" of {binding.owner}" if binding.owner else ""
    return f"{binding.name + ' ' if binding.name else ''}{meaning} ({binding.role}, {binding.label}{why})"


def bindings(workspace: Workspace, targets: Sequence[str]) -> Bindings:
    """Bind the names of files, of `FILE:LINE:COLUMN` the one there, of nothing those of all files.

    Raises:
        UsageError: None of the files is one of the tree's sources.
    """
    known = workspace.tree.sources.sources
    asked_for = [read_target(workspace, target) for target in targets] or [Place(path) for path in sorted(known)]
    places = [place for place in asked_for if place.file in known]
    strange = {place.file: _STRANGE for place in asked_for if place.file not in known}
    if strange and not places:
        raise UsageError(f"{min(strange)} is {_STRANGE}.", "Give the path of a .cs file from the root.")
    wanted = {place.file for place in places}
    with bind_deep():
        kept = KeptBindings(workspace, wanted)
        files: list[BoundFile] = []
        truncated: list[str] = []
        degraded: list[tuple[str, str]] = []
        unread = dict(strange)
        asked = _group(places)
        texts = _read(workspace, sorted(wanted & kept.plan.files.keys()), unread)
        keys = [(path, choose_project(path, kept.plan.files[path])) for path in sorted(texts)]
        for (path, _), packed in kept.bind_packed(keys, sizes={key: texts[key[0]].size for key in keys}):
            about = None if packed is None else describe_file(packed)
            if packed is None or about is None:
                unread[path] = kept.sources.unread.get(path, _STRANGE)
                continue
            whole = any(not place.line for place in asked[path])
            file = BoundFile(path, texts[path].packed, packed, () if whole else asked[path])
            files.append(file)
            truncated += [path] if about.truncated else []
            degraded += [(path, about.damaged)] if about.damaged else []
            workspace.request.tally(Count.HITS, about.total if whole else sum(1 for _ in file.make_rows()))
    report = kept.plan.assemblies.report
    return Bindings(tuple(files), tuple(truncated), tuple(degraded), tuple(sorted(unread.items())), report)


def _group(places: Iterable[Place]) -> Mapping[str, Sequence[Place]]:
    grouped: dict[str, list[Place]] = {}
    for place in places:
        grouped.setdefault(place.file, []).append(place)
    return grouped


def read_target(workspace: Workspace, target: str) -> Place:
    """A file, or a place in one, by its path from the root or from where the user stands."""
    known = workspace.tree.sources.sources
    match = None if target in known else _PLACE.fullmatch(target)
    path, line, column = (target, 0, 0) if match is None else (match[1], int(match[2]), int(match[3]))
    placed = None if path in known else place_path(workspace.request, workspace.repository, path)
    return Place(placed if placed in known else path, line, column)


class _Text(NamedTuple):
    """A text as bindings count in it, compressed, and its length before."""

    packed: bytes
    size: int


def _read(workspace: Workspace, paths: Iterable[str], unread: dict[str, str]) -> dict[str, _Text]:
    """The texts of files; what cannot be read is noted."""
    entries = workspace.tree.sources.sources
    texts = {}
    for content in read_contents(workspace.repository, [entries[path] for path in paths]):
        path = content.entry.path
        if content.data is None:
            unread[path] = str(content.problem)
        elif content.entry.blob != entries[path].blob:
            unread[path] = "edited while it was read"
        else:
            text = decode_source(content.data)
            texts[path] = _Text(zlib.compress(text, 1), len(text))
    return texts
