"""Lists everything about renamed types that people should decide, with the commands to do so."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from codecortex.analysis.changes.renames import name_reason, rank_successors
from codecortex.git.hooks.staging import list_committed
from codecortex.git.repository import open_repository
from codecortex.model.code.aliases import Alias
from codecortex.model.code.types import cut_simple_name
from codecortex.model.notes import is_group
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.aliases.aliases import (
    OldName,
    find_index_commits,
    read_index_at,
    read_title,
)
from codecortex.operations.catalog.storage import CatalogInputs
from codecortex.operations.notes.excluded import find_excluded
from codecortex.operations.notes.moves import read_note_files
from codecortex.operations.notes.states import PRUNE
from codecortex.operations.reading.alias_table import read_rows
from codecortex.operations.reading.past_types import PastTypes
from codecortex.operations.reading.snapshot import Run, load_snapshots
from codecortex.operations.reading.tree import open_tree, read_projects, read_tree
from codecortex.operations.refresh.plan import hold_entries, plan_refresh, select_derived
from codecortex.operations.refresh.renames import find_renames
from codecortex.operations.refresh.vanished import read_at
from codecortex.operations.wording import tell_unread
from codecortex.store.cache.cache import open_cache
from codecortex.store.committed.aliases_json import collapse
from codecortex.store.paths import FOLDER, INDEX, semantic_owner, semantic_path

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from codecortex.model.code.aliases import AliasDoubt
    from codecortex.model.code.types import CSharpType
    from codecortex.operations.reading.tree import Reading, Tree
    from codecortex.operations.refresh.plan import GeneratedFiles
    from codecortex.operations.request import Request
    from codecortex.store.cache.cache import Cache


_MOST_CANDIDATES = 3


class ConflictKind(StrEnum):
    """What has to be decided."""

    DOUBT = "doubt"
    LOOP = "loop"
    TWICE = "twice"
    TARGET_GONE = "targetGone"
    OLD_ID_EXISTS = "oldIdExists"
    ORPHANED_NOTE = "orphanedNote"


class Conflict(NamedTuple):
    """One question to decide.

    Attributes:
        kind: The kind of question.
        old_id: The TypeId it is about.
        old_fqn: The FQN; empty if unknown.
        why: The reason, as one clause.
        candidates: What the type may have become, most likely first.
        commands: Commands that would each resolve it, most likely first.
    """

    kind: ConflictKind
    old_id: str
    old_fqn: str
    why: str
    candidates: tuple[Alias, ...]
    commands: tuple[str, ...]


def list_conflicts(request: Request) -> tuple[Conflict, ...]:
    """Doubtful renames between HEAD and the work tree, errors in the alias table, and orphans.

    Raises:
        StoreFormatError: The alias table is damaged, or a newer codecortex wrote it.
    """
    repository = open_repository(request.folder, lasting=request.lasting)
    with open_cache(repository.shared_dir, warn=request.warn, keeps=request.caches) as cache:
        tree = open_tree(request, repository, cache=cache)
        rows, notes, held = read_rows(tree), read_note_files(tree), _hold_head(tree)
        if not (rows or notes or held.stamps):
            return ()
        before = next(load_snapshots(cache, repository, Run.REFRESH, Run.COMMIT), None)
        plan = plan_refresh(tree, before.in_git if before else None, held, cache)
        for line in tell_unread(plan.unread):
            request.warn(line)
        living = {row.id for row in plan.snapshot.rows}
        found = [*_judge_table(rows, living)]
        renames = find_renames(tree, plan, held, cache)
        found += [_make_conflict(doubt) for doubt in renames.doubts if _is_open(doubt, rows)]
        known = living | {conflict.old_id for conflict in found}
        left = {key: path for path in notes if (key := semantic_owner(path)) and not is_group(key) and key not in known}
        if left:
            reading = read_tree(tree, read_projects(tree, cache), cache)
            excluded = find_excluded(tree, left, cache)
            for key, path in left.items():
                if key in excluded:
                    why = f"its sources are excluded, and its note stays at {path}"
                    title = read_title(key, notes[path])
                    found.append(Conflict(ConflictKind.ORPHANED_NOTE, key, title, why, (), (PRUNE,)))
                    continue
                old, certain = OldName(key, read_title(key, notes[path])), renames.renamed.get(key)
                candidates = _rank(reading, old, cache) if certain is None else (certain,)
                found.append(_judge_note(reading, old, rows, candidates))
    return tuple(
        sorted(found, key=lambda each: (each.kind != ConflictKind.DOUBT, each.kind, each.old_fqn, each.old_id))
    )


def _hold_head(tree: Tree) -> GeneratedFiles:
    """The generated files of HEAD; empty if HEAD has no index."""
    head, repository = tree.listing.head, tree.repository
    entries = list_committed(repository, head, FOLDER) if head is not None else {}
    return hold_entries(repository, select_derived(entries) if INDEX in entries else {})


def _is_open(doubt: AliasDoubt, rows: Sequence[Alias]) -> bool:
    """Whether a doubt is open: the table has no entry for it, or just the first of several candidates."""
    answer = collapse(rows).aliases.get(doubt.old_id)
    return answer is None or bool(doubt.candidates[1:] and answer.new_id == doubt.candidates[0].new_id)


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
    settled = set()
    for twins in table.twins:
        first, alive = twins[0], tuple(row for row in twins if row.new_id in living)
        names = " and ".join(row.new_fqn for row in twins)
        if len(alive) == 1:
            settled.add(first.old_id)
            why = f"its aliases lead to {names}; only {alive[0].new_fqn} exists"
            yield Conflict(ConflictKind.TWICE, first.old_id, first.old_fqn, why, alive, ("codecortex refresh",))
        elif alive:
            why = f"its aliases lead to {names}; the first is taken"
            yield Conflict(ConflictKind.TWICE, first.old_id, first.old_fqn, why, twins, tuple(map(_add_command, alive)))
    for row in table.aliases.values():
        if row.old_id in settled:
            continue
        command = (_remove_command(row),)
        if row.old_id in living:
            yield Conflict(ConflictKind.OLD_ID_EXISTS, row.old_id, row.old_fqn, "it is a type again", (), command)
        elif row.new_id not in living:
            why = f"it became {row.new_fqn}, which is gone"
            yield Conflict(ConflictKind.TARGET_GONE, row.old_id, row.old_fqn, why, (), command)


# -- orphans


def _judge_note(reading: Reading, old: OldName, rows: Sequence[Alias], candidates: tuple[Alias, ...]) -> Conflict:
    path, living = semantic_path(old.id), {merged.id for merged in reading.types}
    alias = collapse(rows).aliases.get(old.id)
    if alias is not None and alias.new_id in living:
        why = f"its note stays at {path}, and {alias.new_fqn} has one of its own"
        return Conflict(ConflictKind.ORPHANED_NOTE, *old, why, (alias,), ())
    why = f"it is gone, and its note stays at {path}"
    return Conflict(ConflictKind.ORPHANED_NOTE, *old, why, candidates, tuple(map(_add_command, candidates)))


def _rank(reading: Reading, gone: OldName, cache: Cache) -> tuple[Alias, ...]:
    """What a type may have become, judged by its declaration in the last index that lists it, else by its name."""
    key, fqn = gone
    old = _read_last(reading, key, cache)
    if old is not None:
        return rank_successors(old, reading.types)
    simple = cut_simple_name(fqn)
    named = [new for new in reading.types if new.simple_name == simple] if simple else []
    found = [Alias(key, fqn, new.id, new.fqn, name_reason(fqn, new.fqn), 0.0) for new in named]
    return tuple(sorted(found)[:_MOST_CANDIDATES])


def _read_last(reading: Reading, key: str, cache: Cache) -> CSharpType | None:
    tree = reading.tree
    if tree.listing.head is None:
        return None
    inputs = CatalogInputs(tree, reading.projects, cache)
    past = PastTypes(tree, reading.projects, cache)
    for commit in (tree.listing.head, *find_index_commits(tree.repository, f'"{key}":')):
        index = read_index_at(tree.repository, commit)
        if index is not None and key in index.types:
            found = read_at(past, inputs, {key: index.types[key]}, commit).get(key)
            if found is not None:
                return found
    return None
