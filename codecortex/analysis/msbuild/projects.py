"""Facts of project files and source paths in, projects evaluated for one flavour out."""

from __future__ import annotations

import posixpath
from dataclasses import replace
from typing import TYPE_CHECKING

from codecortex.analysis.msbuild.evaluation import SEPARATORS, Evaluation, EvaluationInputs
from codecortex.analysis.msbuild.frameworks import choose_framework, is_compatible, list_symbols
from codecortex.analysis.msbuild.globs import Tree
from codecortex.analysis.msbuild.items import NEEDED, Items, list_packages
from codecortex.analysis.test_code import is_test_package, is_test_project
from codecortex.model.code.projects import Flavour, Project, ProjectFacts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_SOLUTIONS = (".sln", ".slnx")
_USED = (
    *("TargetFrameworks", "TargetFramework", "TargetFrameworkVersion", "DefineConstants", "AssemblyName"),
    *("RootNamespace", "ImplicitUsings", "EnableDefaultItems", "EnableDefaultCompileItems", "DefaultItemExcludes"),
    *("DefaultExcludesInProjectFolder", "DisableImplicitFrameworkDefines"),
)


def evaluate_projects(
    facts: Mapping[str, ProjectFacts], sources: Sequence[str], flavour: Flavour, markers: Sequence[str] = ()
) -> tuple[Project, ...]:
    """Every project of a repository, as a build for one flavour sees it.

    A framework that only a package could name, as `$(NetCurrent)` or by being the SDK, is the one asked for; where none
    is asked for it is that of the SDK in the nearest `global.json`, so that the tree decides and never the machine.

    Args:
        facts: What each csproj, props, targets, projitems and `global.json` file says, by path from the root.
        sources: The paths of all source files that count.
        flavour: Which build is meant.
        markers: The paths of other files that project files may ask for, such as solutions.

    Returns:
        One project per `.csproj`, sorted by path; after them the implicit project, with an empty path and name, where
        some sources belong to none. What several projects have to report, the first one reports for all.
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
    """Every cause once, with the first project that has it; a cause is what a report says between file and need."""
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
        shared.append(replace(project, reports=tuple(own.values())) if project.reports else project)
    return shared


def _find_cause(report: str) -> str:
    return report.partition(": ")[2].partition(NEEDED)[0]


def _evaluate(inputs: EvaluationInputs, path: str) -> Project:
    """Once without a framework, to learn which there are; a project that builds for several, once more for one."""
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
    items = Items(evaluation)
    symbols = set(SEPARATORS.split(evaluation.read("DefineConstants"))) | set(inputs.flavour.defines)
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
        is_test_project(evaluation.read("IsTestProject"), evaluation.sdk, list_packages(evaluation, is_test_package)),
    )
