"""Finds which vanished types became which new ones, by comparing the index before and after a plan.

A type that the index lists and the tree lacks has vanished; a type that the tree has and the index does not list has
appeared. Types that stay may have swapped names; they are compared where that could matter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.git.hooks.staging import list_staged, read_held
from codecortex.git.worktree.disk import hash_blob
from codecortex.git.worktree.writing import list_files
from codecortex.model.code.aliases import Alias, AliasDoubt, AliasReason
from codecortex.model.code.types import project_id
from codecortex.model.errors import NewerFormatError, StoreFormatError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.notes.excluded import is_left_out
from codecortex.operations.reading.tree import read_projects
from codecortex.store.committed.index_json import TypeRow, decode_index
from codecortex.store.paths import INDEX, SEMANTIC, outlined_type, semantic_path

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from codecortex.model.code.indexed import IndexedType
    from codecortex.model.code.types import CSharpType
    from codecortex.operations.catalog.storage import CatalogInputs
    from codecortex.operations.reading.tree import Tree
    from codecortex.operations.refresh.plan import GeneratedFiles, Plan
    from codecortex.store.cache.cache import Cache
    from codecortex.store.committed.index_json import IndexFile

MOST_TYPES = 5000
"""Maximum number of vanished or new types to look for renames; more mean another flavour or another tree."""

_MOST_REPLACED = 500


class Change(NamedTuple):
    """How a plan changes the types in the index.

    Attributes:
        vanished: Index rows, by TypeId, of types that no longer exist; without those whose files are there unread.
        appeared: Rows of types that the index does not list.
        kept: Rows of the other types, by TypeId.
        before: Rows of the index before, all of which the plan changes among them.
    """

    vanished: Mapping[str, TypeRow]
    appeared: tuple[IndexedType, ...]
    kept: Mapping[str, IndexedType]
    before: Mapping[str, TypeRow]


class Replaced(NamedTuple):
    """A type whose outline changes, with path and blob id of the current outline."""

    row: IndexedType
    path: str
    blob: str


class Successors(NamedTuple):
    """Aliases by old TypeId, and renames that remain doubtful."""

    renamed: Mapping[str, Alias]
    doubts: tuple[AliasDoubt, ...]


def compare_rows(tree: Tree, plan: Plan, held: GeneratedFiles) -> Change:
    """Compare the rows of the index before and after; empty, without reading the index, if it does not change."""
    rows = {row.id: row for row in plan.snapshot.rows}
    if INDEX in plan.writes and plan.indexed is not None:
        return _compare_known(tree, rows, {row.id: row for row in plan.indexed})
    data = held.read(INDEX) if INDEX in plan.writes else None
    index = _read_index(tree, data) if INDEX in plan.writes and data != plan.writes[INDEX] else None
    if index is None:
        return Change({}, (), rows, {})
    vanished = {
        key: row for key, row in index.types.items() if key not in rows and not is_left_out(tree, row.files)
    }  # what the configuration leaves out was not renamed
    appeared = tuple(row for key, row in rows.items() if key not in index.types)
    return Change(vanished, appeared, {key: row for key, row in rows.items() if key in index.types}, index.types)


def _compare_known(tree: Tree, rows: Mapping[str, IndexedType], before: Mapping[str, IndexedType]) -> Change:
    """The same where an earlier run knows what the index lists; rows that stay as they are need not be told."""
    old = {key: _make_row(row) for key, row in before.items() if rows.get(key) is not row}
    vanished = {key: row for key, row in old.items() if key not in rows and not is_left_out(tree, row.files)}
    appeared = tuple(row for key, row in rows.items() if key not in before)
    return Change(vanished, appeared, {key: row for key, row in rows.items() if key in before}, old)


def _make_row(row: IndexedType) -> TypeRow:
    return TypeRow(row.fqn, row.kind, project_id(row.project), row.files)


def _read_index(tree: Tree, data: bytes | None) -> IndexFile | None:
    """The parsed index; if it is missing, or a merge left it damaged, that of HEAD."""
    if data is not None:
        try:
            return decode_index(data, INDEX)
        except NewerFormatError:
            raise
        except StoreFormatError:
            pass  # the plan has warned of it
    head = tree.listing.head
    committed = read_held(tree.repository, head, INDEX) if head is not None else None
    return _read_index(tree, committed) if committed not in (None, data) else None


def list_replaced(tree: Tree, plan: Plan, held: GeneratedFiles, change: Change) -> dict[str, Replaced]:
    """Existing types whose outline changes, by TypeId: another type may have taken their name.

    Empty unless that could matter: if some type vanished, or if two of them have notes.
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
                found[row.id] = Replaced(row, path, blob)
    return found if len(found) <= _MOST_REPLACED else {}


def _list_notes(tree: Tree) -> set[str]:
    if tree.request.staged:
        return set(list_staged(tree.repository, SEMANTIC))
    return set(list_files(tree.repository.require_root(), SEMANTIC))


def _find_blob(tree: Tree, held: GeneratedFiles, path: str) -> str:
    """The blob id of a generated file as it is; empty if there is none."""
    stamp = held.stamps.get(path)
    if isinstance(stamp, str):
        return stamp
    data = held.read(path) if stamp is not None else None
    return "" if data is None else hash_blob(data, tree.repository.object_format)


# -- successors


def find_successors(
    tree: Tree, cache: Cache, change: Change, replaced: Mapping[str, Replaced], table: Sequence[Alias]
) -> Successors:
    """Find what became of the types that vanished, and of those whose name another type took.

    Args:
        tree: The tree as it is now.
        cache: Facts, and the snapshots of earlier runs.
        change: How the plan changes the types in the index.
        replaced: Types whose name another type may have taken, by TypeId.
        table: The existing aliases.
    """
    renamed = _match_ids(change)
    living = change.kept.keys() | {row.id for row in change.appeared}
    known = {row.old_id for row in table if row.new_id in living}  # by a person, or by a run that was interrupted
    vanished = {key: row for key, row in change.vanished.items() if key not in renamed and key not in known}
    # Either nothing vanished, or there is nothing that it could have become.
    if not (vanished and (change.appeared or replaced)) and len(replaced) < 2:  # noqa: PLR2004 - as above
        return Successors(renamed, ())
    if max(len(vanished), len(change.appeared)) > MOST_TYPES:
        told = f"{len(vanished):,} types are gone and {len(change.appeared):,} new: too many to look for renames"
        tree.request.warn(told)
        return Successors(renamed, ())
    from codecortex.analysis.changes.renames import detect_renames
    from codecortex.operations.catalog.storage import CatalogInputs
    from codecortex.operations.refresh.vanished import list_lineage, read_today, read_vanished

    inputs = CatalogInputs(tree, read_projects(tree, cache), cache)
    past = read_vanished(inputs, vanished)
    spoken_for = {alias.new_id for alias in (*renamed.values(), *table)}
    appeared = [row for row in change.appeared if row.id not in spoken_for]
    old, new = list(past.types.values()), read_today(inputs, appeared)
    paths = {path for merged in old for path in merged.files}
    paths.update(path for row in (*appeared, *(each.row for each in replaced.values())) for path in row.files)
    lineage = list_lineage(tree, past.bases, paths)
    found = detect_renames(old, new, lineage)
    taken = _list_taken(inputs, replaced, change, found.aliases)
    if taken:
        old, new = [*old, *(each for each, _ in taken)], [*new, *(each for _, each in taken)]
        found = detect_renames(old, new, lineage)
    renamed |= _drop_idle({alias.old_id: alias for alias in found.aliases}, replaced.keys())
    return Successors(renamed, tuple(doubt for doubt in found.doubts if doubt.old_id in vanished))


def _list_taken(
    inputs: CatalogInputs, replaced: Mapping[str, Replaced], change: Change, aliases: Sequence[Alias]
) -> list[tuple[CSharpType, CSharpType]]:
    """Existing types that no longer resemble themselves, even under the found renames: then and now."""
    from codecortex.analysis.changes.likeness import ALIKE
    from codecortex.analysis.changes.renames import measure_likeness
    from codecortex.operations.refresh.vanished import read_outlined, read_today

    outlines = {each.path: each.blob for each in replaced.values()}
    rows = {key: _index_row(each.row, change.before) for key, each in replaced.items()}
    then = read_outlined(inputs, rows, outlines) if rows else {}
    now = read_today(inputs, (replaced[key].row for key in then))
    return [(then[each.id], each) for each in now if measure_likeness(then[each.id], each, aliases) < ALIKE]


def _index_row(row: IndexedType, before: Mapping[str, TypeRow]) -> TypeRow:
    return before.get(row.id) or _make_row(row)


def _match_ids(change: Change) -> dict[str, Alias]:
    """Types of which only the TypeId changed, because another type of their name was added or removed."""
    wanted = {(row.fqn, row.kind) for row in change.vanished.values()}
    wanted |= {(row.fqn, row.kind) for row in change.appeared}
    kept: dict[tuple[str, str], list[IndexedType]] = {}
    for each in change.kept.values() if wanted else ():
        if (each.fqn, each.kind) in wanted:
            kept.setdefault((each.fqn, each.kind), []).append(each)
    appeared: dict[tuple[str, str], list[IndexedType]] = {}
    for each in change.appeared:
        appeared.setdefault((each.fqn, each.kind), []).append(each)
    found = {}
    for key, row in change.vanished.items():
        same = [*kept.get((row.fqn, row.kind), ()), *appeared.get((row.fqn, row.kind), ())]
        if len(same) == 1:
            [now] = same
            found[key] = _alias_id(key, now)
            was = change.before.get(now.id)
            if was is not None and _is_of(row, now) and not _is_of(was, now):
                found[now.id] = _alias_id(now.id, now)._replace(new_id=key)  # the note of what is gone makes way
    for named, rows in appeared.items():  # an id without a project is that of the first one's type
        for now in kept.get(named, ()):
            was = change.before.get(now.id)
            theirs = [row for row in rows if was is not None and _is_of(was, row) and not _is_of(was, now)]
            if len(theirs) == 1:
                found[now.id] = _alias_id(now.id, theirs[0])
    return found


def _is_of(before: TypeRow, row: IndexedType) -> bool:
    """Whether two rows tell of one type: it stands in the same project, and in one of the same files."""
    return before.project_id == project_id(row.project) and not set(before.files).isdisjoint(row.files)


def _alias_id(old: str, row: IndexedType) -> Alias:
    return Alias(old, row.fqn, row.id, row.fqn, AliasReason.PROJECT, 1.0)


def _drop_idle(found: dict[str, Alias], replaced: Collection[str]) -> dict[str, Alias]:
    """Drop aliases of types that still exist, unless another type took their name in the same change."""
    while True:
        taken = {alias.new_id for alias in found.values()}
        kept = {key: alias for key, alias in found.items() if key not in replaced or key in taken}
        if len(kept) == len(found):
            return kept
        found = kept
