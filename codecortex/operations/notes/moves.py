"""Notes of types that are called otherwise now in; what their files have to become, out, and done on disk."""

from __future__ import annotations

import json
import re
import shutil
from typing import TYPE_CHECKING, Any, NamedTuple

from codecortex.git.hooks.staging import Staged, list_staged, stage_entries, store_blobs
from codecortex.git.paths import encode_path
from codecortex.git.worktree.disk import Disk, hash_blob
from codecortex.git.worktree.writing import apply_writes, list_files
from codecortex.store.paths import SEMANTIC, TYPES, Layout, outline_path, semantic_owner

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from codecortex.git.repository import Repository
    from codecortex.model.code.aliases import Alias
    from codecortex.operations.reading.tree import Tree

_SUFFIX = ".md"
_ASIDE = "notes-aside"
_STATE = "state.json"
_HEADER = re.compile(rb"\A(?:[^\r\n]+\r?\n)*(?:[^\r\n]+\Z)?")
_TITLE = re.compile(rb"\A((?:\xef\xbb\xbf)?# Semantic: )(\S+) (T_[0-9A-Z]+)")
_MEMBER = re.compile(rb"^(- )(\S+) (T_[0-9A-Z]+)(?=:)", re.MULTILINE)
_DEPENDENCIES = re.compile(rb"^(?:Dependencies|Cut):.*$", re.MULTILINE)
_DEPENDENCY = re.compile(rb"(T_[0-9A-Z]+)(?=@|,|\r?$)")


class NoteMove(NamedTuple):
    """A note that belongs under another name now."""

    old_path: str
    new_path: str
    alias: Alias


# -- what a note becomes


def rewrite_names(data: bytes, renamed: Mapping[str, Alias], *, title: bool = True) -> bytes:
    """A note with types' new names and ids wherever its header names the old; every other byte as it was.

    All at once, so that names which changed hands do not meet.

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
    new = _DEPENDENCIES.sub(lambda line: _DEPENDENCY.sub(redirect, line[0]), new, count=2)
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
    return Disk(root).read_all(filter(_is_note, sorted(list_files(root, SEMANTIC))))


def read_staged_notes(repository: Repository, entries: Mapping[str, Staged]) -> dict[str, bytes]:
    """The notes among entries of an index."""
    from codecortex.git.contents import read_blobs

    return read_blobs(repository, {path: entry.blob for path, entry in sorted(entries.items()) if _is_note(path)})


def list_unmerged(repository: Repository) -> frozenset[str]:
    """The notes that stand in git's index in several versions, as a merge left them.

    Raises:
        GitStateError: Git cannot read the index.
    """
    output = repository.ask("list what is unmerged", "ls-files", "-u", "-z", "--", SEMANTIC)
    return frozenset(encode_path(record.partition(b"\t")[2]) for record in output.split(b"\0")[:-1])


def tell_unmerged(path: str) -> str:
    """That a note is unmerged, and the next step, as a sentence without the full stop."""
    return f"{path} is unmerged in git's index: resolve it, then `git add` it"


def _is_note(path: str) -> bool:
    return path.startswith(SEMANTIC + "/") and path.endswith(_SUFFIX)


# -- done on disk


def apply_note_writes(
    repository: Repository, writes: Mapping[str, bytes], moves: Sequence[NoteMove], *, staged: bool = True
) -> None:
    """Write the notes and the alias table, and let what moved leave its old place, on disk and in git's index.

    What is new stands before what is old goes, so that a killed run leaves both. Notes that change places with each
    other are kept aside: `drop_aside` is for the caller, once the outlines are written.

    Args:
        repository: Where; the caller holds its lock.
        writes: Path to bytes.
        moves: Notes among them that had another path; exactly their entries of the index move with them.
        staged: Whether they do; a hook changes the index in one step of its own.
    """
    root = repository.require_root()
    sources, targets = {move.old_path for move in moves}, {move.new_path for move in moves}
    # Before anything is written: a note may be unmerged.
    held = list_staged(repository, SEMANTIC) if moves and staged else {}
    entries = _plan_entries(repository, moves, held)
    if sources & targets:
        wanted = {path: writes.get(path) for path in (*sources, *targets)}
        _set_aside(
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
    """How the index entries of moved notes follow, each with the text it had there, as `git mv` has it.

    A note that the index does not know stays unknown to it, and one whose new path it knows already stays put.
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


# -- notes that change places
#
# Of two that swap, the second is written over while the first stands twice: their old texts are kept aside in the git
# directory. They are let go when the outlines tell of the change, for then nothing will ask for the move again.


class _PendingMove(NamedTuple):
    """A move that is under way.

    Attributes:
        notes: Path of every note that moves or is moved to, to what it becomes; None for nothing.
        entries: Path of index entries that change to how they were and how they become.
        on_disk: Whether the outlines on disk tell when it is over; else those of the index do.
    """

    notes: Mapping[str, bytes | None]
    entries: Mapping[str, tuple[Staged | None, Staged | None]]
    on_disk: bool


def _find_aside(repository: Repository) -> Path:
    return repository.local_dir / _ASIDE


def _set_aside(repository: Repository, aside: _PendingMove) -> None:
    form, before = repository.object_format, Disk(repository.require_root()).read_all(sorted(aside.notes))
    state = {
        "onDisk": aside.on_disk,
        "outlines": _hash_outlines(repository, aside.notes, on_disk=aside.on_disk),
        "notes": {path: [_name(before.get(path), form), _name(data, form)] for path, data in aside.notes.items()},
        "entries": aside.entries,
    }
    kept = {f"{_ASIDE}/{path.rpartition('/')[2]}": data for path, data in before.items()}
    drop_aside(repository)
    apply_writes(
        repository.local_dir, {**kept, f"{_ASIDE}/{_STATE}": json.dumps(state).encode()}
    )  # the state comes last


def _name(data: bytes | None, object_format: str) -> str:
    return "" if data is None else hash_blob(data, object_format)


def _hash_outlines(repository: Repository, notes: Iterable[str], *, on_disk: bool) -> dict[str, str]:
    """The blob ids of the outlines, in either layout, of the types that notes are of."""
    ids = filter(None, map(semantic_owner, notes))
    paths = [outline_path(type_id, layout) for type_id in sorted(ids) for layout in Layout]
    if not on_disk:
        held = list_staged(repository, TYPES)
        return {path: held[path].blob for path in paths if path in held}
    found = Disk(repository.require_root()).read_all(paths)
    return {path: hash_blob(data, repository.object_format) for path, data in found.items()}


def restore_notes(repository: Repository) -> None:
    """Undo, on disk and in the index, the changing of places that a killed run left half done: the next one redoes it.

    What a person has edited since stays as it is.
    """
    folder = _find_aside(repository)
    if not folder.is_dir():
        return
    try:
        state = json.loads((folder / _STATE).read_bytes())
    except (OSError, ValueError):
        drop_aside(repository)  # it was not even complete: nothing had changed yet
        return
    root, form = repository.require_root(), repository.object_format
    found = Disk(root).read_all(state["notes"])
    now = {path: _name(found.get(path), form) for path in state["notes"]}
    untouched = all(now[path] in names for path, names in state["notes"].items())
    if untouched and _hash_outlines(repository, state["notes"], on_disk=state["onDisk"]) == state["outlines"]:
        kept = {path: folder / path.rpartition("/")[2] for path, (before, _) in state["notes"].items() if before}
        apply_writes(root, {path: file.read_bytes() for path, file in kept.items()}, sorted(now.keys() - kept.keys()))
        _restore_entries(repository, state["entries"])
    drop_aside(repository)


def _restore_entries(repository: Repository, entries: Mapping[str, Sequence[Sequence[Any] | None]]) -> None:
    pairs = {path: [Staged(*each) if each else None for each in both] for path, both in entries.items()}
    held = list_staged(repository, SEMANTIC) if pairs else {}
    if pairs and all(held.get(path) == after for path, (_, after) in pairs.items()):
        stage_entries(repository, {path: before for path, (before, _) in pairs.items()})


def drop_aside(repository: Repository) -> None:
    """Let go what was kept aside, all at once."""
    folder = _find_aside(repository)
    if folder.is_dir():
        gone = folder.with_name("notes-done")
        shutil.rmtree(gone, ignore_errors=True)
        folder.rename(gone)
        shutil.rmtree(gone, ignore_errors=True)
