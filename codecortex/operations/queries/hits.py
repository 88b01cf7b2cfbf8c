"""Describes hits as JSON records and as lines of text; facts are read for these hits only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codecortex.model.code.types import encode_sha256, project_id
from codecortex.symbols.hits import Hit, HitKind, Match
from codecortex.symbols.members import name_member
from codecortex.symbols.paths import write_doc_id

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from codecortex.model.code.catalog import MemberEntry, TypeEntry
    from codecortex.model.code.types import CSharpType, TypeId
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.symbols.query import Query

_WIDEST = 60


def describe_hits(workspace: Workspace, hits: Sequence[Hit]) -> Iterator[dict[str, Any]]:
    """The JSON records of hits."""
    types = _read_declaring(workspace, (hit.entry for hit in hits if hit.entry is not None and hit.member is not None))
    for hit in hits:
        if hit.entry is None:
            record = _describe_space(hit.name)
        elif hit.member is None:
            record = _describe_type(hit.entry)
        else:
            record = _describe_member(hit.entry, hit.member, types.get(hit.entry.id))
        record |= {"match": hit.match, "flags": list(hit.flags), "score": hit.score}
        record |= {"words": list(hit.words)} if hit.words else {}
        yield record | ({"redirectedFrom": hit.redirected_from} if hit.redirected_from else {})


def _describe_space(name: str) -> dict[str, Any]:
    parent, _, simple = name.rpartition(".")
    return {
        "id": f"N:{name}",
        "fqn": name,
        "kind": "namespace",
        "name": simple,
        "display": name,
        "docId": f"N:{name}",
        "namespace": parent,
        "assembly": "",
        "projectId": "",
        "files": [],
        "accessibility": "public",
    }


def _describe_type(entry: TypeEntry) -> dict[str, Any]:
    return {
        "id": entry.id,
        "fqn": entry.fqn,
        "kind": entry.kind,
        "name": entry.simple_name,
        "display": entry.display,
        "docId": write_doc_id(entry.fqn),
        "namespace": entry.namespace,
        "assembly": entry.assembly,
        "projectId": project_id(entry.project),
        "files": list(entry.files),
        "accessibility": entry.accessibility,
        "test": entry.test,
    }


def _describe_member(entry: TypeEntry, member: MemberEntry, merged: CSharpType | None) -> dict[str, Any]:
    record = _describe_type(entry)
    del record["docId"]  # the doc id of a member would need the types of its parameters resolved
    record |= {
        "fqn": f"{entry.fqn}.{member.name}",
        "kind": member.kind,
        "name": member.name,
        "display": name_member(entry, member),
        "accessibility": member.accessibility,
        "typeId": entry.id,
    }
    if merged is None or member.number >= len(merged.members):  # its files cannot be read any more
        return record
    from codecortex.analysis.types.signatures import write_member
    from codecortex.operations.queries.index import describe_member

    declared = merged.members[member.number]
    full = describe_member(merged, declared)
    kept = ("id", "name", "type", "arity", "parameters", "signature", "span", "explicitInterface", "receiver")
    return (
        record
        | {key: full[key] for key in kept if key in full}
        | {
            "memberId": full["id"],
            "files": [declared.path],
            "declaration": write_member(declared.facts, merged.simple_name),
        }
    )


def _read_declaring(workspace: Workspace, entries: Iterable[TypeEntry]) -> Mapping[TypeId, CSharpType]:
    wanted = list(dict.fromkeys(entry.id for entry in entries))
    if not wanted:
        return {}
    from codecortex.operations.catalog.declared_types import read_plain_types

    return read_plain_types(workspace.inputs, workspace.catalog, wanted)


def find_by_mark(workspace: Workspace, entry: TypeEntry, query: Query) -> Iterator[Hit]:
    """The members of a type whose MemberId ends with the query's member part."""
    merged = _read_declaring(workspace, (entry,)).get(entry.id)
    if merged is None:
        return
    for member in workspace.catalog.members_of(entry.id):
        mark = "_" + encode_sha256(merged.members[member.number].signature, len(query.member_mark) - 1)
        if mark == query.member_mark and query.allows("member", member.kind):
            yield Hit(HitKind.MEMBER, name_member(entry, member), entry, member, Match.ID, (), 0)


def write_rows(records: Sequence[Mapping[str, Any]], total: int, following: int | None) -> str:
    """One line per hit: id, kind, name, place, match and flags; and a last line about further pages."""
    if not records:
        return f"{total:,} in all; none on this page."
    rows = [(_short_id(record), record["kind"], _title(record), _where(record), _why(record)) for record in records]
    widths = [min(_WIDEST, max(len(row[column]) for row in rows)) for column in range(4)]
    lines = [
        "  ".join([*(f"{cell:<{width}}" for cell, width in zip(row[:4], widths, strict=True)), row[4]]).rstrip()
        for row in rows
    ]
    if following is not None:
        lines.append(f"{len(records):,} of {total:,}; more with --offset {following}.")
    return "\n".join(lines)


def _short_id(record: Mapping[str, Any]) -> str:
    return "-" if record["kind"] == "namespace" else str(record["id"])


def _title(record: Mapping[str, Any]) -> str:
    if "declaration" not in record:
        return str(record["display"])
    return f"{record['display'].partition('(')[0].rpartition('.')[0]}: {record['declaration']}"


def _where(record: Mapping[str, Any]) -> str:
    span = record.get("span")
    if span:
        return f"{span['file']}:{span['line']}"
    files: list[str] = record["files"]
    own = f"{record['name']}.cs"
    return next((path for path in files if path.rpartition("/")[2] == own), files[0] if files else "-")


def _why(record: Mapping[str, Any]) -> str:
    if record["match"] == Match.WORDS:
        return f"words: {', '.join(record['words'])}"
    words = [record["match"], *record["flags"]]
    if record.get("redirectedFrom"):
        words.append(f"was {record['redirectedFrom']}")
    return " ".join(dict.fromkeys(words))
