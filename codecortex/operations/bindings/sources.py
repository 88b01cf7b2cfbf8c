"""Reads the sources of a tree as a program that can be bound."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from codecortex.analysis.binding.bind import SPANS_SINCE, Program, SourceProject
from codecortex.analysis.binding.references.assemblies import References
from codecortex.git.contents import read_contents
from codecortex.parsing.syntax.read import read_syntax
from codecortex.store.metadata.frameworks import open_aspnetcore, open_framework

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from codecortex.analysis.binding.declarations.declare import DeclaredFile
    from codecortex.model.code.projects import Project
    from codecortex.operations.catalog.workspace import Workspace

_MODERN = re.compile(r"net(\d+)\.(\d+)")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_FIRST_MODERN = 5
_BEFORE_MODERN = {"netstandard2.1": 8.0, "netcoreapp3.0": 8.0, "netcoreapp3.1": 8.0}
_OLDEST = 7.3


class Sources(NamedTuple):
    """The sources of a tree, declared.

    Attributes:
        program: What binds them.
        files: The files by path, each as the first project that compiles it has it.
        unread: Files that could not be read, with the reason.
    """

    program: Program
    files: Mapping[str, DeclaredFile]
    unread: Mapping[str, str]


def declare_sources(workspace: Workspace, wanted: Iterable[str]) -> Sources:
    """Declare the types of all sources that some files, given by path, can see."""
    projects = list(_list_seen(workspace.projects, set(wanted)))
    visible = {each.path: _close(each.path, workspace.projects) for each in projects}
    program = Program([_make_project(each, visible[each.path]) for each in projects], _open_references(projects))
    contents, unread = _read(workspace, projects)
    files: dict[str, DeclaredFile] = {}
    for project in projects:
        for path in project.files:
            if path in contents:
                tree = read_syntax(contents[path], project.symbols)
                file = program.declare(path, project.path, tree)
                files.setdefault(path, file)
    return Sources(program, files, unread)


def _read(workspace: Workspace, projects: Sequence[Project]) -> tuple[dict[str, bytes], dict[str, str]]:
    entries = workspace.tree.sources.sources
    paths = sorted({path for project in projects for path in project.files})
    contents, unread = {}, {}
    for content in read_contents(workspace.repository, [entries[path] for path in paths]):
        if content.data is None:
            unread[content.entry.path] = str(content.problem)
        else:
            contents[content.entry.path] = content.data
    return contents, unread


# -- projects


def _list_seen(projects: Sequence[Project], wanted: set[str]) -> Iterator[Project]:
    """The projects that compile wanted files, and those that they reference."""
    asked = [each.path for each in projects if not wanted.isdisjoint(each.files)]
    seen = {path for each in asked for path in _close(each, projects)}
    return (each for each in projects if each.path in seen)


def _close(path: str, projects: Sequence[Project]) -> frozenset[str]:
    """A project and all that it references; files of no project see every project."""
    known = {each.path: each for each in projects}
    if not path:
        return frozenset(known)
    seen, todo = {path}, [path]
    while todo:
        for each in known[todo.pop()].references:
            if each in known and each not in seen:
                seen.add(each)
                todo.append(each)
    return frozenset(seen)


def _make_project(project: Project, visible: frozenset[str]) -> SourceProject:
    usings = tuple(read_syntax(f"using {each};".encode(), frozenset()) for each in project.usings)
    return SourceProject(project.path, visible, usings, find_version(project.language, project.tfm))


def find_version(written: str, tfm: str) -> float:
    """The version of the language: as a project says it, else by its target framework."""
    if _NUMBER.fullmatch(written.strip()):
        return float(written)
    if written.strip() or not tfm:
        return SPANS_SINCE
    modern = _MODERN.match(tfm)
    if modern is not None and int(modern[1]) >= _FIRST_MODERN:
        return float(modern[1]) + 4
    return _BEFORE_MODERN.get(tfm, _OLDEST)


def _open_references(projects: Sequence[Project]) -> References:
    """The framework of the newest target of all projects, and ASP.NET Core.

    All projects share one framework, so that a type is the same wherever it is named.
    """
    tfms = sorted({each.tfm for each in projects}, key=_order)
    return References([open_framework(tfms[-1] if tfms else ""), open_aspnetcore()])


def _order(tfm: str) -> tuple[int, int]:
    modern = _MODERN.match(tfm)
    return (int(modern[1]), int(modern[2])) if modern is not None else (0, 0)
