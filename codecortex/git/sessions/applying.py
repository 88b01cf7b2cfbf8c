"""Files of the work tree changed all at once: all of them or none, whenever the process ends.

What the files say and what they are to say is stored as a commit; then a note in git's folder names it; then the files
change; then a ref takes the commit as its latest, and the note goes. A note that is found tells of a process that was
killed in between: who finds it finishes its work, or takes it back where somebody changed a file meanwhile.
"""

from __future__ import annotations

import json
import os
import stat
import time
from contextlib import suppress
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from codecortex.git.intent import add_intent, drop_intent
from codecortex.git.lock import lock_repository
from codecortex.git.objects.opening import open_lasting, open_objects
from codecortex.git.paths import decode_path, encode_path
from codecortex.git.sessions.chains import list_chains, read_chain, write_link
from codecortex.git.worktree.disk import Disk, Problem
from codecortex.git.worktree.writing import apply_writes
from codecortex.model.errors import CodecortexError, GitStateError
from codecortex.model.sessions import read_message, write_message
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from codecortex.git.repository import Repository

_REF = "refs/worktree/codecortex/applied"
_BEFORE, _AFTER = "before/", "after/"
_FILE, _EXECUTABLE = 0o100644, 0o100755
_FEW = 4
"""Files up to which git's own processes, two for each, take less time than to load libgit2."""


class ChangedFileError(CodecortexError, code="ExternalConflict", exit_code=3):
    """A file does not say what the edits were made on."""


class FileChange(NamedTuple):
    """A file that changes.

    Attributes:
        path: Its path.
        before: What it says; None where there is no file.
        after: What it is to say; None for no file.
        executable: Whether its owner may run it then; None as before, and not where there was none.
        was_executable: Whether the owner could before; found out when it is changed.
    """

    path: str
    before: bytes | None
    after: bytes | None
    executable: bool | None = None
    was_executable: bool = False


class Applied(NamedTuple):
    """Changes that were applied, and that can be taken back.

    Attributes:
        id: Their commit.
        previous: That of the changes before; None where there are none.
        time: When it was, in seconds since 1970.
        title: What they are, for people.
        facts: The same for programs.
        files: The files.
    """

    id: str
    previous: str | None
    time: int
    title: str
    facts: Mapping[str, Any]
    files: tuple[FileChange, ...]


class _Note(NamedTuple):
    """What the note says: the commit, what the ref names until then and afterwards, empty for nothing.

    Attributes:
        commit: The commit.
        old: What the ref names until then.
        new: What it names afterwards.
        tracks: Whether git gets to know of files that are made of tracked ones.
        back: Whether a file could not be written: those that were get their old texts again.
    """

    commit: str
    old: str
    new: str
    tracks: bool = False
    back: bool = False


def apply_changes(
    repository: Repository, changes: Sequence[FileChange], title: str, facts: Mapping[str, Any], *, tracks: bool = False
) -> None:
    """Change files, so that `read_applied` finds it.

    Args:
        repository: The repository.
        changes: The files.
        title: What they are, for people.
        facts: The same for programs.
        tracks: Whether git gets to know of files that are made of tracked ones.

    Raises:
        ChangedFileError: One does not say what it should; nothing is changed.
        GitStateError: One cannot be written, or git fails; nothing is changed.
        BusyError: Another process is at work.
    """
    with lock_repository(repository):
        _finish(repository)
        latest = _find_latest(repository)
        changes = _refuse_changed(repository, changes)
        commit = _store(repository, changes, latest, write_message(title, facts))
        _carry_out(repository, changes, _Note(commit, latest or "", commit, tracks))


def take_back(repository: Repository, applied: Applied, changes: Sequence[FileChange]) -> None:
    """Change files so that the latest changes are taken back; raises as `apply_changes`."""
    with lock_repository(repository):
        _finish(repository)
        if _find_latest(repository) != applied.id:
            raise ChangedFileError("Another process changed what is to be taken back.", "Look at it, and try again.")
        changes = _refuse_changed(repository, changes)
        commit = _store(repository, changes, None, write_message(f"Take back: {applied.title}", {}))
        _carry_out(repository, changes, _Note(commit, applied.id, applied.previous or "", tracks=True))


def read_applied(repository: Repository) -> Applied | None:
    """The latest changes that were applied and not taken back."""
    latest = _find_latest(repository)
    if latest is None:
        return None
    links = read_chain(repository, latest, None, most=2)
    title, facts = read_message(links[0].message)
    previous = links[1].id if len(links) > 1 else None
    return Applied(latest, previous, links[0].time, title, facts, _load(repository, latest))


def finish_applying(repository: Repository, warn: Callable[[str], None]) -> None:
    """Finish what a killed process began, and say so.

    Raises:
        BusyError: The process is still at work.
        GitStateError: A file cannot be written.
    """
    if repository.is_applying and repository.root is not None:
        with lock_repository(repository):
            told = _finish(repository)
        if told:
            warn(told)


def _find_latest(repository: Repository) -> str | None:
    return next((link.id for link in list_chains(repository, _REF).values()), None)


def _store(repository: Repository, changes: Sequence[FileChange], latest: str | None, message: str) -> str:
    objects = open_lasting(repository) if len(changes) > _FEW else open_objects(repository)
    entries: dict[bytes, tuple[int, str] | None] = {}
    for each in changes:
        sides = (_BEFORE, each.before, each.was_executable), (_AFTER, each.after, each.executable)
        for side, data, may_run in sides:
            if data is not None:
                entries[decode_path(side + each.path)] = _EXECUTABLE if may_run else _FILE, objects.write_blob(data)
    return write_link(repository, objects.write_tree(None, entries), latest, message, int(time.time()))


def _load(repository: Repository, commit: str) -> tuple[FileChange, ...]:
    objects = open_objects(repository)
    entries = {encode_path(entry.path): entry for entry in objects.list_tree(commit).entries}
    blobs = {path: entry.id for path, entry in entries.items()}
    order = sorted(blobs)
    data = dict.fromkeys(order, b"")
    for place, found in objects.read_blobs([blobs[path] for path in order]):
        if isinstance(found, Problem):
            raise GitStateError(f"The snapshot {commit[:12]} cannot be read: {found}.", "`git fsck` tells more.")
        data[order[place]] = found
    paths = sorted({path.partition("/")[2] for path in order})
    may_run = {path for path, entry in entries.items() if entry.mode == _EXECUTABLE}
    return tuple(
        FileChange(
            path, data.get(_BEFORE + path), data.get(_AFTER + path), _AFTER + path in may_run, _BEFORE + path in may_run
        )
        for path in paths
    )


def _carry_out(repository: Repository, changes: Sequence[FileChange], note: _Note) -> None:
    """Change the files, having the lock."""
    _put_note(repository.applying_note, note)
    _write_or_not(repository, changes, note)
    repository.applying_note.unlink()


def _write_or_not(repository: Repository, changes: Sequence[FileChange], note: _Note) -> None:
    """Write the files, then name the commit; where one cannot be written, none is, and the note goes."""
    try:
        _write(repository, changes)
        if note.tracks:
            made = [each.path for each in changes if each.before is None and each.after is not None]
            add_intent(repository, made, [each.path for each in changes if each.before is not None])
            if note.new != note.commit:
                drop_intent(repository, [each.path for each in changes if each.after is None])
    except BaseException:
        _put_note(repository.applying_note, note._replace(back=True))
        _write_back(repository, changes)
        repository.applying_note.unlink()
        raise
    _move_ref(repository, note)


def _put_note(place: Path, note: _Note) -> None:
    draft = place.with_suffix(".new")
    draft.write_text(json.dumps(note._asdict()))
    draft.replace(place)


def _write_back(repository: Repository, changes: Sequence[FileChange]) -> None:
    """Give the files that were written their old texts again; the others are left alone."""
    disk = Disk(repository.require_root())
    written = [each for each in changes if _read(disk, each.path) == each.after]
    _write(repository, map(_turn, written))


def _read(disk: Disk, path: str) -> bytes | Problem | None:
    """What a file says; None where there is none."""
    found = disk.read(decode_path(path))
    return None if found is Problem.MISSING else found


def _refuse_changed(repository: Repository, changes: Sequence[FileChange]) -> list[FileChange]:
    """The changes with the permissions that the files have; a file that says something else is refused."""
    _refuse_nested(changes)
    checked = []
    disk = Disk(repository.require_root())
    for each in changes:
        found = disk.read(decode_path(each.path))
        if isinstance(found, Problem) and found is not Problem.MISSING:
            raise ChangedFileError(f"{each.path} cannot be edited: {found}.", "Only regular files are.")
        if (None if isinstance(found, Problem) else found) != each.before:
            raise ChangedFileError(f"{each.path} was changed meanwhile; nothing is written.", "Run the command again.")
        mode = stat.S_IMODE(os.stat(disk.locate(decode_path(each.path))).st_mode) if each.before is not None else 0o222  # noqa: PTH116 - bytes
        if not mode & 0o222:
            raise ChangedFileError(f"{each.path} is read-only; nothing is written.", "Make it writable first.")
        may_run = bool(mode & 0o100)
        checked.append(each._replace(was_executable=may_run, executable=_choose(each.executable, may_run)))
    return checked


def _refuse_nested(changes: Sequence[FileChange]) -> None:
    """Refuse a file in the place of a folder of another one."""
    files = {each.path for each in changes if each.after is not None}
    for path in sorted(files):
        folder = next((each for each in accumulate(path.split("/")[:-1], "{}/{}".format) if each in files), None)
        if folder is not None:
            raise ChangedFileError(f"{folder} cannot be a file and hold {path}.", "Give one of them another name.")


def _choose(wanted: bool | None, found: bool) -> bool:  # noqa: FBT001 - both are answers
    return found if wanted is None else wanted


def _turn(change: FileChange) -> FileChange:
    """What takes a change back."""
    return FileChange(change.path, change.after, change.before, change.was_executable, bool(change.executable))


def _write(repository: Repository, changes: Iterable[FileChange]) -> None:
    writes: dict[str, bytes] = {}
    removals: list[str] = []
    executable: dict[str, bool] = {}
    for each in changes:
        if each.after is None:
            removals.append(each.path)
            continue
        writes[each.path] = each.after
        if each.executable != each.was_executable or (each.before is None and each.executable):
            executable[each.path] = bool(each.executable)
    apply_writes(repository.require_root(), writes, removals, durable=True, executable=executable)


def _move_ref(repository: Repository, note: _Note) -> None:
    objects = open_objects(repository)
    if _find_latest(repository) == (note.new or None):
        return
    if note.new:
        objects.move_ref(_REF, note.new, note.old or None)
    else:
        objects.drop_ref(_REF, note.old)


def _finish(repository: Repository) -> str:
    """Finish what the note tells of, having the lock."""
    place = repository.applying_note
    try:
        note = _Note(**json.loads(place.read_text()))
    except FileNotFoundError:
        return ""
    except (ValueError, TypeError):
        raise GitStateError(f"{place} is damaged.", "Compare your sources with HEAD, then remove it.") from None
    if _find_latest(repository) == (note.new or None):
        place.unlink()
        return ""
    changes = _load(repository, note.commit)
    disk = Disk(repository.require_root())
    foreign = [each.path for each in changes if _read(disk, each.path) not in (each.before, each.after)]
    if note.back or foreign:
        _write_back(repository, changes)
        told = "Took back an edit that could not be written."
        if not note.back:
            told = f"Took back an edit that was interrupted, because {foreign[0]} was changed meanwhile."
    else:
        try:
            _write_or_not(repository, changes, note)
        except GitStateError as problem:
            return f"Took back an edit that was interrupted and cannot be finished. {problem.message}"
        told = "Finished an edit that was interrupted."
    with suppress(FileNotFoundError):
        place.unlink()
    return told
