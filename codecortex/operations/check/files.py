"""Finds foreign and unresolved files in `.codecortex`, and sources that cannot be read."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING

from codecortex.git.worktree.disk import Problem
from codecortex.model.errors import NewerFormatError, UnmergedError
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.operations.check.findings import Code, Finding, Level
from codecortex.operations.gaps import FETCH
from codecortex.store.committed.text import find_conflict
from codecortex.store.paths import (
    ALIASES,
    FOLDER,
    INDEX,
    INVESTIGATIONS,
    PACKS,
    SEMANTIC,
    TYPES,
    investigation_slug,
    outlined_type,
    semantic_owner,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from codecortex.model.config_choices import SemanticCheck
    from codecortex.model.errors import StoreFormatError
    from codecortex.operations.reading.committed_files import DiskFiles, GitFiles
    from codecortex.operations.reading.tree import Tree

UPGRADE_TOOL = "pip install --upgrade git-codecortex"
"""Command that helps against a format newer than this codecortex knows."""

_LASTING = (Problem.SYMLINK, Problem.SUBMODULE)


class Question(NamedTuple):
    """One state to check.

    Attributes:
        tree: The tree with the sources.
        files: The files of `.codecortex` in the same tree.
        base: The commit to compare with, or None.
        semantic: Which stale notes fail.
        own: Whether no base was named, so that it is the point where the user's own work begins.
    """

    tree: Tree
    files: DiskFiles | GitFiles
    base: str | None
    semantic: SemanticCheck
    own: bool = False


def judge_files(tree: Tree, files: DiskFiles | GitFiles, blobs: Mapping[str, str]) -> Iterator[Finding]:
    """Findings about files that do not depend on the content of the sources.

    Args:
        tree: The tree; its listing names the sources that cannot be read.
        files: The files of `.codecortex` in the same tree.
        blobs: Blob id of each of these files, by path.
    """
    for path, problem in tree.listing.skipped:
        if problem not in _LASTING:
            yield tell_unread(path, str(problem))
    yield from (tell_foreign(path, tree) for path in filter(_is_foreign, blobs))
    for path, data in files.read(filter(_is_prose, blobs)).items():
        line = find_conflict(data)
        if line:
            yield Finding(Code.MERGE_MARKER, Level.ERROR, path, line, "a merge conflict is left here", "")


def is_temporary(path: str) -> bool:
    """Whether a file is a temporary one, which its run or the next one removes."""
    return f"/{FOLDER}-tmp-" in path


def _is_foreign(path: str) -> bool:
    """Whether a file in a folder of codecortex does not have a name that codecortex uses."""
    if is_temporary(path):
        return False
    if path.startswith(f"{TYPES}/"):
        return outlined_type(path) is None
    if path.startswith(f"{INVESTIGATIONS}/"):
        return investigation_slug(path) is None
    return path.startswith(f"{SEMANTIC}/") and semantic_owner(path) is None


def _is_prose(path: str) -> bool:
    """Whether a file is only checked for merge markers; the others are parsed elsewhere."""
    generated = path.startswith((f"{TYPES}/", f"{PACKS}/")) or path in (INDEX, ALIASES)
    return not generated and semantic_owner(path) is None and investigation_slug(path) is None


def split_place(message: str, path: str) -> tuple[str, int, str]:
    """Split a message `path:line: text` into path, line and text; line 1 if it has none."""
    match = re.match(r":(?:(\d+):)? ?", message.removeprefix(path)) if message.startswith(path) else None
    if match is None:
        return path, 1, message.rstrip(".")
    return path, int(match[1] or 1), message[len(path) + match.end() :].rstrip(".")


def tell_format(error: StoreFormatError, path: str, code: Code, command: str) -> Finding:
    """The finding for a file of codecortex that cannot be read.

    Args:
        error: Why it cannot be read.
        path: Path of the file.
        code: Code of the finding, unless the file is unmerged or of a newer format.
        command: Command that fixes it, unless it is of a newer format.
    """
    if isinstance(error, NewerFormatError):
        code, command = Code.FORMAT_NEWER, UPGRADE_TOOL
    elif isinstance(error, UnmergedError):
        code = Code.MERGE_MARKER
    return Finding(code, Level.ERROR, *split_place(error.message, path), command)


def tell_foreign(path: str, tree: Tree) -> Finding:
    """The finding for a foreign file, with the command that removes it."""
    remove = f"{'rm' if tree.request.reads_worktree else 'git rm'} {shlex.quote(path)}"
    return Finding(Code.FOREIGN_FILE, Level.WARNING, path, 1, "this file is not codecortex's", remove)


def tell_unread(path: str, reason: str) -> Finding:
    """The finding for a source that could not be read, with a command that may help."""
    command = FETCH if reason == str(Problem.MISSING) else ""
    command = "git lfs pull" if reason == str(Problem.LFS_POINTER) else command
    return Finding(Code.SOURCE_UNREAD, Level.WARNING, path, 1, f"not read: {reason}", command)
