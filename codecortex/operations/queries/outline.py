"""A workspace and a symbol in; the outline of what it means out: a type, a member with its overloads, a namespace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from codecortex.analysis.types.outline import write_member_outline
from codecortex.model.errors import SymbolNotFoundError
from codecortex.operations.catalog.describe import read_declared, read_source, write_plain_outline
from codecortex.operations.notes.files import has_notes
from codecortex.operations.queries.index import describe_member, describe_type
from codecortex.operations.queries.resolve import find_overloads, read_query
from codecortex.operations.reading.hashes import add_hashes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from codecortex.model.code.catalog import MemberEntry, TypeEntry
    from codecortex.model.code.types import TypeId
    from codecortex.operations.catalog.describe import Excerpt
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.notes.texts import NoteText
    from codecortex.symbols.hits import Hit

_SCOPE = "`outline` takes one type, member or namespace: its name or the end of it, its id, or its documentation id."


class OutlineResult(NamedTuple):
    """What a symbol means.

    Attributes:
        fqn: Metadata name of the type, or of the one that declares the member; or the namespace.
        text: Its outline, for people and agents.
        record: The same and more as JSON values.
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


def outline(
    workspace: Workspace, symbol: str, *, source: bool = False, limit: int = 50, offset: int = 0
) -> OutlineResult:
    """The outline of the one symbol that a query means, by today's name or an old one that the alias table knows.

    Args:
        workspace: The tree.
        symbol: A type, a member (all overloads of a name count for one) or a namespace.
        source: Add the text of the declarations.
        limit: Children of a namespace that are listed.
        offset: Children of a namespace that are left out before.

    Raises:
        SymbolNotFoundError: It means none; near names are suggested.
        AmbiguousSymbolError: It means several; they are named.
        UsageError: It is no symbol.
        GitStateError: The files that declare it cannot be read.
    """
    hits = _find(workspace, symbol.rstrip(". ") or symbol)
    hit = hits[0]
    if hit.entry is None:
        from codecortex.operations.queries.namespaces import outline_namespace

        text, record = outline_namespace(workspace, hit.name, limit=limit, offset=offset)
        return OutlineResult(hit.name, text, record)
    members = [each.member for each in hits if each.member is not None]
    if members:
        text, record = _outline_members(workspace, hit.entry, members, source=source)
    else:
        text, record = _outline_type(workspace, hit.entry.id, source=source)
    if hit.redirected_from:
        title, rest = text.split("\n", 1)
        text = f"{title}\nRedirectedFrom: {hit.redirected_from}\n{rest}"
        record["redirectedFrom"] = hit.redirected_from
    return OutlineResult(hit.entry.fqn, text, record, hit.redirected_from)


def _find(workspace: Workspace, symbol: str) -> Sequence[Hit]:
    """The one hit; of a member whose name alone is given, all of that name in its type."""
    try:
        return find_overloads(workspace, read_query(symbol))
    except SymbolNotFoundError as problem:
        raise SymbolNotFoundError(problem.message, f"{problem.hint} {_SCOPE}".lstrip(), **problem.details) from None


# -- types


def _outline_type(workspace: Workspace, type_id: TypeId, *, source: bool) -> tuple[str, dict[str, Any]]:
    found = read_declared(workspace, type_id)
    text, note = write_plain_outline(workspace, found), _read_note(workspace, type_id)
    record = describe_type(found.type, found.prints) | {
        "test": workspace.catalog.by_id[type_id].test,
        "depthHint": workspace.graph.depth_of(type_id),
        "outline": text,
        "note": _describe_note(note),
    }
    blocks = [add_hashes(text, found.prints).rstrip("\n")]
    if note is not None:
        blocks.append(f"Note: {note.explain()} ({note.path})")
    if source:
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
