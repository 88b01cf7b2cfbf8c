"""A request in; everything about renamed types that people should decide about, with the commands that do so, out."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from codecortex.git.repository import open_repository
from codecortex.git.staging import list_committed, read_blob
from codecortex.operations.alias import find_index_commits, read_index_at
from codecortex.operations.aliasing import list_doubts, read_alias_rows, read_table
from codecortex.operations.index import warn_of_unread
from codecortex.operations.note_files import read_note_files
from codecortex.operations.reading import open_tree, read_projects, read_tree
from codecortex.store.aliases_json import collapse
from codecortex.store.cache import open_cache
from codecortex.store.paths import FOLDER, INDEX, outlined_type

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from codecortex.model.aliases import Alias, AliasDoubt
    from codecortex.model.types import CSharpType
    from codecortex.operations.reading import Reading, Tree
    from codecortex.operations.request import Request
    from codecortex.store.cache import Cache


class ConflictKind(StrEnum):
    """What is to be decided."""

    DOUBT = "doubt"
    LOOP = "loop"
    TWICE = "twice"
    TARGET_GONE = "targetGone"
    OLD_ID_EXISTS = "oldIdExists"
    ORPHANED_NOTE = "orphanedNote"


class Conflict(NamedTuple):
    """One question.

    Attributes:
        kind: See `ConflictKind`.
        old_id: The id it is about.
        old_fqn: Its metadata name; empty where nothing knows it any more.
        why: One clause.
        candidates: What the type may have become, the likeliest first.
        commands: Each of which would settle it, the likeliest first.
    """

    kind: ConflictKind
    old_id: str
    old_fqn: str
    why: str
    candidates: tuple[Alias, ...]
    commands: tuple[str, ...]


def list_conflicts(request: Request) -> tuple[Conflict, ...]:
    """What is doubtful between HEAD and the work tree, wrong with the alias table, or left behind among the notes.

    Raises:
        StoreFormatError: The alias table is damaged, or a newer codecortex wrote it.
    """
    repository = open_repository(request.folder)
    with open_cache(repository.common_dir / "codecortex", warn=request.warn) as cache:
        tree = open_tree(request, repository)
        reading = read_tree(tree, read_projects(tree, cache), cache)
        warn_of_unread(reading)
        rows = read_alias_rows(read_table(tree), tree)
        found = [*_judge_table(rows, {merged.id for merged in reading.types})]
        found += [_make_conflict(doubt) for doubt in _list_doubts(tree, rows, cache)]
        known = {conflict.old_id for conflict in found}
        found += [each for each in _list_orphans(reading, rows, cache) if each.old_id not in known]
    return tuple(
        sorted(found, key=lambda each: (each.kind != ConflictKind.DOUBT, each.kind, each.old_fqn, each.old_id))
    )


def _add_command(alias: Alias) -> str:
    return f"codecortex alias add {alias.old_id} {alias.new_id}"


def _remove_command(alias: Alias) -> str:
    return f"codecortex alias remove {alias.old_id}"


def _make_conflict(doubt: AliasDoubt, kind: ConflictKind = ConflictKind.DOUBT) -> Conflict:
    commands = tuple(map(_add_command, doubt.candidates))
    return Conflict(kind, doubt.old_id, doubt.old_fqn, doubt.why, doubt.candidates, commands)


def _judge_table(rows: Sequence[Alias], living: Collection[str]) -> Iterator[Conflict]:
    table = collapse(rows)
    for row in table.loops:
        why = f"its alias leads to {row.new_fqn} and back to itself"
        yield Conflict(ConflictKind.LOOP, row.old_id, row.old_fqn, why, (), (_remove_command(row),))
    for twins in table.twins:
        first = twins[0]
        why = f"its aliases lead to {' and '.join(row.new_fqn for row in twins)}; the first is taken"
        yield Conflict(ConflictKind.TWICE, first.old_id, first.old_fqn, why, twins, tuple(map(_add_command, twins)))
    for row in table.aliases.values():
        command = (_remove_command(row),)
        if row.old_id in living:
            yield Conflict(ConflictKind.OLD_ID_EXISTS, row.old_id, row.old_fqn, "it is a type again", (), command)
        elif row.new_id not in living:
            why = f"it became {row.new_fqn}, which is gone"
            yield Conflict(ConflictKind.TARGET_GONE, row.old_id, row.old_fqn, why, (), command)


def _list_doubts(tree: Tree, rows: Sequence[Alias], cache: Cache) -> Iterator[AliasDoubt]:
    """Doubts between HEAD and the tree that the table does not answer."""
    from codecortex.operations.planning import Held, plan_refresh  # noqa: PLC0415 - beside the reading of sources

    head, repository = tree.listing.head, tree.repository
    blobs = {}
    if head is not None:
        entries = list_committed(repository, head, FOLDER)
        blobs = {path: each.blob for path, each in entries.items() if path == INDEX or outlined_type(path)}
    if INDEX not in blobs:
        return
    held = Held(blobs, lambda path: read_blob(repository, blobs[path]) if path in blobs else None)
    table = collapse(rows).aliases
    for doubt in list_doubts(tree, plan_refresh(tree, None, held, cache), held, cache):
        answer = table.get(doubt.old_id)
        if answer is None or (doubt.candidates[1:] and answer.new_id == doubt.candidates[0].new_id):
            yield doubt


# -- notes left behind


def _list_orphans(reading: Reading, rows: Sequence[Alias], cache: Cache) -> Iterator[Conflict]:
    living = {merged.id for merged in reading.types}
    files = read_note_files(reading.tree)
    table = collapse(rows).aliases
    for path, data in files.items():
        key = path.rpartition("/")[2].removesuffix(".md")
        if key in living or not key.startswith("T_"):
            continue
        title = data.partition(b"\n")[0].decode("utf-8", "replace").split()
        fqn = title[-2] if title[-1:] == [key] and len(title) > 1 else ""
        alias = table.get(key)
        if alias is not None and alias.new_id in living:
            why = f"its note stays at {path}, and {alias.new_fqn} has one of its own"
            yield Conflict(ConflictKind.ORPHANED_NOTE, key, fqn, why, (alias,), ())
            continue
        candidates = _rank(reading, key, fqn, cache)
        why = f"it is gone, and its note stays at {path}"
        yield Conflict(ConflictKind.ORPHANED_NOTE, key, fqn, why, candidates, tuple(map(_add_command, candidates)))


def _rank(reading: Reading, key: str, fqn: str, cache: Cache) -> tuple[Alias, ...]:
    """What a type may have become, by the declaration it had when an index last named it, else by its name."""
    from codecortex.analysis.renames import guess_by_name, rank_successors  # noqa: PLC0415 - only for orphans

    old = _read_last(reading, key, cache)
    return rank_successors(old, reading.types) if old is not None else guess_by_name(key, fqn, reading.types)


def _read_last(reading: Reading, key: str, cache: Cache) -> CSharpType | None:
    from codecortex.operations.past import Past  # noqa: PLC0415 - as above
    from codecortex.operations.vanished import Ground, read_at  # noqa: PLC0415

    tree = reading.tree
    if tree.listing.head is None:
        return None
    ground = Ground(tree, reading.projects, cache)
    past = Past(tree, reading.projects, cache)
    for commit in (tree.listing.head, *find_index_commits(tree.repository, f'"{key}":')):
        index = read_index_at(tree.repository, commit)
        if index is not None and key in index.types:
            found = read_at(past, ground, {key: index.types[key]}, commit).get(key)
            if found is not None:
                return found
    return None
