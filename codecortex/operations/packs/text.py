"""Builds the text of a pack for one tree, and caches it.

The text depends on the tree, its notes, the definition and the tokenizer, and on nothing else: no clock, no history.
The cache key is a digest of these.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from codecortex import __version__
from codecortex.analysis.graph.components import find_components
from codecortex.analysis.notes.staleness import CauseKind
from codecortex.context.filters.match import list_idle, select_types
from codecortex.context.filters.parse import parse_filter
from codecortex.context.packs import Contents, Member, Note, PackText, choose_outlines, rank_members, write_pack
from codecortex.git.hooks.staging import list_held
from codecortex.git.worktree.stamps import stamp_files, stamp_folder
from codecortex.model.code.types import TypeId
from codecortex.model.text.visible import show_text
from codecortex.model.versions import PACK_VERSION, TOKENS_VERSION
from codecortex.operations.catalog.among import EVERYTHING, narrow
from codecortex.operations.catalog.describe import read_types, write_plain_outline
from codecortex.operations.notes.texts import has_notes, read_notes
from codecortex.operations.reading.tree import digest_tree
from codecortex.operations.tokens import make_counter
from codecortex.operations.wording import mend_halves
from codecortex.store.cache.rows import load_row, pack_row
from codecortex.store.paths import ALIASES, SEMANTIC

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from codecortex.model.code.catalog import TypeEntry
    from codecortex.model.packs import PackDefinition
    from codecortex.operations.catalog.among import Among, Narrowing
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.notes.texts import NoteText

_FIRST_CHUNK, _LARGEST_CHUNK = 32, 1024


class Built(NamedTuple):
    """The text of a pack, and the conditions of its filter that match no type."""

    text: PackText
    idle: tuple[str, ...]


def make_text(workspace: Workspace, definition: PackDefinition, among: Among = EVERYTHING) -> Built:
    """The text of a pack, from the cache or newly built; narrowed, only of the types that pass.

    Raises:
        InvalidFilterError: The filter is invalid.
        ConfigError: The configured tokenizer cannot be used.
        UsageError: No project is called as `among` says.
    """
    key = _digest(workspace, definition, among)
    found = load_row(workspace.cache.get_many([key]).get(key), _read_built)
    if found is None:
        found = _build(workspace, definition, narrow(workspace, among))
        if not workspace.catalog.unread:  # unread files are tried again next time
            workspace.cache.put_many([(key, pack_row((tuple(found.text), found.idle)))])
    return found


def _read_built(row: Any) -> Built:
    (text, tokens, types, *numbers), idle = row
    return Built(PackText(text, tokens, tuple(map(TypeId, types)), *numbers), tuple(idle))


def _digest(workspace: Workspace, definition: PackDefinition, among: Among) -> bytes:
    """Cache key over everything that the text depends on."""
    known = (
        PACK_VERSION, __version__, digest_tree(workspace.tree), tuple(definition), tuple(among),
        workspace.tree.config.tokens.encoding or TOKENS_VERSION, _state_notes(workspace),
    )  # fmt: skip
    return sha256(b"pack\0" + repr(known).encode("utf-8", "surrogatepass")).digest()


def _state_notes(workspace: Workspace) -> list[tuple[str, object]]:
    """A value that changes whenever a note or the alias table of the tree does."""
    request, repository = workspace.request, workspace.repository
    if request.reads_worktree and repository.root is not None:
        return sorted({**stamp_folder(repository.root, SEMANTIC), **stamp_files(repository.root, [ALIASES])}.items())
    held = (list_held(repository, request.rev, place) for place in (SEMANTIC, ALIASES))
    return [(path, entry.blob) for each in held for path, entry in each.items()]


def _build(workspace: Workspace, definition: PackDefinition, narrowing: Narrowing | None) -> Built:
    tree = parse_filter(definition.filter)
    count = make_counter(workspace.tree.config)
    entries = workspace.catalog.types
    matched = select_types(tree, entries, lambda target: list_dependents(workspace, target))
    listed = _list_members(workspace, matched)
    if narrowing is not None:
        listed = (each for each in listed if narrowing.takes_type(workspace.catalog.by_id[each.id]))
    members = rank_members(listed)
    outlines = choose_outlines(definition, members, _read_outlines(workspace, members), count)
    chosen = [each for each in members if each.id in outlines.texts]
    notes = _read_notes(workspace, [each.id for each in chosen])
    contents = Contents(definition, members, outlines, notes, _order(workspace, chosen))
    return Built(write_pack(contents, count), tuple(list_idle(tree, entries)))


def list_dependents(workspace: Workspace, target: TypeId) -> Iterator[TypeId]:
    """The types that certainly name a type, except itself."""
    for each in workspace.graph.dependents_of(target):
        if each != target and any(one.target == target and one.exact for one in workspace.graph.dependencies_of(each)):
            yield each


def _list_members(workspace: Workspace, matched: Sequence[TypeEntry]) -> Iterator[Member]:
    """The types that the filter matches, and the public types that their surfaces certainly name."""
    graph, by_id = workspace.graph, workspace.catalog.by_id
    own = {entry.id for entry in matched}
    named = {
        each.target
        for entry in matched
        for each in graph.dependencies_of(entry.id)
        if each.structural and each.exact and each.target not in own and by_id[each.target].accessibility == "public"
    }
    for type_id in (*own, *named):
        entry = by_id[type_id]
        yield Member(type_id, entry.fqn, type_id in own, graph.fan_in_of(type_id), graph.depth_of(type_id))


def _read_outlines(workspace: Workspace, members: Sequence[Member]) -> Iterator[tuple[TypeId, str]]:
    """The outlines, without hashes, in the given order and read in chunks; unreadable types are left out."""
    start, size = 0, _FIRST_CHUNK
    while start < len(members):
        chunk = [each.id for each in members[start : start + size]]
        workspace.request.progress("Reading types", start, len(members))
        found = read_types(workspace, chunk)
        for type_id in chunk:
            if type_id in found:
                yield type_id, mend_halves(write_plain_outline(workspace, found[type_id]))
        start, size = start + size, min(size * 2, _LARGEST_CHUNK)


def _read_notes(workspace: Workspace, type_ids: Sequence[TypeId]) -> list[Note]:
    """The notes that apply to the types, in their order, each once."""
    if not has_notes(workspace):
        return []
    found = read_notes(workspace, type_ids)
    by_path: dict[str, list[TypeId]] = {}
    for type_id in type_ids:
        if type_id in found and found[type_id].sections:
            by_path.setdefault(found[type_id].path, []).append(type_id)
    return [_make_note(found[types[0]], types) for types in by_path.values()]


def _make_note(found: NoteText, types: Sequence[TypeId]) -> Note:
    drift = (CauseKind.DRIFT_LIMIT, CauseKind.DRIFT_AGE)  # these depend on history and time, not on the tree
    stale = any(cause.kind not in drift for cause in found.found.causes)
    about = ", ".join(merged.fqn for merged in found.found.types) if found.found.group_id else ""
    return Note(about, tuple(types), stale, {section: show_text(text) for section, text in found.sections.items()})


def _order(workspace: Workspace, members: Iterable[Member]) -> list[TypeId]:
    """Dependencies before their dependents; cycles and ties by name."""
    names = {each.id: TypeId(f"{each.fqn} {each.id}") for each in members}  # so that ties are sorted by name
    targets = {name: sorted(_list_targets(workspace, type_id, names)) for type_id, name in names.items()}
    by_name = {name: type_id for type_id, name in names.items()}
    return [by_name[name] for component in find_components(targets) for name in component]


def _list_targets(workspace: Workspace, type_id: TypeId, names: dict[TypeId, TypeId]) -> Iterator[TypeId]:
    for each in workspace.graph.dependencies_of(type_id):
        if each.structural and each.exact and each.target in names:
            yield names[each.target]
