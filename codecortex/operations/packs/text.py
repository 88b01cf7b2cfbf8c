"""Builds the text of a pack for one tree, and keeps it as a node of the cognition graph.

The text depends on the tree, its notes, the definition and the tokenizer, and on nothing else: no clock, no history.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codecortex import __version__
from codecortex.analysis.graph.components import find_components
from codecortex.analysis.notes.staleness import CauseKind
from codecortex.cognition.kinds import Kind, Space, one_by_one
from codecortex.context.filters.match import select_types
from codecortex.context.filters.parse import parse_filter
from codecortex.context.packs import Contents, Member, Note, PackText, choose_outlines, rank_members, write_pack
from codecortex.git.hooks.staging import list_held
from codecortex.git.worktree.stamps import stamp_files, stamp_folder
from codecortex.model.code.types import TypeId
from codecortex.model.cognition.records import ABSENT, digest_text
from codecortex.model.packs import PackDefinition
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.text.visible import show_text
from codecortex.model.versions import OUTLINE_VERSION, PACK_VERSION, TOKENS_VERSION
from codecortex.operations.catalog.among import EVERYTHING, narrow
from codecortex.operations.catalog.describe import write_plain_outline
from codecortex.operations.catalog.nodes import Question, get_nodes, make_inputs, make_kind, open_engine, recall
from codecortex.operations.notes.files import has_notes
from codecortex.operations.tokens import make_counter
from codecortex.operations.wording import mend_halves
from codecortex.store.cache.rows import load_row, pack_row
from codecortex.store.paths import ALIASES, SEMANTIC

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from codecortex.analysis.changes.states import TypeAt
    from codecortex.cognition.ask import Ask
    from codecortex.cognition.engine import Engine
    from codecortex.model.code.catalog import TypeEntry
    from codecortex.operations.catalog.among import Among, Narrowing
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.notes.texts import NoteText

PACK, OUTLINE = "pack", "outline"
SELECTED, ORDER, NOTES = "selected", "order", "notes"
"""What a filter selects, by the key of the pack; the types that the surface of a type names; the note on a type."""

_FIRST_CHUNK, _LARGEST_CHUNK = 32, 1024


class Built(NamedTuple):
    """The text of a pack, and the conditions of its filter that match no type."""

    text: PackText
    idle: tuple[str, ...]


class _Selected(NamedTuple):
    """The types that belong in a pack, best first, and the conditions of its filter that match no type."""

    members: tuple[Member, ...]
    idle: tuple[str, ...]


def make_text(workspace: Workspace, definition: PackDefinition, among: Among = EVERYTHING) -> Built:
    """The text of a pack, kept or newly built; narrowed, only of the types that pass.

    Raises:
        InvalidFilterError: The filter is invalid.
        ConfigError: The configured tokenizer cannot be used.
        UsageError: No project is called as `among` says.
    """
    if among != EVERYTHING or workspace.catalog.unread:  # unread files are tried again next time
        return _build(workspace, definition, narrow(workspace, among))
    notes = _state_notes(workspace)
    engine = workspace.keep("nodes/packs", (workspace.tree, workspace.catalog.digest, notes), lambda: _open(workspace))
    key = name_pack(definition)
    found = load_row(get_nodes(workspace.request, engine, PACK, [key])[key], _read_built)
    engine.save()
    return found or _build(workspace, definition, None)


def _open(workspace: Workspace) -> Engine:
    inputs = make_inputs(workspace)
    return open_engine(
        workspace, list_kinds(workspace), inputs._replace(spaces=(*inputs.spaces, *list_spaces(workspace)))
    )


def name_pack(definition: PackDefinition) -> str:
    """The key of the node of a pack: all of its definition."""
    return f"{definition.name}\n{definition.token_budget}\n{definition.filter}"


def _define(key: str) -> PackDefinition:
    name, budget, text = key.split("\n", 2)
    return PackDefinition(name, text, int(budget))


def list_kinds(workspace: Workspace) -> list[Kind]:
    """The kinds of node of packs, and of the outlines that they show.

    A pack rests on what its filter selects, on the outlines of what fits, on the notes on it, and on what orders it: an
    edit of a body makes no pack anew.
    """

    def build(ask: Ask, key: str) -> bytes:
        built = _build(workspace, _define(key), None, ask)
        return pack_row((tuple(built.text), built.idle))

    params = (PACK_VERSION, __version__, workspace.tree.config.tokens.encoding or TOKENS_VERSION)
    reads = (SELECTED, OUTLINE, ORDER, NOTES)
    return [
        make_kind(workspace, _ask_outline(workspace)),
        Kind(PACK, "1", reads, one_by_one(build), params=repr(params)),
    ]


def list_spaces(workspace: Workspace) -> list[Space]:
    """What packs ask besides outlines."""
    config = workspace.tree.config
    top = digest_text(repr((workspace.catalog.digest, config.outline, config.include_internal_for_dependencies)))
    noted = digest_text(repr((workspace.catalog.digest, config, _state_notes(workspace))))

    def look_up_selected(keys: Sequence[str]) -> Iterator[bytes]:
        return (digest_text(repr(_select(workspace, _define(key)))) for key in keys)

    def look_up_order(ids: Sequence[str]) -> Iterator[bytes]:
        for each in map(TypeId, ids):
            known = each in workspace.catalog.by_id
            yield digest_text(" ".join(sorted(_list_surface(workspace, each)))) if known else ABSENT

    def look_up_notes(ids: Sequence[str]) -> Iterator[bytes]:
        types = [TypeId(each) for each in ids]
        known = [each for each in types if each in workspace.catalog.by_id]
        found = read_note_texts(workspace, known)
        for each in types:
            note = found.get(each)
            yield ABSENT if note is None else digest_text(repr((note.path, _make_note(note, [each]))))

    return [
        Space(SELECTED, top, look_up_selected),
        Space(ORDER, top, look_up_order),
        Space(NOTES, noted, look_up_notes),
    ]


def _ask_outline(workspace: Workspace) -> Question:
    """The text of a type's outline, without hashes."""
    settings = (OUTLINE_VERSION, workspace.tree.config.outline.max_dependencies)
    return Question(OUTLINE, settings, _write_outline, links=True)


def _write_outline(workspace: Workspace, found: TypeAt) -> str:
    return mend_halves(write_plain_outline(workspace, found))


def read_outlines(workspace: Workspace, type_ids: Iterable[TypeId]) -> dict[TypeId, str]:
    """The outlines of those of the types that exist and can be read, without hashes; kept as nodes."""
    return recall(workspace, type_ids, _ask_outline(workspace))


def _read_built(row: Any) -> Built:
    (text, tokens, types, *numbers), idle = row
    return Built(PackText(text, tokens, tuple(map(TypeId, types)), *numbers), tuple(idle))


def _state_notes(workspace: Workspace) -> list[tuple[str, object]]:
    """A value that changes whenever a note or the alias table of the tree does."""
    request, repository = workspace.request, workspace.repository
    if request.reads_worktree and repository.root is not None:
        return sorted({**stamp_folder(repository.root, SEMANTIC), **stamp_files(repository.root, [ALIASES])}.items())
    held = (list_held(repository, request.rev, place) for place in (SEMANTIC, ALIASES))
    return [(path, entry.blob) for each in held for path, entry in each.items()]


def _build(
    workspace: Workspace, definition: PackDefinition, narrowing: Narrowing | None, ask: Ask | None = None
) -> Built:
    """The text of a pack; `ask` notes what it rests on."""
    count = make_counter(workspace.tree.config)
    if ask is not None:
        ask.digests(SELECTED, (name_pack(definition),))
    members, idle = _select(workspace, definition)
    if narrowing is not None:
        members = tuple(each for each in members if narrowing.takes_type(workspace.catalog.by_id[each.id]))
    outlines = choose_outlines(definition, members, _read_outlines(workspace, members, ask), count)
    chosen = [each for each in members if each.id in outlines.texts]
    ids = [each.id for each in chosen]
    if ask is not None:
        ask.digests(ORDER, ids)
        ask.digests(NOTES, ids)
    contents = Contents(definition, members, outlines, _read_notes(workspace, ids), _order(workspace, chosen))
    return Built(write_pack(contents, count), idle)


def _select(workspace: Workspace, definition: PackDefinition) -> _Selected:
    def select() -> _Selected:
        tree, entries = parse_filter(definition.filter), workspace.catalog.types
        matched, idle = select_types(tree, entries, lambda target: list_dependents(workspace, target))
        return _Selected(tuple(rank_members(_list_members(workspace, matched))), tuple(idle))

    return workspace.keep("packs/selected", (workspace.catalog.digest, definition.filter), select)


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


def _read_outlines(workspace: Workspace, members: Sequence[Member], ask: Ask | None) -> Iterator[tuple[TypeId, str]]:
    """The outlines, without hashes, in the given order and read in chunks; unreadable types are left out."""
    start, size = 0, _FIRST_CHUNK
    while start < len(members):
        chunk = [each.id for each in members[start : start + size]]
        workspace.request.progress("Reading types", start, len(members))
        if ask is None:
            found = read_outlines(workspace, chunk)
        else:
            rows = ask.get_many(OUTLINE, chunk)
            found = {each: str(load_row(rows[each], str)) for each in chunk if rows[each] is not None}
        yield from ((each, found[each]) for each in chunk if each in found)
        start, size = start + size, min(size * 2, _LARGEST_CHUNK)


def read_note_texts(workspace: Workspace, type_ids: Sequence[TypeId]) -> Mapping[TypeId, NoteText]:
    """The notes that apply to types; in a tree without notes nothing is loaded that judges them."""
    if not has_notes(workspace.tree):
        return {}
    from codecortex.operations.notes.texts import read_notes

    return read_notes(workspace, type_ids)


def _read_notes(workspace: Workspace, type_ids: Sequence[TypeId]) -> list[Note]:
    """The notes that apply to the types, in their order, each once."""
    found = read_note_texts(workspace, type_ids)
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
    return (names[each] for each in _list_surface(workspace, type_id) if each in names)


def _list_surface(workspace: Workspace, type_id: TypeId) -> Iterator[TypeId]:
    """The types that the surface of a type certainly names."""
    edges = workspace.graph.dependencies_of(type_id)
    return (each.target for each in edges if each.structural and each.exact)
