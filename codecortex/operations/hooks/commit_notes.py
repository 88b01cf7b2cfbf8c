"""Renames that a commit brings in; the notes and the alias table follow on disk and in the real index.

What is committed was worked out from the index alone. The work tree, and behind `git commit <path>` the real index,
may hold edits that are not part of the commit: there the same renames are made in the text that stands there.
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
    """The alias table and the notes of a commit that came to nothing, such as one that a commit-msg hook refused.

    They lie on disk and no index knows them: a later `git commit -a` takes the old paths away and leaves the new ones
    out. The text of a note is that of HEAD; what was edited since stays an edit.

    Args:
        tree: What is committed.
        renames: What it brings in.
        held: `.codecortex` as the index holds it.
        unlike: Where the work tree is unlike it.
        living: Ids of the types that there are.

    Returns:
        Path to bytes of each that belongs into the commit.
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
        return ()  # what cannot be read is not for a hook to spread


def carry_on_disk(
    repository: Repository, renames: AliasPlan, held: Mapping[str, Staged], *, sparse: bool = False
) -> None:
    """Make the renames in the work tree, in the notes and rows that stand there.

    Args:
        repository: Where; the caller holds its lock.
        renames: What the commit brings in.
        held: What its index held before.
        sparse: Whether a sparse checkout leaves the alias table out.

    Raises:
        GitStateError: The disk refuses.
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
    """What the real index has to hold of notes and rows after the commit, and the blobs that takes.

    Args:
        repository: Where.
        renames: What the commit brings in.
        held: What the commit's own index held before.
        real: What the real one holds.
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
    """The moves of the commit, and those of notes that only this place knows; none onto a note that stays."""
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
    """The rows that stand in one place, with what the commit changes about rows."""
    if mine in (before, after, b""):
        return after
    try:
        rows, old, new = (set(decode_rows(data, ALIASES)) if data else set() for data in (mine, before, after))
    except StoreFormatError:
        return after  # one of them is broken, and the commit's own was made from what could be read
    return encode_aliases((rows - (old - new)) | (new - old))
