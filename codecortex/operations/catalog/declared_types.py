"""Reads types as their own files declare them, with their fingerprints.

Only the files that declare the types are read. What these cannot tell (ids of types with the same FQN, accessibility
of containers in other files) is taken from the catalog.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from codecortex.analysis.types.assemble import assemble_types
from codecortex.analysis.types.positions import drop_positions
from codecortex.model.code.types import list_levels
from codecortex.operations.reading.facts import digest_symbols
from codecortex.operations.reading.tree import read_facts
from codecortex.operations.wording import tell_unread

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from codecortex.analysis.changes.states import TypeAt
    from codecortex.analysis.types.meanings import Meanings
    from codecortex.model.code.catalog import Catalog, TypeEntry
    from codecortex.model.code.facts import FileFacts
    from codecortex.model.code.projects import Project
    from codecortex.model.code.types import CSharpType, TypeId
    from codecortex.operations.catalog.storage import CatalogInputs


def read_types(
    inputs: CatalogInputs, catalog: Catalog, type_ids: Iterable[str | None], open_meanings: Callable[[], Meanings]
) -> dict[TypeId, TypeAt]:
    """Those of the types that exist and whose files can be read, each with its nested types and fingerprints."""
    known: Mapping[Any, TypeEntry] = catalog.by_id
    wanted = [known[type_id] for type_id in dict.fromkeys(type_ids) if type_id in known]
    if not wanted:
        return {}
    from codecortex.analysis.changes.states import TypeAt
    from codecortex.operations.reading.hashes import Nested, rules_of

    types = _settle(_assemble(inputs, catalog, wanted), catalog)
    nested, rules = Nested(types), rules_of(inputs.tree.config)
    by_id = {merged.id: merged for merged in types}
    found = {}
    for entry in wanted:
        merged = by_id.get(entry.id)
        if merged is not None:
            inside = tuple(nested.of(merged))
            found[entry.id] = TypeAt(merged, inside, rules, open_meanings)
    return found


def read_plain_types(inputs: CatalogInputs, catalog: Catalog, type_ids: Iterable[TypeId]) -> dict[TypeId, CSharpType]:
    """The same without nested types and fingerprints, which are expensive for large types."""
    wanted = [catalog.by_id[type_id] for type_id in dict.fromkeys(type_ids)]
    return {merged.id: merged for merged in _settle(_assemble(inputs, catalog, wanted), catalog)}


def _assemble(inputs: CatalogInputs, catalog: Catalog, wanted: Sequence[TypeEntry]) -> tuple[CSharpType, ...]:
    """The wanted types and those directly nested in them, as far as their files can be read."""
    files: dict[str, set[str]] = defaultdict(set)
    names: dict[str, set[str]] = defaultdict(set)
    for entry in wanted:
        files[entry.project].update(entry.files)
        names[entry.project].update(list_levels(entry.fqn))
    for same in _list_namesakes(catalog, names):
        files[same[0].project].update(path for entry in same for path in entry.files)
    projects = [each._replace(files=tuple(sorted(files[each.path]))) for each in inputs.projects if each.path in files]
    store = read_facts(inputs.tree, projects, inputs.cache)
    for line in tell_unread(store.unread):
        inputs.tree.request.warn(line)
    digests = {project.path: digest_symbols(project.symbols) for project in projects}

    def facts_of(project: Project, path: str) -> FileFacts | None:
        facts, kept = store.get(path, digests[project.path]), names[project.path]
        if facts is None:
            return None
        types = tuple(one for one in facts.types if one.fqn in kept or one.fqn.rpartition("+")[0] in kept)
        return facts._replace(types=types)

    return assemble_types(projects, facts_of)


def _list_namesakes(catalog: Catalog, names: Mapping[str, set[str]]) -> Iterator[Sequence[TypeEntry]]:
    """Yield the types with the same FQN and project but several kinds: they share their nested types.

    Args:
        catalog: The catalog.
        names: FQNs to look for, by project.
    """
    same: dict[tuple[str, str], list[TypeEntry]] = defaultdict(list)
    for entry in catalog.list_called(set().union(*names.values())):
        if entry.fqn in names.get(entry.project, ()):
            same[entry.project, entry.fqn].append(entry)
    yield from (each for each in same.values() if len(each) > 1)


def _settle(types: Sequence[CSharpType], catalog: Catalog) -> list[CSharpType]:
    """The types with id and accessibility from the catalog; types that are not in it are left out."""
    known: Mapping[tuple[str, str, str, str], TypeEntry] = {
        (entry.fqn, entry.kind, entry.project, entry.owner): entry
        for entry in catalog.list_called({merged.fqn for merged in types})
    }
    settled = []
    for merged in types:
        entry = known.get((merged.fqn, merged.kind, merged.project, merged.owner))
        if entry is not None:
            access: Any = entry.accessibility
            placed = merged._replace(id=entry.id, effective_accessibility=access)
            settled.append(drop_positions(placed, entry.inherited.split()))
    return settled
