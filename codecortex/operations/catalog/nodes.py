"""Nodes on types: what is asked of each of many types, kept in the cognition graph with all that the answer rests on.

That is: the type's catalog entry, the files of the type and of types with the same FQN, the symbols of its project, and
where it matters what the words in its declarations mean and which types its outline names.
"""

from __future__ import annotations

from hashlib import sha256
from os import fsencode
from typing import TYPE_CHECKING, Any

from codecortex.analysis.types.meanings import list_words
from codecortex.cognition.engine import Engine
from codecortex.cognition.kinds import Inputs, Kind, LineName, Space
from codecortex.model.cognition.records import ABSENT, digest_text
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.versions import PARSER_VERSION
from codecortex.operations.catalog.describe import read_types
from codecortex.operations.request import Count
from codecortex.store.cache.nodes import SqliteNodes
from codecortex.store.cache.rows import load_row, pack_row

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from codecortex.analysis.changes.states import TypeAt
    from codecortex.cognition.ask import Ask
    from codecortex.model.code.catalog import TypeEntry
    from codecortex.model.code.types import TypeId
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.request import Request

_CHUNK = 512
"""How many types are read at a time, so that the facts of a whole tree are never in memory together."""

SOURCE, SYMBOLS, TYPE, SCOPE, WORD, LINKS = "source", "symbols", "type", "scope", "word", "links"
"""The blob of a file; the symbols of a project; the catalog's entry for a TypeId; the usings of a project and what it
sees; every type and namespace of one name; the types that an outline names."""


class Question(NamedTuple):
    """What is asked of types.

    Attributes:
        kind: The name of the kind of node.
        params: All that the answer depends on besides its inputs: versions and settings.
        answer: The answer for a type, as plain values (`pack_row`), not None.
        words: Whether it depends on what the words in the type's declarations mean.
        links: Whether it depends on the types that the outline names.
    """

    kind: str
    params: tuple[object, ...]
    answer: Callable[[Workspace, TypeAt], Any]
    words: bool = False
    links: bool = False


def recall(workspace: Workspace, type_ids: Iterable[str], question: Question) -> dict[TypeId, Any]:
    """The answer for each of the types that exist and can be read; from the local cache, or computed and put there."""
    known: Mapping[Any, TypeEntry] = workspace.catalog.by_id
    wanted = [known[each] for each in dict.fromkeys(type_ids) if each in known]
    if not wanted:
        return {}
    wanted.sort(key=lambda each: (each.project, each.files))  # types of one file together
    engine = workspace.keep(
        f"nodes/{question.kind}",
        (workspace.tree, workspace.catalog.digest, question.params),
        lambda: open_engine(workspace, [make_kind(workspace, question)], make_inputs(workspace)),
    )
    found = get_nodes(workspace.request, engine, question.kind, [each.id for each in wanted])
    engine.save()
    return {each.id: load_row(data, _get) for each in wanted if (data := found[each.id]) is not None}


def get_nodes(request: Request, engine: Engine, kind: str, keys: Sequence[str]) -> dict[str, bytes | None]:
    """The fresh outputs of nodes, by key; counted for the metrics."""
    before = engine.built.get(kind, 0)
    found = engine.get_many(kind, keys)
    made = engine.built.get(kind, 0) - before
    request.tally(Count.NODES_KEPT, len(found) - made)
    request.tally(Count.NODES_MADE, made)
    return found


def _get(row: Any) -> Any:
    return row


def open_engine(workspace: Workspace, kinds: Sequence[Kind], inputs: Inputs) -> Engine:
    """The engine of a workspace's tree. Of a revision only the records are kept: trees of work are what lasts."""
    request = workspace.request
    place = sha256(fsencode(workspace.repository.folder)).hexdigest()[:16]
    work = f"work {place}"
    name = work if request.reads_worktree else f"index {place}" if request.staged else ""
    return Engine(SqliteNodes(workspace.cache), LineName(name, work), kinds, inputs)


def make_inputs(workspace: Workspace) -> Inputs:
    """What the nodes of a workspace's tree are brought up to."""
    sources = {path: entry.blob for path, entry in workspace.tree.sources.sources.items()}
    symbols = {project.path: " ".join(sorted(project.symbols)) for project in workspace.projects}
    flavour = str(workspace.tree.flavour)
    top = digest_text(workspace.catalog.digest)
    config = workspace.tree.config
    outline = digest_text(f"{workspace.catalog.digest} {config.outline} {config.include_internal_for_dependencies}")

    def look_up_types(ids: Sequence[str]) -> Iterator[bytes]:
        known: Mapping[Any, TypeEntry] = workspace.catalog.by_id
        same = _group_namesakes(workspace)
        for each in ids:
            entry = known.get(each)
            told = entry and (entry, [other.id for other in same[entry.project, entry.fqn]])
            yield ABSENT if told is None else digest_text(repr(told))

    def look_up_links(ids: Sequence[str]) -> Iterator[bytes]:
        graph: Any = workspace.graph
        known: Mapping[Any, TypeEntry] = workspace.catalog.by_id
        for each in ids:  # a node may have been made of a type that is gone
            yield digest_text(repr(graph.links_of(each))) if each in known else ABSENT

    return Inputs(
        {SOURCE: sources, SYMBOLS: symbols, "flavour": {"": flavour}},
        (
            Space(TYPE, top, look_up_types),
            Space(SCOPE, top, lambda names: (workspace.meanings.digest_answers((), each)[:16] for each in names)),
            Space(WORD, top, lambda words: map(workspace.meanings.digest_word, words)),
            Space(LINKS, outline, look_up_links),
        ),
    )


def make_kind(workspace: Workspace, question: Question) -> Kind:
    """The kind of node that keeps the answers to a question."""

    def build(asks: Mapping[str, Ask]) -> Iterator[tuple[str, bytes | None]]:
        same = _group_namesakes(workspace)
        ids = list(asks)
        for start in range(0, len(ids), _CHUNK):
            chunk = ids[start : start + _CHUNK]
            read = read_types(workspace, chunk)
            known: Mapping[Any, TypeEntry] = workspace.catalog.by_id
            for each in chunk:
                asks[each].digests(TYPE, (each,))
                if each not in known:
                    yield each, None
                elif each in read:
                    _note(workspace, asks[each], same, read[known[each].id], question)
                    yield each, pack_row(question.answer(workspace, read[known[each].id]))

    reads = (TYPE, SOURCE, SYMBOLS, *((SCOPE, WORD) if question.words else ()), *((LINKS,) if question.links else ()))
    return Kind(question.kind, str(PARSER_VERSION), reads, build, params=repr(question.params))


_Namesakes = dict[tuple[str, str], list["TypeEntry"]]


def _note(workspace: Workspace, ask: Ask, same: _Namesakes, found: TypeAt, question: Question) -> None:
    """Note what the answer for a type rests on."""
    entry = workspace.catalog.by_id[found.type.id]
    ask.digests(SOURCE, sorted({path for each in same[entry.project, entry.fqn] for path in each.files}))
    ask.digests(SYMBOLS, (entry.project,))
    if question.words:
        ask.digests(SCOPE, (entry.project,))
        ask.digests(WORD, sorted(list_words(found.type)))
    if question.links:
        ask.digests(LINKS, (entry.id,))


def _group_namesakes(workspace: Workspace) -> _Namesakes:
    """The types of each project by FQN."""

    def group() -> _Namesakes:
        found: _Namesakes = {}
        for entry in workspace.catalog.types:
            found.setdefault((entry.project, entry.fqn), []).append(entry)
        return found

    return workspace.keep("nodes/namesakes", workspace.catalog.types, group)
