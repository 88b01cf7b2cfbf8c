"""Reads the sources of a tree as a program that can be bound.

Parsers and the binder are imported where something is declared: most answers are kept, and need neither.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from codecortex.git.contents import Content, read_contents
from codecortex.operations.references.references import Reach, open_references

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from codecortex.analysis.binding.bind import Program, SourceProject
    from codecortex.analysis.binding.declarations.declare import DeclaredFile
    from codecortex.analysis.binding.references.assemblies import References
    from codecortex.model.code.projects import Project
    from codecortex.model.code.syntax import SyntaxTree
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.references.references import ProjectAssemblies
    from codecortex.operations.references.report import ReferenceReport

Texts = Mapping[str, bytes | None]
"""What files are to say, by path; None of those that go."""
_FRIENDS = b"InternalsVisibleTo"
_FRIEND = re.compile(rb'InternalsVisibleTo(?:Attribute)?\s*\(\s*"([^",]+)')
_MODERN = re.compile(r"net(\d+)\.(\d+)")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_FIRST_MODERN = 5
_BEFORE_MODERN = {"netstandard2.1": 8.0, "netcoreapp3.0": 8.0, "netcoreapp3.1": 8.0}
_OLDEST = 7.3
_NONE: Mapping[str, Any] = MappingProxyType({})
_KEPT = 6_000_000  # bytes of sources whose trees are kept from declaring to binding


class Sources(NamedTuple):
    """The sources of a tree, declared.

    Attributes:
        program: What binds them.
        files: The files by path, each as every project that compiles it has it, in the order of projects.
        unread: Files that could not be read, with the reason.
        report: How much is known of what the projects compile against.
        described: By project, what holds in all of its files.
        moved: Whether a file was edited since the tree was listed.
        projects: The projects.
        references: The assemblies that each of them compiles against, by its path.
    """

    program: Program
    files: Mapping[str, Sequence[DeclaredFile]]
    unread: Mapping[str, str]
    report: ReferenceReport
    described: Mapping[str, str]
    moved: bool
    projects: Sequence[SourceProject]
    references: Mapping[str, References]


def redeclare(
    sources: Sources, changed: Texts, symbols: Mapping[str, frozenset[str]], made: Mapping[str, Sequence[str]] = _NONE
) -> Sources:
    """The same sources, some of them with other texts; the others are shared.

    Args:
        sources: The sources.
        changed: The texts, by path; None of files that are gone.
        symbols: The preprocessor symbols of the projects, by path.
        made: The projects that compile what is made anew, by path.
    """
    from codecortex.analysis.binding.bind import Program
    from codecortex.operations.bindings.reading import read_source

    program = Program(sources.projects, sources.references)
    files: dict[str, list[DeclaredFile]] = {}
    for path, declared in sources.files.items():
        for each in declared:
            text = changed.get(path)
            if text is not None or path not in changed:
                source = read_source(text, symbols[each.project]) if text is not None else each.source
                files.setdefault(path, []).append(program.declare(path, each.project, source))
    for path, projects in made.items():
        text = changed[path] or b""
        for project in projects:
            files.setdefault(path, []).append(program.declare(path, project, read_source(text, symbols[project])))
    return sources._replace(program=program, files=files)


def follow_usings(project: SourceProject, follow: Callable[[str], str]) -> SourceProject:
    """A project whose files see other namespaces from the start, each as a function gives it."""
    written = [each.source.decode().removeprefix("using ").removesuffix(";") for each in project.usings]
    return project._replace(usings=_write_usings(map(follow, written)))


class SourcePlan(NamedTuple):
    """The projects whose sources some files can see, and what these compile against. Nothing is read of them yet.

    Attributes:
        workspace: The tree.
        asked: The files, by path.
        projects: The projects that compile them, and those that they reference.
        visible: For each of these the projects whose sources it sees, itself included.
        assemblies: What they compile against.
        files: By path, the projects that compile a file.
    """

    workspace: Workspace
    asked: frozenset[str]
    projects: Sequence[Project]
    visible: Mapping[str, frozenset[str]]
    assemblies: ProjectAssemblies
    files: Mapping[str, Sequence[str]]


def plan_sources(workspace: Workspace, asked: Iterable[str], reach: Reach = Reach.SHIPPED) -> SourcePlan:
    """Find what the binding of some files rests on.

    Args:
        workspace: The tree.
        asked: The files.
        reach: Whether this machine's packages count; for what is committed they do not.
    """
    wanted = frozenset(asked)
    projects = list(_list_seen(workspace.projects, wanted))
    visible = {each.path: close_references(each.path, workspace.projects) for each in projects}
    files: dict[str, list[str]] = {}
    for project in projects:
        for path in project.files:
            files.setdefault(path, []).append(project.path)
    return SourcePlan(workspace, wanted, projects, visible, open_references(workspace, projects, reach), files)


def declare_sources(workspace: Workspace, asked: Iterable[str], reach: Reach = Reach.SHIPPED) -> Sources:
    """Declare the types of all sources that some files can see; as `plan_sources`."""
    return declare_planned(plan_sources(workspace, asked, reach))


def declare_planned(plan: SourcePlan, edited: Texts = _NONE, added: Mapping[str, Sequence[str]] = _NONE) -> Sources:
    """Read and declare what a plan names, some of it with other texts, as `redeclare`."""
    from codecortex.analysis.binding.bind import Program
    from codecortex.operations.bindings.reading import SourceReader

    projects, visible, assemblies = plan.projects, plan.visible, plan.assemblies
    contents, unread, moved = _read(plan.workspace, projects)
    entries = plan.workspace.tree.sources.sources
    for path, text in edited.items():
        entry = entries[path] if path in entries else next(iter(entries.values()))._replace(path=path)
        contents[path] = Content(entry._replace(blob=""), text, None)  # of which no facts are known
    gone = {path for path, text in edited.items() if text is None}
    friends = {each.path: {*each.friends, *_list_friends(each, contents)} for each in projects}
    made = [
        _make_project(each, visible[each.path], assemblies.usings[each.path])._replace(
            internals=frozenset(path for path in visible[each.path] if each.assembly in friends.get(path, ()))
        )
        for each in projects
    ]
    program = Program(made, assemblies.references)
    keep = sum(len(contents[path].data or b"") for path in contents.keys() & plan.asked) <= _KEPT
    reader = SourceReader(plan.workspace, projects, contents)
    files: dict[str, list[DeclaredFile]] = {}
    for project in projects:
        for path in sorted({*project.files, *(each for each, owners in added.items() if project.path in owners)}):
            if path in contents and path not in gone:
                source = reader.read(path, project.symbols, keep=keep and path in plan.asked)
                files.setdefault(path, []).append(program.declare(path, project.path, source))
    described = {each.path: _describe(each, program.list_directives(each.path)) for each in made}
    return Sources(program, files, unread, assemblies.report, described, moved, made, assemblies.references)


def _describe(project: SourceProject, directives: Sequence[str]) -> str:
    """What the bindings of a project's files rest on besides sources and assemblies."""
    seen, friends = sorted(project.visible), sorted(project.internals)
    return repr((project.version, seen, friends, directives))


def _read(workspace: Workspace, projects: Sequence[Project]) -> tuple[dict[str, Content], dict[str, str], bool]:
    entries = workspace.tree.sources.sources
    paths = sorted({path for project in projects for path in project.files})
    contents: dict[str, Content] = {}
    unread: dict[str, str] = {}
    moved = False
    for content in read_contents(workspace.repository, [entries[path] for path in paths]):
        if content.data is None:
            unread[content.entry.path] = str(content.problem)
        else:
            contents[content.entry.path] = content
            moved = moved or content.entry.blob != entries[content.entry.path].blob
    return contents, unread, moved


# -- projects


def _list_friends(project: Project, contents: Mapping[str, Content]) -> Iterator[str]:
    """The assemblies that the sources of a project let see its internals."""
    for path in project.files:
        content = contents.get(path)
        data = content.data if content is not None else None
        if data is not None and _FRIENDS in data:
            yield from (found[1].decode("utf-8", "replace") for found in _FRIEND.finditer(data))


def _list_seen(projects: Sequence[Project], wanted: frozenset[str]) -> Iterator[Project]:
    """The projects that compile wanted files, and those that they reference."""
    asked = [each.path for each in projects if not wanted.isdisjoint(each.files)]
    seen = {path for each in asked for path in close_references(each, projects)}
    return (each for each in projects if each.path in seen)


def close_references(path: str, projects: Sequence[Project]) -> frozenset[str]:
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


def _make_project(project: Project, visible: frozenset[str], added: Iterable[str]) -> SourceProject:
    from codecortex.analysis.binding.bind import SourceProject

    usings = _write_usings(sorted({*project.usings, *added}))
    return SourceProject(project.path, visible, usings, find_version(project.language, project.tfm))


def _write_usings(names: Iterable[str]) -> tuple[SyntaxTree, ...]:
    from codecortex.parsing.syntax.read import read_syntax

    return tuple(read_syntax(f"using {each};".encode(), frozenset()) for each in names)


def find_version(written: str, tfm: str) -> float:
    """The version of the language: as a project says it, else by its target framework."""
    if _NUMBER.fullmatch(written.strip()):
        return float(written)
    if written.strip() or not tfm:
        from codecortex.analysis.binding.bind import SPANS_SINCE

        return SPANS_SINCE
    modern = _MODERN.match(tfm)
    if modern is not None and int(modern[1]) >= _FIRST_MODERN:
        return float(modern[1]) + 4
    return _BEFORE_MODERN.get(tfm, _OLDEST)
