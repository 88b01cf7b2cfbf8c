"""Evaluates all projects of a repository for one flavour."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from codecortex.analysis.msbuild.evaluation import SEPARATORS, Evaluation, EvaluationInputs
from codecortex.analysis.msbuild.frameworks import choose_framework, is_compatible, list_symbols
from codecortex.analysis.msbuild.globs import Tree
from codecortex.analysis.msbuild.items import NEEDED, Items
from codecortex.analysis.msbuild.packages import place_assemblies, read_references
from codecortex.analysis.test_code import is_test_project
from codecortex.model.code.projects import Flavour, Project, ProjectFacts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_SOLUTIONS = (".sln", ".slnx")
_USED = (
    *("TargetFrameworks", "TargetFramework", "TargetFrameworkVersion", "DefineConstants", "AssemblyName"),
    *("RootNamespace", "ImplicitUsings", "EnableDefaultItems", "EnableDefaultCompileItems", "DefaultItemExcludes"),
    *("DefaultExcludesInProjectFolder", "DisableImplicitFrameworkDefines", "Nullable"),
)


def evaluate_projects(
    facts: Mapping[str, ProjectFacts], sources: Sequence[str], flavour: Flavour, markers: Sequence[str] = ()
) -> tuple[Project, ...]:
    """Evaluate every project of a repository, as in a build for one flavour.

    If only a package could tell the framework (as in `$(NetCurrent)`, or because the SDK sets it), the requested one is
    used; if none is requested, that of the SDK in the nearest `global.json`, so that the result depends on the tree and
    never on the machine.

    Args:
        facts: The facts of each csproj, props, targets, projitems and `global.json` file, by path from the root.
        sources: The paths of all source files that are read.
        flavour: The flavour to evaluate.
        markers: The paths of other files that project files may refer to, such as solutions.

    Returns:
        One project per `.csproj`, sorted by path; after them the implicit project, with empty path and name, if some
        sources belong to no project. A report common to several projects is given by the first of them.
    """
    solutions = frozenset(posixpath.dirname(path) for path in markers if path.lower().endswith(_SOLUTIONS))
    inputs = EvaluationInputs(facts, Tree({*facts, *markers}), Tree(sources), solutions, flavour)
    projects = _share_reports([_evaluate(inputs, path) for path in sorted(facts) if path.lower().endswith(".csproj")])
    compiled = {path for project in projects for path in project.files}
    rest = tuple(path for path in inputs.sources.paths if path not in compiled)
    if rest:
        tfm = flavour.tfm or ""
        symbols = {"TRACE", flavour.configuration.upper(), *list_symbols(tfm), *flavour.defines}
        projects.append(Project("", "", "", "", tfm, (), frozenset(symbols), rest, (), (), ()))
    return tuple(projects)


def _share_reports(projects: list[Project]) -> list[Project]:
    """Keep each cause only in the first project that reports it; the cause is the report between file and `NEEDED`."""
    sharing: dict[str, list[str]] = {}
    for project in projects:
        for cause in dict.fromkeys(map(_find_cause, project.reports)):
            sharing.setdefault(cause, []).append(project.path)
    shared: list[Project] = []
    for project in projects:
        own: dict[str, str] = {}
        for report in project.reports:
            cause = _find_cause(report)
            first, *others = sharing[cause]
            if first == project.path:
                more = f" … and {len(others)} more project{'s' * (len(others) > 1)}" if others else ""
                own.setdefault(cause, report + more)
        shared.append(project._replace(reports=tuple(own.values())) if project.reports else project)
    return shared


_CODE_PAGES = frozenset({"", "65001", "932", "1252"})
"""What `CodePage` may say without a report: nothing, and the encodings that sources are read in anyway."""


def _find_cause(report: str) -> str:
    return report.partition(": ")[2].partition(NEEDED)[0]


def _evaluate(inputs: EvaluationInputs, path: str) -> Project:
    """Evaluate a project without a framework to learn its frameworks, then again for one of them if needed."""
    evaluation = Evaluation(inputs, path, "")
    tfms, missing = evaluation.list_frameworks()
    single, wanted = evaluation.read("TargetFramework"), inputs.flavour.tfm
    unnamed = missing or (evaluation.sdk and not tfms)
    if unnamed and not (wanted and any(is_compatible(wanted, each) for each in tfms)):
        tfm = wanted or evaluation.newest or choose_framework(tfms, None)
    else:
        tfm = single if single and wanted is None else choose_framework(tfms, wanted)
    if tfm != single and evaluation.sdk:
        evaluation = Evaluation(inputs, path, tfm)
    if missing:
        taken = f", so {tfm} is taken" if tfm else ""
        evaluation.report(f"{path}: no file of the repository says which framework {', '.join(missing)} is{taken}")
    name = posixpath.splitext(posixpath.basename(path))[0]
    assembly = evaluation.read("AssemblyName") or name
    items, references = Items(evaluation), read_references(evaluation, assembly)
    symbols = set(SEPARATORS.split(evaluation.read("DefineConstants"))) | set(inputs.flavour.defines)
    if evaluation.sdk and evaluation.read("DisableImplicitFrameworkDefines").lower() != "true":
        symbols |= list_symbols(tfm)
    for used in _USED:
        evaluation.report(*evaluation.scope.doubts.get(used.lower(), ()))
    if (page := evaluation.read("CodePage")) not in _CODE_PAGES:
        report = f"{path}: CodePage {page} is not known; sources that are not UTF-8 may be misread"
        evaluation.report(report)
    return Project(
        path,
        name,
        assembly,
        evaluation.read("RootNamespace") or name,
        tfm,
        tfms,
        frozenset(filter(str.isidentifier, symbols)),
        tuple(sorted(items.files)),
        tuple(sorted(each for each in items.references if each.lower().endswith(".csproj") and each != path)),
        tuple(sorted(items.usings)),
        tuple(evaluation.reports),
        is_test_project(evaluation.read("IsTestProject"), evaluation.sdk, references.names),
        evaluation.read("Nullable").lower() in ("enable", "annotations"),
        evaluation.read("LangVersion"),
        evaluation.read("ImplicitUsings").lower() in ("enable", "true"),
        references.packages,
        references.frameworks,
        references.friends,
        place_assemblies(path, references.assemblies),
    )
