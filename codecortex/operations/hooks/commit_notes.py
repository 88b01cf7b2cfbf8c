"""Applies the renames of a commit to the notes and the alias table on disk and in the real index.

The commit itself is computed from the index alone. The work tree, and with `git commit <path>` the real index, may
contain edits that are not part of the commit: there, the same renames are applied to the text as it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.git.hooks.journal import JournalLine, is_same
from codecortex.git.hooks.staging import Staged, list_committed, read_blob
from codecortex.git.listing import REGULAR
from codecortex.git.worktree.disk import Disk, hash_blob
from codecortex.model.errors import StoreFormatError
from codecortex.operations.notes.moves import (
    NoteMove,
    apply_note_writes,
    carry_notes,
    read_disk_notes,
    read_staged_notes,
    rewrite_names,
)
from codecortex.store.committed.aliases_json import decode_rows, encode_aliases
from codecortex.store.paths import ALIASES, SEMANTIC, semantic_path

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from codecortex.git.repository import Repository
    from codecortex.model.code.aliases import Alias
    from codecortex.operations.reading.tree import Tree
    from codecortex.operations.refresh.renames import AliasPlan


def adopt_left(
    tree: Tree, renames: AliasPlan, held: Mapping[str, Staged], unlike: frozenset[str], living: Collection[str]
) -> dict[str, bytes]:
    """Alias table and notes left on disk by an aborted commit, such as one that a commit-msg hook refused.

    They are on disk, but in no index: a later `git commit -a` would remove the old paths without adding the new ones.
    The text of such a note is taken from HEAD; later edits remain uncommitted.

    Args:
        tree: The tree to be committed.
        renames: The renames of this commit.
        held: The entries of `.codecortex` in the index.
        unlike: Paths where the work tree differs from the index.
        living: TypeIds of existing types.

    Returns:
        Path to bytes of each file to add to the commit.
    """
    left = unlike - held.keys() - renames.writes.keys()
    if tree.listing.head is None or not any(path == ALIASES or path.startswith(SEMANTIC + "/") for path in left):
        return {}
    repository = tree.repository
    table = renames.writes.get(ALIASES) or _read_table(repository, held)
    if ALIASES in left:
        table = Disk(repository.require_root()).read_all([ALIASES]).get(ALIASES, b"")
    rows = {row.old_id: row for row in _read_rows(table) if row.old_id not in living and row.new_id in living}
    wanted = {semantic_path(row.old_id): semantic_path(row.new_id) for row in rows.values()}
    wanted = {old: new for old, new in wanted.items() if new in left and old not in held}
    head = list_committed(repository, tree.listing.head, SEMANTIC) if wanted else {}
    files = read_staged_notes(repository, {path: entry for path, entry in head.items() if path in wanted})
    adopted = {wanted[path]: rewrite_names(data, rows) for path, data in files.items()}
    return adopted | ({ALIASES: encode_aliases(rows.values())} if ALIASES in left and rows else {})


def _read_table(repository: Repository, entries: Mapping[str, Staged]) -> bytes:
    return read_blob(repository, entries[ALIASES].blob) if ALIASES in entries else b""


def _read_rows(data: bytes) -> tuple[Alias, ...]:
    try:
        return decode_rows(data, ALIASES) if data else ()
    except StoreFormatError:
        return ()  # a hook must not spread a damaged table


def carry_on_disk(
    repository: Repository, renames: AliasPlan, held: Mapping[str, Staged], *, sparse: bool = False
) -> None:
    """Apply the renames to the notes and alias rows of the work tree.

    Args:
        repository: The repository; the caller holds its lock.
        renames: The renames of the commit.
        held: Entries of its index before.
        sparse: Whether a sparse checkout leaves out the alias table.

    Raises:
        GitStateError: A file cannot be written.
    """
    files = read_disk_notes(repository.require_root())
    moves = _list_moves(renames, held, files)
    writes = carry_notes(files, moves, renames.renamed)
    if ALIASES in renames.writes and not sparse:
        before = _read_table(repository, held)
        mine = Disk(repository.require_root()).read_all([ALIASES]).get(ALIASES, before)
        writes[ALIASES] = _merge_rows(mine, before, renames.writes[ALIASES])
    apply_note_writes(repository, writes, moves, staged=False)


def carry_in_index(
    repository: Repository, renames: AliasPlan, held: Mapping[str, Staged], real: Mapping[str, Staged]
) -> tuple[list[JournalLine], list[bytes]]:
    """Journal lines for the notes and the alias table in the real index after the commit, and the blobs to store.

    Args:
        repository: The repository.
        renames: The renames of the commit.
        held: Entries of the commit's own index before.
        real: Entries of the real index.
    """
    form = repository.object_format
    committed: dict[str, Staged | None] = dict.fromkeys(renames.removals)
    committed |= {path: Staged(REGULAR, hash_blob(data, form)) for path, data in renames.writes.items()}
    files = read_staged_notes(repository, real)
    moves = _list_moves(renames, held, files)
    texts = carry_notes(files, moves, renames.renamed)
    if ALIASES in renames.writes:
        mine = _read_table(repository, real)
        before = _read_table(repository, held)
        texts[ALIASES] = _merge_rows(mine, before, renames.writes[ALIASES])
    targets: dict[str, Staged | None] = {move.old_path: None for move in moves}
    targets |= {path: Staged(REGULAR, hash_blob(data, form)) for path, data in texts.items()}
    lines = [
        JournalLine(path, committed.get(path, held.get(path)), target, held.get(path), real.get(path))
        for path, target in targets.items()
        if not is_same(target, real.get(path))
    ]
    return lines, list(texts.values())


def _list_moves(renames: AliasPlan, held: Mapping[str, Staged], files: Mapping[str, bytes]) -> list[NoteMove]:
    """The moves of the commit, and of notes that exist only here; none onto a note that stays."""
    settled = {move.old_path for move in renames.moves}
    moves = {}
    for key, alias in sorted(renames.renamed.items()):
        move = NoteMove(semantic_path(key), semantic_path(alias.new_id), alias)
        if key != alias.new_id and move.old_path in files and (move.old_path in settled or move.old_path not in held):
            moves[move.old_path] = move
    while blocked := [m for m in moves.values() if m.new_path in files and m.new_path not in moves]:
        for move in blocked:
            del moves[move.old_path]
    return list(moves.values())


def _merge_rows(mine: bytes, before: bytes, after: bytes) -> bytes:
    """The alias rows of one place, with the commit's changes applied."""
    if mine in (before, after, b""):
        return after
    try:
        rows, old, new = (set(decode_rows(data, ALIASES)) if data else set() for data in (mine, before, after))
    except StoreFormatError:
        return after  # one is damaged: take the commit's table, which was made from readable rows
    return encode_aliases((rows - (old - new)) | (new - old))
