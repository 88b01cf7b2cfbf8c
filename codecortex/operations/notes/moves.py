"""Moves the notes of renamed types: computes their new files and applies them on disk and in the index."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any
from zlib import crc32

from codecortex.git.hooks.staging import Staged, list_staged, stage_entries, store_blobs
from codecortex.git.paths import encode_path
from codecortex.git.worktree.disk import Disk, hash_blob, read_file
from codecortex.git.worktree.writing import apply_writes, list_files
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later
from codecortex.store.paths import NOTES_ASIDE, SEMANTIC, TYPES, Layout, outline_path, semantic_owner

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from codecortex.git.repository import Repository
    from codecortex.model.code.aliases import Alias
    from codecortex.operations.reading.tree import Tree

_SUFFIX = ".md"
_DAMAGED = "notes-aside.damaged"
_SEAL = 9
_STATE = "state.json"
_HEADER = compile_later(rb"\A(?:[^\r\n]+\r?\n)*(?:[^\r\n]+\Z)?")
_TITLE = compile_later(rb"\A((?:\xef\xbb\xbf)?# Semantic: )(\S+) (T_[0-9A-Z]+)")
_MEMBER = compile_later(rb"^(- )(\S+) (T_[0-9A-Z]+)(?=:)", re.MULTILINE)
_DEPENDENCIES = compile_later(rb"^(?:Dependencies|Cut):.*$", re.MULTILINE)
_DEPENDENCY = compile_later(rb"(T_[0-9A-Z]+)(?=@|,|\r?$)")


class NoteMove(NamedTuple):
    """A note whose file moves, because its type was renamed."""

    old_path: str
    new_path: str
    alias: Alias


# -- new texts of notes


def rewrite_names(data: bytes, renamed: Mapping[str, Alias], *, title: bool = True) -> bytes:
    """A note with the new FQNs and TypeIds of renamed types in its header; every other byte stays.

    All renames are replaced in one pass, so that types which swapped names do not collide.

    Args:
        data: Bytes of a note, damaged or not.
        renamed: Aliases of all renamed types, by old TypeId.
        title: Whether the note's own types are renamed too, and not only its dependencies.
    """
    found = _HEADER.match(data)
    header = data[: found.end()] if found else b""

    def rename(match: re.Match[bytes]) -> bytes:
        alias = renamed.get(match[3].decode())
        return match[0] if alias is None else match[1] + f"{alias.new_fqn} {alias.new_id}".encode("utf-8", "replace")

    def redirect(match: re.Match[bytes]) -> bytes:
        alias = renamed.get(match[1].decode())
        return match[0] if alias is None else alias.new_id.encode()

    new = _MEMBER.sub(rename, _TITLE.sub(rename, header) if title else header)
    new = _DEPENDENCIES.sub(lambda line: _DEPENDENCY.sub(redirect, line[0]), new, count=2)
    return data if new == header else new + data[len(header) :]


def carry_notes(
    files: Mapping[str, bytes], moves: Sequence[NoteMove], renamed: Mapping[str, Alias]
) -> dict[str, bytes]:
    """The notes that change, path to new bytes.

    Args:
        files: The notes in the index, or on disk with uncommitted edits, path to bytes.
        moves: The notes to move.
        renamed: Aliases of all renamed types, by old TypeId.
    """
    places = {move.old_path: move.new_path for move in moves}
    out = {}
    for path, data in files.items():
        target, text = places.get(path, path), rewrite_names(data, renamed, title=path in places)
        if files.get(target) != text:
            out[target] = text
    return out


# -- reading notes


def read_note_files(tree: Tree) -> dict[str, bytes]:
    """All notes of the index or the work tree, whichever the tree is read from, path to bytes."""
    repository = tree.repository
    if tree.request.staged:
        return read_staged_notes(repository, list_staged(repository, SEMANTIC))
    return read_disk_notes(repository.require_root())


def read_disk_notes(root: Path) -> dict[str, bytes]:
    """All notes on disk, tracked or not, path to bytes; symbolic links are skipped."""
    return Disk(root).read_all(filter(_is_note, sorted(list_files(root, SEMANTIC))))


def read_staged_notes(repository: Repository, entries: Mapping[str, Staged]) -> dict[str, bytes]:
    """The notes among index entries, path to bytes."""
    from codecortex.git.contents import read_blobs

    return read_blobs(repository, {path: entry.blob for path, entry in sorted(entries.items()) if _is_note(path)})


def list_unmerged(repository: Repository, folder: str = SEMANTIC) -> frozenset[str]:
    """Paths of notes, or files of another folder, with unmerged entries in git's index.

    Raises:
        GitStateError: Git cannot read the index.
    """
    output = repository.ask("list what is unmerged", "ls-files", "-u", "-z", "--", folder)
    return frozenset(encode_path(record.partition(b"\t")[2]) for record in output.split(b"\0")[:-1])


def tell_unmerged(path: str) -> str:
    """A sentence without full stop: the note is unmerged, and what to do."""
    return f"{path} is unmerged in git's index: resolve it, then `git add` it"


def _is_note(path: str) -> bool:
    return path.startswith(SEMANTIC + "/") and path.endswith(_SUFFIX)


# -- writing notes


def apply_note_writes(
    repository: Repository, writes: Mapping[str, bytes], moves: Sequence[NoteMove], *, staged: bool = True
) -> None:
    """Write notes and the alias table, then remove moved notes from their old paths, on disk and in git's index.

    New files are written before old ones are removed, so that a killed run leaves both. Notes that swap paths are
    backed up in the git directory; the caller calls `drop_swap` once the outlines are written.

    Args:
        repository: The repository; the caller holds its lock.
        writes: Path to new bytes.
        moves: The moved notes among them; only their index entries move too.
        staged: Whether to move the index entries; a hook updates the index itself, in one step.
    """
    root = repository.require_root()
    sources, targets = {move.old_path for move in moves}, {move.new_path for move in moves}
    # Read the index first: it fails on an unmerged note, and then nothing may be written.
    held = list_staged(repository, SEMANTIC) if moves and staged else {}
    entries = _plan_entries(repository, moves, held)
    if sources & targets:
        wanted = {path: writes.get(path) for path in (*sources, *targets)}
        _save_swap(
            repository, _PendingMove(wanted, {path: (held.get(path), entries[path]) for path in entries}, staged)
        )
    apply_writes(root, writes)
    if entries:
        stage_entries(repository, entries)
    if moves:
        apply_writes(root, {}, sorted(sources - targets))


def _plan_entries(
    repository: Repository, moves: Sequence[NoteMove], held: Mapping[str, Staged]
) -> dict[str, Staged | None]:
    """New index entries of moved notes, each with the rewritten staged text, as `git mv` would keep it.

    An untracked note stays untracked; a note whose new path is already tracked is not moved.
    """
    sources = {move.old_path for move in moves}
    tracked = [m for m in moves if m.old_path in held and (m.new_path not in held or m.new_path in sources)]
    renamed = {move.alias.old_id: move.alias for move in moves}
    texts = read_staged_notes(repository, {move.old_path: held[move.old_path] for move in tracked})
    new = {move: rewrite_names(texts[move.old_path], renamed) for move in tracked if move.old_path in texts}
    if new:
        store_blobs(repository, list(new.values()), repository.local_dir / "note-blobs")
    entries: dict[str, Staged | None] = {move.old_path: None for move in new}
    for move, data in new.items():
        entries[move.new_path] = held[move.old_path]._replace(blob=hash_blob(data, repository.object_format))
    return entries


# -- notes that swap paths
#
# While two notes swap, one text is overwritten before the other has moved. Their old texts are backed up in the git
# directory until the outlines of the renamed types are written: only then is the move not planned again.


class _PendingMove(NamedTuple):
    """The state of a swap in progress.

    Attributes:
        notes: Path of each note that moves or is overwritten, to its new bytes; None if it is removed.
        entries: Path of each changed index entry, to the entry before and after.
        on_disk: Whether the end of the swap shows in the outlines on disk; else in those of the index.
    """

    notes: Mapping[str, bytes | None]
    entries: Mapping[str, tuple[Staged | None, Staged | None]]
    on_disk: bool


def _find_swap(repository: Repository) -> Path:
    return repository.local_dir / NOTES_ASIDE


def _save_swap(repository: Repository, pending: _PendingMove) -> None:
    form, before = repository.object_format, Disk(repository.require_root()).read_all(sorted(pending.notes))
    state = {
        "onDisk": pending.on_disk,
        "outlines": _hash_outlines(repository, pending.notes, on_disk=pending.on_disk),
        "notes": {path: [_name(before.get(path), form), _name(data, form)] for path, data in pending.notes.items()},
        "entries": pending.entries,
    }
    kept = {f"{NOTES_ASIDE}/{path.rpartition('/')[2]}": data for path, data in before.items()}
    drop_swap(repository)
    apply_writes(
        repository.local_dir, {**kept, f"{NOTES_ASIDE}/{_STATE}": _seal(json.dumps(state).encode())}
    )  # written last: without it, the backup is incomplete


def _seal(data: bytes) -> bytes:
    """The data behind a checksum of it."""
    return b"%08x " % crc32(data) + data


def _name(data: bytes | None, object_format: str) -> str:
    return "" if data is None else hash_blob(data, object_format)


def _hash_outlines(repository: Repository, notes: Iterable[str], *, on_disk: bool) -> dict[str, str]:
    """Blob ids, by path, of the outlines in either layout of the types that own these notes."""
    ids = filter(None, map(semantic_owner, notes))
    paths = [outline_path(type_id, layout) for type_id in sorted(ids) for layout in Layout]
    if not on_disk:
        held = list_staged(repository, TYPES)
        return {path: held[path].blob for path in paths if path in held}
    found = Disk(repository.require_root()).read_all(paths)
    return {path: hash_blob(data, repository.object_format) for path, data in found.items()}


def restore_notes(repository: Repository) -> None:
    """Undo a swap, on disk and in the index, that a killed run left half done; the next run plans it again.

    Nothing is undone if a person has edited one of the notes since.
    """
    folder = _find_swap(repository)
    if not folder.is_dir():
        return
    import shutil

    data = read_file(repository.local_dir, f"{NOTES_ASIDE}/{_STATE}", "Move it away, then run this again.")
    if data is None:
        drop_swap(repository)  # the backup was never completed, so nothing had changed yet
        return
    if data != _seal(data[_SEAL:]):
        shutil.rmtree(folder.with_name(_DAMAGED), ignore_errors=True)
        folder.rename(folder.with_name(_DAMAGED))  # the old texts may still be of use to somebody
        return
    state = json.loads(data[_SEAL:])
    root, form = repository.require_root(), repository.object_format
    found = Disk(root).read_all(state["notes"])
    now = {path: _name(found.get(path), form) for path in state["notes"]}
    untouched = all(now[path] in names for path, names in state["notes"].items())
    if untouched and _hash_outlines(repository, state["notes"], on_disk=state["onDisk"]) == state["outlines"]:
        kept = {path: folder / path.rpartition("/")[2] for path, (before, _) in state["notes"].items() if before}
        texts = {path: file.read_bytes() for path, file in kept.items()}
        if all(_name(data, form) == state["notes"][path][0] for path, data in texts.items()):
            apply_writes(root, texts, sorted(now.keys() - kept.keys()))
            _restore_entries(repository, state["entries"])
    drop_swap(repository)


def _restore_entries(repository: Repository, entries: Mapping[str, Sequence[Sequence[Any] | None]]) -> None:
    pairs = {path: [Staged(*each) if each else None for each in both] for path, both in entries.items()}
    held = list_staged(repository, SEMANTIC) if pairs else {}
    if pairs and all(held.get(path) == after for path, (_, after) in pairs.items()):
        stage_entries(repository, {path: before for path, (before, _) in pairs.items()})


def drop_swap(repository: Repository) -> None:
    """Delete the backup of a swap; the rename makes it vanish in one step."""
    folder = _find_swap(repository)
    if folder.is_dir():
        import shutil

        gone = folder.with_name("notes-done")
        shutil.rmtree(gone, ignore_errors=True)
        folder.rename(gone)
        shutil.rmtree(gone, ignore_errors=True)
