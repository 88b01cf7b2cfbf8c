"""Opens what the projects of a tree compile against: frameworks that are shipped, and what this machine has."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from codecortex.analysis.binding.references.assemblies import References
from codecortex.analysis.msbuild.packages import ASPNETCORE, WINDOWS_DESKTOP
from codecortex.analysis.msbuild.versions import order_version
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later
from codecortex.operations.references.assemblies import AssemblyReader
from codecortex.operations.references.frameworks import Frameworks
from codecortex.operations.references.named import list_named
from codecortex.operations.references.packages import PackageFinder
from codecortex.operations.references.report import ReferenceReport, StandIn
from codecortex.operations.references.usings import UsingsReader
from codecortex.store.metadata.frameworks import BASE
from codecortex.store.packages.folders import Machine, find_machine

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from codecortex.analysis.msbuild.versions import Order
    from codecortex.model.code.projects import Project
    from codecortex.operations.catalog.workspace import Workspace
    from codecortex.operations.references.packages import Choice, FoundPackage
    from codecortex.store.metadata.index import Index

_MODERN = compile_later(r"net(\d+\.\d+)")


class Reach(Enum):
    """What is read of what projects compile against."""

    SHIPPED = "the indexes that are part of the program: the same on every machine, for what is committed"
    MACHINE = "packages and reference assemblies of this machine, too: for answers"


class ProjectAssemblies(NamedTuple):
    """What projects compile against.

    Attributes:
        references: The assemblies by project; projects of one framework share them.
        usings: The global usings that packages add, by project.
        marks: By project what its references are known by: other contents have other marks.
        report: How much is known.
    """

    references: Mapping[str, References]
    usings: Mapping[str, frozenset[str]]
    marks: Mapping[str, str]
    report: ReferenceReport


def open_references(workspace: Workspace, projects: Sequence[Project], reach: Reach) -> ProjectAssemblies:
    """Open what some projects compile against; all that they reference are among the projects of the tree."""
    return _Opening(workspace, reach).open(projects)


class _Asked(NamedTuple):
    """What a project compiles against.

    Attributes:
        project: The project.
        frameworks: The shared frameworks beside .NET's own.
        choice: The packages.
        built: The assemblies that projects build whose sources it sees, in lower case.
    """

    project: Project
    frameworks: frozenset[str]
    choice: Choice
    built: frozenset[str]


class _Opening:
    def __init__(self, workspace: Workspace, reach: Reach) -> None:
        request = workspace.request
        self._warn = request.warn
        self._all = {each.path: each for each in workspace.projects}
        self._machine = find_machine() if reach is Reach.MACHINE else Machine((), ())
        root = workspace.repository.root if reach is Reach.MACHINE else None
        named = list_named(root, workspace.tree.config.references.assemblies, request.warn) if root is not None else []
        self._finder = PackageFinder(self._machine, root if request.reads_worktree else None, request.warn)
        self._reader = AssemblyReader(workspace.cache, request.progress)
        self._frameworks = Frameworks(self._machine, self._reader)
        self._named = self._reader.open_all([[each] for each in named])
        self._named_files = frozenset(named)
        self._root = root if request.reads_worktree else None
        self._usings = UsingsReader(self._machine)
        self._stand_ins: set[StandIn] = set()
        self._missing: set[str] = set()
        self._read: set[Path] = set()
        self._marks: dict[str, str] = {}

    def open(self, projects: Sequence[Project]) -> ProjectAssemblies:
        """Open what some projects compile against."""
        newest = max((each.tfm for each in projects), key=_order_framework, default="")
        groups: dict[str, list[_Asked]] = {}
        for project in projects:
            tfm = project.tfm or newest or BASE  # what no project compiles is bound together with others
            groups.setdefault(tfm.partition("-")[0].lower(), []).append(self._ask(project._replace(tfm=tfm)))
        references: dict[str, References] = {}
        for tfm, group in groups.items():
            made = self._open_group(tfm, group)
            references.update((each.project.path, made) for each in group)
        asked = [each for group in groups.values() for each in group]
        usings = {each.project.path: frozenset(self._usings.read(each.project, each.choice.packages)) for each in asked}
        self._tell_unread()
        return ProjectAssemblies(references, usings, self._marks, self._report())

    def _tell_unread(self) -> None:
        if self._reader.unread:
            first, why = min(self._reader.unread.items())
            more = f", and {len(self._reader.unread) - 1} more" if len(self._reader.unread) > 1 else ""
            self._warn(f"{first}{more}: not read, so nothing is known of what it declares ({why}).")

    def _report(self) -> ReferenceReport:
        stand_ins = self._stand_ins | {StandIn(*each) for each in self._frameworks.stand_ins}
        unread = sorted((str(path), why) for path, why in self._reader.unread.items())
        return ReferenceReport(len(self._read), tuple(sorted(self._missing)), tuple(sorted(stand_ins)), tuple(unread))

    # -- what a project asks for

    def _ask(self, project: Project) -> _Asked:
        referenced = [self._all[path] for path in self._list_referenced(project)]
        uses = {each.name.lower(): each for each in project.packages}
        for other in referenced:
            for each in other.packages:
                if each.flows:
                    uses.setdefault(each.name.lower(), each)
        choice = self._finder.choose(project, list(uses.values()))
        frameworks = {name for each in (project, *referenced) for name in each.frameworks}
        frameworks.update(name for each in choice.packages for name in each.frameworks)
        if not project.path:  # what no project compiles could be of any
            frameworks.add(ASPNETCORE)
            referenced = list(self._all.values())
        built = frozenset(each.assembly.lower() for each in (project, *referenced))
        return _Asked(project, frozenset(frameworks), choice, built)

    def _list_referenced(self, project: Project) -> list[str]:
        """The projects that one references, through others too, the nearest first."""
        found: dict[str, None] = {}
        waiting = list(project.references)
        for path in waiting:
            if path in self._all and path not in found:
                found[path] = None
                waiting += self._all[path].references
        return list(found)

    # -- what there is

    def _open_group(self, tfm: str, group: Sequence[_Asked]) -> References:
        """What projects of one framework compile against, and which of it each of them."""
        framework, packages = self._frameworks.open_framework(tfm), self._open_packages(group)
        shared = {each.project.path: list(self._open_shared(tfm, each)) for each in group}
        order = _Order(list(dict.fromkeys([framework, *(index for each in shared.values() for index in each)])))
        seen: dict[str, list[Index]] = {}
        hinted = self._open_hinted(group)
        for asked in group:
            path = asked.project.path
            own = [packages[key] for each in asked.choice.packages if (key := each.name.lower()) in packages]
            seen[path] = [framework, *shared[path], *self._named, *map(order.stand_in, [*own, *hinted[path]])]
        apart = dict.fromkeys(each for found in hinted.values() for each in found)
        indexes = order.sort([*packages.values(), *apart, *self._named])
        every = _mark(indexes)
        self._marks.update((path, f"{every}\n{_mark(own)}") for path, own in seen.items())
        return References(indexes, seen)

    def _open_packages(self, group: Sequence[_Asked]) -> dict[str, Index]:
        """The packages of projects, of each the highest version, without what the repository builds itself."""
        chosen: dict[str, FoundPackage] = {}
        built: set[str] = set()
        for asked in group:
            for each in asked.choice.packages:
                known = chosen.get(each.name.lower())
                if known is None or order_version(each.version) > order_version(known.version):
                    chosen[each.name.lower()] = each
                built.update(name for path in each.assemblies if (name := path.stem.lower()) in asked.built)
        self._read.update(each.folder for each in chosen.values())
        files = {
            name: [path for path in each.assemblies if path.stem.lower() not in built]
            for name, each in sorted(chosen.items())
        }
        bundles = {name: paths for name, paths in files.items() if paths}
        return dict(zip(bundles, self._reader.open_all(list(bundles.values())), strict=True))

    def _open_hinted(self, group: Sequence[_Asked]) -> dict[str, list[Index]]:
        """By project, the assemblies that it names by their files, but for those that the repository builds itself."""
        files = {each.project.path: list(self._list_hinted(each)) for each in group}
        every = list(dict.fromkeys(file for found in files.values() for file in found))
        opened = dict(zip(every, self._reader.open_all([[each] for each in every]), strict=True))
        return {path: [opened[each] for each in found] for path, found in files.items()}

    def _list_hinted(self, asked: _Asked) -> Iterator[Path]:
        root = self._root
        for file in (root / each for each in asked.project.assemblies) if root is not None else ():
            if file not in self._named_files and file.stem.lower() not in asked.built and file.is_file():
                yield file

    def _open_shared(self, tfm: str, asked: _Asked) -> Iterator[Index]:
        """What a project sees beside its framework and packages.

        Where packages are missing, that is all that is shipped: newer frameworks hold much of what older ones take
        from packages.
        """
        for name in sorted(asked.frameworks & {ASPNETCORE, WINDOWS_DESKTOP}):
            index = self._frameworks.open_shared(name, tfm)
            if index is not None:
                yield index
            else:
                self._missing.add(f"{name}.Ref")
        if self._tell_missing(tfm, asked.choice):
            yield from self._frameworks.list_shipped(tfm, with_aspnetcore=ASPNETCORE not in asked.frameworks)

    def _tell_missing(self, tfm: str, choice: Choice) -> bool:
        """Keep which packages are missing and what stands in for them; whether there are any."""
        there = {each.name.lower(): each.version for each in choice.packages}
        absent = False
        for each in choice.missing:
            name, wanted = each.name.lower(), f"{each.name} {each.version}".strip()
            if name in there:
                self._stand_ins.add(StandIn(wanted, f"{each.name} {there[name]}"))
            elif not self._frameworks.has_assembly(tfm, name):
                absent = True
                holder = self._frameworks.find_holder(name)
                if holder:
                    self._stand_ins.add(StandIn(wanted, holder))
                else:
                    self._missing.add(wanted)
        return absent


def _mark(indexes: Sequence[Index]) -> str:
    return " ".join(f"{each.check:08x}{each.size:x}" for each in indexes)


class _Order:
    """Which of frameworks and packages wins: of an assembly in both the higher version, the framework's if equal."""

    def __init__(self, frameworks: Sequence[Index]) -> None:
        self._frameworks = frameworks
        self._known = {name: (version, index) for index in frameworks for name, version in index.assemblies}

    def stand_in(self, package: Index) -> Index:
        """A package, or the framework that has all that it has."""
        framework = self._find_framework(package)
        return package if framework is None or self._is_newer(package) else framework

    def sort(self, packages: Sequence[Index]) -> list[Index]:
        """All that counts, what wins first."""
        before = [each for each in packages if self._is_newer(each)]
        after = [each for each in packages if self._find_framework(each) is None]
        return [*before, *self._frameworks, *after]

    def _find_framework(self, package: Index) -> Index | None:
        """The framework that has an assembly of a package."""
        return next((self._known[name][1] for name, _ in package.assemblies if name in self._known), None)

    def _is_newer(self, package: Index) -> bool:
        return any(
            order_version(version) > order_version(self._known[name][0])
            for name, version in package.assemblies
            if name in self._known
        )


def _order_framework(tfm: str) -> tuple[bool, Order]:
    """A key that is highest for the newest framework of .NET 5 and later."""
    number = _MODERN.match(tfm)
    return number is not None, order_version(number[1] if number is not None else "")
