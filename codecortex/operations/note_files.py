"""Notes of types that are called otherwise now in; what their files have to become, out, and done on disk."""

from __future__ import annotations

import re
import shutil
from typing import TYPE_CHECKING, NamedTuple

from codecortex.git.disk import Disk, hash_blob
from codecortex.git.listing import Entry
from codecortex.git.paths import decode_path
from codecortex.git.staging import Staged, list_staged, stage_entries, store_blobs
from codecortex.git.writing import apply_writes, list_files
from codecortex.store.paths import SEMANTIC

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from codecortex.git.repository import Repository
    from codecortex.model.aliases import Alias
    from codecortex.operations.reading import Tree

_SUFFIX = ".md"
_REGULAR = 0o100644
_HEADER = re.compile(rb"\A(?:[^\r\n]+\r?\n)*(?:[^\r\n]+\Z)?")
_TITLE = re.compile(rb"\A((?:\xef\xbb\xbf)?# Semantic: )(\S+) (T_[0-9A-Z]+)")
_MEMBER = re.compile(rb"^(- )(\S+) (T_[0-9A-Z]+)(?=:)", re.MULTILINE)
_DEPENDENCIES = re.compile(rb"^Dependencies:.*$", re.MULTILINE)
_DEPENDENCY = re.compile(rb"(T_[0-9A-Z]+)(?=@)")


class NoteMove(NamedTuple):
    """A note that belongs under another name now."""

    old_path: str
    new_path: str
    alias: Alias


# -- what a note becomes


def rewrite_note(data: bytes, alias: Alias) -> bytes:
    """A note with one type's new name and id wherever its header names the old; every other byte as it was."""
    return rewrite_names(data, {alias.old_id: alias})


def rewrite_names(data: bytes, renamed: Mapping[str, Alias], *, title: bool = True) -> bytes:
    """The same for several types at once: names that changed hands do not meet.

    Args:
        data: A note, damaged or not.
        renamed: Every renamed type, by old id.
        title: Whether the note itself changes hands, and not only what it refers to.
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
    new = _DEPENDENCIES.sub(lambda line: _DEPENDENCY.sub(redirect, line[0]), new, count=1)
    return data if new == header else new + data[len(header) :]


def carry_notes(
    files: Mapping[str, bytes], moves: Sequence[NoteMove], renamed: Mapping[str, Alias]
) -> dict[str, bytes]:
    """What the notes of one place have to hold after the moves: those that change, by path.

    Args:
        files: The notes that lie there: in the index, or on disk with whatever is unsaved in them.
        moves: Which note goes where.
        renamed: Every renamed type, by old id.
    """
    places = {move.old_path: move.new_path for move in moves}
    out = {}
    for path, data in files.items():
        target, text = places.get(path, path), rewrite_names(data, renamed, title=path in places)
        if files.get(target) != text:
            out[target] = text
    return out


# -- where notes lie


def read_note_files(tree: Tree) -> dict[str, bytes]:
    """Every note of the index or of the work tree, whichever the tree is of, by path."""
    repository = tree.repository
    if tree.request.staged:
        return read_staged_notes(repository, list_staged(repository, SEMANTIC))
    return read_disk_notes(repository.require_root())


def read_disk_notes(root: Path) -> dict[str, bytes]:
    """Every note on disk, tracked or not; a link is none."""
    disk = Disk(root)
    read = {path: disk.read(decode_path(path)) for path in sorted(list_files(root, SEMANTIC))}
    return {path: data for path, data in read.items() if path.endswith(_SUFFIX) and isinstance(data, bytes)}


def read_staged_notes(repository: Repository, entries: Mapping[str, Staged]) -> dict[str, bytes]:
    """The notes among entries of an index."""
    from codecortex.git.contents import read_contents  # noqa: PLC0415 - only where something is staged

    wanted = [
        Entry(path, entry.blob, _REGULAR, from_disk=False, dirty=False)
        for path, entry in sorted(entries.items())
        if path.startswith(SEMANTIC + "/") and path.endswith(_SUFFIX)
    ]
    return {each.entry.path: each.data for each in read_contents(repository, wanted) if each.data is not None}


class DiskNotes(NamedTuple):
    """What becomes of notes in the work tree: path to bytes, and paths that are left empty."""

    writes: dict[str, bytes]
    removals: tuple[str, ...]


def follow_on_disk(
    root: Path, moves: Sequence[NoteMove], renamed: Mapping[str, Alias], staged: Mapping[str, bytes]
) -> DiskNotes:
    """What the work tree's notes become when those of the index move, with whatever is unsaved in them.

    A note that moved there already stays as it is, and none is written over another's text.

    Args:
        root: The work tree.
        moves: What moves in the index.
        renamed: Every renamed type, by old id.
        staged: What the index's notes become, by path.
    """
    files = read_disk_notes(root)
    here = {move.old_path: move for move in moves if move.old_path in files}
    done = {path for path, move in here.items() if files.get(move.new_path) == staged.get(move.new_path, b"")}
    crossed = {move.new_path for move in here.values()} & here.keys()
    for path, move in sorted(here.items()):
        blocked = move.new_path in files and move.new_path not in here and path not in done
        if blocked or (path in done and path in crossed):
            del here[path]
    writes = carry_notes(files, tuple(here.values()), renamed)
    return DiskNotes(writes, tuple(sorted(here.keys() - writes.keys() - {move.new_path for move in here.values()})))


# -- done on disk


def apply_note_writes(
    repository: Repository, writes: Mapping[str, bytes], moves: Sequence[NoteMove], *, staged: bool = True
) -> None:
    """Write the notes and the alias table, and let what moved leave its old place, on disk and in git's index.

    What is new stands before what is old goes, so that a killed run leaves both. Notes that change places with each
    other are kept aside until all of them stand.

    Args:
        repository: Where; the caller holds its lock.
        writes: Path to bytes.
        moves: Notes among them that had another path; exactly their entries of the index move with them.
        staged: Whether they do; a hook changes the index in one step of its own.
    """
    root = repository.require_root()
    sources = {move.old_path for move in moves}
    crossed = sources & {move.new_path for move in moves}
    # Before anything is written: it may be unmerged.
    held = list_staged(repository, SEMANTIC) if moves and staged else {}
    if crossed:
        _set_aside(repository, crossed)
    apply_writes(root, writes)
    if moves:
        _move_entries(repository, moves, held)
        apply_writes(root, {}, sorted(sources - crossed))
    if crossed:
        shutil.rmtree(_aside(repository), ignore_errors=True)


def _aside(repository: Repository) -> Path:
    return repository.git_dir / "codecortex" / "notes-aside"


def _set_aside(repository: Repository, paths: Iterable[str]) -> None:
    disk = Disk(repository.require_root())
    kept = {path.rpartition("/")[2]: disk.read(decode_path(path)) for path in paths}
    apply_writes(
        repository.git_dir, {f"codecortex/notes-aside/{n}": b for n, b in kept.items() if isinstance(b, bytes)}
    )


def restore_notes(repository: Repository) -> None:
    """Put back the notes that a killed run had set aside: the next one moves them again."""
    folder = _aside(repository)
    if folder.is_dir():
        kept = {f"{SEMANTIC}/{file.name}": file.read_bytes() for file in sorted(folder.iterdir()) if file.is_file()}
        apply_writes(repository.require_root(), {path: data for path, data in kept.items() if path.endswith(_SUFFIX)})
        shutil.rmtree(folder, ignore_errors=True)


def _move_entries(repository: Repository, moves: Sequence[NoteMove], held: Mapping[str, Staged]) -> None:
    """Let the index entries of moved notes follow, each with the text it had there, as `git mv` does.

    A note that the index does not know stays unknown to it, and one whose new path it knows already stays put.
    """
    sources = {move.old_path for move in moves}
    tracked = [m for m in moves if m.old_path in held and (m.new_path not in held or m.new_path in sources)]
    if not tracked:
        return
    renamed = {move.alias.old_id: move.alias for move in moves}
    texts = read_staged_notes(repository, {move.old_path: held[move.old_path] for move in tracked})
    new = {move: rewrite_names(texts[move.old_path], renamed) for move in tracked if move.old_path in texts}
    store_blobs(repository, list(new.values()), repository.git_dir / "codecortex" / "note-blobs")
    entries: dict[str, Staged | None] = {move.old_path: None for move in new}
    for move, data in new.items():
        entries[move.new_path] = held[move.old_path]._replace(blob=hash_blob(data, repository.object_format))
    stage_entries(repository, entries)
