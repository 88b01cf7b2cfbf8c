"""A tree, its plan and the generated files as they are in; renamed types, and what their notes have to become, out.

What an index names and the tree no longer has vanished; what the tree has and the index does not name appeared. Their
declarations are compared (`analysis/renames.py`), the alias table is brought up to date, and notes follow their types.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from codecortex.git.disk import Disk, hash_blob
from codecortex.git.paths import decode_path
from codecortex.git.staging import list_committed, list_staged, read_blob
from codecortex.model.aliases import Alias, AliasDoubt, AliasReason
from codecortex.model.errors import NewerFormatError, StoreFormatError
from codecortex.operations.note_files import NoteMove, carry_notes, read_note_files, rewrite_note
from codecortex.store.aliases_json import collapse, decode_aliases, decode_rows, encode_aliases, mend_rows
from codecortex.store.paths import ALIASES, INDEX, SEMANTIC, outlined_type, semantic_path

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from codecortex.model.types import CSharpType
    from codecortex.operations.planning import Held, Plan
    from codecortex.operations.reading import Tree
    from codecortex.operations.snapshot import Row
    from codecortex.store.cache import Cache
    from codecortex.store.index_json import IndexFile, TypeRow

__all__ = ["AliasPlan", "NoteMove", "plan_aliases", "read_aliases", "rewrite_note"]

MOST_TYPES = 5000
"""Types gone or new beyond which nobody renamed anything: another flavour, or another tree altogether."""

_MOST_REPLACED = 500


class AliasPlan(NamedTuple):
    """What renames ask for.

    Attributes:
        writes: Path to bytes: notes at their new paths, notes that name a renamed type, the alias table.
        moves: Notes that leave their old path; it is to be removed unless it is also written.
        aliases: Types whose successor was found now, sorted by old name.
        doubts: Questions for people, in the same order.
        renamed: Every type whose name or id went to another place, by old id: what notes elsewhere are rewritten with.
    """

    writes: Mapping[str, bytes]
    moves: tuple[NoteMove, ...]
    aliases: tuple[Alias, ...]
    doubts: tuple[AliasDoubt, ...]
    renamed: Mapping[str, Alias]

    @property
    def removals(self) -> tuple[str, ...]:
        """Paths that the moved notes leave empty."""
        return tuple(sorted({move.old_path for move in self.moves} - self.writes.keys()))


NOTHING = AliasPlan({}, (), (), (), {})


class _Change(NamedTuple):
    """What a plan changes about the types that an index names.

    Attributes:
        vanished: Index rows, by id, of types that are no more.
        appeared: Rows of types that the index does not name.
        kept: Rows of the others, by id.
        before: The index rows of all.
    """

    vanished: Mapping[str, TypeRow]
    appeared: tuple[Row, ...]
    kept: Mapping[str, Row]
    before: Mapping[str, TypeRow]


class _Replaced(NamedTuple):
    """A type whose outline changes, and that outline as it is."""

    row: Row
    path: str
    blob: str


class _Table(NamedTuple):
    """The alias table as it is: bytes and rows."""

    data: bytes | None
    rows: tuple[Alias, ...]


class _Found(NamedTuple):
    """Successors by old id, and what could not be settled."""

    renamed: Mapping[str, Alias]
    doubts: tuple[AliasDoubt, ...]


def plan_aliases(tree: Tree, plan: Plan, held: Held, cache: Cache) -> AliasPlan:
    """What a refresh or a commit has to add for the types that it renames.

    Args:
        tree: Of the work tree or of the index; a revision has no next state and nothing is planned for it.
        plan: The generated files as they should be.
        held: The same as they are; notes and the alias table are read from the same tree.
        cache: Facts, and what the last run left.

    Raises:
        StoreFormatError: The alias table is damaged, or a newer codecortex wrote it.
    """
    if tree.request.rev is not None:
        return NOTHING
    change = _compare_rows(tree, plan, held)
    replaced = _list_replaced(tree, plan, held, change)
    if not change.vanished and not change.appeared and not replaced:
        return NOTHING
    data = read_table(tree)
    before = read_alias_rows(data, tree)
    found = _find_successors(tree, cache, change, replaced, before)
    return _settle(tree, found, change, _Table(data, before))


def list_doubts(tree: Tree, plan: Plan, held: Held, cache: Cache) -> tuple[AliasDoubt, ...]:
    """What is doubtful about the types that a plan renames, whatever the alias table says of them."""
    change = _compare_rows(tree, plan, held)
    return _find_successors(tree, cache, change, _list_replaced(tree, plan, held, change), ()).doubts


def _compare_rows(tree: Tree, plan: Plan, held: Held) -> _Change:
    """What comes and goes; nothing where the index stays as it is, which costs no reading of it."""
    rows = {row.id: row for row in plan.snapshot.rows}
    data = held.read(INDEX) if INDEX in plan.writes else None
    index = _read_index(tree, data) if data is not None and data != plan.writes[INDEX] else None
    if index is None:
        return _Change({}, (), rows, {})
    vanished = {key: row for key, row in index.types.items() if key not in rows}
    appeared = tuple(row for key, row in rows.items() if key not in index.types)
    return _Change(vanished, appeared, {key: row for key, row in rows.items() if key in index.types}, index.types)


def _read_index(tree: Tree, data: bytes) -> IndexFile | None:
    """The index as it is; where a merge has left it broken, as HEAD has it."""
    from codecortex.store.index_json import decode_index  # noqa: PLC0415 - only where it changes

    try:
        return decode_index(data, INDEX)
    except NewerFormatError:
        raise
    except StoreFormatError:  # the plan has told of it
        head = tree.listing.head
        entry = list_committed(tree.repository, head, INDEX).get(INDEX) if head is not None else None
        committed = read_blob(tree.repository, entry.blob) if entry is not None else data
        return _read_index(tree, committed) if committed != data else None


def _list_replaced(tree: Tree, plan: Plan, held: Held, change: _Change) -> dict[str, _Replaced]:
    """Types that are still there and whose outline changed, by id: another may have taken their name.

    Only where that could matter: beside a vanished type, or where two of them have notes.
    """
    outlines = [path for path in plan.writes if outlined_type(path)]
    if len(outlines) < (1 if change.vanished else 2) or len(change.vanished) > MOST_TYPES:
        return {}
    noted = None if change.vanished else {semantic_path(key) for key in change.kept} & _list_notes(tree)
    if noted is not None and len(noted) < 2:  # noqa: PLR2004 - to change places takes two
        return {}
    found = {}
    for path in outlines:
        row = change.kept.get(outlined_type(path) or "")
        if row is not None and (noted is None or semantic_path(row.id) in noted):
            blob = _find_blob(tree, held, path)
            if blob not in ("", hash_blob(plan.writes[path], tree.repository.object_format)):
                found[row.id] = _Replaced(row, path, blob)
    return found if len(found) <= _MOST_REPLACED else {}


def _list_notes(tree: Tree) -> set[str]:
    if tree.request.staged:
        return set(list_staged(tree.repository, SEMANTIC))
    from codecortex.git.writing import list_files  # noqa: PLC0415 - hashing hosts is for writers

    return set(list_files(tree.repository.require_root(), SEMANTIC))


def _find_blob(tree: Tree, held: Held, path: str) -> str:
    """The blob id of a generated file as it is; empty where there is none."""
    stamp = held.stamps.get(path)
    if isinstance(stamp, str):
        return stamp
    data = held.read(path) if stamp is not None else None
    return "" if data is None else hash_blob(data, tree.repository.object_format)


# -- who became whom


def _find_successors(
    tree: Tree, cache: Cache, change: _Change, replaced: Mapping[str, _Replaced], table: Sequence[Alias]
) -> _Found:
    renamed = _match_ids(change)
    known = {row.old_id for row in table if row.new_id in change.kept}
    vanished = {key: row for key, row in change.vanished.items() if key not in renamed and key not in known}
    # Nothing could have become of them, or nothing could have been them before.
    if not (vanished and (change.appeared or replaced)) and len(replaced) < 2:  # noqa: PLR2004 - as above
        return _Found(renamed, ())
    if max(len(vanished), len(change.appeared)) > MOST_TYPES:
        told = f"{len(vanished):,} types are gone and {len(change.appeared):,} new: too many to look for renames"
        tree.request.warn(told)
        return _Found(renamed, ())
    from codecortex.analysis.renames import ALIKE, detect_renames, measure_likeness  # noqa: PLC0415 - rarely needed
    from codecortex.operations.reading import read_projects  # noqa: PLC0415
    from codecortex.operations.vanished import (  # noqa: PLC0415
        Ground,
        list_lineage,
        read_outlined,
        read_today,
        read_vanished,
    )

    ground = Ground(tree, read_projects(tree, cache), cache)
    past = read_vanished(ground, vanished)
    outlines = {each.path: each.blob for each in replaced.values()}
    rows = {key: _index_row(each.row, change.before) for key, each in replaced.items()}
    old = {**past.types, **read_outlined(ground, rows, outlines)}
    rows_today = (*change.appeared, *(each.row for each in replaced.values()))
    new: dict[str, CSharpType] = {str(merged.id): merged for merged in read_today(ground, rows_today)}
    for key in replaced:
        if key not in old or key not in new or measure_likeness(old[key], new[key]) >= ALIKE:
            old.pop(key, None)
            new.pop(key, None)
    if not old or not new:
        return _Found(renamed, ())
    paths = {path for merged in (*old.values(), *new.values()) for path in merged.files}
    lineage = list_lineage(tree, past.bases, paths)
    found = detect_renames(tuple(old.values()), tuple(new.values()), lineage)
    renamed |= _drop_idle({alias.old_id: alias for alias in found.aliases}, replaced.keys())
    return _Found(renamed, tuple(doubt for doubt in found.doubts if doubt.old_id in vanished))


def _index_row(row: Row, before: Mapping[str, TypeRow]) -> TypeRow:
    from codecortex.model.types import project_id  # noqa: PLC0415 - two names, only here
    from codecortex.store.index_json import TypeRow  # noqa: PLC0415

    return before.get(row.id) or TypeRow(row.fqn, row.kind, project_id(row.project), row.files)


def _match_ids(change: _Change) -> dict[str, Alias]:
    """Types whose id alone changed, because another of their name came or went."""
    if not change.vanished:
        return {}
    today: dict[tuple[str, str], list[Row]] = {}
    wanted = {(row.fqn, row.kind) for row in change.vanished.values()}
    for each in (*change.kept.values(), *change.appeared):
        if (each.fqn, each.kind) in wanted:
            today.setdefault((each.fqn, each.kind), []).append(each)
    found = {}
    for key, row in change.vanished.items():
        same = today.get((row.fqn, row.kind), [])
        if len(same) == 1:
            found[key] = Alias(key, row.fqn, same[0].id, same[0].fqn, AliasReason.PROJECT, 1.0)
    return found


def _drop_idle(found: dict[str, Alias], replaced: Collection[str]) -> dict[str, Alias]:
    """Without what types that still exist seem to have become, unless another took their name in the same change."""
    while True:
        taken = {alias.new_id for alias in found.values()}
        kept = {key: alias for key, alias in found.items() if key not in replaced or key in taken}
        if len(kept) == len(found):
            return kept
        found = kept


# -- the table and the notes


def _settle(tree: Tree, found: _Found, change: _Change, table: _Table) -> AliasPlan:
    data, before = table
    living = change.kept.keys() | {row.id for row in change.appeared}
    new = {key: alias for key, alias in found.renamed.items() if key in change.vanished}
    rows = _update_rows(before, found.renamed, new, living)
    known = collapse(rows).aliases
    files = read_note_files(tree)
    renamed = dict(found.renamed)
    for key in [path.rpartition("/")[2].removesuffix(".md") for path in files]:
        alias = known.get(key)
        if key not in living and key not in renamed and alias is not None and alias.new_id in living:
            renamed[key] = alias  # an earlier run, or a merge, knew its successor and left the note behind
    moves, kept = plan_moves(files, renamed)
    writes = carry_notes(files, moves, renamed)
    text = encode_aliases(rows)
    if rows != before or (data is not None and before and text != data):
        writes[ALIASES] = text
    doubts = {doubt.old_id: doubt for doubt in found.doubts}
    for doubt in (*kept, *_list_orphaned(files, change, renamed), *_list_broken(rows, change, renamed)):
        doubts.setdefault(doubt.old_id, doubt)
    aliases = tuple(sorted(new.values(), key=lambda alias: (alias.old_fqn, alias.old_id)))
    told = tuple(sorted(doubts.values(), key=lambda doubt: (doubt.old_fqn, doubt.old_id)))
    return AliasPlan(writes, moves, aliases, told, renamed)


def read_table(tree: Tree) -> bytes | None:
    """The alias table of the very tree, or None where there is none."""
    repository, rev = tree.repository, tree.request.rev
    if rev is None and not tree.request.staged:
        data = Disk(repository.require_root()).read(decode_path(ALIASES))
        return data if isinstance(data, bytes) else None
    held = list_staged(repository, ALIASES) if rev is None else list_committed(repository, rev, ALIASES)
    return read_blob(repository, held[ALIASES].blob) if ALIASES in held else None


def read_aliases(tree: Tree) -> dict[str, Alias]:
    """What every old id of a tree's alias table leads to, in one step.

    Raises:
        StoreFormatError: The table is damaged, or a newer codecortex wrote it.
    """
    data = read_table(tree)
    return decode_aliases(data, ALIASES) if data else {}


def read_alias_rows(data: bytes | None, tree: Tree) -> tuple[Alias, ...]:
    """The rows of the alias table; of one that git left with conflict markers, those of both sides.

    Raises:
        StoreFormatError: It is damaged otherwise: its rows stand nowhere else, so nothing is dropped on a guess.
    """
    if not data:
        return ()
    try:
        return decode_rows(data, ALIASES)
    except NewerFormatError:
        raise
    except StoreFormatError as problem:
        rows = mend_rows(data, ALIASES)
        tree.request.warn(f"{problem.message}; the rows of both sides are kept")
        return rows


def _update_rows(
    before: Sequence[Alias], renamed: Mapping[str, Alias], new: Mapping[str, Alias], living: set[str]
) -> tuple[Alias, ...]:
    """The table after the renames: targets follow, what came back under its old id has no alias any more."""
    rows = set(new.values())
    for row in before:
        if row.old_id in living or row.old_id in new:
            continue
        step = renamed.get(row.new_id)
        if step is not None and step.new_id != row.old_id:
            rows.add(row._replace(new_id=step.new_id, new_fqn=step.new_fqn, collapsed=True))
        else:
            rows.add(row)
    table = collapse(rows)
    several = {row.old_id for twins in table.twins for row in twins}
    settled = [row for key, row in table.aliases.items() if key not in several]
    return tuple(sorted({*settled, *table.loops, *(row for row in rows if row.old_id in several)}))


def plan_moves(
    files: Mapping[str, bytes], renamed: Mapping[str, Alias]
) -> tuple[tuple[NoteMove, ...], list[AliasDoubt]]:
    """Which notes go where; one whose place another note holds, and keeps, stays and is told of."""
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


def _list_orphaned(files: Mapping[str, bytes], change: _Change, renamed: Mapping[str, Alias]) -> Iterable[AliasDoubt]:
    for key, row in change.vanished.items():
        if key not in renamed and semantic_path(key) in files:
            yield AliasDoubt(key, row.fqn, (), f"it is gone, and its note stays at {semantic_path(key)}")


def _list_broken(rows: Sequence[Alias], change: _Change, renamed: Mapping[str, Alias]) -> Iterable[AliasDoubt]:
    for row in rows:
        if row.new_id in change.vanished and row.new_id not in renamed:
            yield AliasDoubt(row.old_id, row.old_fqn, (), f"what it became, {row.new_fqn}, is gone")
