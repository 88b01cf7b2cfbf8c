"""Fingerprints of types and token counts of their outlines, cached per type so that nothing is read twice.

What is cached is keyed by a digest of the type's own files and those of types with the same FQN. Fingerprints depend
besides on what the names in these files mean: so they are kept with the words that were looked up and a digest of all
that exists, or does not, under these words. Judging thousands of notes thus costs one look-up if nothing changed.
"""

from __future__ import annotations

from dataclasses import astuple
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from codecortex.analysis.types.fingerprints import Fingerprints
from codecortex.analysis.types.meanings import list_words
from codecortex.context.tokens import estimate_tokens
from codecortex.model.versions import HASH_VERSION, OUTLINE_VERSION, PARSER_VERSION, TOKENS_VERSION
from codecortex.operations.catalog.describe import read_types, write_plain_outline
from codecortex.operations.reading.facts import digest_symbols
from codecortex.operations.reading.hashes import rules_of
from codecortex.store.cache.rows import load_row, pack_row

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from codecortex.analysis.changes.states import TypeAt
    from codecortex.model.code.catalog import TypeEntry
    from codecortex.model.code.types import TypeId
    from codecortex.operations.catalog.workspace import Workspace

_CHUNK = 512
"""How many types are read at a time, so that the facts of a whole tree are never in memory together."""


def read_prints(workspace: Workspace, type_ids: Iterable[str]) -> dict[TypeId, Fingerprints]:
    """The fingerprints of those of the types that exist and whose files can be read."""
    rules = rules_of(workspace.tree.config)
    settings = (HASH_VERSION, sorted(rules.cosmetic_attributes), rules.include_internal, rules.include_docs)
    type_ids = list(type_ids)
    if not type_ids:
        return {}
    meanings = workspace.meanings

    def answer(each: TypeAt) -> tuple[Any, ...]:
        words = list_words(each.type)
        return tuple(sorted(words)), meanings.digest_answers(words, each.type.project), astuple(each.prints)

    def holds(entry: TypeEntry, row: tuple[Any, ...]) -> bool:
        return bool(meanings.digest_answers(row[0], entry.project) == row[1])

    found = recall(workspace, type_ids, ("prints", settings), answer, holds)
    return {type_id: Fingerprints(*row[2]) for type_id, row in found.items()}


def measure_outlines(workspace: Workspace, type_ids: Iterable[str]) -> dict[TypeId, int]:
    """The estimated tokens of each type's outline, for those of the types that exist and can be read."""
    settings = (OUTLINE_VERSION, TOKENS_VERSION, workspace.tree.config.outline.max_dependencies)
    return recall(
        workspace,
        type_ids,
        ("tokens", settings),
        lambda each: estimate_tokens(write_plain_outline(workspace, each)),
    )


def _find(workspace: Workspace, type_ids: Iterable[str]) -> list[TypeEntry]:
    known: Mapping[Any, TypeEntry] = workspace.catalog.by_id
    return [known[each] for each in dict.fromkeys(type_ids) if each in known]


def recall(
    workspace: Workspace,
    type_ids: Iterable[str],
    question: tuple[object, ...],
    answer: Callable[[TypeAt], Any],
    holds: Callable[[TypeEntry, Any], bool] = lambda _, __: True,
) -> dict[TypeId, Any]:
    """A value for each of the types that exist and can be read; from the local cache, or computed and put there.

    Args:
        workspace: The tree.
        type_ids: The types.
        question: What is asked, with all that the answer depends on besides the type's sources.
        answer: The value for a type, which the cache can keep (`pack_row`) and which is not None.
        holds: Whether the value that the cache has of a type is still right.
    """
    entries = _find(workspace, type_ids)
    keys = _digest_all(workspace, entries, question)
    known = workspace.cache.get_many(list(keys.values()))
    found: dict[TypeId, Any] = {}
    missing = []
    for entry in sorted(entries, key=lambda each: (each.project, each.files)):  # types of one file together
        value = load_row(known.get(keys[entry.id]), lambda row: row)
        if value is None or not holds(entry, value):
            missing.append(entry.id)
        else:
            found[entry.id] = value
    for start in range(0, len(missing), _CHUNK):
        read = {
            type_id: answer(each) for type_id, each in read_types(workspace, missing[start : start + _CHUNK]).items()
        }
        workspace.cache.put_many((keys[type_id], pack_row(value)) for type_id, value in read.items())
        found |= read
    return found


def _digest_all(
    workspace: Workspace, entries: Sequence[TypeEntry], question: tuple[object, ...]
) -> dict[TypeId, bytes]:
    """The cache key of each type: a digest of everything that its value depends on."""
    symbols = {project.path: digest_symbols(project.symbols) for project in workspace.projects}
    sources = workspace.tree.sources.sources
    namesakes: dict[tuple[str, str], list[TypeEntry]] = {}
    for entry in workspace.catalog.types:
        namesakes.setdefault((entry.project, entry.fqn), []).append(entry)
    mark = repr((PARSER_VERSION, question))
    keys = {}
    for entry in entries:
        same = namesakes[entry.project, entry.fqn]
        blobs = sorted({(path, sources[path].blob) for each in same for path in each.files})
        told = (
            mark,
            entry,
            [each.id for each in same],
            blobs,
            symbols[entry.project],
            _links(workspace, entry, question),
        )
        keys[entry.id] = sha256(repr(told).encode("utf-8", "surrogatepass")).digest()
    return keys


def _links(workspace: Workspace, entry: TypeEntry, question: tuple[object, ...]) -> object:
    """The names in an outline that do not come from the type's own files."""
    return workspace.graph.links_of(entry.id) if question[0] == "tokens" else ()
