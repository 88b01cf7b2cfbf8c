"""Lists every type of a tree, with all that is computed about it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codecortex.analysis.test_code import is_test_type
from codecortex.git.repository import Repository, open_repository
from codecortex.model.code.types import encode_sha256, project_id
from codecortex.model.hashing import digest
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.versions import HASH_VERSION, OUTLINE_VERSION
from codecortex.operations.catalog.workspace import Workspace
from codecortex.operations.reading.tree import (
    Reading,
    Tree,
    make_resolver,
    open_tree,
    read_projects,
    read_tree,
    separate_binary,
)
from codecortex.operations.wording import tell_unread
from codecortex.store.cache.cache import Cache, open_cache

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from codecortex.analysis.types.fingerprints import Fingerprints
    from codecortex.analysis.types.references import Edge
    from codecortex.model.code.catalog import TypeEntry
    from codecortex.model.code.facts import MemberFacts, Parameter, TypeFacts
    from codecortex.model.code.projects import Project
    from codecortex.model.code.types import CSharpType, Member, TypeId
    from codecortex.model.config import Config
    from codecortex.operations.request import Request


class IndexResult(NamedTuple):
    """All types of a tree.

    Attributes:
        reading: The tree as read.
        records: The JSON record of each type, sorted by TypeId; empty unless requested.
    """

    reading: Reading
    records: tuple[dict[str, Any], ...]


def index(request: Request, *, members: bool, records: bool) -> IndexResult:
    """List the types of a tree; with `records`, also the full record of each; with `members`, its members too."""
    repository = open_repository(request.folder)
    with open_cache(repository.shared_dir, warn=request.warn, keeps=request.caches) as cache:
        reading = read_whole(request, repository, cache)
        unread, degraded = separate_binary(reading.unread, reading.degraded)
        reading = reading._replace(unread=unread, degraded=degraded)
        warn_of_unread(reading)
        if not records:
            return IndexResult(reading, ())
        return IndexResult(reading, tuple(_describe_all(reading, cache, members=members)))


def list_types(request: Request) -> tuple[TypeEntry, ...]:
    """All types of a tree, sorted by FQN; with a cached catalog, no source is read."""
    with Workspace(request) as workspace:
        return tuple(sorted(workspace.catalog.types, key=lambda entry: (entry.fqn, entry.id)))


def read_whole(request: Request, repository: Repository, cache: Cache) -> Reading:
    """Read a tree from its listing to its types."""
    tree = open_tree(request, repository, cache=cache)
    return read_tree(tree, read_projects(tree, cache), cache)


def warn_of_unread(reading: Reading) -> None:
    """Warn of files that could not be read, as their types are missing."""
    for line in tell_unread(reading.unread):
        reading.tree.request.warn(line)


def _read_base(reading: Reading, cache: Cache) -> Mapping[TypeId, Fingerprints] | None:
    """Fingerprints at HEAD, by TypeId; None if they would be the same, for another revision, or before any commit."""
    tree = reading.tree
    if tree.request.rev is not None or tree.listing.head is None:
        return None
    base = open_tree(tree.request._replace(staged=False, rev=tree.listing.head), tree.repository, tree.config)
    if _state(base) == _state(tree):
        return None
    from codecortex.operations.reading.hashes import fingerprint_all

    return fingerprint_all(read_tree(base, read_projects(base, cache), cache))


def _state(tree: Tree) -> object:
    sources = tree.sources
    return [
        (path, entry.blob) for group in (sources.sources, sources.projects) for path, entry in sorted(group.items())
    ]


def _describe_all(reading: Reading, cache: Cache, *, members: bool) -> list[dict[str, Any]]:
    from codecortex.analysis.changes.classify import ChangeClass, classify
    from codecortex.analysis.graph.components import count_fan_in, list_targets, measure_depth
    from codecortex.operations.notes.runs import read_marks
    from codecortex.operations.notes.states import describe_note_of, list_states
    from codecortex.operations.reading.hashes import fingerprint_all

    prints = fingerprint_all(reading)
    before = _read_base(reading, cache)
    resolver = make_resolver(reading)
    edges = {t.id: resolver.edges_of(t) for t in reading.types}
    fan_in = count_fan_in(list_targets(edges, bodies=True))
    depth = measure_depth(list_targets(edges, bodies=reading.tree.config.include_internal_for_dependencies))
    fqns = {t.id: t.fqn for t in reading.types}
    states = list_states(reading, cache)
    marks = read_marks(reading.tree.request, reading.tree.repository)
    test_projects = {project.path for project in reading.projects if project.test}
    records = []
    for merged in reading.types:
        own = prints[merged.id]
        change = None if before is None else classify(before.get(merged.id), own)
        record = describe_type(merged, own) | {
            "test": is_test_type(merged, in_test_project=merged.project in test_projects)
        }
        record["changeClass"] = change
        note = states.get(merged.id)
        record["internalChanged"] = change is ChangeClass.INTERNAL if note is None else note.internal_changed
        record |= describe_note_of(merged.id, note)
        record["semanticState"] = marks.get(merged.id, record["semanticState"])
        record["fanIn"] = fan_in[merged.id]
        record["depthHint"] = depth[merged.id]
        record["dependencies"] = [_describe_edge(edge, fqns) for edge in edges[merged.id]]
        if members:
            record["members"] = [describe_member(merged, member) for member in merged.members]
        records.append(record)
    return records


def describe_type(merged: CSharpType, prints: Fingerprints) -> dict[str, Any]:
    """Identity, declaration and fingerprints of a type as JSON values.

    `accessibility` is the effective one: a public type nested in an internal type is internal. The declared one is
    `declaredAccessibility`.
    """
    from codecortex.operations.reading.hashes import describe_hashes

    facts = [part.facts for part in merged.parts]
    return {
        "id": merged.id,
        "fqn": merged.fqn,
        "kind": merged.kind,
        "arity": merged.arity,
        "accessibility": merged.effective_accessibility,
        "declaredAccessibility": merged.accessibility,
        "effectiveAccessibility": merged.effective_accessibility,
        "modifiers": list(merged.modifiers),
        "projectId": project_id(merged.project),
        "files": list(merged.files),
        "generated": merged.generated,
        "spans": [
            _describe_span(part.path, part.facts) | ({"generated": True} if part.generated else {})
            for part in merged.parts
        ],
        "baseTypes": list(dict.fromkeys(base for part in facts for base in part.bases)),
        "typeParameters": list(facts[0].type_parameters),
        "typeParameterAttributes": _describe_marks(
            facts[0].type_parameters, [mark for part in facts for mark in part.type_parameter_attributes]
        ),
        "constraints": list(dict.fromkeys(clause for part in facts for clause in part.constraints)),
        "attributes": list(dict.fromkeys(attribute for part in facts for attribute in part.attributes)),
        "implicit": all(part.implicit for part in facts),
        "degraded": merged.degraded or None,
    } | describe_hashes(prints)


def describe_member(merged: CSharpType, member: Member) -> dict[str, Any]:
    """One member as JSON values."""
    facts = member.facts
    record: dict[str, Any] = {
        "id": f"{merged.id}_{encode_sha256(member.signature, 6)}",
        "kind": facts.kind,
        "name": merged.simple_name if facts.kind in ("constructor", "destructor") else facts.name,
        "type": facts.type,
        "arity": facts.arity,
        "accessibility": facts.accessibility,
        "modifiers": list(facts.modifiers),
        "parameters": [_describe_parameter(parameter) for parameter in facts.parameters],
        "signature": member.signature,
        "span": _describe_span(member.path, facts),
        "implicit": facts.implicit,
    }
    optional = {
        "typeParameters": list(facts.type_parameters),
        "typeParameterAttributes": _describe_marks(facts.type_parameters, facts.type_parameter_attributes),
        "constraints": list(facts.constraints),
        "accessors": [_describe_accessor(facts, *accessor) for accessor in facts.accessors],
        "explicitInterface": facts.explicit_interface,
        "receiver": facts.receiver,
        "extension": _describe_extension(facts),
        "size": facts.size,
        "value": facts.value,
        "attributes": list(facts.attributes),
        "doc": facts.doc,
    }
    return record | {key: value for key, value in optional.items() if value}


def _describe_span(path: str, facts: TypeFacts | MemberFacts) -> dict[str, Any]:
    return {
        "file": path,
        "line": facts.line,
        "column": facts.column,
        "endLine": facts.end_line,
        "endColumn": facts.end_column,
    }


def _describe_marks(parameters: Sequence[str], attributes: Iterable[tuple[int, str]]) -> list[dict[str, str]]:
    """The attributes of type parameters, each with the name of its parameter."""
    marks = dict.fromkeys(attributes)
    return [
        {"typeParameter": parameters[place].rpartition(" ")[2], "attribute": text}
        for place, text in marks
        if place < len(parameters)
    ]


def _describe_accessor(facts: MemberFacts, access: str, word: str) -> dict[str, Any]:
    record: dict[str, Any] = {"kind": word, "accessibility": access or facts.accessibility}
    modifiers = [text for each, text in facts.accessor_modifiers if each == word]
    attributes = [text for each, text in facts.accessor_attributes if each == word]
    return record | {key: each for key, each in (("modifiers", modifiers), ("attributes", attributes)) if each}


def _describe_extension(facts: MemberFacts) -> dict[str, Any]:
    """The head of the extension block around a member, besides its receiver."""
    if facts.extension is None or not facts.extension.type_parameters:
        return {}
    parameters, constraints, attributes = facts.extension
    return {
        "typeParameters": list(parameters),
        "constraints": list(constraints),
        "typeParameterAttributes": _describe_marks(parameters, attributes),
    }


def _describe_parameter(parameter: Parameter) -> dict[str, Any]:
    record = {"type": parameter.type, "modifier": parameter.modifier, "name": parameter.name}
    if parameter.default is not None:
        record["default"] = parameter.default
    return record | {"attributes": list(parameter.attributes)} if parameter.attributes else record


def _describe_edge(edge: Edge, fqns: Mapping[TypeId, str]) -> dict[str, Any]:
    record: dict[str, Any] = {
        "id": edge.target,
        "fqn": fqns[edge.target],
        "kind": "structural" if edge.structural else "body",
        "exact": edge.exact,
    }
    return record if edge.exact else record | {"candidates": list(edge.candidates)}


def describe_projects(reading: Reading) -> Sequence[dict[str, Any]]:
    """The projects that compile something, as JSON values; `reports` lists what could not be evaluated."""
    return [
        {
            "id": project_id(project.path),
            "hash": _digest_project(project, reading.tree),
            "name": project.name,
            "path": project.path,
            "assembly": project.assembly,
            "tfm": project.tfm,
            "tfms": list(project.tfms),
            "test": project.test,
            "references": list(project.references),
            "reports": list(project.reports),
        }
        for project in reading.projects
    ]


def _digest_project(project: Project, tree: Tree) -> str:
    """A digest of all that a project compiles and of how: what its project files said, and the content of its files."""
    said = (each for each in project._asdict().items() if each[0] != "reports")
    told = [f"{name}={sorted(value) if isinstance(value, frozenset) else value!r}" for name, value in said]
    known = tree.sources.sources
    return digest("project", told + [known[path].blob for path in project.files])


def describe_settings(config: Config) -> dict[str, Any]:
    """The versions and the settings that hashes, dependencies and the states of notes depend on."""
    semantics = config.semantics
    return {
        "hashVersion": str(HASH_VERSION),
        "outlineVersion": str(OUTLINE_VERSION),
        "structureHashIncludesXmlDoc": config.hash.structure_hash_includes_xml_doc,
        "includeInternalInStructureHash": config.hash.include_internal_in_structure_hash,
        "includeInternalForDependencies": config.include_internal_for_dependencies,
        "internalImplAffectsSemantic": semantics.internal_impl_affects_semantic,
        "semanticDocsAffect": semantics.semantic_docs_affect,
        "driftLimit": semantics.drift_limit,
        "driftHours": semantics.drift_hours,
    }
