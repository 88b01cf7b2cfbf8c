"""Reads the sources of a tree as a program that can be bound.

Parsers and the binder are imported where something is declared: most answers are kept, and need neither.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later
from codecortex.operations.references.references import Reach, open_references

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from codecortex.analysis.binding.bind import Program, SourceProject
    from codecortex.analysis.binding.declarations.declare import DeclaredFile
    from codecortex.analysis.binding.declarations.pending import FileKey
    from codecortex.analysis.binding.declarations.source import Source
    from codecortex.analysis.binding.references.assemblies import References
    from codecortex.model.code.projects import Project
    from codecortex.model.code.syntax import SyntaxTree
    from codecortex.operations.bindings.declared_names import DeclaredNames
    from codecortex.operations.bindings.reading import SourceReader
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.references.references import ProjectAssemblies
    from codecortex.operations.references.report import ReferenceReport

Texts = Mapping[str, bytes | None]
"""What files are to say, by path; None of those that go."""
_MODERN = compile_later(r"net(\d+)\.(\d+)")
_NUMBER = compile_later(r"\d+(?:\.\d+)?")
_FIRST_MODERN = 5
_BEFORE_MODERN = {"netstandard2.1": 8.0, "netcoreapp3.0": 8.0, "netcoreapp3.1": 8.0}
_OLDEST = 7.3
_NONE: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True)
class Sources:
    """The sources of a tree, each declared once a name is looked for that it may declare.

    Attributes:
        program: What binds them.
        reader: Reads them.
        files: The files by path, each as every project that compiles it has it, in the order of projects.
        report: How much is known of what the projects compile against.
        projects: The projects.
        references: The assemblies that each of them compiles against, by its path.
    """

    program: Program
    reader: SourceReader
    report: ReferenceReport
    projects: Sequence[SourceProject]
    references: Mapping[str, References]

    @cached_property
    def files(self) -> Mapping[str, Sequence[DeclaredFile]]:
        """The files by path, each as every project that compiles it has it, in the order of projects."""
        return DeclaredFiles(self.program)

    @cached_property
    def described(self) -> Mapping[str, str]:
        """By project, what holds in all of its files."""
        return {each.path: _describe(each, self.program.list_directives(each.path)) for each in self.projects}

    @property
    def unread(self) -> Mapping[str, str]:
        """Files that could not be read so far, with the reason."""
        return self.reader.unread

    @property
    def moved(self) -> bool:
        """Whether a file that was read was edited since the tree was listed."""
        return self.reader.moved


class DeclaredFiles(Mapping[str, "Sequence[DeclaredFile]"]):
    """The files of a program by path, declared when they are asked for."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._keys: dict[str, list[FileKey]] = {}
        for key in program.names:
            self._keys.setdefault(key[0], []).append(key)

    def __getitem__(self, path: str) -> Sequence[DeclaredFile]:
        return self._program.open(self._keys[path])

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)


def redeclare(
    sources: Sources,
    changed: Texts,
    symbols: Mapping[str, frozenset[str]],
    made: Mapping[str, Sequence[str]] = _NONE,
    replaced: Mapping[str, AbstractSet[str]] = _NONE,
) -> Sources:
    """The same sources, some of them with other texts; the others are shared.

    Args:
        sources: The sources.
        changed: The texts, by path; None of files that are gone.
        symbols: The preprocessor symbols of the projects, by path.
        made: The projects that compile what is made anew, by path.
        replaced: The names that come and go, by path, of files in which only names are replaced by others. Such a
            file declares what it did where it declares none of them, and is then read when it is asked for.
    """
    from codecortex.analysis.binding.bind import Program
    from codecortex.analysis.binding.declarations.file_names import list_names
    from codecortex.operations.bindings.reading import read_source

    read_once = cache(lambda path, defined: read_source(changed[path] or b"", defined))
    names = {key: each for key, each in sources.program.names.items() if changed.get(key[0], b"") is not None}
    wanted = [key for key in names if key[0] in changed] + [(path, each) for path in made for each in made[path]]
    for key in wanted:
        words = replaced.get(key[0])
        if words is None or key not in names or names[key].mention(words):
            source = read_once(key[0], symbols[key[1]])
            names[key] = list_names(source.head, source)
    order = {each.path: number for number, each in enumerate(sources.projects)}
    names = {key: names[key] for key in sorted(names, key=lambda key: (order[key[1]], key[0]))}

    def read(keys: Sequence[FileKey]) -> list[Source]:
        others = [each for each in keys if each[0] not in changed]
        known = dict(zip(others, sources.program.read(others), strict=True))
        return [known[each] if each in known else read_once(each[0], symbols[each[1]]) for each in keys]

    return replace(sources, program=Program(sources.projects, sources.references, names, read))


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
    plan = plan_sources(workspace, asked, reach)
    return declare_planned(plan, name_planned(plan))


class NamedSources(NamedTuple):
    """The sources of a plan, with what each declares by name; what could not be read is missing."""

    reader: SourceReader
    declared: Mapping[FileKey, DeclaredNames]

    @property
    def whole(self) -> bool:
        """Whether all was read so far, as the tree was listed."""
        return not (self.reader.moved or self.reader.unread)


def name_planned(plan: SourcePlan) -> NamedSources:
    """What the sources that a plan names declare by name."""
    from codecortex.operations.bindings.declared_names import read_names
    from codecortex.operations.bindings.reading import SourceReader

    reader = SourceReader(plan.workspace, plan.projects)
    declared = dict(read_names(plan.workspace, plan.projects, reader))
    reader.forget_facts()
    return NamedSources(reader, declared)


def declare_planned(plan: SourcePlan, named: NamedSources) -> Sources:
    """The sources that a plan names, given what each declares by name."""
    from codecortex.analysis.binding.bind import Program

    projects, visible, assemblies = plan.projects, plan.visible, plan.assemblies
    reader, declared = named
    friends = {each.path: {*each.friends} for each in projects}
    for (_, project), each in declared.items():
        friends[project].update(each.friends)
    made = [
        _make_project(each, visible[each.path], assemblies.usings[each.path])._replace(
            internals=frozenset(path for path in visible[each.path] if each.assembly in friends.get(path, ()))
        )
        for each in projects
    ]
    program = Program(made, assemblies.references, {key: each.names for key, each in declared.items()}, reader.read)
    return Sources(program, reader, assemblies.report, made, assemblies.references)


def _describe(project: SourceProject, directives: Sequence[str]) -> str:
    """What the bindings of a project's files rest on besides sources and assemblies."""
    seen, friends = sorted(project.visible), sorted(project.internals)
    return repr((project.version, seen, friends, directives))


def _list_seen(projects: Sequence[Project], wanted: frozenset[str]) -> Iterator[Project]:
    """The projects that compile wanted files, and those that they reference."""
    asked = [each.path for each in projects if not wanted.isdisjoint(each.files)]
    seen = {path for each in asked for path in close_references(each, projects)}
    return (each for each in projects if each.path in seen)


def choose_project(path: str, projects: Sequence[str]) -> str:
    """Of the projects that compile a file, the one in whose folder it lies, the innermost; else the first."""
    around = [each for each in projects if path.startswith(each[: each.rfind("/") + 1])]
    return max(around or projects[:1], key=lambda each: each.rfind("/"))


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
    return tuple(map(_write_using, names))


@lru_cache(maxsize=1000)
def _write_using(name: str) -> SyntaxTree:
    """A directive; most projects share theirs."""
    from codecortex.parsing.syntax.read import read_syntax

    return read_syntax(f"using {name};".encode(), frozenset())


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
