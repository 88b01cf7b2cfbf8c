"""A symbol in; its declaration in the text of a file out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codecortex.editing.refactoring.declarations import Extent, find_declared, list_declared, measure, name_names
from codecortex.model.errors import UsageError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later
from codecortex.model.text.columns import find_offset
from codecortex.operations.catalog.declared_types import read_plain_types
from codecortex.operations.queries.named_files import find_source
from codecortex.operations.queries.resolve import find_one, read_query
from codecortex.operations.refactoring.pipeline import find_symbols, read_draft, read_tree, refuse_left_out
from codecortex.operations.refactoring.results import EditRefusedError
from codecortex.symbols.members import name_member

if TYPE_CHECKING:
    from codecortex.editing.drafts import Draft
    from codecortex.model.code.catalog import TypeEntry
    from codecortex.model.code.syntax import Node
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.symbols.hits import Hit

_AT_LINE = compile_later(r"(.+\.(?:cs|csx)):([0-9]{1,7})(?::([0-9]{1,7}))?", re.IGNORECASE)


class DeclaredAt(NamedTuple):
    """A declaration.

    Attributes:
        name: The symbol, for people.
        path: Its file.
        draft: What the file says.
        source: The same as bytes that offsets count in.
        extent: Where in it the declaration stands.
        symbols: The preprocessor symbols that the file was read under.
    """

    name: str
    path: str
    draft: Draft
    source: bytes
    extent: Extent
    symbols: frozenset[str]

    @property
    def where(self) -> str:
        """File and line, for people."""
        line = self.source.count(b"\n", 0, self.extent.start) + 1
        return f"{self.path}:{line}"


def find_place(workspace: Workspace, symbol: str) -> DeclaredAt:
    """Where the one symbol that a text means is declared; the text may also be `FILE:LINE` or `FILE:LINE:COLUMN`.

    Raises:
        SymbolNotFoundError: It matches nothing.
        AmbiguousSymbolError: It matches several symbols.
        UsageError: It is malformed.
        EditRefusedError: It has no declaration of its own, or several.
    """
    placed = _AT_LINE.fullmatch(symbol)
    if placed is not None:
        return _find_at(workspace, placed)
    hit = find_one(workspace, read_query(symbol))
    if hit.entry is None:
        raise UsageError(f"{symbol!r} is a namespace.", "Name a type or a member.")
    return _find_declared(workspace, hit.entry, *_find_facts(workspace, hit))


def read_path(written: str) -> str:
    """The path of a source that an edit may make.

    Raises:
        UsageError: It lies outside of the repository, or is no source.
    """
    path = written.replace("\\", "/").removeprefix("./")
    parts = path.split("/")
    if not path.lower().endswith(".cs") or path.startswith("/") or ":" in parts[0] or {"..", "", ".git"} & {*parts}:
        raise UsageError(f"{written} is no source of this repository.", "Give a path from its root that ends in .cs.")
    return path


def find_type(workspace: Workspace, symbol: str) -> tuple[TypeEntry, DeclaredAt | None]:
    """The one type that a text means; and the declaration of it, where the text is the place of one.

    Raises:
        SymbolNotFoundError: It matches nothing.
        AmbiguousSymbolError: It matches several types.
        UsageError: It is no type.
        EditRefusedError: Its declaration cannot be told apart.
    """
    placed = _AT_LINE.fullmatch(symbol)
    if placed is None:
        hit = find_one(workspace, read_query(symbol))
        if hit.entry is None or hit.member is not None:
            raise UsageError(f"{symbol!r} is no type.", "Name a type, or the place of one.")
        return hit.entry, None
    place = _find_at(workspace, placed)
    for each in workspace.catalog.types:
        if place.path in each.files and each.simple_name == place.name:
            parts = find_parts(workspace, each)
            if any((part.path, part.extent.start) == (place.path, place.extent.start) for part in parts):
                return each, place
    raise UsageError(f"{place.where} declares no type.", "Name a type, or the place of one.")


def find_parts(workspace: Workspace, entry: TypeEntry) -> list[DeclaredAt]:
    """The declarations of a type.

    Raises:
        EditRefusedError: One of them cannot be edited.
    """
    merged = read_plain_types(workspace.inputs, workspace.catalog, (entry.id,)).get(entry.id)
    if merged is None:
        raise EditRefusedError(f"The files of {entry.display} cannot be read.", "Run the command again.")
    places = [(each.path, (each.facts.line, each.facts.column)) for each in merged.parts if not each.facts.implicit]
    return [_find_declared(workspace, entry, entry.display, *each) for each in places]


def _find_declared(
    workspace: Workspace, entry: TypeEntry, name: str, path: str, position: tuple[int, int]
) -> DeclaredAt:
    """The declaration of a symbol that begins at a line and a column."""
    symbols = next((each.symbols for each in workspace.projects if each.path == entry.project), frozenset())
    draft = read_draft(workspace, path)
    source = draft.shown.encode()
    root = read_tree(path, draft, symbols).root
    line, column = position
    begin = _find_line(source, line)
    head = begin + find_offset(source[begin:], column - 1)
    return _make(name, path, draft, find_declared(root, head), symbols)


def _find_facts(workspace: Workspace, hit: Hit) -> tuple[str, str, tuple[int, int]]:
    """The name of a symbol, and where it is declared."""
    entry = hit.entry
    if entry is None:
        raise UsageError(f"{hit.name} is a namespace.", "Name a type or a member.")
    merged = read_plain_types(workspace.inputs, workspace.catalog, (entry.id,)).get(entry.id)
    if merged is None:
        raise EditRefusedError(f"The files of {entry.display} cannot be read.", "Run the command again.")
    if hit.member is not None:
        member = merged.members[hit.member.number]
        name = name_member(entry, hit.member)
        if member.facts.implicit or member.facts.primary or member.facts.kind == "invoke":
            hint = f"Edit {member.path}:{member.facts.line} with `codecortex edit replace`."
            raise EditRefusedError(f"{name} has no declaration of its own.", hint)
        return name, member.path, (member.facts.line, member.facts.column)
    parts = [part for part in merged.parts if not part.facts.implicit]
    if len(parts) != 1:
        rows = ", ".join(f"{part.path}:{part.facts.line}" for part in parts[:5])
        problem = f"is declared in {len(parts)} parts" if parts else "has no declaration of its own"
        raise EditRefusedError(f"{entry.display} {problem}.", f"Name one by its place: {rows}." if rows else "")
    return entry.display, parts[0].path, (parts[0].facts.line, parts[0].facts.column)


def _find_at(workspace: Workspace, placed: re.Match[str]) -> DeclaredAt:
    """The innermost declaration around a place."""
    path = find_source(workspace, placed[1])
    if path is None:
        raise UsageError(f"No source of this tree is called {placed[1]}.", "Name it as git lists it.")
    symbols = find_symbols(workspace, path)
    draft = read_draft(workspace, path)
    source = draft.shown.encode()
    root = read_tree(path, draft, symbols).root
    begin = _find_line(source, int(placed[2]))
    if begin > len(source):
        raise UsageError(f"{path} has no line {placed[2]}.", "Lines count from 1.")
    text = source[begin:].partition(b"\n")[0]
    place = begin + (find_offset(text, int(placed[3]) - 1) if placed[3] else len(text) - len(text.lstrip()))
    refuse_left_out(placed[0], source, symbols, place)
    around = [each for each in list_declared(root) if measure(each, source).first <= place < each.end]
    found = min(around, key=lambda each: each.end - each.start, default=None)
    name = ".".join(name_names(found)) if found is not None else ""
    return _make(name or placed[0], path, draft, found, symbols)


def _find_line(source: bytes, line: int) -> int:
    """Where a line begins, from 1; behind the end of the text where it has fewer."""
    begin = 0
    for _ in range(line - 1):
        begin = source.find(b"\n", begin) + 1
        if not begin:
            return len(source) + 1
    return begin


def _make(name: str, path: str, draft: Draft, node: Node | None, symbols: frozenset[str]) -> DeclaredAt:
    if node is None:
        hint = "`codecortex edit replace` edits it by its text."
        raise EditRefusedError(f"The declaration of {name} cannot be told apart in {path}.", hint)
    source = draft.shown.encode()
    return DeclaredAt(name, path, draft, source, measure(node, source), symbols)
