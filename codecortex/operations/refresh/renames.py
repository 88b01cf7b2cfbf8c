"""Finds renamed types, and plans the new alias table and the moves of their notes.

A type that the index lists and the tree lacks has vanished; a type that the tree has and the index does not list has
appeared. Their declarations are compared (`analysis/renames.py`), the alias table is updated, and notes move along.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.git.hooks.staging import list_staged, read_held
from codecortex.git.revisions import find_commit
from codecortex.model.code.aliases import Alias, AliasDoubt
from codecortex.model.errors import StoreFormatError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.reading.alias_table import read_table, unite_rows
from codecortex.store.committed.aliases_json import collapse, encode_aliases, prune
from codecortex.store.paths import ALIASES, INDEX, SEMANTIC, semantic_owner, semantic_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from codecortex.operations.notes.moves import NoteMove
    from codecortex.operations.reading.tree import Tree
    from codecortex.operations.refresh.plan import GeneratedFiles, Plan
    from codecortex.operations.refresh.successors import Change, Successors
    from codecortex.store.cache.cache import Cache


class AliasPlan(NamedTuple):
    """What has to change because of renames.

    Attributes:
        writes: Path to new bytes: notes at their new paths, notes that mention a renamed type, the alias table.
        moves: Notes that move; the old path is removed unless it is also in `writes`.
        aliases: Aliases found in this run, sorted by old name.
        doubts: Questions for people, sorted by old name.
        renamed: Aliases of all types renamed by now, by old TypeId; used to rewrite notes elsewhere.
        is_unneeded: Whether the alias table holds nothing any more, and was never committed: it goes.
        taken_back: Rows that go because their old name is that of a type again, sorted by it.
    """

    writes: Mapping[str, bytes]
    moves: tuple[NoteMove, ...]
    aliases: tuple[Alias, ...]
    doubts: tuple[AliasDoubt, ...]
    renamed: Mapping[str, Alias]
    is_unneeded: bool = False
    taken_back: tuple[Alias, ...] = ()

    @property
    def removals(self) -> tuple[str, ...]:
        """Paths of notes to remove, since they moved."""
        return tuple(sorted({move.old_path for move in self.moves} - self.writes.keys()))


_A_SWAP = 2
"""Minimum number of changed outlines when two types swap names."""

NOTHING = AliasPlan({}, (), (), (), {})


class _Table(NamedTuple):
    """The current alias table: bytes and rows."""

    data: bytes | None
    rows: tuple[Alias, ...]


def plan_aliases(tree: Tree, plan: Plan, held: GeneratedFiles, cache: Cache) -> AliasPlan:
    """Plan the aliases and notes of a refresh or a commit.

    Args:
        tree: The work tree or the index; nothing is planned for a revision.
        plan: The generated files as they should be.
        held: The generated files as they are; notes and the alias table are read from the same tree.
        cache: Facts, and the snapshots of earlier runs.

    Raises:
        StoreFormatError: The alias table is damaged, or a newer codecortex wrote it.
    """
    if tree.request.rev is not None:
        return NOTHING
    data = read_table(tree)
    left_over = _is_left_over(tree, plan, data)
    if not left_over and INDEX not in plan.writes and len(plan.writes) < _A_SWAP:
        return NOTHING
    from codecortex.operations.refresh.successors import compare_rows, find_successors, list_replaced

    change = compare_rows(tree, plan, held)
    replaced = list_replaced(tree, plan, held, change)
    if not left_over and not change.vanished and not change.appeared and not replaced:
        return NOTHING
    before = unite_rows(data, tree)
    found = find_successors(tree, cache, change, replaced, before)
    return _settle(tree, found, change, _Table(data, before))


def _is_left_over(tree: Tree, plan: Plan, data: bytes | None) -> bool:
    """Whether a merge or a killed run left the table, or a note of a type in it, unlike a refresh would."""
    if data is None:
        return False
    try:
        rows = unite_rows(data, tree)
    except StoreFormatError as problem:
        tree.request.warn(f"{problem.message}; it is left as it is")  # and it matters only once a type is renamed
        return False
    living = {row.id for row in plan.snapshot.rows} if rows else set()  # which takes long
    if data != encode_aliases(rows) or prune(rows, living) != rows or _is_taken_back(tree, rows, living):
        return True
    gone = [old for old, alias in collapse(rows).aliases.items() if old not in living and alias.new_id in living]
    if not gone:
        return False
    if tree.request.staged:
        notes = list_staged(tree.repository, SEMANTIC)
        return any(semantic_path(old) in notes for old in gone)
    root = tree.repository.require_root()
    return any((root / semantic_path(old)).exists() for old in gone)


def _is_taken_back(tree: Tree, rows: Sequence[Alias], living: AbstractSet[str]) -> bool:
    """Whether a type of a row that HEAD has exists again, as after a revert.

    A row that HEAD lacks is left to whoever renamed the type: it may be stashed, and the row is in no commit yet.
    """
    again = {row for row in rows if row.old_id in living}
    return bool(again) and not again.isdisjoint(_list_committed(tree))


def find_renames(tree: Tree, plan: Plan, held: GeneratedFiles, cache: Cache) -> Successors:
    """What became of the types that a plan renames, regardless of the alias table."""
    from codecortex.operations.refresh.successors import compare_rows, find_successors, list_replaced

    change = compare_rows(tree, plan, held)
    return find_successors(tree, cache, change, list_replaced(tree, plan, held, change), ())


# -- the table and the notes


def _settle(tree: Tree, found: Successors, change: Change, table: _Table) -> AliasPlan:
    data, before = table
    living = change.kept.keys() | {row.id for row in change.appeared}
    new = {key: alias for key, alias in found.renamed.items() if key in change.vanished}
    held = _list_committed(tree) if new else ()
    taken_back = {(row.new_id, row.old_id) for row in before if row not in held}
    new = {key: alias for key, alias in new.items() if (key, alias.new_id) not in taken_back}
    rows = _update_rows(before, found.renamed, new, living)
    known = collapse(rows).aliases
    from codecortex.operations.notes.moves import carry_notes, read_note_files

    files = read_note_files(tree)
    renamed = dict(found.renamed)
    renamed |= {
        key: known[key] for key in change.vanished.keys() & known.keys() - renamed.keys() if known[key].new_id in living
    }
    for key in filter(None, map(semantic_owner, files)):
        alias = known.get(key)
        if key not in living and key not in renamed and alias is not None and alias.new_id in living:
            renamed[key] = alias  # an earlier run, or a merge, left the note behind
    moves, kept = plan_moves(files, renamed)
    writes = carry_notes(files, moves, renamed)
    text = encode_aliases(rows)
    is_unneeded = not rows and bool(before) and not _is_tracked(tree)  # an empty one is as `init` makes it
    if not is_unneeded and (rows != before or (data is not None and before and text != data)):
        writes[ALIASES] = text
    doubts = {doubt.old_id: doubt for doubt in found.doubts}
    for doubt in (*kept, *_list_orphaned(files, change, renamed), *_list_broken(rows, change, renamed)):
        doubts.setdefault(doubt.old_id, doubt)
    aliases = tuple(sorted(new.values(), key=lambda alias: (alias.old_fqn, alias.old_id)))
    told = tuple(sorted(doubts.values(), key=lambda doubt: (doubt.old_fqn, doubt.old_id)))
    gone = tuple(sorted((row for row in before if row.old_id in living), key=lambda row: (row.old_fqn, row.old_id)))
    return AliasPlan(writes, moves, aliases, told, renamed, is_unneeded, gone)


def _list_committed(tree: Tree) -> tuple[Alias, ...]:
    """The rows of the alias table in HEAD."""
    head = find_commit(tree.repository, "HEAD")
    return unite_rows(read_held(tree.repository, head, ALIASES) if head is not None else None, tree)


def _is_tracked(tree: Tree) -> bool:
    """Whether git knows of the alias table, or of nothing generated yet, as after `init`."""
    if not tree.request.reads_worktree or list_staged(tree.repository, ALIASES):
        return True
    return not list_staged(tree.repository, INDEX)


def _update_rows(
    before: Sequence[Alias], renamed: Mapping[str, Alias], new: Mapping[str, Alias], living: set[str]
) -> tuple[Alias, ...]:
    """The table after the renames: targets are updated, and a type that exists again loses its alias."""
    rows = set(new.values())
    for row in before:
        if row.old_id in living or row.old_id in new:
            continue
        step = renamed.get(row.new_id)
        if step is not None and step.new_id != row.old_id:
            rows.add(row._replace(new_id=step.new_id, new_fqn=step.new_fqn, collapsed=True))
        else:
            rows.add(row)
    rows = set(prune(sorted(rows), living))
    table = collapse(rows)
    several = {row.old_id for twins in table.twins for row in twins}
    settled = [row for key, row in table.aliases.items() if key not in several]
    return tuple(sorted({*settled, *table.loops, *(row for row in rows if row.old_id in several)}))


def plan_moves(
    files: Mapping[str, bytes], renamed: Mapping[str, Alias]
) -> tuple[tuple[NoteMove, ...], list[AliasDoubt]]:
    """The notes to move; a note whose new path is taken by a note that stays is not moved, but reported."""
    from codecortex.operations.notes.moves import NoteMove, carry_notes

    moves = {
        semantic_path(key): NoteMove(semantic_path(key), semantic_path(alias.new_id), alias)
        for key, alias in sorted(renamed.items())
        if semantic_path(key) in files and key != alias.new_id
    }
    kept = []
    settled = False
    while not settled:
        settled = True
        taken: dict[str, str] = {}
        for path, move in sorted(moves.items()):
            holds = files.get(move.new_path) if move.new_path not in moves else None
            done = holds is None or holds in carry_notes({path: files[path]}, [move], renamed).values()
            if done and taken.setdefault(move.new_path, path) == path:
                continue
            del moves[path]
            why = f"its note stays at {path}, for {move.new_path} is there already"
            kept.append(AliasDoubt(move.alias.old_id, move.alias.old_fqn, (move.alias,), why))
            settled = False
            break
    return tuple(moves.values()), kept


def _list_orphaned(files: Mapping[str, bytes], change: Change, renamed: Mapping[str, Alias]) -> Iterable[AliasDoubt]:
    for key, row in change.vanished.items():
        if key not in renamed and semantic_path(key) in files:
            yield AliasDoubt(key, row.fqn, (), f"it is gone, and its note stays at {semantic_path(key)}")


def _list_broken(rows: Sequence[Alias], change: Change, renamed: Mapping[str, Alias]) -> Iterable[AliasDoubt]:
    for row in rows:
        if row.new_id in change.vanished and row.new_id not in renamed:
            yield AliasDoubt(row.old_id, row.old_fqn, (), f"what it became, {row.new_fqn}, is gone")
