"""A workspace and documents in; the text of a few files with headers of types and signatures of members out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.context.retrieval.rendering import FileSource
from codecortex.git.contents import read_contents
from codecortex.model.code.types import cut_simple_name
from codecortex.operations.context.documents import list_documents
from codecortex.operations.reading.facts import digest_symbols, extract

if TYPE_CHECKING:
    from collections.abc import Sequence

    from codecortex.model.code.facts import FileFacts, MemberFacts, TypeFacts
    from codecortex.operations.catalog.workspace import Workspace


def read_sources(workspace: Workspace, paths: Sequence[str]) -> dict[str, FileSource]:
    """What of some files is shown; those that cannot be read are left out."""
    documents = {each.entry.path: each for each in list_documents(workspace, paths)}
    wanted = {path: (each.entry, [each.symbols]) for path, each in documents.items()}
    facts = extract(workspace.request, workspace.repository, wanted, workspace.cache)
    found = {}
    for content in read_contents(workspace.repository, [each.entry for each in documents.values()]):
        path = content.entry.path
        own = facts.get(path, digest_symbols(documents[path].symbols))
        if content.data is not None and own is not None:
            found[path] = _describe(content.data, own)
    return found


def _describe(data: bytes, facts: FileFacts) -> FileSource:
    from codecortex.parsing.decode import decode_source

    lines = decode_source(data).decode(errors="replace").split("\n")
    headers: dict[int, str] = {}
    signatures: dict[int, list[str]] = {}
    for declared in facts.types:
        headers.setdefault(declared.line, _write_header(declared))
        for member in declared.members:
            if not member.implicit:
                signatures.setdefault(member.line, []).append(_write_signature(declared, member))
    return FileSource([line.removesuffix("\r") for line in lines], headers, signatures)


def _write_header(declared: TypeFacts) -> str:
    bases = f" : {', '.join(declared.bases)}" if declared.bases else ""
    return f"{declared.kind} {_write_name(declared)}{bases}"


def _write_name(declared: TypeFacts) -> str:
    arguments = f"<{', '.join(declared.type_parameters)}>" if declared.type_parameters else ""
    return cut_simple_name(declared.fqn) + arguments


def _write_signature(declared: TypeFacts, member: MemberFacts) -> str:
    name = f"{member.explicit_interface}.{member.name}" if member.explicit_interface else member.name
    head = f"{member.type} {name}".strip()
    match member.kind:
        case "constructor":
            head = cut_simple_name(declared.fqn)
        case "indexer":
            head = f"{member.type} this"
        case "operator":
            head = f"{member.type} operator {member.name}"
        case "conversion":
            head = f"{member.name} operator {member.type}"
        case "event":
            head = f"event {head}"
        case "invoke":
            head = f"{member.type} {_write_name(declared)}"
        case "destructor" | "method" | "property" | "field" | "constant" | "enumMember":
            pass
    if member.type_parameters:
        head += f"<{', '.join(member.type_parameters)}>"
    parameters = ", ".join(f"{each.modifier} {each.type} {each.name}".strip() for each in member.parameters)
    if member.kind == "indexer":
        return f"{head}[{parameters}]"
    called = member.kind in {"method", "constructor", "destructor", "operator", "conversion", "invoke"}
    return f"{head}({parameters})" if called else head
