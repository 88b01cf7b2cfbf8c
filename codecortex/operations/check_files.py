"""The files of `.codecortex` in; those that are not ours, and those that a merge left unresolved, out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codecortex.git.disk import Problem
from codecortex.operations.findings import Code, Finding, Level
from codecortex.store.paths import CONFIG, FOLDER, INDEX, SEMANTIC, TYPES, outlined_type

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from codecortex.operations.committed import DiskFiles, GitFiles
    from codecortex.operations.reading import Tree

_MARKERS = re.compile(rb"^<{7} .*?^={7}\r?$.*?^>{7} ", re.MULTILINE | re.DOTALL)
_NOTE = re.compile(rf"{re.escape(SEMANTIC)}/[TG]_[0-9A-HJKMNP-TV-Z]{{8,12}}\.md")
_TEMPORARY = f"/{FOLDER}-tmp-"
_LASTING = (Problem.SYMLINK, Problem.SUBMODULE)


def find_marker(data: bytes) -> int:
    """The line of the first merge conflict that a file holds, from 1, or 0."""
    if b"\n>>>>>>> " not in data:
        return 0
    match = _MARKERS.search(data)
    return data.count(b"\n", 0, match.start()) + 1 if match else 0


def is_note(path: str) -> bool:
    """Whether the note of a type or a group belongs at this path."""
    return _NOTE.fullmatch(path) is not None


def judge_files(tree: Tree, files: DiskFiles | GitFiles, blobs: Mapping[str, str]) -> Iterator[Finding]:
    """What is wrong with a file whatever the sources say.

    Args:
        tree: Names the sources that are no readable files.
        files: The files of `.codecortex` in the same tree.
        blobs: Their blob ids, by path.
    """
    for path, problem in tree.listing.skipped:
        if problem not in _LASTING:
            yield tell_unread(path, str(problem))
    foreign = [path for path in blobs if _is_foreign(path)]
    for path in files.drop_ignored(foreign):
        yield Finding(Code.FOREIGN_FILE, Level.WARNING, path, 1, "this file is not codecortex's", f"git rm {path}")
    ours = [path for path in blobs if not path.startswith(f"{TYPES}/") and path != INDEX]
    for path, data in files.read(ours).items():
        line = find_marker(data)
        if line:
            yield Finding(Code.MERGE_MARKER, Level.ERROR, path, line, "a merge conflict is left here", "")


def _is_foreign(path: str) -> bool:
    """Whether a file stands where only ours belong and bears no name of ours."""
    if _TEMPORARY in path:
        return False  # what another run is writing, or will clear away
    if path.startswith(f"{TYPES}/"):
        return outlined_type(path) is None
    return path.startswith(f"{SEMANTIC}/") and not is_note(path)


def tell_unread(path: str, reason: str) -> Finding:
    """A source that gave nothing, and what may help."""
    command = "git fetch --refetch" if reason == str(Problem.MISSING) else ""
    command = "git lfs pull" if reason == str(Problem.LFS_POINTER) else command
    return Finding(Code.SOURCE_UNREAD, Level.WARNING, path, 1, f"not read: {reason}", command)
