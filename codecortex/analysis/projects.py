"""Facts of project files and source paths in, projects evaluated for one flavour out."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, NamedTuple

from codecortex.analysis.frameworks import (
    SDK_FRAMEWORK,
    SDK_PROPS,
    SDK_TARGETS,
    call_function,
    choose_framework,
    is_compatible,
    list_sdk_items,
    list_symbols,
)
from codecortex.analysis.globs import ROOT, Place, Tree, call_path_function, locate
from codecortex.analysis.msbuild import Scope, UnevaluableError, Verdict, check, expand, list_properties, unescape
from codecortex.model.projects import (
    ChooseFact,
    Flavour,
    GroupFact,
    ImportFact,
    ItemFact,
    Node,
    Project,
    ProjectFacts,
    PropertyFact,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

_MOST_DEEP = 40
_MOST_DOUBTS = 8
_MOST_SHOWN = 120
# What a project in the old style imports of the build tool's own, and what that imports of the repository's.
_BUILD_TOOL_FILES = {
    "microsoft.common.props": "Directory.Build.props",
    "microsoft.csharp.targets": "Directory.Build.targets",
}
_SEPARATORS = re.compile(r"[;,\s]+")
_USED = (
    *("TargetFrameworks", "TargetFramework", "TargetFrameworkVersion", "DefineConstants", "AssemblyName"),
    *("RootNamespace", "ImplicitUsings", "EnableDefaultItems", "EnableDefaultCompileItems", "DefaultItemExcludes"),
    *("DefaultExcludesInProjectFolder", "DisableImplicitFrameworkDefines"),
)


class _Workspace(NamedTuple):
    """What every evaluation of a repository shares."""

    facts: Mapping[str, ProjectFacts]
    files: Tree
    sources: Tree
    flavour: Flavour


def evaluate_projects(
    facts: Mapping[str, ProjectFacts], sources: Sequence[str], flavour: Flavour
) -> tuple[Project, ...]:
    """Every project of a repository, as a build for one flavour sees it.

    Args:
        facts: What each csproj, props, targets and projitems file says, by path from the repository root.
        sources: The paths of all source files that count.
        flavour: Which build is meant.

    Returns:
        One project per `.csproj`, sorted by path; after them the implicit project, with an empty path and name, where
        some sources belong to none.
    """
    workspace = _Workspace(facts, Tree(facts), Tree(sources), flavour)
    projects = [_evaluate(workspace, path) for path in workspace.files.paths if path.lower().endswith(".csproj")]
    compiled = {path for project in projects for path in project.files}
    rest = tuple(path for path in workspace.sources.paths if path not in compiled)
    if rest:
        tfm = flavour.tfm or ""
        symbols = {"TRACE", flavour.configuration.upper(), *list_symbols(tfm), *flavour.defines}
        projects.append(Project("", "", "", "", tfm, (), frozenset(symbols), rest, (), (), ()))
    return tuple(projects)


def _evaluate(workspace: _Workspace, path: str) -> Project:
    """Once without a framework, to learn which there are; a project that builds for several, once more for one."""
    evaluation = _Evaluation(workspace, path, "")
    tfms, missing = evaluation.list_frameworks()
    single, wanted = evaluation.read("TargetFramework"), workspace.flavour.tfm
    tfm = single if single and wanted is None else choose_framework(tfms, wanted)
    if missing and wanted is not None and not any(is_compatible(wanted, each) for each in tfms):
        tfm = wanted
    if tfm != single and evaluation.sdk:
        evaluation = _Evaluation(workspace, path, tfm)
    if missing:
        evaluation.report(f"{path}: target framework {', '.join(missing)} is empty: no file of the repository sets it")
    items = _Items(evaluation)
    symbols = set(_SEPARATORS.split(evaluation.read("DefineConstants"))) | set(workspace.flavour.defines)
    if evaluation.sdk and evaluation.read("DisableImplicitFrameworkDefines").lower() != "true":
        symbols |= list_symbols(tfm)
    for name in _USED:
        evaluation.report(*evaluation.scope.doubts.get(name.lower(), ()))
    name = posixpath.splitext(posixpath.basename(path))[0]
    return Project(
        path,
        name,
        evaluation.read("AssemblyName") or name,
        evaluation.read("RootNamespace") or name,
        tfm,
        tfms,
        frozenset(filter(str.isidentifier, symbols)),
        tuple(sorted(items.files)),
        tuple(sorted(each for each in items.references if each.lower().endswith(".csproj") and each != path)),
        tuple(sorted(items.usings)),
        tuple(evaluation.reports),
    )


class _Evaluation:
    """The first pass over one project: properties and imports in document order, item groups laid aside.

    Attributes:
        sdk: The SDK of the project, empty for one in the old style.
        scope: The properties at the place reached.
        groups: Item groups with the file each stands in.
        reports: What could not be evaluated and mattered, in the order met.
    """

    def __init__(self, workspace: _Workspace, path: str, tfm: str) -> None:
        self.workspace = workspace
        self.path = path
        self.folder = posixpath.dirname(path)
        self.sdk = ""
        self.scope = Scope(self._call)
        self.groups: list[tuple[GroupFact, str]] = []
        self.reports: dict[str, None] = {}
        self._written: dict[str, str] = {}
        self._imported: set[str] = set()
        self._file = ""
        self._deep = 0
        self.scope.values.update({"os": "Unix", "msbuildruntimetype": "Core"})
        self._fixed = {"configuration": workspace.flavour.configuration} | ({"targetframework": tfm} if tfm else {})
        self.scope.values.update(self._fixed)
        self._name_file("project", path)
        self.scope.values["msbuildprojectdirectory"] = posixpath.join(ROOT, self.folder).rstrip("/")
        facts = workspace.facts[path]
        if facts.sdk:
            self._open_sdk(facts.sdk)
        self._read_file(path)
        if facts.sdk:
            self._close_sdk()

    def read(self, name: str) -> str:
        """A property's value, empty where it is not set."""
        return self.scope.values.get(name.lower(), "").strip()

    def report(self, *sentences: str) -> None:
        """Keeps each sentence once."""
        self.reports.update(dict.fromkeys(sentences))

    def list_frameworks(self) -> tuple[tuple[str, ...], list[str]]:
        """The frameworks named, and those texts among them that come out empty."""
        named: dict[str, None] = {}
        parts: list[str] = []
        for name in ("TargetFrameworks", "TargetFramework"):
            named.update(dict.fromkeys(filter(None, _SEPARATORS.split(self.read(name)))))
            parts += self._written.get(name.lower(), "").split(";")
        asking = [part.strip() for part in parts if "$(" in part]
        missing = [f"`{part}`" for part in asking if not self.expand(part, "target framework", self.path)]
        version = self.read("TargetFrameworkVersion").lstrip("vV")
        if not self.sdk and version and self.read("TargetFrameworkIdentifier") in {"", ".NETFramework"}:
            named["net" + version.replace(".", "")] = None
        return tuple(named), missing

    def expand(self, text: str, subject: str, file: str) -> str:
        """A text whose value matters: doubts about it are reported; empty where it cannot be evaluated."""
        try:
            value = expand(text, self.scope)
        except UnevaluableError as error:
            self.report(f"{file}: {subject} `{_shorten(text)}` cannot be evaluated: {error}")
            return ""
        self.report(*value.doubts)
        return value.text

    def holds(self, condition: str, subject: str) -> bool:
        """Whether a condition that matters holds; doubts about it are reported."""
        verdict = self._check(condition, subject)
        self.report(*verdict.doubts)
        return verdict.holds

    def enter(self, file: str) -> str:
        """Makes `file` the one that `MSBuildThisFile...` speak of; answers which it was before."""
        before, self._file = self._file, file
        if before != file:
            self._name_file("thisfile", file)
        return before

    def _name_file(self, which: str, file: str) -> None:
        name = posixpath.basename(file)
        folder = posixpath.join(ROOT, posixpath.dirname(file)).rstrip("/") + "/"
        stem, ending = posixpath.splitext(name)
        whole = "msbuildprojectfile" if which == "project" else "msbuildthisfile"
        parts = {"name": stem, "extension": ending, "fullpath": folder + name, "directory": folder}
        self.scope.values.update({f"msbuild{which}{part}": value for part, value in parts.items()} | {whole: name})

    def _open_sdk(self, sdk: str) -> None:
        if self.sdk:
            return
        self.sdk = sdk
        self._import_above("Directory.Build.props")
        self._import_above("Directory.Packages.props")
        self._read_group(SDK_PROPS)
        self.groups += [(group, self.path) for group in list_sdk_items(sdk)]

    def _close_sdk(self) -> None:
        if self.read("TargetFramework"):
            self._read_group(SDK_FRAMEWORK)
        self._read_group(SDK_TARGETS)
        self._import_above("Directory.Build.targets")

    def _import_above(self, name: str) -> None:
        if self.read("Import" + name.replace(".", "")).lower() != "false":
            above = self.workspace.files.find_above(self.folder, name)
            if above:
                self._read_file(above)

    def _read_file(self, path: str) -> None:
        """Reads a file's facts unless they were read before, as MSBuild does."""
        if path in self._imported or self._deep > _MOST_DEEP:
            return
        self._imported.add(path)
        facts = self.workspace.facts[path]
        self.report(*(f"{path}: {report}" for report in facts.reports))
        before = self.enter(path)
        self._deep += 1
        self._walk(facts.nodes)
        self._deep -= 1
        if before:
            self.enter(before)

    def _walk(self, nodes: Iterable[Node]) -> None:
        for node in nodes:
            match node:
                case GroupFact():
                    self._read_group(node)
                case ImportFact():
                    self._import(node)
                case ChooseFact(branches):
                    self._walk(next((each.nodes for each in branches if self.holds(each.condition, "choice")), ()))

    def _read_group(self, group: GroupFact) -> None:
        if any(isinstance(member, ItemFact) for member in group.members):
            self.groups.append((group, self._file))
            return
        verdict = self._check(group.condition, "group")
        for member in group.members:
            match member:
                case PropertyFact():
                    self._assign(member, verdict)
                case ImportFact() if verdict.holds:
                    self._import(member)

    def _assign(self, fact: PropertyFact, group: Verdict) -> None:
        """Sets a property; where that hangs on something unknown, remembers it as a doubt and says nothing yet."""
        name, scope = fact.name.lower(), self.scope
        if name in self._fixed or not (group.holds or group.doubts):
            return
        own = self._check(fact.condition, fact.name) if group.holds and fact.condition else group
        doubts = group.doubts + own.doubts
        if group.holds and own.holds:
            try:
                value = expand(fact.value, scope)
            except UnevaluableError as error:
                scope.values.pop(name, None)
                doubts += (f"{self._file}: {fact.name} `{_shorten(fact.value)}` cannot be evaluated: {error}",)
            else:
                scope.values[name] = value.text
                self._written[name] = fact.value
                doubts += value.doubts
        elif doubts:
            doubts += scope.doubts.get(name, ())
        else:
            return
        if doubts:
            scope.doubts[name] = tuple(dict.fromkeys(doubts))[:_MOST_DOUBTS]
        else:
            scope.doubts.pop(name, None)

    def _check(self, condition: str, subject: str) -> Verdict:
        try:
            return check(condition, self.scope)
        except UnevaluableError as error:
            sentence = f"{self._file}: condition `{_shorten(condition)}` of {subject} cannot be evaluated: {error}"
            return Verdict(holds=False, doubts=(sentence,))

    def _import(self, fact: ImportFact) -> None:
        name = posixpath.basename(fact.project.replace("\\", "/")).lower()
        # The build tool's own files exist wherever it runs.
        if name not in _BUILD_TOOL_FILES and not self.holds(fact.condition, f"import of {fact.project}"):
            return
        if fact.sdk:
            if name == "sdk.props":
                self._open_sdk(fact.sdk)
            elif name == "sdk.targets" and self._file == self.path:
                self._close_sdk()
            return
        text = self.expand(fact.project, "import", self._file)
        located = locate(text, posixpath.dirname(self._file))
        found = self.workspace.files.find(located) if text and located else ()
        for path in found:
            self._read_file(path)
        if found or not text:
            return
        if name in _BUILD_TOOL_FILES and not self.sdk:
            self._import_above(_BUILD_TOOL_FILES[name])
        # What lies elsewhere, is optional or hangs on a property that nothing sets is the build tool's or a package's.
        elif located and "exists(" not in fact.condition.lower() and not self.list_unset(fact.project):
            self.report(f"{self._file}: import of {fact.project}: no such file among those read")

    def list_unset(self, text: str) -> list[str]:
        """The properties a text reads that nothing sets."""
        return [name for name in list_properties(text) if not self.scope.values.get(name)]

    def _call(self, owner: str, name: str, arguments: tuple[str, ...]) -> str:
        place = Place(self.workspace.files, self.workspace.sources, self.folder, posixpath.dirname(self._file))
        answer = call_path_function(owner, name, arguments, place)
        if answer is None:
            answer = call_function(owner, name, arguments)
        if answer is None:
            raise UnevaluableError(f"the function `{name}` is not known here")
        return answer


class _Items:
    """The second pass: the items of an evaluated project, with every property at its last value."""

    def __init__(self, evaluation: _Evaluation) -> None:
        self._evaluation = evaluation
        self._file = evaluation.path
        self._usings: set[tuple[str, str]] = set()
        self.files: set[str] = set()
        self.references: set[str] = set()
        for group, file in evaluation.groups:
            self._file = file
            evaluation.enter(file)
            if evaluation.holds(group.condition, "item group"):
                for item in group.members:
                    if isinstance(item, ItemFact) and evaluation.holds(item.condition, item.kind):
                        self._take(item)

    @property
    def usings(self) -> set[str]:
        """As C# would write them, without `using` and `;`."""
        return {text for _, text in self._usings}

    def _take(self, item: ItemFact) -> None:
        if item.kind == "Using":
            self._take_using(item)
            return
        workspace = self._evaluation.workspace
        compiled = item.kind == "Compile"
        tree, taken = (workspace.sources, self.files) if compiled else (workspace.files, self.references)
        taken |= self._find(item, item.include, tree) - self._find(item, item.exclude, tree)
        taken -= self._find(item, item.remove, tree)

    def _take_using(self, item: ItemFact) -> None:
        details = {name: self._evaluation.expand(value, "Using", self._file) for name, value in item.metadata}
        prefix = f"{details['alias']} = " if details.get("alias") else ""
        if details.get("static", "").lower() == "true":
            prefix = "static "
        self._usings |= {(name, prefix + name) for name in self._list(item, item.include)}
        removed = {name.lower() for name in self._list(item, item.remove)}
        if removed:
            self._usings = {each for each in self._usings if each[0].lower() not in removed}

    def _list(self, item: ItemFact, text: str) -> list[str]:
        """The entries of a list, expanded."""
        expanded = self._evaluation.expand(text, item.kind, self._file) if text else ""
        if "@(" in expanded:
            self._evaluation.report(f"{self._file}: {item.kind} `{_shorten(text)}` asks for other items")
        entries = (entry.strip() for entry in expanded.split(";"))
        return [unescape(entry) for entry in entries if entry and "@(" not in entry]

    def _find(self, item: ItemFact, text: str, tree: Tree) -> set[str]:
        """The paths that a list of patterns means, relative to the project whatever file holds the list."""
        found: set[str] = set()
        for entry in self._list(item, text):
            located = locate(entry, self._evaluation.folder)
            found.update(tree.find(located) if located else ())
        if text and not found and text == item.include and (unset := self._evaluation.list_unset(text)):
            names = ", ".join(f"`$({name})`" for name in dict.fromkeys(unset))
            self._evaluation.report(f"{self._file}: {item.kind} `{_shorten(text)}`: nothing sets {names}")
        return found


def _shorten(text: str) -> str:
    """A text on one line, short enough for a report."""
    line = " ".join(text.split())
    return line if len(line) <= _MOST_SHOWN else line[: _MOST_SHOWN - 1] + "…"
