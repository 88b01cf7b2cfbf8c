"""The texts that are compiled where the disk has others: those of a session's tree, and those of an edit."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from codecortex.dotnet.process import NotCompiledError
from codecortex.git.contents import read_contents
from codecortex.git.paths import decode_path
from codecortex.git.worktree.disk import Disk
from codecortex.operations.refactoring.compiling.projects import Texts

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from codecortex.editing.refactoring.edits import FileEdits
    from codecortex.model.code.projects import Project
    from codecortex.operations.catalog.workspace import Workspace

_SOURCES = (".cs", ".csx")


def find_owners(workspace: Workspace, path: str) -> list[Project]:
    """The projects that compile a source; of one that is not there yet, those whose folder is the nearest around."""
    compiling = [each for each in workspace.projects if each.path and path in each.files]
    if compiling or not path.lower().endswith(_SOURCES):
        return compiling
    around = [each for each in workspace.projects if each.path and f"{path}".startswith(_folder_of(each.path))]
    nearest = max((len(_folder_of(each.path)) for each in around), default=0)
    return [each for each in around if len(_folder_of(each.path)) == nearest]


def read_tree_texts(workspace: Workspace, projects: Iterable[Project], folder: Path) -> Texts:
    """Where the tree of a workspace has other sources than the disk: nothing unless it is a session's.

    Raises:
        NotCompiledError: Its project files are others.
    """
    if workspace.request.reads_worktree:
        return Texts()
    root, disk = workspace.repository.require_root(), Disk(workspace.repository.require_root())
    files = workspace.tree.sources
    for content in read_contents(workspace.repository, [files.projects[path] for path in sorted(files.projects)]):
        if content.data != disk.read(decode_path(content.entry.path)):
            raise NotCompiledError(f"{content.entry.path} is another one in the work tree.")
    texts: dict[str, str] = {}
    added: dict[str, list[str]] = {}
    compiled = {path: each for each in projects for path in each.files}
    for content in read_contents(workspace.repository, [files.sources[path] for path in sorted(compiled)]):
        path = content.entry.path
        known = disk.read(decode_path(path))
        if content.data is not None and content.data != known:
            source = str(root / path)
            texts[source] = _write(folder / path, content.data)
            if not isinstance(known, bytes):
                for each in projects:
                    if path in each.files:
                        added.setdefault(str(root / each.path), []).append(source)
    return Texts(texts, _list_gone(workspace, projects), added)


def _list_gone(workspace: Workspace, projects: Iterable[Project]) -> frozenset[str]:
    """Sources of the work tree that the tree does not have."""
    root = workspace.repository.require_root()
    known = workspace.tree.sources.sources
    gone = set()
    for each in projects:
        for found in (root / each.path).parent.rglob("*.cs"):
            path = found.relative_to(root).as_posix()
            if path not in known and not {"obj", "bin"} & set(path.split("/")):
                gone.add(str(found))
    return frozenset(gone)


def write_edits(workspace: Workspace, files: Sequence[FileEdits], base: Texts, folder: Path) -> Texts:
    """The texts of a tree after edits.

    Raises:
        NotCompiledError: An edit changes a project file, which would have to be built.
    """
    root = workspace.repository.require_root()
    texts, gone = dict(base.files), set(base.gone)
    added = {project: list(paths) for project, paths in base.added.items()}
    for each in files:
        if not each.target.lower().endswith(_SOURCES):
            raise NotCompiledError(f"The edit changes {each.path}, which decides what is compiled.")
        source, target = (os.path.normpath(root / path) for path in (each.path, each.target))
        if each.removed or each.moved_to:
            gone.add(source)
            texts.pop(source, None)
        if each.after is None:
            continue
        texts[target] = _write(folder / each.target, each.after.encode())
        if each.before is None or each.moved_to:
            for owner in find_owners(workspace, each.target):
                added.setdefault(str(root / owner.path), []).append(texts[target])
    return Texts(texts, frozenset(gone), added)


def _write(path: Path, data: bytes) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return str(path)


def _folder_of(path: str) -> str:
    folder = path.rpartition("/")[0]
    return f"{folder}/" if folder else ""
