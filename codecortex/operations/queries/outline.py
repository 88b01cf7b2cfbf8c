"""Outlines a symbol: a type, a member with its overloads, or a namespace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codecortex.analysis.types.outline import OutlineStyle, write_member_outline
from codecortex.model.errors import SymbolNotFoundError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.catalog.describe import read_declared, read_source, read_types, write_plain_outline
from codecortex.operations.catalog.fingerprints import prints_of
from codecortex.operations.notes.files import has_notes
from codecortex.operations.queries.index import describe_member, describe_type
from codecortex.operations.queries.named_files import find_source
from codecortex.operations.queries.resolve import find_overloads, read_query
from codecortex.operations.reading.hashes import add_hashes
from codecortex.operations.result import find_next

if TYPE_CHECKING:
    from collections.abc import Sequence

    from codecortex.analysis.changes.states import TypeAt
    from codecortex.model.code.catalog import MemberEntry, TypeEntry
    from codecortex.model.code.types import TypeId
    from codecortex.operations.catalog.describe import Excerpt
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.notes.texts import NoteText
    from codecortex.symbols.hits import Hit

_SCOPE = "`outline` takes one type, member or namespace: its name or the end of it, its id, or its documentation id."


class OutlineResult(NamedTuple):
    """The outline of a symbol.

    Attributes:
        fqn: FQN of the type, or of the type that declares the member; or the namespace.
        text: The outline as text.
        record: The outline and more as JSON values.
        redirected_from: The old name that led to it, or empty.
    """

    fqn: str
    text: str
    record: dict[str, Any]
    redirected_from: str = ""

    def as_json(self) -> dict[str, Any]:
        """The record."""
        return self.record

    def as_text(self) -> str:
        """The text, without a trailing line feed."""
        return self.text


class OutlineView(NamedTuple):
    """What an outline shows.

    Attributes:
        source: The text of the declarations too.
        members: Of a type, every member, by accessibility, with its lines.
        lines: The lines that each member takes.
        hashes: The hashes of types.
    """

    source: bool = False
    members: bool = False
    lines: bool = False
    hashes: bool = False


_PLAIN = OutlineView()


def outline(
    workspace: Workspace, symbol: str, view: OutlineView = _PLAIN, *, limit: int = 50, offset: int = 0
) -> OutlineResult:
    """The outline of the one symbol that a query matches, by its current name or by an old name in the alias table.

    Args:
        workspace: The tree.
        symbol: A type, a member (all overloads of a name count as one), a namespace, or the path of a source.
        view: What to show.
        limit: Maximum number of children of a namespace, or types of a file, to list.
        offset: Number of these to skip.

    Raises:
        SymbolNotFoundError: It matches nothing; similar names are suggested.
        AmbiguousSymbolError: It matches several symbols, which are listed.
        UsageError: It is malformed.
        GitStateError: The declaring files cannot be read.
    """
    path = find_source(workspace, symbol)
    if path is not None:
        return _outline_file(workspace, path, view, (offset, limit))
    hits = _find(workspace, symbol.rstrip(". ") or symbol)
    hit = hits[0]
    if hit.entry is None:
        from codecortex.operations.queries.namespaces import outline_namespace

        text, record = outline_namespace(workspace, hit.name, limit=limit, offset=offset)
        return OutlineResult(hit.name, text, record)
    members = [each.member for each in hits if each.member is not None]
    if members:
        text, record = _outline_members(workspace, hit.entry, members, source=view.source)
    else:
        text, record = _outline_type(workspace, hit.entry.id, view)
    if hit.redirected_from:
        title, rest = text.split("\n", 1)
        text = f"{title}\nRedirectedFrom: {hit.redirected_from}\n{rest}"
        record["redirectedFrom"] = hit.redirected_from
    return OutlineResult(hit.entry.fqn, text, record, hit.redirected_from)


def _find(workspace: Workspace, symbol: str) -> Sequence[Hit]:
    """The one hit; for a member's name, all overloads in its type."""
    try:
        return find_overloads(workspace, read_query(symbol))
    except SymbolNotFoundError as problem:
        raise SymbolNotFoundError(problem.message, f"{problem.hint} {_SCOPE}".lstrip(), **problem.details) from None


# -- types


def _outline_type(workspace: Workspace, type_id: TypeId, view: OutlineView) -> tuple[str, dict[str, Any]]:
    return _describe_type(workspace, read_declared(workspace, type_id), view)


def _outline_file(workspace: Workspace, path: str, view: OutlineView, page: tuple[int, int]) -> OutlineResult:
    """The types that a file declares, in its order."""
    offset, limit = page
    declared = [entry.id for entry in workspace.catalog.types if path in entry.files]
    found = sorted(read_types(workspace, declared).values(), key=lambda each: _place_in(path, each))
    shown = found[offset : offset + limit]
    following = find_next(offset, len(shown), len(found))
    described = [_describe_type(workspace, each, view) for each in shown]
    texts = [text for text, _ in described] or [f"{path} declares no type."]
    if following is not None:
        texts.append(f"{following:,} of {len(found):,} types; the next page begins at offset {following}.")
    record = {"kind": "file", "file": path, "total": len(found), "nextOffset": following}
    return OutlineResult(path, "\n\n".join(texts), record | {"types": [each for _, each in described]})


def _place_in(path: str, found: TypeAt) -> tuple[int, int]:
    """The first line of a type in a file; of two that begin there, the outer one first."""
    spans = [(part.facts.line, -part.facts.end_line) for part in found.type.parts if part.path == path]
    return min(spans, default=(0, 0))


def _describe_type(workspace: Workspace, found: TypeAt, view: OutlineView) -> tuple[str, dict[str, Any]]:
    type_id = found.type.id
    text, note = write_plain_outline(workspace, found), _read_note(workspace, type_id)
    prints = prints_of(workspace, found)
    record = describe_type(found.type, prints) | {
        "test": workspace.catalog.by_id[type_id].test,
        "depthHint": workspace.graph.depth_of(type_id),
        "outline": text,
        "note": _describe_note(note),
    }
    if view.members or view.lines:
        text = write_plain_outline(workspace, found, OutlineStyle(view.members, view.lines))
        record["members"] = [describe_member(found.type, each) for each in found.type.members]
    blocks = [(add_hashes(text, prints) if view.hashes else text).rstrip("\n")]
    if note is not None:
        blocks.append(f"Note: {note.explain()} ({note.path})")
    if view.source:
        parts = [(part.path, part.facts.line, part.facts.end_line) for part in found.type.parts]
        _add_source(blocks, record, read_source(workspace, parts))
    return "\n\n".join(blocks), record


def _read_note(workspace: Workspace, type_id: TypeId) -> NoteText | None:
    if not has_notes(workspace.tree):
        return None
    from codecortex.operations.notes.texts import read_note

    return read_note(workspace, type_id)


def _describe_note(note: NoteText | None) -> dict[str, Any] | None:
    if note is None:
        return None
    told = note.as_json()["note"]
    return {"state": note.state, "path": note.path, "causes": told["causes"]}


def _add_source(blocks: list[str], record: dict[str, Any], excerpts: Sequence[Excerpt]) -> None:
    blocks.extend(excerpt.as_text() for excerpt in excerpts)
    record["source"] = [excerpt.as_json() for excerpt in excerpts]


# -- members


def _outline_members(
    workspace: Workspace, entry: TypeEntry, members: Sequence[MemberEntry], *, source: bool
) -> tuple[str, dict[str, Any]]:
    merged = read_declared(workspace, entry.id).type
    found = [merged.members[each.number] for each in sorted(members, key=lambda each: each.number)]
    records = [describe_member(merged, member) for member in found]
    texts = [write_member_outline(merged, each, record["id"]) for each, record in zip(found, records, strict=True)]
    outline_text = "\n\n".join(texts)
    record: dict[str, Any] = {
        "kind": "member",
        "declaringType": {"id": merged.id, "fqn": merged.fqn, "kind": merged.kind},
        "members": records,
        "outline": outline_text + "\n",
    }
    blocks = [outline_text]
    if source:
        spans = [(each.path, each.facts.line, each.facts.end_line) for each in found if not each.facts.implicit]
        _add_source(blocks, record, read_source(workspace, list(dict.fromkeys(spans))))
    return "\n\n".join(blocks), record
