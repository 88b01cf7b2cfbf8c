"""Generates the bytes of every generated file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codecortex.analysis.graph.components import list_targets, measure_depth
from codecortex.analysis.types.identity import pack_usings
from codecortex.analysis.types.links import link_outline
from codecortex.analysis.types.outline import write_outline
from codecortex.model.code.indexed import IndexedType
from codecortex.model.code.types import project_id
from codecortex.model.config_choices import IndexDetail
from codecortex.operations.reading.hashes import Nested, add_hashes, describe_hashes, fingerprint_all
from codecortex.operations.reading.tree import make_resolver
from codecortex.operations.refresh.incremental import names_of_type
from codecortex.operations.request import Count
from codecortex.operations.workers import Sharing, count_processes, share_out
from codecortex.store.committed.index_json import IndexFile, PackRow, ProjectRow, TypeRow, encode_index, list_pack_rows
from codecortex.store.paths import INDEX, Layout, outline_path

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from codecortex.model.code.projects import Project
    from codecortex.model.code.types import CSharpType
    from codecortex.model.config import Config
    from codecortex.operations.reading.tree import Reading


def write_artefacts(reading: Reading, layout: Layout) -> dict[str, bytes]:
    """All generated files, path to bytes; the index comes last, so that it never lists what is not yet written."""
    config, request = reading.tree.config, reading.tree.request
    resolver = make_resolver(reading)
    prints = fingerprint_all(reading) if config.outline.hashes else {}
    nested = Nested(reading.types)
    fqns = {merged.id: merged.fqn for merged in reading.types}
    assemblies = {project.path: project.assembly for project in reading.projects}

    def write(types: Sequence[CSharpType]) -> list[bytes]:
        texts = []
        for merged in types:
            links = link_outline(merged, resolver, fqns, config.outline.max_dependencies)
            inside = nested.of(merged)
            text = write_outline(merged, assemblies[merged.project], inside, links)
            if config.outline.hashes:
                text = add_hashes(text, prints[merged.id])
            texts.append(text.encode("utf-8", "replace"))
        return texts

    request.progress("Writing outlines", 0, len(reading.types))
    texts = share_out(write, reading.types, Sharing(count_processes(request)))
    out = {outline_path(merged.id, layout): text for merged, text in zip(reading.types, texts, strict=True)}
    request.tally(Count.OUTLINES, len(texts))
    extras = _describe_in_full(reading) if config.index.detail is IndexDetail.FULL else {}
    rows = {t.id: TypeRow(t.fqn, t.kind, project_id(t.project), t.files, extras.get(t.id)) for t in reading.types}
    out[INDEX] = encode_index(make_index_of(reading.projects, rows, config, layout))
    return out


def _describe_in_full(reading: Reading) -> dict[str, dict[str, object]]:
    """What `index.detail: full` adds to each row, by TypeId."""
    resolver, prints = make_resolver(reading), fingerprint_all(reading)
    edges = {t.id: resolver.surface_edges_of(t) for t in reading.types}
    depth = measure_depth(list_targets(edges, bodies=False))
    from codecortex.operations.notes.states import describe_note_of, list_states

    states = list_states(reading, None)
    notes = {i: describe_note_of(i, states.get(i)) for i in prints}
    told = {i: {key: value for key, value in note.items() if value is not None} for i, note in notes.items()}
    return {i: {**describe_hashes(prints[i]), **told[i], "depthHint": depth[i]} for i in prints}


def make_index_of(
    projects: Sequence[Project], types: Mapping[Any, TypeRow], config: Config, layout: Layout
) -> IndexFile:
    """An index with the given type rows and a row per pack; projects that compile nothing are left out."""
    return IndexFile(
        structure_hash_includes_xml_doc=config.hash.structure_hash_includes_xml_doc,
        include_internal_for_dependencies=config.include_internal_for_dependencies,
        layout=layout,
        projects={project_id(p.path): ProjectRow(p.name, p.path, p.tfm) for p in projects if p.files},
        types=types,
        packs={name: PackRow(*row) for name, row in list_pack_rows(config).items()},
    )


def describe_types(reading: Reading) -> tuple[tuple[IndexedType, ...], dict[str, tuple[tuple[str, str, bool], ...]]]:
    """What the next refresh needs: a row per type, and the global usings of each project."""
    rows = tuple(
        IndexedType(
            t.id, t.fqn, t.kind, t.project, t.owner, t.files,
            " ".join(sorted(names_of_type(t))),
        )
        for t in reading.types
    )  # fmt: skip
    usings = {path: pack_usings(each) for path, each in reading.usings.items()}
    return rows, usings
