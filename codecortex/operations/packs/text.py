"""A desk and a pack's definition in; the text that the pack must have for that tree, remembered once worked out, out.

The text depends on the tree, its notes, the definition and what counts tokens, and on nothing else: no clock, no
history. So it is kept in the local cache under a digest of these.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from codecortex import __version__
from codecortex.context.packs import PackText
from codecortex.model.code.types import TypeId
from codecortex.model.versions import PACK_VERSION, TOKENS_VERSION
from codecortex.operations.reading.tree import digest_tree
from codecortex.operations.wording import mend_halves
from codecortex.store.cache.rows import load_row, pack_row
from codecortex.store.paths import ALIASES, SEMANTIC

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from codecortex.context.packs import Member, Note
    from codecortex.model.code.catalog import TypeEntry
    from codecortex.model.packs import PackDefinition
    from codecortex.operations.catalog.workspace import Desk
    from codecortex.operations.notes.texts import NoteText

_FIRST_CHUNK, _LARGEST_CHUNK = 32, 1024


class Built(NamedTuple):
    """A pack's text, and the conditions of its filter that no type fits."""

    text: PackText
    idle: tuple[str, ...]


def make_text(desk: Desk, definition: PackDefinition) -> Built:
    """The text that a pack must have.

    Raises:
        InvalidFilterError: The filter makes no sense.
        ConfigError: Tokens cannot be counted as the configuration wants.
    """
    key = _digest(desk, definition)
    found = load_row(desk.cache.get_many([key]).get(key), _read_built)
    if found is None:
        found = _build(desk, definition)
        if not desk.catalog.unread:  # what could not be read is tried again
            desk.cache.put_many([(key, pack_row((tuple(found.text), found.idle)))])
    return found


def _read_built(row: Any) -> Built:
    (text, tokens, types, *numbers), idle = row
    return Built(PackText(text, tokens, tuple(map(TypeId, types)), *numbers), tuple(idle))


def _digest(desk: Desk, definition: PackDefinition) -> bytes:
    """Everything that the text depends on."""
    known = (
        PACK_VERSION, __version__, digest_tree(desk.tree), tuple(definition),
        desk.tree.config.tokens.encoding or TOKENS_VERSION, _state_notes(desk),
    )  # fmt: skip
    return sha256(b"pack\0" + repr(known).encode("utf-8", "surrogatepass")).digest()


def _state_notes(desk: Desk) -> list[tuple[str, object]]:
    """What differs whenever a note or the alias table of the tree does."""
    request, repository = desk.request, desk.repository
    if request.reads_worktree and repository.root is not None:
        from codecortex.git.worktree.stamps import stamp_files, stamp_folder  # noqa: PLC0415 - only of the work tree

        return sorted({**stamp_folder(repository.root, SEMANTIC), **stamp_files(repository.root, [ALIASES])}.items())
    from codecortex.git.hooks.staging import list_held  # noqa: PLC0415 - only of other trees

    held = (list_held(repository, request.rev, place) for place in (SEMANTIC, ALIASES))
    return [(path, entry.blob) for each in held for path, entry in each.items()]


def _build(desk: Desk, definition: PackDefinition) -> Built:
    from codecortex.context.filters.match import list_idle, select_types  # noqa: PLC0415 - not for what is known
    from codecortex.context.filters.parse import parse_filter  # noqa: PLC0415
    from codecortex.context.packs import Contents, choose_outlines, rank_members, write_pack  # noqa: PLC0415
    from codecortex.operations.tokens import make_counter  # noqa: PLC0415

    tree = parse_filter(definition.filter)
    count = make_counter(desk.tree.config)
    entries = desk.catalog.types
    matched = select_types(tree, entries, lambda target: list_dependents(desk, target))
    members = rank_members(_list_members(desk, matched))
    outlines = choose_outlines(definition, members, _read_outlines(desk, members), count)
    chosen = [each for each in members if each.id in outlines.texts]
    notes = _read_notes(desk, [each.id for each in chosen])
    contents = Contents(definition, members, outlines, notes, _order(desk, chosen))
    return Built(write_pack(contents, count), tuple(list_idle(tree, entries)))


def list_dependents(desk: Desk, target: TypeId) -> Iterator[TypeId]:
    """The types that name one for certain, itself left out."""
    for each in desk.graph.dependents_of(target):
        if each != target and any(one.target == target and one.exact for one in desk.graph.dependencies_of(each)):
            yield each


def _list_members(desk: Desk, matched: Sequence[TypeEntry]) -> Iterator[Member]:
    """The types that the filter matches, and the public ones that their surfaces name for certain."""
    from codecortex.context.packs import Member  # noqa: PLC0415 - as above

    graph, by_id = desk.graph, desk.catalog.by_id
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


def _read_outlines(desk: Desk, members: Sequence[Member]) -> Iterator[tuple[TypeId, str]]:
    """The outlines in the order given, without hashes, read some at a time; what cannot be read is left out."""
    from codecortex.operations.catalog.describe import read_types, write_plain_outline  # noqa: PLC0415 - as above

    start, size = 0, _FIRST_CHUNK
    while start < len(members):
        chunk = [each.id for each in members[start : start + size]]
        desk.request.progress("Reading types", start, len(members))
        found = read_types(desk, chunk)
        for type_id in chunk:
            if type_id in found:
                yield type_id, mend_halves(write_plain_outline(desk, found[type_id]))
        start, size = start + size, min(size * 2, _LARGEST_CHUNK)


def _read_notes(desk: Desk, type_ids: Sequence[TypeId]) -> list[Note]:
    """The notes on the types, in their order, each once."""
    from codecortex.operations.notes.texts import has_notes, read_notes  # noqa: PLC0415 - as above

    if not has_notes(desk):
        return []
    found = read_notes(desk, type_ids)
    by_path: dict[str, list[TypeId]] = {}
    for type_id in type_ids:
        if type_id in found and found[type_id].sections:
            by_path.setdefault(found[type_id].path, []).append(type_id)
    return [_make_note(found[types[0]], types) for types in by_path.values()]


def _make_note(found: NoteText, types: Sequence[TypeId]) -> Note:
    from codecortex.analysis.notes.staleness import CauseKind  # noqa: PLC0415 - as above
    from codecortex.context.packs import Note  # noqa: PLC0415

    drift = (CauseKind.DRIFT_LIMIT, CauseKind.DRIFT_AGE)  # which depend on history and time, not on the tree
    stale = any(cause.kind not in drift for cause in found.found.causes)
    about = ", ".join(merged.fqn for merged in found.found.types) if found.found.group_id else ""
    return Note(about, tuple(types), stale, dict(found.sections))


def _order(desk: Desk, members: Iterable[Member]) -> list[TypeId]:
    """Dependencies before what names them, circles by name; the types' names alone decide among equals."""
    from codecortex.analysis.graph.components import find_components  # noqa: PLC0415 - as above

    names = {each.id: TypeId(f"{each.fqn} {each.id}") for each in members}  # sorted by name, where ids would do
    targets = {name: sorted(_list_targets(desk, type_id, names)) for type_id, name in names.items()}
    by_name = {name: type_id for type_id, name in names.items()}
    return [by_name[name] for component in find_components(targets) for name in component]


def _list_targets(desk: Desk, type_id: TypeId, names: dict[TypeId, TypeId]) -> Iterator[TypeId]:
    for each in desk.graph.dependencies_of(type_id):
        if each.structural and each.exact and each.target in names:
            yield names[each.target]
