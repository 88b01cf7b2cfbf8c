"""Lists the paths and blob ids of the work tree, the index, or a tree."""

from __future__ import annotations

import os
from functools import partial
from itertools import repeat
from typing import TYPE_CHECKING

from codecortex.git.objects.opening import open_objects
from codecortex.git.objects.plumbing import call_for_tree, parse_tree
from codecortex.git.objects.values import SUBMODULE
from codecortex.git.paths import decode_path, encode_path
from codecortex.git.process import Call
from codecortex.git.revisions import find_object, name_empty_tree
from codecortex.git.worktree.disk import UNREADABLE, Disk, Problem, fold_line_ends, hash_blob
from codecortex.git.worktree.look import CHANGES, HEAD, INDEX, KnownIndex, Look, digest_index, leave_out_outlines
from codecortex.git.worktree.records import OUTLINE, pair_changes, take_clean
from codecortex.model.errors import GitStateError
from codecortex.model.startup.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from codecortex.git.objects.values import Difference
    from codecortex.git.repository import Repository
    from codecortex.git.worktree.records import Clean

REGULAR = 0o100644
_WHOLE, _OURS = b"0", b"2"
_SKIPPED = b"S"
_NOT_FILES = {0o120000: Problem.SYMLINK, 0o160000: Problem.SUBMODULE}

_OUTLINE = OUTLINE.decode()
_MOST_AGAIN = 100
"""With more files than this, all are listed at no greater cost, and arguments have a limit."""
_NAME_ONE = "Name a revision with --rev, or run this in a work tree."
_UNTRACKED = Call("list untracked files", ("ls-files", "-o", "--exclude-standard", "-z"))


class Entry(NamedTuple):
    """One regular file.

    Attributes:
        path: From the repository root, `/`-separated, see `paths.encode_path`.
        blob: The blob id of its bytes, as git stores or would store them.
        mode: 0o100644 or 0o100755; the first for a blob that is in no tree.
        from_disk: Whether the bytes are best read from the work tree.
        dirty: Whether the index has other bytes, or none.
    """

    path: str
    blob: str
    mode: int = REGULAR
    from_disk: bool = False
    dirty: bool = False


class Skipped(NamedTuple):
    """A listed path that is no readable file: a wanted name, or a submodule.

    A file that git has and that cannot be read now (`disk.UNREADABLE`) is an entry as well: with the index's bytes.
    """

    path: str
    problem: Problem


class Listing(NamedTuple):
    """The files of a work tree, an index or a tree.

    Attributes:
        entries: Sorted by path, each path once.
        skipped: Sorted by path.
        head: The commit it belongs to; None before the first commit or for a tree that no commit names.
    """

    entries: tuple[Entry, ...]
    skipped: tuple[Skipped, ...]
    head: str | None


class _Record(NamedTuple):
    tag: bytes
    mode: int
    blob: str
    stage: bytes
    path: bytes


class _Known(NamedTuple):
    """What the index says of a file that has to be read.

    Attributes:
        blob: Its blob id; empty if the index has none, or several.
        mode: Its mode.
        instead: The blob that stands for it if it cannot be read; empty if there is none.
        gone: Whether git calls it deleted, which it also does if a folder is in its place.
    """

    blob: str = ""
    mode: int = REGULAR
    instead: str = ""
    gone: bool = False


def list_worktree(
    repository: Repository,
    suffixes: tuple[str, ...],
    *,
    untracked: bool = False,
    paths: Sequence[bytes] = (),
    known: Look | KnownIndex | None = None,
) -> Listing:
    """List the files as they are on disk; files that git calls clean keep their blob id and are not read.

    Args:
        repository: The repository.
        suffixes: Lower-case name endings that are wanted; matched in any case.
        untracked: Whether to add files that git neither tracks nor ignores.
        paths: Nothing but these and what is in them, where any are given; no other file is looked at.
        known: What git says of all files, if it was asked; or what is known of an index.

    Raises:
        GitStateError: There is no work tree, or git cannot read it.
    """
    repository.require_root(_NAME_ONE)
    bare = not paths and not _OUTLINE.endswith(suffixes)  # no outline is looked at, and there is one for each type
    listing, *looking = (call.narrow(paths) for call in (INDEX, CHANGES, *((_UNTRACKED,) if untracked else ())))
    if bare:
        listing, *looking = map(leave_out_outlines, (listing, *looking))
    clean = None
    if isinstance(known, Look) and bare:
        others, head = _ask_beside_head(repository, *looking[1:])
        clean, changed = known.take_clean(suffixes), known.changes
    elif isinstance(known, KnownIndex) and bare and known.suffixes == suffixes:
        (changed, *others), head = _ask_beside_head(repository, *looking)
        clean = known.clean if digest_index(repository) == known.digest else None  # as git found it
        repository.drop(listing)
    if clean is None:
        (index, changed, *others), head = _ask_beside_head(repository, listing, *looking)
        clean = take_clean(index, suffixes)
    changes = _parse_changes(changed)
    clean = clean.without(set(map(os.fsdecode, changes)))
    entries = _make_entries(clean, from_disk=True)
    skipped: set[Skipped] = set()
    to_read = dict.fromkeys(_select(b"".join(others), suffixes), _Known())
    for tag, recorded, blob, stage, path in _parse_index(clean.others, suffixes):
        mode = changes.get(path, recorded) if stage == _WHOLE else recorded
        if mode in _NOT_FILES:
            skipped.add(Skipped(encode_path(path), _NOT_FILES[mode]))
        elif stage != _WHOLE:
            if stage == _OURS or path not in to_read:
                to_read[path] = _Known(instead=blob)
        elif path not in changes:
            entries.append(Entry(encode_path(path), blob, mode, from_disk=tag.upper() != _SKIPPED, dirty=False))
        else:
            to_read[path] = _Known(blob, mode or recorded, blob, gone=not mode)
    changed_entries, unreadable = _read_changed(repository, to_read)
    return _close(entries + changed_entries, skipped | unreadable, head)


def list_again(
    repository: Repository, suffixes: tuple[str, ...], last: Listing, paths: Iterable[bytes]
) -> Listing | None:
    """List the work tree after nothing but some files changed since it was listed last.

    Args:
        repository: The repository.
        suffixes: As for `list_worktree`.
        last: The last listing, without untracked files.
        paths: The files. Those that git did not call clean are looked at again with them.

    Returns:
        None if HEAD moved, or so many files are to be looked at that all may as well be.
    """
    unclean = [each.path for each in last.entries if each.dirty or not each.from_disk]
    unclean += [each.path for each in last.skipped if each.problem is not Problem.SUBMODULE]
    wanted = {*paths, *map(decode_path, unclean)}
    if not wanted:
        return last
    if len(wanted) > _MOST_AGAIN:
        return None
    found = list_worktree(repository, suffixes, paths=sorted(wanted))
    if found.head != last.head:
        return None
    return _replace(last, set(map(encode_path, wanted)), found)


def list_index(repository: Repository, suffixes: tuple[str, ...], *, paths: Sequence[bytes] = ()) -> Listing:
    """List the files of the index (of GIT_INDEX_FILE, if set), without intent-to-add entries.

    Args:
        repository: The repository.
        suffixes: As for `list_worktree`.
        paths: As for `list_worktree`.

    Raises:
        GitStateError: There is no work tree, a wanted path is unmerged, or git cannot read the index.
    """
    repository.require_root(_NAME_ONE)
    call = INDEX.narrow(paths)
    if not paths and not _OUTLINE.endswith(suffixes):
        call = leave_out_outlines(call)
    (index,), head = _ask_beside_head(repository, call)
    clean = take_clean(index, suffixes)
    entries, records = _make_entries(clean, from_disk=False), list(_parse_index(clean.others, suffixes))
    unmerged = next((record.path for record in records if record.stage != _WHOLE), None)
    if unmerged is not None:
        raise GitStateError(
            f"{encode_path(unmerged)} is unmerged, so the index holds no single version of it.",
            "Resolve it and `git add` it, or leave the merge with `git merge --abort`.",
        )
    empty = hash_blob(b"", repository.object_format)
    if any(each.blob == empty for each in entries) or any(each.blob == empty for each in records):
        held = _list_held(repository)
        names = set(map(encode_path, held))
        entries = [each for each in entries if each.blob != empty or each.path in names]
        records = [record for record in records if record.blob != empty or record.path in held]
    others = _from_blobs(((record.mode, record.blob, record.path) for record in records), head)
    return _close([*entries, *others.entries], set(others.skipped), head)


def begin_revision(repository: Repository, treeish: str) -> None:
    """Have git list the files of a commit that `list_revision` will soon be asked for, if it is a commit."""
    name = find_object(repository, treeish)
    objects = open_objects(repository)
    if name is not None and not objects.in_process:
        repository.begin(*call_for_tree(name, treeish))


def list_revision(
    repository: Repository,
    treeish: str,
    suffixes: tuple[str, ...],
    *,
    paths: Sequence[bytes] = (),
    near: Listing | None = None,
) -> Listing:
    """List the files of a commit, a tag or a tree.

    Args:
        repository: The repository.
        treeish: It.
        suffixes: As for `list_worktree`.
        paths: As for `list_worktree`; then the listing names no commit.
        near: The files with these suffixes in another commit, likely much the same: what differs alone is looked at.

    Raises:
        GitStateError: `treeish` names no tree, or its trees are not in this clone.
    """
    name = find_object(repository, treeish)
    if name is None:
        raise GitStateError(
            f"Git knows no revision {treeish!r}.", "Check the spelling; a shallow clone may need `git fetch --deepen`."
        )
    wanted = tuple(map(str.encode, suffixes))
    if paths:
        call = Call(f"list {treeish}", ("ls-tree", "-r", "-z", "--full-tree", name, "--", *map(os.fsdecode, paths)))
        (output,) = repository.ask_all(call)
        return _from_blobs(parse_tree(output, wanted), None)
    objects = open_objects(repository)
    if near is not None and near.head is not None:
        head = objects.find(f"{name}^{{commit}}")
        return _go_on(near, objects.diff_trees(near.head, name, renames=False), suffixes, head)
    entries, head = objects.list_tree(name, wanted, called=treeish)
    return _from_blobs(entries, head)


def _go_on(near: Listing, differences: Iterable[Difference], suffixes: tuple[str, ...], head: str | None) -> Listing:
    """The listing of a tree from that of another one and what differs."""
    wanted = tuple(map(str.encode, suffixes))
    told = [
        each for each in differences if each.path.lower().endswith(wanted) or SUBMODULE in (each.mode, each.old_mode)
    ]
    gone = {encode_path(each.path) for each in told}
    new = _from_blobs(((each.mode, each.new_id, each.path) for each in told if each.new_id), head)
    return _replace(near, gone, new)


def _replace(last: Listing, paths: AbstractSet[str], new: Listing) -> Listing:
    """A listing with what is new in place of what was at some paths."""
    entries = [*new.entries, *(each for each in last.entries if each.path not in paths)]
    return _close(entries, {*new.skipped, *(each for each in last.skipped if each.path not in paths)}, new.head)


def _select(output: bytes, suffixes: tuple[str, ...]) -> Iterator[bytes]:
    wanted = tuple(suffix.encode() for suffix in suffixes)
    return (record for record in output.split(b"\0")[:-1] if record.lower().endswith(wanted))


def _make_entries(clean: Clean, *, from_disk: bool) -> list[Entry]:
    make = partial(tuple.__new__, Entry)  # at half of what the class costs, for every file
    return list(map(make, zip(clean.paths, clean.blobs, repeat(REGULAR), repeat(from_disk), repeat(False))))  # noqa: FBT003


def _parse_index(output: bytes, suffixes: tuple[str, ...]) -> Iterator[_Record]:
    wanted = tuple(suffix.encode() for suffix in suffixes)
    for record in output.split(b"\0")[:-1]:
        if record.lower().endswith(wanted) or record.startswith(b"160000 ", 2):
            facts, _, path = record.partition(b"\t")
            yield _Record(facts[:1], int(facts[2:8], 8), facts[9:-2].decode(), facts[-1:], path)


def _parse_changes(output: bytes) -> dict[bytes, int]:
    """The mode on disk of each changed path, 0 if the file is gone."""
    return {path: int(facts.split(b" ", 2)[1], 8) for path, facts in pair_changes(output)}


def _list_held(repository: Repository) -> set[bytes]:
    """The paths that a commit would contain: elsewhere, intent-to-add entries look like empty files."""
    nothing = name_empty_tree(repository)
    compare = ("diff-index", "--cached", "--name-only", "-z", "--ita-invisible-in-index", nothing)
    return set(repository.ask("compare the index with nothing", *compare).split(b"\0"))


def _from_blobs(records: Iterable[tuple[int, str, bytes]], head: str | None) -> Listing:
    entries: list[Entry] = []
    skipped: set[Skipped] = set()
    for mode, blob, path in records:
        if mode in _NOT_FILES:
            skipped.add(Skipped(encode_path(path), _NOT_FILES[mode]))
        else:
            entries.append(Entry(encode_path(path), blob, mode))
    return _close(entries, skipped, head)


def _close(entries: list[Entry], skipped: set[Skipped], head: str | None) -> Listing:
    return Listing(tuple(sorted(entries)), tuple(sorted(skipped)), head)


def _ask_beside_head(repository: Repository, *calls: Call) -> tuple[list[bytes], str | None]:
    """What git prints for each call, and the commit that HEAD means."""
    objects = open_objects(repository)
    if objects.in_process:
        return repository.ask_all(*calls), objects.find("HEAD^{commit}")
    *outputs, head = repository.ask_all(*calls, HEAD)
    return outputs, head.decode().strip() or None


def _read_changed(repository: Repository, to_read: Mapping[bytes, _Known]) -> tuple[list[Entry], set[Skipped]]:
    """The entries of files that may differ from the index."""
    disk = Disk(repository.require_root())
    blobs: dict[bytes, str] = {}
    skipped: set[Skipped] = set()
    folded: dict[bytes, str] = {}
    entries = []
    for path, known in to_read.items():
        data = disk.read(path)
        if isinstance(data, bytes):
            blobs[path] = hash_blob(data, repository.object_format)
            if blobs[path] != known.blob and b"\r\n" in data:
                folded[path] = hash_blob(fold_line_ends(data), repository.object_format)
        elif data in UNREADABLE or (data is not Problem.MISSING and not known.gone):
            skipped.add(Skipped(encode_path(path), data))
            if data in UNREADABLE and known.instead:
                entries.append(Entry(encode_path(path), known.instead, known.mode, dirty=True))
    stored = hash_stored(repository, folded)
    blobs.update((path, blob) for path, blob in folded.items() if stored[path] == blob)
    entries += [
        Entry(encode_path(path), blob, to_read[path].mode, from_disk=True, dirty=blob != to_read[path].blob)
        for path, blob in blobs.items()
    ]
    return entries, skipped


def hash_stored(repository: Repository, paths: Iterable[bytes]) -> dict[bytes, str]:
    """The ids under which git would store these files: git knows the attributes and core.autocrlf."""
    listed = list(paths)
    if not listed:
        return {}
    quoted = b"".join(b'"' + b"".join(b"\\%03o" % byte for byte in path) + b'"\n' for path in listed)
    answer = repository.ask("hash changed files", "hash-object", "--stdin-paths", stdin=quoted)
    return dict(zip(listed, answer.decode().split(), strict=True))
