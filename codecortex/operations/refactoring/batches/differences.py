"""Two trees in; what lies between them as edits of files, out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codecortex.context.live.patches import compare_lines, split_lines
from codecortex.editing.drafts import decode_draft
from codecortex.editing.refactoring.edits import Edit, FileEdits
from codecortex.git.objects.opening import open_objects
from codecortex.git.objects.values import LINK, SUBMODULE
from codecortex.git.paths import decode_path, encode_path
from codecortex.git.worktree.disk import Disk
from codecortex.operations.refactoring.results import EditRefusedError
from codecortex.operations.sessions.merging import align_ends

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from codecortex.editing.drafts import Draft
    from codecortex.git.objects.values import Difference
    from codecortex.git.repository import Repository
    from codecortex.git.sessions.applying import FileChange


def compare_sources(repository: Repository, before: str, after: str) -> tuple[FileEdits, ...]:
    """What leads from one tree to another, file by file.

    Raises:
        EditRefusedError: A file has no text.
    """
    objects = open_objects(repository)
    changed = [each for each in objects.diff_trees(before, after) if not {each.mode, each.old_mode} & {LINK, SUBMODULE}]
    wanted = sorted({blob for each in changed for blob in (each.old_id, each.new_id) if blob})
    data = {wanted[place]: content for place, content in objects.read_blobs(wanted)}

    def read(path: bytes, blob: str) -> Draft:
        found = data[blob]
        draft = decode_draft(found) if isinstance(found, bytes) else "cannot be read"
        if isinstance(draft, str):
            raise EditRefusedError(f"{encode_path(path)} {draft}.", "Only files of text are edited.")
        return draft

    return tuple(_compare(each, read(each.old_path, each.old_id) if each.old_id else None,
                          read(each.path, each.new_id) if each.new_id else None) for each in changed)  # fmt: skip


def _compare(difference: Difference, before: Draft | None, after: Draft | None) -> FileEdits:
    path, target = encode_path(difference.old_path), encode_path(difference.path)
    if after is None:
        return FileEdits(path, before, removed=True)
    if before is None:
        return FileEdits(target, None, (Edit(0, 0, after.raw),))
    edits = tuple(_list_edits(before.shown, after.shown))
    return FileEdits(path, before, edits, "" if path == target else target)


def _list_edits(before: str, after: str) -> Iterator[Edit]:
    """The ranges that change: of lines that became as many others, what differs in each."""
    old, new = split_lines(before), split_lines(after)
    starts = [0]
    for line in old:
        starts.append(starts[-1] + len(line.encode()))
    for first, last, new_first, new_last in compare_lines(old, new):
        if last - first != new_last - new_first:
            yield Edit(starts[first], starts[last], "".join(new[new_first:new_last]))
            continue
        for place, (one, other) in enumerate(zip(old[first:last], new[new_first:new_last], strict=True), first):
            if one != other:
                yield _narrow(starts[place], one, other)


def _narrow(start: int, one: str, other: str) -> Edit:
    """The edit of a line, without what both begin and end with."""
    shorter = min(len(one), len(other))
    head = next((at for at in range(shorter) if one[at] != other[at]), shorter)
    tail = next((at for at in range(shorter - head) if one[-1 - at] != other[-1 - at]), shorter - head)
    first = start + len(one[:head].encode())
    middle = one[head : len(one) - tail]
    return Edit(first, first + len(middle.encode()), other[head : len(other) - tail])


def fit_disk(repository: Repository, changes: Iterable[FileChange]) -> list[FileChange]:
    """The changes with the line ends that files have on disk, where git checks them out with others than it stores."""
    disk = Disk(repository.require_root())
    fitted = []
    for each in changes:
        found = disk.read(decode_path(each.path))
        if isinstance(found, bytes) and each.before is not None and found != each.before:
            before, _, after = align_ends(each.before, found, each.after)
            fitted.append(each._replace(before=before, after=after))
        else:
            fitted.append(each)
    return fitted
