"""Reads types as their own files declare them, their outlines and their source text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codecortex.analysis.types.outline import OutlineStyle, write_outline
from codecortex.model.errors import GitStateError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.catalog import declared_types as declared
from codecortex.operations.reading.hashes import add_hashes
from codecortex.operations.request import Count

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from codecortex.analysis.changes.states import TypeAt
    from codecortex.model.code.types import TypeId
    from codecortex.operations.catalog.workspace import Workspace

_BRACKETS = (("[", "]"), ("/**", "*/"))
"""The opening and closing marks of an attribute list, and of a documentation comment."""

_MOST_ABOVE = 200
"""The most lines of one attribute list or comment."""


class Excerpt(NamedTuple):
    """Lines of a source file; `line` and `end_line` count from 1."""

    path: str
    line: int
    end_line: int
    text: str

    def as_json(self) -> dict[str, Any]:
        """The excerpt as JSON values."""
        return {"file": self.path, "line": self.line, "endLine": self.end_line, "text": self.text}

    def as_text(self) -> str:
        """The excerpt below a line with its path and line numbers."""
        return f"{self.path}:{self.line}-{self.end_line}\n{self.text}"


def read_declared(workspace: Workspace, type_id: TypeId) -> TypeAt:
    """A type of the catalog with its members, nested types and fingerprints.

    Raises:
        GitStateError: Its files cannot be read.
    """
    found = read_types(workspace, (type_id,)).get(type_id)
    if found is None:
        entry = workspace.catalog.by_id[type_id]
        raise GitStateError(f"{', '.join(entry.files)} cannot be read, so nothing is known of {entry.fqn}.")
    return found


def read_types(workspace: Workspace, type_ids: Iterable[str | None]) -> dict[TypeId, TypeAt]:
    """Those of the types that exist and whose files can be read, each with its nested types and fingerprints."""
    return declared.read_types(workspace.inputs, workspace.catalog, type_ids, lambda: workspace.meanings)


def write_type_outline(workspace: Workspace, type_id: TypeId) -> str:
    """The outline of a type, exactly as a refresh writes it.

    Raises:
        GitStateError: Its files cannot be read.
    """
    found = read_declared(workspace, type_id)
    text = write_plain_outline(workspace, found)
    return add_hashes(text, found.prints) if workspace.tree.config.outline.hashes else text


def write_plain_outline(workspace: Workspace, found: TypeAt, style: OutlineStyle | None = None) -> str:
    """The outline of a type without its fingerprints; without a style as it is committed."""
    merged = found.type
    assembly, links = workspace.catalog.by_id[merged.id].assembly, workspace.graph.links_of(merged.id)
    workspace.request.tally(Count.OUTLINES, 1)
    return write_outline(merged, assembly, found.nested, links, style or OutlineStyle())


def read_source(workspace: Workspace, spans: Sequence[tuple[str, int, int]]) -> tuple[Excerpt, ...]:
    """The source lines of declarations, each with the documentation and the attributes directly above it.

    Args:
        workspace: The tree.
        spans: For each declaration the path, its first line after its attributes, and its last line.

    Raises:
        GitStateError: A file cannot be read.
    """
    from codecortex.git.contents import read_contents
    from codecortex.parsing.decode import decode_source

    lines: dict[str, list[str]] = {}
    paths = dict.fromkeys(path for path, _, _ in spans)
    for content in read_contents(workspace.repository, [workspace.tree.sources.sources[path] for path in paths]):
        if content.data is None:
            raise GitStateError(f"{content.entry.path} cannot be read: {content.problem}.")
        lines[content.entry.path] = decode_source(content.data).decode("utf-8", "replace").split("\n")
    excerpts = []
    for path, line, end in spans:
        first = find_head(lines[path], line)
        excerpts.append(Excerpt(path, first, end, "\n".join(lines[path][first - 1 : end])))
    return tuple(excerpts)


def find_head(lines: Sequence[str], line: int) -> int:
    """The first line of the documentation and the complete attribute lists directly above a line; from 1."""
    while line > 1:
        above = lines[line - 2].strip()
        first = line - 1 if above.startswith("///") else 0
        for opening, closing in _BRACKETS:
            if above.endswith(closing):
                first = _find_opening(lines, line - 1, opening, closing)
        if not first:
            break
        line = first
    return line


def _find_opening(lines: Sequence[str], last: int, opening: str, closing: str) -> int:
    """The line where the text that ends in line `last` begins: the nearest with balanced marks; 0 if there is none."""
    depth = 0
    for number in range(last, max(0, last - _MOST_ABOVE), -1):
        text = lines[number - 1].strip()
        depth += text.count(closing) - text.count(opening)
        if depth <= 0:
            return number if depth == 0 and text.startswith(opening) else 0
        if number < last and (not text or text.endswith((";", "{", "}"))):
            return 0
    return 0
