"""A reading in; the bytes of every generated file out."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from codecortex.analysis.outline import write_outline
from codecortex.model.types import project_id
from codecortex.operations.incremental import names_of_type
from codecortex.operations.relations import link_outline, make_resolver
from codecortex.operations.snapshot import Row
from codecortex.store.index_json import IndexFile, PackRow, ProjectRow, TypeRow, encode_index
from codecortex.store.paths import INDEX, Layout, outline_path

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from codecortex.model.config import Config
    from codecortex.model.projects import Project
    from codecortex.model.types import CSharpType
    from codecortex.operations.reading import Reading


def group_nested(types: Sequence[CSharpType]) -> Mapping[tuple[str, str], list[CSharpType]]:
    """The types directly in each type, by project and metadata name, in order of name."""
    out: dict[tuple[str, str], list[CSharpType]] = defaultdict(list)
    for merged in sorted(types, key=lambda t: (t.fqn, t.id)):
        if merged.container:
            out[merged.project, merged.container].append(merged)
    return out


def write_artefacts(reading: Reading, layout: Layout, packs: Mapping[str, PackRow]) -> dict[str, bytes]:
    """Every generated file by path; the index comes last, so that it never names what is not yet there."""
    config, progress = reading.tree.config, reading.tree.request.progress
    resolver = make_resolver(reading)
    nested = group_nested(reading.types)
    fqns = {merged.id: merged.fqn for merged in reading.types}
    assemblies = {project.path: project.assembly for project in reading.projects}
    out: dict[str, bytes] = {}
    for done, merged in enumerate(reading.types, 1):
        links = link_outline(merged, resolver, fqns, config.outline.max_dependencies)
        inside = nested.get((merged.project, merged.fqn), ())
        text = write_outline(merged, assemblies[merged.project], inside, links)
        out[outline_path(merged.id, layout)] = text.encode("utf-8", "replace")
        progress("Writing outlines", done, len(reading.types))
    out[INDEX] = encode_index(make_index(reading.projects, reading.types, config, layout, packs))
    return out


def make_index(
    projects: Sequence[Project],
    types: Sequence[CSharpType],
    config: Config,
    layout: Layout,
    packs: Mapping[str, PackRow],
) -> IndexFile:
    """The identity rows of a reading."""
    rows = {t.id: TypeRow(t.fqn, t.kind, project_id(t.project), t.files) for t in types}
    return make_index_of(projects, rows, config, layout, packs)


def make_index_of(
    projects: Sequence[Project], types: Mapping[str, TypeRow], config: Config, layout: Layout, packs: Mapping[str, PackRow]
) -> IndexFile:
    """An index with these rows; projects that compile nothing are left out."""
    return IndexFile(
        structure_hash_includes_xml_doc=config.hash.structure_hash_includes_xml_doc,
        include_internal_for_dependencies=config.include_internal_for_dependencies,
        layout=layout,
        projects={project_id(p.path): ProjectRow(p.name, p.path, p.tfm) for p in projects if p.files},
        types=types,
        packs=packs,
    )


def describe_types(reading: Reading) -> tuple[tuple[Row, ...], dict[str, tuple[tuple[str, str, bool], ...]]]:
    """What the next refresh needs to know: a row for each type, and each project's global usings."""
    rows = tuple(
        Row(
            t.id, t.fqn, t.kind, t.project, t.parts[0].path if t.accessibility == "file" else t.project, t.files,
            " ".join(sorted(names_of_type(t))),
        )
        for t in reading.types
    )  # fmt: skip
    usings = {
        path: tuple((u.target, u.alias, u.static) for u in each)
        for path, each in reading.usings.items()
    }
    return rows, usings
