"""Reads the former declarations of types that an index lists, and the current ones of new types."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from codecortex.analysis.types.assemble import Group, assemble_types
from codecortex.git.history import find_blobs, list_renamed
from codecortex.model.code.types import project_id
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.reading.facts import digest_symbols, extract
from codecortex.operations.reading.past_types import PastTypes
from codecortex.operations.reading.snapshot import Run, load_snapshots
from codecortex.operations.reading.source_states import list_blobs
from codecortex.store.paths import INDEX, outlined_type

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from codecortex.model.code.facts import FileFacts
    from codecortex.model.code.indexed import IndexedType
    from codecortex.model.code.projects import Project
    from codecortex.model.code.types import CSharpType
    from codecortex.operations.catalog.storage import CatalogInputs
    from codecortex.operations.reading.tree import Tree
    from codecortex.store.committed.index_json import TypeRow

_LAST = (Run.REFRESH, Run.COMMIT)
_MOST_NAMED = 100


class Vanished(NamedTuple):
    """Types in their last known state.

    Attributes:
        types: The types, by their former TypeId.
        bases: The commits whose files declared them.
    """

    types: Mapping[str, CSharpType]
    bases: tuple[str, ...]


def read_vanished(inputs: CatalogInputs, wanted: Mapping[str, TypeRow]) -> Vanished:
    """Read types as declared at HEAD, else in the snapshot of the last run, else at the last commit of the index.

    Args:
        inputs: The tree, based on HEAD, with its projects and cache.
        wanted: TypeId to index row.
    """
    found: dict[str, CSharpType] = {}
    bases = []
    head = inputs.tree.listing.head
    past = PastTypes(inputs.tree, inputs.projects, inputs.cache)
    if head is not None:
        found = read_at(past, inputs, wanted, head)
        bases.append(head)
    left = {key: row for key, row in wanted.items() if key not in found}
    if left:
        found |= _read_remembered(past, inputs, left)
        left = {key: row for key, row in left.items() if key not in found}
    base = _find_last_index(inputs.tree) if left and head is not None else None
    if base is not None and base != head:
        found |= read_at(past, inputs, left, base)
        bases.append(base)
    return Vanished(found, tuple(bases))


def read_at(
    past: PastTypes, inputs: CatalogInputs, wanted: Mapping[str, TypeRow], commit: str
) -> dict[str, CSharpType]:
    """Those of the wanted types that a commit declares in the files of their rows, by TypeId."""
    blobs = find_blobs(inputs.tree.repository, ((commit, path) for row in wanted.values() for path in row.files))
    return _read_blobs(past, inputs, wanted, {path: blob for (_, path), blob in blobs.items()})


def _read_remembered(past: PastTypes, inputs: CatalogInputs, wanted: Mapping[str, TypeRow]) -> dict[str, CSharpType]:
    """The same, from the sources that the last run in this work tree read, committed or not."""
    for snapshot in load_snapshots(inputs.cache, inputs.tree.repository, *_LAST):
        if any(row.id in wanted for row in snapshot.rows):
            return _read_blobs(past, inputs, wanted, list_blobs(snapshot.states))
    return {}


def read_outlined(
    inputs: CatalogInputs, wanted: Mapping[str, TypeRow], outlines: Mapping[str, str]
) -> dict[str, CSharpType]:
    """Types in the state that their outlines show, by TypeId: from the run that wrote the outlines, or from HEAD.

    Args:
        inputs: The tree, based on HEAD, with its projects and cache.
        wanted: TypeId to index row.
        outlines: Path to blob id of each type's outline.
    """
    past = PastTypes(inputs.tree, inputs.projects, inputs.cache)
    found: dict[str, CSharpType] = {}
    ids = {path: key for path in outlines if (key := outlined_type(path)) is not None}
    for snapshot in load_snapshots(inputs.cache, inputs.tree.repository, *_LAST):
        told = {ids[path] for path, blob in outlines.items() if snapshot.blobs.get(path) == blob} - found.keys()
        found |= _read_blobs(past, inputs, {key: wanted[key] for key in told}, list_blobs(snapshot.states))
    head = inputs.tree.listing.head
    if head is not None and len(found) < len(wanted):
        blobs = find_blobs(inputs.tree.repository, ((head, path) for path in outlines))
        told = {ids[path] for path, blob in outlines.items() if blobs.get((head, path)) == blob} - found.keys()
        found |= read_at(past, inputs, {key: wanted[key] for key in told}, head)
    return found


def _read_blobs(
    past: PastTypes, inputs: CatalogInputs, wanted: Mapping[str, TypeRow], blobs: Mapping[str, str]
) -> dict[str, CSharpType]:
    paths = {project_id(project.path): project.path for project in inputs.projects}
    files: dict[str, dict[str, str]] = defaultdict(dict)
    ids: dict[tuple[str, str, str], str] = {}
    for key, row in sorted(wanted.items()):
        project = paths.get(row.project_id, "")
        files[project].update((path, blobs[path]) for path in row.files if path in blobs)
        ids[project, row.fqn, row.kind] = key
    found: dict[str, CSharpType] = {}
    for project, each in sorted(files.items()):
        for merged in past.list_types(project, each):
            known = ids.get((project, merged.fqn, merged.kind))
            if known is not None:
                found.setdefault(known, merged._replace(id=known))  # type: ignore[arg-type]
    return found


def _find_last_index(tree: Tree) -> str | None:
    """The commit that last changed the index: there, the index and the sources agreed."""
    found = tree.repository.ask("find the index's last commit", "rev-list", "-1", "HEAD", "--", INDEX)
    return found.decode().strip() or None


def read_today(inputs: CatalogInputs, rows: Iterable[IndexedType]) -> list[CSharpType]:
    """The types of these rows as the tree declares them now."""
    tree, projects = inputs.tree, {project.path: project for project in inputs.projects}
    files: dict[str, set[str]] = defaultdict(set)
    ids: dict[Group, str] = {}
    for row in rows:
        files[row.project].update(path for path in row.files if path in tree.sources.sources)
        ids[Group(row.fqn, row.kind, row.project, row.owner)] = row.id
    symbols: dict[str, list[frozenset[str]]] = defaultdict(list)
    for project, paths in sorted(files.items()):
        for path in paths:
            symbols[path].append(projects[project].symbols)
    wanted = {path: (tree.sources.sources[path], sets) for path, sets in symbols.items()}
    store = extract(tree.request, tree.repository, wanted, inputs.cache)
    digests = {path: digest_symbols(projects[path].symbols) for path in files}

    def facts_of(project: Project, path: str) -> FileFacts | None:
        return store.get(path, digests[project.path])

    reduced = [projects[project]._replace(files=tuple(sorted(paths))) for project, paths in sorted(files.items())]
    found = {Group(t.fqn, t.kind, t.project, t.owner): t for t in assemble_types(reduced, facts_of)}
    return [found[group]._replace(id=key) for group, key in ids.items() if group in found]  # type: ignore[arg-type]


def list_lineage(tree: Tree, bases: Iterable[str], paths: Iterable[str]) -> dict[str, frozenset[str]]:
    """Each file that git considers renamed since a base, mapped to its old paths and itself.

    Args:
        tree: The index or the work tree.
        bases: Commits to compare it with.
        paths: The files that matter.
    """
    named = sorted(set(paths))
    named = named if len(named) <= _MOST_NAMED else []
    out: dict[str, frozenset[str]] = {}
    for base in bases:
        for old, new in list_renamed(tree.repository, base, None, staged=tree.request.staged, paths=named):
            out[new] = out.get(new, frozenset({new})) | {old}
    return out
