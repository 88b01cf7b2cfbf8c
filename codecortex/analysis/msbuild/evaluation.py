"""Evaluates one project file: its properties, its item groups, and reports about what could not be evaluated."""

from __future__ import annotations

import posixpath
from functools import lru_cache
from typing import TYPE_CHECKING

from codecortex.analysis.msbuild.expressions import (
    Scope,
    UnevaluableError,
    Verdict,
    check,
    expand,
    list_properties,
    shorten,
)
from codecortex.analysis.msbuild.functions import call_function
from codecortex.analysis.msbuild.globs import ROOT, PathContext, Tree, call_path_function, locate
from codecortex.analysis.msbuild.sdk import (
    ARCADE,
    SDK_FRAMEWORK,
    SDK_PROPS,
    SDK_TARGETS,
    list_arcade_properties,
    list_known_properties,
    list_sdk_items,
    read_major,
)
from codecortex.model.code.projects import (
    ChooseFact,
    Flavour,
    GroupFact,
    ImportFact,
    ItemFact,
    Node,
    ProjectFacts,
    PropertyFact,
)
from codecortex.model.startup.named_tuple import NamedTuple
from codecortex.model.startup.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from codecortex.analysis.msbuild.functions import Value

SEPARATORS = compile_later(r"[;,\s]+")
"""Separates the entries of a list of frameworks or symbols."""

_MOST_DEEP = 40
_MOST_DOUBTS = 8
# The files of the build tool that an old-style project imports, and the repository files that these import.
_BUILD_TOOL_FILES = {
    "microsoft.common.props": "Directory.Build.props",
    "microsoft.csharp.targets": "Directory.Build.targets",
}
_WHOLE_SDKS = ("microsoft.net.sdk", "msbuild.sdk.extras")
_SDK_VERSION = "netcoresdkversion"


class EvaluationInputs(NamedTuple):
    """The inputs shared by all evaluations of a repository; `solutions` are the folders that contain one."""

    facts: Mapping[str, ProjectFacts]
    files: Tree
    sources: Tree
    solutions: frozenset[str]
    flavour: Flavour


@lru_cache(maxsize=1024)
def _name_parts(which: str, file: str) -> Mapping[str, str]:
    """The properties with the parts of a file's path, of the project or of the file that is read."""
    name = posixpath.basename(file)
    folder = posixpath.join(ROOT, posixpath.dirname(file)).rstrip("/") + "/"
    stem, ending = posixpath.splitext(name)
    whole = "msbuildprojectfile" if which == "project" else "msbuildthisfile"
    parts = {"name": stem, "extension": ending, "fullpath": folder + name, "directory": folder}
    return {f"msbuild{which}{part}": value for part, value in parts.items()} | {whole: name}


class Evaluation:
    """The first pass over one project: evaluates properties and imports in document order, and collects item groups.

    Attributes:
        sdk: The SDK of the project; empty for an old-style project.
        newest: The framework of the .NET SDK version in the nearest `global.json`; empty if there is none.
        folder: The project's folder, from the repository root.
        trees: The files that projects may refer to, and the sources.
        scope: The properties at the current place.
        groups: Item groups with the file that contains each.
        reports: Relevant parts that could not be evaluated, in order.
    """

    def __init__(self, inputs: EvaluationInputs, path: str, tfm: str) -> None:
        self.inputs = inputs
        self.path = path
        self.folder = posixpath.dirname(path)
        self.sdk = ""
        self.scope = Scope(self._call, {}, {})
        self.groups: list[tuple[GroupFact, str]] = []
        self.reports: dict[str, None] = {}
        self._written: dict[str, str] = {}
        self._imported: set[str] = set()
        self._file = ""
        self._deep = 0
        self.trees = (inputs.files, inputs.sources)
        self._versions = self._read_versions()
        version = self._versions.get(_SDK_VERSION, "")
        self.newest = f"net{read_major(version)}.0" if version else ""
        self.scope.values.update(list_known_properties(version))
        if (solution := self._find_solution()) is not None:
            self.scope.values["solutiondir"] = posixpath.join(ROOT, solution).rstrip("/") + "/"
        self._fixed = {"configuration": inputs.flavour.configuration} | ({"targetframework": tfm} if tfm else {})
        self.scope.values.update(self._fixed)
        self._name_file("project", path)
        self.scope.values["msbuildprojectdirectory"] = posixpath.join(ROOT, self.folder).rstrip("/")
        self._read_file(path)

    def read(self, name: str) -> str:
        """A property's value; empty if it is not set."""
        return self.scope.values.get(name.lower(), "").strip()

    def report(self, *sentences: str) -> None:
        """Add sentences to the reports, without duplicates."""
        self.reports.update(dict.fromkeys(sentences))

    def list_frameworks(self) -> tuple[tuple[str, ...], list[str]]:
        """The frameworks that the project names, and those expressions for frameworks that evaluate to nothing."""
        named: dict[str, None] = {}
        parts: list[str] = []
        for name in ("TargetFrameworks", "TargetFramework"):
            named.update(dict.fromkeys(filter(None, SEPARATORS.split(self.read(name)))))
            parts += self._written.get(name.lower(), "").split(";")
        asking = [part.strip() for part in parts if "$(" in part]
        missing = [f"`{part}`" for part in asking if self.expand(part, "framework", self.path)[:1] in {"", "-"}]
        named = {tfm: None for tfm in named if not tfm.startswith("-")}
        version = self.read("TargetFrameworkVersion").lstrip("vV")
        if not self.sdk and version and self.read("TargetFrameworkIdentifier") in {"", ".NETFramework"}:
            named["net" + version.replace(".", "")] = None
        return tuple(named), missing

    def expand(self, text: str, subject: str, file: str) -> str:
        """Expand a text whose value matters, and report doubts about it; empty if it cannot be evaluated."""
        try:
            value = expand(text, self.scope)
        except UnevaluableError as error:
            self.report(f"{file}: {subject} `{shorten(text)}` cannot be evaluated: {error}")
            return ""
        self.report(*value.doubts)
        return value.text

    def holds(self, condition: str, subject: str) -> bool:
        """Evaluate a condition that matters, and report doubts about it."""
        verdict = self._check(condition, subject)
        self.report(*verdict.doubts)
        return verdict.holds

    def may_hold(self, condition: str) -> bool:
        """Whether a condition holds, where it does not matter enough for doubts about it to be reported."""
        return self._check(condition, "").holds

    def may_expand(self, text: str) -> str:
        """Expand a text whose value does not matter enough for problems to be reported; empty if it cannot be."""
        try:
            return expand(text, self.scope).text if "$" in text or "%" in text else text
        except UnevaluableError:
            return ""

    def enter(self, file: str) -> str:
        """Set the `MSBuildThisFile...` properties to `file`; returns the previous file."""
        before, self._file = self._file, file
        if before != file:
            self._name_file("thisfile", file)
        return before

    def _name_file(self, which: str, file: str) -> None:
        self.scope.values.update(_name_parts(which, file))

    def _read_versions(self) -> dict[str, str]:
        """The versions of SDKs by lower-case name, from the nearest `global.json`."""
        facts = self.inputs.facts.get(self.inputs.files.find_above(self.folder, "global.json"))
        groups = facts.nodes if facts else ()
        members = (member for group in groups if isinstance(group, GroupFact) for member in group.members)
        return {member.name.lower(): member.value for member in members if isinstance(member, PropertyFact)}

    def _find_solution(self) -> str | None:
        """The nearest folder with a solution, at or above the project's folder."""
        folder = self.folder
        while folder not in self.inputs.solutions:
            if not folder:
                return None
            folder = posixpath.dirname(folder)
        return folder

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

    def _open_arcade(self) -> None:
        home = posixpath.dirname(self.inputs.files.find_above(self.folder, "global.json"))
        version = self._versions.get(ARCADE) or self._versions.get(_SDK_VERSION, "")
        for name, value in list_arcade_properties(version, posixpath.join(ROOT, home).rstrip("/") + "/").items():
            self.scope.values.setdefault(name, value)
        self._read_file(posixpath.join(home, "eng/Versions.props"))

    def _import_above(self, name: str) -> None:
        """Import the file with this name that the project selects, or by default the nearest one above it."""
        stem = name.replace(".", "")
        if self.read("Import" + stem).lower() == "false":
            return
        chosen = self.read(stem + "Path")
        above = locate(chosen, self.folder) if chosen else self.inputs.files.find_above(self.folder, name)
        if above:
            self.scope.values[stem.lower() + "path"] = posixpath.join(ROOT, above)
            self.scope.values[f"_{stem.lower()}basepath"] = posixpath.join(ROOT, posixpath.dirname(above))
            self._read_file(above)

    def _read_file(self, path: str) -> None:
        """Read a file's facts, if it has any and was not read before; MSBuild does the same."""
        facts = self.inputs.facts.get(path)
        if facts is None or path in self._imported or self._deep > _MOST_DEEP:
            return
        self._imported.add(path)
        self.report(*(f"{path}: {report}" for report in facts.reports))
        before = self.enter(path)
        self._deep += 1
        # A project may consist of little more than an import of another one, and then has the SDK of that one.
        brings = bool(facts.sdk) and not self.sdk and path.lower().endswith(".csproj")
        if brings:
            self._open_sdk(facts.sdk)
        self._walk(facts.nodes)
        if brings:
            self._close_sdk()
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
        """Set a property; if that depends on something unknown, record a doubt, to be reported only if it matters."""
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
                doubts += (f"{self._file}: {fact.name} `{shorten(fact.value)}` cannot be evaluated: {error}",)
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
            sentence = f"{self._file}: condition `{shorten(condition)}` of {subject} cannot be evaluated: {error}"
            return Verdict(holds=False, doubts=(sentence,))

    def _import(self, fact: ImportFact) -> None:
        name = posixpath.basename(fact.project.replace("\\", "/")).lower()
        # The build tool's own files exist on every machine.
        if name not in _BUILD_TOOL_FILES and not self.holds(fact.condition, f"import of {fact.project}"):
            return
        if fact.sdk:
            if name == "sdk.props" and fact.sdk.lower() == ARCADE:
                self._open_arcade()
            elif name == "sdk.props" and (self._file == self.path or fact.sdk.lower().startswith(_WHOLE_SDKS)):
                self._open_sdk(fact.sdk)
            elif name == "sdk.targets" and self._file == self.path:
                self._close_sdk()
            return
        text = self.expand(fact.project, "import", self._file)
        located = locate(text, posixpath.dirname(self._file))
        found = self.inputs.files.find(located) if text and located else ()
        for path in found:
            self._read_file(path)
        if found or not text:
            return
        if name in _BUILD_TOOL_FILES and not self.sdk:
            self._import_above(_BUILD_TOOL_FILES[name])
        # A file elsewhere, or optional, or with an unset property in its path belongs to the build tool or a package.
        elif located and "exists(" not in fact.condition.lower() and not self.list_unset(fact.project):
            self.report(f"{self._file}: import of {fact.project}: no such file among those read")

    def list_unset(self, text: str) -> list[str]:
        """The properties in a text that are not set."""
        return [name for name in list_properties(text) if not self.scope.values.get(name)]

    def _call(self, owner: str, name: str, arguments: tuple[str, ...]) -> Value:
        place = PathContext(self.inputs.files, self.inputs.sources, self.folder, posixpath.dirname(self._file))
        answer: Value | None = call_path_function(owner, name, arguments, place)
        if answer is None:
            answer = call_function(owner, name, arguments)
        if answer is None:
            raise UnevaluableError(f"the function `{name}` is not known here")
        return answer
